"""Which fields of a garak report have no fact, and why: they are carried."""

from __future__ import annotations

from collections.abc import Mapping

CASE = "attempts/*"
TRIAL = f"{CASE}/generations/*"
MESSAGE = "language, attachments and notes of messages; other tools have texts"
LISTS = "lists of another length than there are generations; the others stand in those"

CARRIED: Mapping[str, str] = {
    "setup": "the tool's own configuration",
    "init/garak_version": "says which release of garak wrote the file, which no other tool can",
    "completion/run": "says the run's id again",
    "lines": "totals, plug-ins and payloads in the tool's own words, and what was never judged",
    "epilog": "the tool's own digest of the report",
    f"{CASE}/uuid": "made anew in each run; seq tells the attempt in every one",
    f"{CASE}/probe_params": "the probe's own settings",
    f"{CASE}/targets": "texts that the tool's own detectors look for",
    f"{CASE}/notes": "the probe's own remarks, for its detectors",
    f"{CASE}/reverse_translation_outputs": LISTS,
    f"{CASE}/sent": "what the attempt said before it was judged",
    f"{TRIAL}/conversation/notes": MESSAGE,
    f"{TRIAL}/reverse_translation_output": "the output once more, in the language of the probe",
}
