"""Compares a program's results with the float64 reference."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from autograder.criteria.outputs import messages
from autograder.model.call_text import call_text, number, structure
from autograder.model.expected import Expected, ExpectedLeaf
from autograder.model.finding import Finding
from autograder.programs.exported import split_data

NOISIEST = 1e-3
"""Largest admissible calibrated tolerance, relative to the scale of a leaf."""
_KEY = re.compile(r"\.[^.\[]+|\[[^\]]*\]")
"""One key of a path such as ``.params['B'][0]``."""


def why_ill_conditioned(
    expected: Expected, args: tuple, moved: Sequence[Sequence[np.ndarray]]
) -> str | None:
    """Explain why right results of a call cannot be told from wrong ones; None when they can.

    `moved` holds what the reference returned for inputs that differ by a rounding.
    """
    if any(leaf.exact.shape != leaf.single.shape for leaf in expected):
        return messages.OTHER_RESULTS
    floats = [x for x in split_data(args)[0] if np.issubdtype(x.dtype, np.floating)]
    finite = all(np.isfinite(x).all() for x in floats)
    for leaf in expected:
        name = f"result{leaf.path}"
        if leaf.single.dtype.kind in "biu" and not np.array_equal(leaf.exact, leaf.single):
            return messages.UNDECIDED.format(name=name)
        if not leaf.is_float:
            continue
        for values, precision in ((leaf.exact, "float64"), (leaf.single, "float32")):
            if finite and not np.isfinite(values).all():
                return messages.NOT_FINITE.format(name=name, precision=precision)
        if leaf.scale and leaf.tolerance > NOISIEST * leaf.scale:
            return messages.TOO_NOISY.format(
                name=name, allowed=leaf.tolerance, cap=NOISIEST, scale=leaf.scale
            )
    for results in moved:
        if [x.shape for x in results] != [leaf.exact.shape for leaf in expected]:
            return messages.OTHER_RESULTS
        for got, leaf in zip(results, expected, strict=True):
            if not leaf.find_right(got).all():
                return messages.CHAOTIC.format(name=f"result{leaf.path}")
    return None


def compare_results(
    paths: tuple[str, ...], got: Sequence[np.ndarray], expected: Expected, args: tuple, name: str
) -> Finding | None:
    """Compare one call's results with the right ones; return the first thing that is wrong."""
    call = call_text(name, args)
    right = tuple(leaf.path for leaf in expected)
    finding = compare_paths(paths, right, len(got), call)
    if finding is not None:
        return finding
    for values, leaf in zip(got, expected, strict=True):
        wrong = _compare_leaf(values, leaf)
        if wrong is not None:
            return Finding.error("wrong-output", messages.IN_CALL.format(call=call, wrong=wrong))
    return None


def compare_paths(
    paths: Sequence[str], right: Sequence[str], count: int, call: str
) -> Finding | None:
    """Compare where the `count` leaves of a call's result are."""
    if _are_same_pieces(paths, right) and count == len(right):
        return None
    got, expected = structure(paths), structure(right)
    for place in right:
        inside = [path for path in paths if path != place and _is_below(path, place)]
        if place and inside:  # a list where one array is expected
            got, expected = structure(inside), f"one array at result{place}"
            break
    text = messages.WRONG_STRUCTURE.format(call=call, got=got, expected=expected)
    return Finding.error("wrong-structure", text)


def _is_below(path: str, place: str) -> bool:
    keys = _split(place)
    return _split(path)[: len(keys)] == keys


def _are_same_pieces(paths: Sequence[str], right: Sequence[str]) -> bool:
    """Whether a result has the right pieces. A NamedTuple is a tuple: its fields have positions."""
    if len(paths) != len(right):
        return False
    fields: dict[str, list[str]] = {}  # in order, by the path that leads to them
    for path, expected in zip(paths, right, strict=True):
        keys, wanted = _split(path), _split(expected)
        if len(keys) != len(wanted):
            return False
        for i, (key, want) in enumerate(zip(keys, wanted, strict=True)):
            if key == want:
                continue
            known = fields.setdefault("".join(keys[:i]), [])
            if key not in known:
                known.append(key)
            if key[0] != "." or want != f"[{known.index(key)}]":
                return False
    return True


def _split(path: str) -> list[str]:
    """Return the keys of a path; one that cannot be split, such as a long one, is a single key."""
    keys = _KEY.findall(path)
    return keys if "".join(keys) == path else [path]


def _compare_leaf(got: np.ndarray, leaf: ExpectedLeaf) -> str | None:
    """Describe what is wrong with one leaf of the results; None when it is right."""
    exact, single, name = leaf.exact, leaf.single, f"result{leaf.path}"
    if got.shape != exact.shape:
        return messages.WRONG_SHAPE.format(name=name, got=got.shape, expected=exact.shape)
    if got.dtype != single.dtype:
        return messages.WRONG_DTYPE.format(name=name, got=got.dtype, expected=single.dtype)
    right = leaf.find_right(got)
    if right.all():
        return None
    far = np.nan_to_num(leaf.errors(got), nan=np.inf, posinf=np.inf)  # NaN is furthest
    index = np.unravel_index(np.argmax(np.where(right, -1.0, far)), got.shape)
    return messages.WRONG_VALUE.format(
        place=f"{name}[{', '.join(map(str, index))}]" if index else name,
        got=number(got[index]),
        expected=number(exact[index]),
        wrong=int((~right).sum()),
        size=right.size,
        hint=messages.value_hint(got, exact),
    )
