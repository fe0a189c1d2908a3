"""Runs a reference: the right results of a call, and how exact an answer can be."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import jax
import numpy as np

from autograder.model.exercise import RubricError
from autograder.model.expected import Expected, ExpectedLeaf
from autograder.model.messages import UNKNOWN_SCALE
from autograder.programs.exported import named_leaves, split_data


def expected_results(
    reference: Callable[..., Any], args: tuple, scales: Mapping[str, float] | None = None
) -> Expected:
    """Run the reference on a call, in float64 and in float32.

    Args:
        reference: the right function.
        args: the call.
        scales: for paths of leaves, the smallest size that rounding errors are relative to.

    Raises:
        RubricError: `scales` names a leaf that the result does not have.
    """
    data, rebuild = split_data(args)
    double = [x.astype(np.float64) if x.dtype == np.float32 else x for x in data]
    with jax.enable_x64(True):
        exact = [np.asarray(leaf) for leaf in named_leaves(reference(*rebuild(double)))[1]]
    paths, single = named_leaves(reference(*rebuild(data)))
    scales = scales or {}
    if unknown := sorted(set(scales) - set(paths)):
        raise RubricError(UNKNOWN_SCALE.format(names=unknown, leaves=list(paths)))
    return tuple(
        ExpectedLeaf(path, in_double, np.asarray(in_single), float(scales.get(path, 0.0)))
        for path, in_double, in_single in zip(paths, exact, single, strict=True)
    )
