"""What did the lock say at an earlier git revision?"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from registry import lock
from registry.errors import InputError


def lock_at(root: Path, revision: str) -> dict[str, lock.Entry]:
    """What did the lock of these shelves say then?

    Raises InputError when git knows no such revision, the folder is in no repository, or there was
    no lock at this place: nothing could be said of what was released at another.
    """
    asked = f"{revision}^{{commit}}"
    known = _git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", asked)
    if known.returncode:
        reason = known.stderr.decode("utf-8", "replace").strip()
        raise InputError(
            found=f"git knows no commit {revision!r}{reason and f' ({reason})'}",
            expected="a revision of the repository that the shelves are in",
            hint="Fetch it first, as with `git fetch origin main`.",
            file=str(root),
        )
    commit = known.stdout.decode().strip()
    then = _git(root, "show", f"{commit}:./{lock.NAME}")
    if then.returncode:
        raise InputError(
            found=f"no {lock.NAME} here at {revision}",
            expected="the lock of these shelves, as it was then",
            hint="If they moved, move them back; leave out --base if there were none.",
            file=str(root),
        )
    return lock.parse(then.stdout, file=f"{revision}:{lock.NAME}")


def _git(root: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """Run git where the shelves are. A hook's own variables would lead it elsewhere."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    try:
        return subprocess.run(
            ["git", *arguments], cwd=root, env=env, check=False, capture_output=True
        )
    except OSError as error:
        raise InputError(
            found=f"git can't be run ({error.strerror})", hint="Install git, or leave out --base."
        ) from None
