"""How is a file named in reports that are read elsewhere: relative to here, slashes forward?"""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote


def relative(file: str) -> str:
    """The file's path, relative to the current folder where it is below it."""
    path, here = Path(file), Path.cwd()
    return (path.relative_to(here) if path.is_relative_to(here) else path).as_posix()


def uri(file: str) -> str:
    """The same as a URI reference."""
    path = relative(file)
    return Path(path).as_uri() if Path(path).is_absolute() else quote(path, errors="surrogatepass")
