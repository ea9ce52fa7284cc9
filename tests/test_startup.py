"""What a command imports before it has anything to do is what its user waits for each time."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
RUN = "fixtures/cbl/4/valid/typical.json"
HEAVY = (
    "asyncio",
    "concurrent",
    "deepdiff",
    "difflib",
    "fastjsonschema",
    "genson",
    "http",
    "importlib.metadata",
    "jsonschema",
    "jsonschema_rs",
    "lxml",
    "multiprocessing",
    "numpy",
    "pandas",
    "referencing",
    "rich",
    "scipy",
    "ssl",
    "statistics",
    "unittest",
    "xml",
)
"""modules that take 5 ms and more, or bring others along that do"""
ENGINES = ("fastjsonschema", "jsonschema_rs")
"""what decides whether a file keeps to its schema"""
LOADED = f"print(*(name for name in {HEAVY!r} if name in sys.modules), file=sys.stderr)"
BUDGET = {
    ("converter.cli", "--help"): (),
    ("converter.cli", "--list"): (),
    ("diffruns.cli", "--help"): (),
    ("evalglot.cli", "--help"): (),
    ("evalglot.cli", "convert", "--help"): (),
    ("evalglot.cli", "diff", "--help"): (),
    ("evalglot.cli", "validate", "--help"): (),
    ("evalglot.cli", "registry", "--help"): (),
    ("evalglot.cli", "validate", "--ignore-unknown", RUN): ENGINES,
    ("evalglot.cli", "validate", "--ignore-unknown", "pyproject.toml"): (),
    ("converter.cli", "--to", "sandtable", RUN): ENGINES,
    ("diffruns.cli", RUN, RUN): (*ENGINES, "statistics"),
}
"""what of that each command may import; the hook runs `validate --ignore-unknown`"""


@pytest.mark.parametrize("command", BUDGET, ids=" ".join)
def test_command_imports_nothing_heavy_that_it_has_no_use_for(command: tuple[str, ...]) -> None:
    module, *arguments = command
    code = (
        f"import sys\nfrom {module} import main\nsys.argv = ['command', *{arguments!r}]\n"
        f"try:\n    main()\nfinally:\n    {LOADED}"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=False, encoding="utf-8"
    )
    loaded = set(done.stderr.splitlines()[-1].split())
    assert done.returncode in (0, 1), done.stderr
    assert loaded <= set(BUDGET[command])
