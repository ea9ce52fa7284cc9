"""The laws as tests of one format, which pytest finds in each class that inherits them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, ClassVar

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from converter.formats import find, usable
from evalglot.testing import documents, laws, samples
from registry import catalog
from registry.catalog import Version
from registry.plugins import plugin_of

FIXTURES = "fixtures"
"""Where, in a plug-in's package, are its samples?"""

FREELY = settings(deadline=None, max_examples=25, suppress_health_check=list(HealthCheck))


class FormatLaws:
    """Every law, for the samples of one format and for documents drawn from all schemas.

    `format` is the id of a plug-in's format. Its samples are in `fixtures/` of its package;
    `folder` says where else.
    """

    format: ClassVar[str]
    folder: ClassVar[Path | None] = None

    def pytest_generate_tests(self, metafunc: Any) -> None:
        """Make a test of each sample, and of each format or version that it goes to."""
        for name in metafunc.fixturenames:
            if name in CHOICES:
                choices = list(CHOICES[name](type(self)))
                metafunc.parametrize(name, choices, ids=list(map(_named, choices)))

    def test_a_valid_sample_is_valid_and_told(self, path: Path) -> None:
        """Validation and detection."""
        laws.is_valid_and_told(path)

    def test_an_invalid_sample_is_refused_as_expected(self, invalid: Path) -> None:
        """Validation."""
        laws.is_refused_as_expected(invalid)

    def test_a_version_has_the_usual_samples(self, mine: Version) -> None:
        """smallest, typical, everything, something invalid, and a README."""
        laws.has_the_usual_samples(_folder(type(self)), mine.ref)

    def test_a_schema_is_sound(self, mine: Version) -> None:
        """As `evalglot registry lint` looks at it."""
        laws.schema_is_sound(mine)

    def test_everything_has_every_field(self, mine: Version) -> None:
        """And each field of another type is refused."""
        everything = [one for one in _paths(type(self)) if _is_everything(one, mine)]
        laws.everything_has_every_field(mine.ref, everything)
        for path in everything:
            laws.another_type_is_refused(path)

    def test_the_slot_is_the_declared_one(self) -> None:
        """format.json and module agree."""
        laws.slot_is_the_declared_one(self.format)

    def test_every_field_has_a_row_or_a_reason(self) -> None:
        """Nothing documented is forgotten."""
        schema = catalog.parse_ref(self.format).schema
        laws.every_field_has_a_row_or_a_reason(self.format, set(laws.fields_of(schema, schema)))

    def test_l01_a_document_comes_back_from_its_own_format(self, newest: Path) -> None:
        """L1."""
        laws.own_format_says_it_again(newest)

    def test_l02_l04_a_sample_comes_home_from_everywhere(self, path: Path, other: Version) -> None:
        """L2 and L4, and what is carried is carried with its record."""
        laws.sample_comes_home(path, other)
        laws.document_delta_is_empty(path, other)

    def test_l02_a_clean_file_of_another_format_comes_home(self, newest: Path, id_: str) -> None:
        """L2, from every other format."""
        laws.clean_file_comes_home(newest, id_)

    def test_l05_an_edited_leaf_comes_home_edited(self, newest: Path, id_: str) -> None:
        """L5."""
        laws.edited_leaf_comes_home_edited(newest, id_)

    def test_l06_survivors_come_home_as_they_were(self, newest: Path, id_: str) -> None:
        """L6."""
        laws.survivors_come_home_as_they_were(newest, id_)

    def test_l09_a_detour_changes_no_fact(self, newest: Path, id_: str) -> None:
        """L9, and a chain of three comes home."""
        thirds = [last for last in usable() if last not in (id_, self.format)]
        laws.detour_changes_no_fact(newest, id_, thirds)
        laws.chain_of_three_comes_home(newest, id_, "cbl" if id_ != "cbl" else "sandtable")

    def test_l11_the_same_input_gives_the_same_bytes(self, newest: Path, id_: str) -> None:
        """L11."""
        laws.same_input_gives_the_same_bytes(newest, id_)

    @FREELY
    @given(data=st.data())
    def test_l02_l03_l04_a_drawn_document_comes_home(
        self, mine: Version, data: st.DataObject
    ) -> None:
        """L2, L3, L4: out to every version, whatever a file of the format may hold."""
        other = data.draw(st.sampled_from(list(_others(type(self)))))
        document = data.draw(documents.documents(mine))
        laws.there_is_valid_and_back_is_the_same(document, mine.ref, other)

    @FREELY
    @given(data=st.data())
    def test_l02_l03_l04_a_drawn_document_of_another_comes_home(
        self, other: Version, data: st.DataObject
    ) -> None:
        """L2, L3, L4: in from every version; and no such file is taken for one of this format."""
        document = data.draw(documents.documents(other))
        mine = catalog.parse_ref(self.format)
        laws.there_is_valid_and_back_is_the_same(document, other.ref, mine)
        laws.others_are_not_taken_for_it(document, other, self.format)


Laws = type[FormatLaws]


def _folder(cls: Laws) -> Path:
    if cls.folder is not None:
        return cls.folder
    plugin = plugin_of(cls.format)
    assert plugin is not None, f"no installed package brings a format {cls.format}"
    return plugin.folder / FIXTURES


def _paths(cls: Laws) -> list[Path]:
    return samples.valid(_folder(cls), cls.format)


def _newest(cls: Laws) -> list[Path]:
    return [path for path in _paths(cls) if samples.ref(path) == find(cls.format).ref]


def _others(cls: Laws) -> Iterable[Version]:
    return (one for one in samples.versions() if one.format in {*usable()} - {cls.format})


def _is_everything(path: Path, version: Version) -> bool:
    return samples.ref(path) == version.ref and path.stem.startswith("everything")


def _named(choice: Any) -> str:
    if isinstance(choice, Path):
        return samples.name(choice)
    return choice.ref if isinstance(choice, Version) else choice


CHOICES: dict[str, Callable[[Laws], Iterable[Any]]] = {
    "path": _paths,
    "newest": _newest,
    "invalid": lambda cls: samples.invalid(_folder(cls), cls.format),
    "mine": lambda cls: [one for one in samples.versions() if one.format == cls.format],
    "other": _others,
    "id_": lambda cls: [one for one in usable() if one != cls.format],
}
"""Which choices has an argument of a test? By its name."""
