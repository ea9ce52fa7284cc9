"""What does git know of result files on the branch that they are to be merged into?"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence

from registry.choosing import near
from registry.errors import InputError
from registry.files import SUFFIXES

FETCH = "In CI, fetch it first: git fetch --depth=1 origin BRANCH, then --base FETCH_HEAD."


def commit(revision: str) -> str:
    """Which commit is this revision? Raises InputError where git knows none."""
    done = _git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    if done.returncode == 0:
        return done.stdout.decode().strip()
    inside = _git("rev-parse", "--git-dir").returncode == 0
    raise InputError(
        found=f"git knows no commit {revision!r} here" if inside else "this is no git repository",
        expected="a branch, tag or commit to compare with (--base)",
        hint=f"{_near(revision)}{FETCH}" if inside else "Run it inside of a clone.",
    )


def _near(revision: str) -> str:
    """Which branch was probably meant? The same one elsewhere, or one that is near."""
    told = _git("for-each-ref", "--format=%(refname:short)", "refs/heads", "refs/remotes").stdout
    known = told.decode("utf-8", "backslashreplace").split()
    name = revision.rpartition("/")[2]
    same = [one for one in known if one.rpartition("/")[2] == name]
    return f"Did you mean {same[0]}? " if same else f"{near(revision, known)} ".lstrip()


def holds(commit: str, file: str) -> bool:
    """Was there such a file in that commit?"""
    return _git("cat-file", "-e", f"{commit}:./{_here(file)}").returncode == 0


def holds_as_it_is(commit: str, file: str) -> bool:
    """Was the file in that commit as it is now, byte for byte?"""
    then = _git("rev-parse", "--verify", "--quiet", f"{commit}:./{_here(file)}")
    now = _git("hash-object", "--", file)
    return then.returncode == now.returncode == 0 and then.stdout == now.stdout


def gone(commit: str, paths: Sequence[str]) -> list[str]:
    """Which files of these paths were in that commit, named like result files, and are not now?"""
    wanted = [f":(glob){_here(path)}" if _is_pattern(path) else _here(path) for path in paths]
    listing = ("diff", "--name-only", "-z", "--relative", "--no-renames", "--diff-filter=D")
    done = _git(*listing, commit, "--", *wanted)
    names = done.stdout.decode("utf-8", "surrogateescape").split("\0")
    return [
        name
        for name in names
        if name.lower().endswith(SUFFIXES)
        and not os.path.lexists(name)  # git calls what is not in its index gone, too
    ]


def named(revision: str, file: str) -> str:
    """How does `diffruns` call the file as it is in this revision?"""
    return f"git:{revision}:{_here(file)}"


def _here(path: str) -> str:
    """The path as seen from here, as git wants it."""
    return os.path.relpath(path).replace(os.sep, "/")


def _is_pattern(path: str) -> bool:
    return not os.path.lexists(path) and any(mark in path for mark in "*?[")


def _git(*words: str) -> subprocess.CompletedProcess[bytes]:
    try:
        return subprocess.run(["git", *words], capture_output=True, check=False)
    except FileNotFoundError:
        raise InputError(found="git is not installed", hint="Install git.") from None
