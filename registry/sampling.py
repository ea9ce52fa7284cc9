"""Which files are samples of a format, and of which one?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from registry import detection, files, gate, kinship
from registry.catalog import Version, parse_ref
from registry.errors import Ambiguous, InputError, UnknownFormat, UnknownVersion
from registry.unknowns import Sample

HINT = "Say which one it is with --from."


def read(paths: Iterable[str]) -> list[Sample]:
    """What do the files hold that these paths mean? NaN and the infinities are numbers here.

    Raises InputError when one can't be read, or a path means none.
    """
    found: list[Sample] = []
    for path, listed in files.listed(paths):
        if not listed and not found:
            raise InputError(found=f"no {files.NAMED} file", expected="one", file=path)
        found += map(_sample, listed)
    return found


def _sample(file: str) -> Sample:
    with files.opened(file) as data:
        if files.is_lines(data, file):
            return Sample(file, gate.load_lines(data, file=file, nonfinite="keep"), lines=True)
        return Sample(file, gate.load(data, file=file, nonfinite="keep"))


def version(samples: Sequence[Sample]) -> Version | None:
    """Which is the newest known version of the format that all of these have? None for none.

    A file of no known format counts as one of the format that it is most like. Raises InputError
    when the samples are of several formats.
    """
    of = {sample.file: _format(sample) for sample in samples}
    formats = {id_ for id_ in of.values() if id_}
    if len(formats) > 1:
        told = "; ".join(f"{file} is {id_}" for file, id_ in of.items() if id_)
        raise InputError(
            found=f"samples of several formats ({told})", expected="samples of one", hint=HINT
        )
    return parse_ref(formats.pop()) if formats else None


def _format(sample: Sample) -> str | None:
    try:
        return detection.detect_document(sample.document, lines=sample.lines).format
    except Ambiguous as error:
        error.file = sample.file
        raise
    except (UnknownFormat, UnknownVersion):
        near = kinship.nearest(sample.document)
        return near.format if near else None
