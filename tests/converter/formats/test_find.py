"""A format or version may stand on a shelf before anything here converts it."""

from __future__ import annotations

import pytest

from converter import versioned
from converter.formats import FORMATS, find
from registry.errors import UnknownFormat, UnknownVersion


def test_a_format_without_a_module_is_said_to_be_not_converted_yet() -> None:
    with pytest.raises(UnknownFormat, match=r"not converted yet.*expected one of cbl"):
        find("evalglot-rules")


@pytest.mark.parametrize("id_", FORMATS)
def test_a_version_without_a_step_is_said_to_be_not_converted_yet(id_: str) -> None:
    with pytest.raises(UnknownVersion, match="not converted yet"):
        versioned.versioned(id_, "999")
