"""By what is a value known again that may have been edited since?"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import Any

from registry.gate import dump
from registry.values import whole


def seal(value: Any) -> str:
    """Which short digest tells whether this value is still what it was? 12 hexadecimal digits.

    Tools that write JSON again may have made 1 of 1.0: that is no edit.
    """
    return _seal_text(value) if type(value) is str else _seal(value)


def _seal(value: Any) -> str:
    return blake2b(dump(whole(value)), digest_size=6).hexdigest()


_seal_text = lru_cache(maxsize=1024)(_seal)
"""what is sealed most often is one of few words: the kind of a check, a status"""


def face(element: Any) -> str:
    """Which short digest stays, whatever is counted in this element? That of its texts."""
    if type(element) is dict:
        return seal({key: value for key, value in element.items() if type(value) is str})
    return seal(element)


def matched(faces: Sequence[Any], elements: Sequence[Any]) -> list[int | None]:
    """Which of the elements that had these faces is each one now? None for a new one.

    Where their number is the same, what is left over is taken to be renamed, in order.
    """
    free: defaultdict[Any, deque[int]] = defaultdict(deque)
    for at, one in enumerate(faces):
        free[one].append(at)
    found = [free[one].popleft() if free[one] else None for one in map(face, elements)]
    if len(faces) == len(elements):
        rest = iter(sorted(at for held in free.values() for at in held))
        found = [next(rest) if one is None else one for one in found]
    return found
