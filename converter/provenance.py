"""Where does a converted file come from? An in-toto statement, version 1, beside it.

The predicate is SLSA's provenance, version 1: the output is the subject, the source is what it was
resolved from. Besides its digest the source has one of its value, blind to key order and spelling,
since that is what the output carries: whoever has the output alone can bring it home and compare.
No time and no path stands in it, so the same conversion makes the same statement. It is not signed.

https://github.com/in-toto/attestation/blob/main/spec/v1/statement.md
https://slsa.dev/spec/v1.0/provenance
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from converter import chain, sidecar
from registry import gate
from registry.errors import EvalglotError
from registry.reports.sarif import tool_version
from registry.values import digest

if TYPE_CHECKING:
    from converter.chain import Stage
    from converter.sidecar import Beside
    from registry.text import Buffer

STATEMENT = "https://in-toto.io/Statement/v1"
PREDICATE = "https://slsa.dev/provenance/v1"
BUILD = "urn:evalglot:convert:1"
SCHEMA = "evalglot-provenance/1/schema.json"


class Source(NamedTuple):
    """What was converted: the name of its file, its bytes' digest, and the document."""

    name: str
    sha256: str
    stage: Stage


def written(
    data: Buffer, format_: str, version: str, *, lines: bool, beside: Beside | None
) -> Stage:
    """Which document was written, with what stands beside it?"""
    values = gate.load_lines(data) if lines else gate.load(data, nonfinite="keep")
    stage = chain.stage(values, f"{format_}@{version}", lines=lines)
    if beside is None:
        return stage
    parts = sidecar.rejoined(format_, version, stage.parts, beside)
    return chain.Stage(format_, version, parts)


def home_value(stage: Stage, ref: str) -> str | None:
    """Which digest has the value that this document carries home? None where it carries none."""
    format_, _, version = ref.partition("@")
    try:
        home = chain.homeward(stage, format_, version)
    except EvalglotError:
        return None
    return None if home is None else digest(home.document())


def statement(
    source: Source, target: Stage, outputs: Mapping[str, bytes], redacted: int | None
) -> bytes:
    """Which statement tells where these files come from? `outputs` are their bytes by name."""
    value = digest(source.stage.document())
    parameters: dict[str, Any] = {
        "source": source.stage.ref,
        "target": target.ref,
        "carries": home_value(target, source.stage.ref) == value,
    }
    if redacted:
        parameters["redacted"] = redacted
    told = {
        "_type": STATEMENT,
        "subject": [_resource(name, sha256(data).hexdigest()) for name, data in outputs.items()],
        "predicateType": PREDICATE,
        "predicate": {
            "buildDefinition": {
                "buildType": BUILD,
                "externalParameters": parameters,
                "resolvedDependencies": [
                    {
                        **_resource(source.name, source.sha256),
                        "annotations": {"format": source.stage.ref, "value": f"sha256:{value}"},
                    }
                ],
            },
            "runDetails": {
                "builder": {"id": "urn:evalglot", "version": {"evalglot": tool_version()}}
            },
        },
    }
    return gate.dump(told, indent=2) + b"\n"


def _resource(name: str, digest: str) -> dict[str, Any]:
    plain = Path(name).name.encode("utf-8", "backslashreplace").decode()
    return {"name": plain, "digest": {"sha256": digest}}
