# pure

from typing import TYPE_CHECKING

SEEN = []


def f(x):
    if TYPE_CHECKING:
        SEEN.append(x)
    return x * 3
