"""Lesson `many_devices`: data on four devices, a step compiled twice, and a sum left out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from autograder.model.exercise import BehaviourExercise, Memory, ProgramExercise
from autograder.model.rubric import PUBLIC_KEY, Rubric
from autograder.programs import jax_access
from autograder.rubrics._draws import LARGER, Array, Params, data
from autograder.rubrics._probes import count_programs

DEVICES = 4
STEPS = 4

NOT_A_PAIR = "`step` returns {got}, and it should return a pair: the new parameters and the value."
NO_DICTIONARY = (
    '`start` returns no dictionary, and it should: `{"B": ..., "M": ...}` is what a step takes.'
)
NOT_PARAMS = (
    '`{name}` gives parameters with the keys {got}; `{{"B": ..., "M": ...}}` is what the next step '
    "takes."
)
WRONG_VALUE = (
    "After {steps} of {shape} counts, {what} is not what the starter's formula gives. Only where "
    "the arrays are should change: keep the formula, and begin with zeros."
)
WRONG_PLACE = "After {steps}, `{name}` of shape {shape} is {got}; it should be {expected}. {how}"
CUT_M = (
    "`M` has a row for each site, as `Y` has: split its rows over the four devices, and leave them "
    "there."
)
COPY_B = "Every device needs the whole of `B`: that is the sharding `whole`, `P()`."
MOVED = (
    "Call {call} of `step` compiled again, with arrays of the same shapes: {moves}. Where an array "
    "is belongs to jit's key. Let `start` put the parameters where `step` leaves them."
)
CALLED_AGAIN = (
    "Call {call} of `step` compiled {count} again, although every parameter was where it had been. "
    "Is `step` jitted once, above, and are dtypes and weak types of what it returns those of what "
    "it was given?"
)
NOT_JITTED = (
    "The first step compiled {count} programs, and it should be one. Every function under "
    "`jax.jit`, and every operation outside of it, is a program of its own: put `jax.jit` around "
    "the whole step."
)

_Layouts = Mapping[str, Sequence[Any]]


def fits() -> list[tuple[Array, Array, Array]]:
    """Draw counts, offsets and covariates of two shapes, the second larger than the oaks.

    The sites are a multiple of four.
    """
    rng = np.random.default_rng(PUBLIC_KEY)
    return [data(rng, 8, 3, 2), data(rng, *LARGER, 1)]


def _layout(array: Any) -> list[Any]:
    """Describe where an array is: on how many devices, and the shape of the part on each."""
    shape = [int(size) for size in np.shape(array)]
    if not isinstance(array, jax_access.Array):
        return [0, shape]
    part = [int(size) for size in array.sharding.shard_shape(array.shape)]
    return [len(array.sharding.device_set), part]


def _layouts(params: Any) -> _Layouts:
    return {str(name): _layout(value) for name, value in params.items()}


def probe(namespace: Mapping[str, Any]) -> Iterable[dict[str, Any]]:
    """Take steps from the start, and note what each compiles and where the parameters are.

    Caches are cleared before each fit: what an earlier one compiled must not count.
    """
    place, start, step = (namespace[name] for name in ("place", "start", "step"))
    for Y, O, X in fits():
        jax_access.clear_caches()
        Y, O, X = place(Y, O, X)
        params = start(Y, X)
        one: dict[str, Any] = {"started": isinstance(params, dict), "steps": []}
        if one["started"]:
            one["layouts"] = _layouts(params)
        for _ in range(STEPS if one["started"] else 0):
            compiled, result = count_programs(step, params, Y, O, X)
            is_pair = isinstance(result, tuple | list) and len(result) == 2
            if not is_pair or not isinstance(result[0], dict):
                one["steps"].append({"type": type(result).__name__})
                break
            params, value = result
            arrays = {str(name): np.asarray(array) for name, array in params.items()}
            seen = {"layouts": _layouts(params), "value": np.asarray(value), "arrays": arrays}
            one["steps"].append({"compiled": compiled, **seen})
        yield one


def right_steps(Y: Array, O: Array, X: Array) -> list[tuple[Params, float]]:
    """Return the parameters after each step, and the value before it, in float64."""
    Y, O, X = (a.astype(np.float64) for a in (Y, O, X))
    B, M = np.zeros((X.shape[1], Y.shape[1])), np.zeros(Y.shape)
    found = []
    for _ in range(STEPS):
        eta = O + X @ B + M
        A = np.exp(eta)
        value = np.sum(Y * eta - A) - np.sum(M**2) / 2
        M = M + 0.5 * (Y - A - M) / (A + Y + 1)
        B = B + 0.5 * X.T @ (Y - A) / ((X**2).T @ (A + Y) + 1)
        found.append(({"B": B, "M": M}, float(value)))
    return found


def _describe(layout: Sequence[Any], shape: Sequence[int]) -> str:
    devices, part = layout
    if not devices:
        return "a NumPy array, on no device"
    if devices == 1:
        return "on one device"
    if list(part) == list(shape):
        return f"whole on each of {devices} devices"
    return f"split into parts of shape {tuple(part)} on {devices} devices"


def _times(count: int, what: str) -> str:
    return f"{count} {what}" + ("" if count == 1 else "s")


def _wrong_outputs(one: Mapping[str, Any], data: tuple[Array, Array, Array]) -> str | None:
    """Return what is wrong with the values, or with where they are."""
    Y, _, X = data
    shapes = {"B": [X.shape[1], Y.shape[1]], "M": list(Y.shape)}
    if not one["started"]:
        return NO_DICTIONARY
    if set(one["layouts"]) != set(shapes):
        return NOT_PARAMS.format(name="start", got=sorted(one["layouts"]))
    for at, (step, (params, value)) in enumerate(
        zip(one["steps"], right_steps(*data), strict=False), 1
    ):
        if "type" in step:
            return NOT_A_PAIR.format(got=f"a {step['type']}")
        if set(step["arrays"]) != set(shapes):
            return NOT_PARAMS.format(name="step", got=sorted(step["arrays"]))
        steps = _times(at, "step")
        given = {"the value": (step["value"], np.asarray(value))}
        given |= {f"`{name}`": (step["arrays"][name], params[name]) for name in shapes}
        for what, (got, right) in given.items():
            if got.shape != right.shape or not np.allclose(got, right, 1e-3, 1e-3):
                return WRONG_VALUE.format(steps=steps, shape=Y.shape, what=what)
        for name, how in (("M", CUT_M), ("B", COPY_B)):
            rows, columns = shapes[name]
            part = [rows // DEVICES if name == "M" else rows, columns]
            if step["layouts"][name] != [DEVICES, part]:
                got = _describe(step["layouts"][name], shapes[name])
                expected = _describe([DEVICES, part], shapes[name])
                where = {"name": name, "shape": tuple(shapes[name]), "how": how}
                return WRONG_PLACE.format(steps=steps, got=got, expected=expected, **where)
    return None


def _wrong_compilations(one: Mapping[str, Any]) -> str | None:
    """Return which step compiled again, and what had moved before."""
    places = [one["layouts"], *(step["layouts"] for step in one["steps"])]
    for call, step in enumerate(one["steps"], 1):
        count = step["compiled"]
        if call == 1 and count > 1:
            return NOT_JITTED.format(count=count)
        if call > 1 and count:
            shapes = {name: array.shape for name, array in step["arrays"].items()}
            moves = _moves(call - 1, places[call - 2], places[call - 1], shapes)
            if moves:
                return MOVED.format(call=call, moves=moves)
            return CALLED_AGAIN.format(call=call, count=_times(count, "program"))
    return None


def _moves(
    call: int, before: _Layouts, after: _Layouts, shapes: Mapping[str, Sequence[int]]
) -> str:
    """Say which arrays a call of `step` returned elsewhere than they were."""
    return "; ".join(
        f"`{name}` went into call {call} {_describe(before[name], shape)}, and came back "
        f"{_describe(after[name], shape)}"
        for name, shape in sorted(shapes.items())
        if before[name] != after[name]
    )


def decide(seen: Sequence[Any]) -> dict[str, str]:
    """Say what is wrong with the fit of the first shape, or of the second."""
    for one, drawn in zip(seen, fits(), strict=False):
        outputs = _wrong_outputs(one, drawn)
        if outputs:
            return {"outputs": outputs}
        compilations = _wrong_compilations(one)
        if compilations:
            return {"compilations": compilations}
    return {}


def draws(rng: np.random.Generator) -> list[tuple]:
    """Draw coefficients and data; one call is large enough for its memory to tell.

    The coefficients of the first come with equal counts.
    """
    calls = []
    for n, p, d in ((8, 3, 2), (8, 3, 2), (4, 1, 1), (400, LARGER[1], 3)):
        Y, O, X = data(rng, n, p, d)
        calls.append((rng.normal(scale=0.2, size=(d, p)).astype(np.float32), Y, O, X))
    B, Y, O, X = calls[0]
    return [*calls, (B.copy(), np.full_like(Y, rng.integers(1, 9)), O.copy(), X.copy())]


def log_likelihood(B: Array, Y: Array, O: Array, X: Array) -> tuple[Any, Array]:
    """Return the Poisson log-likelihood without its constant, and its gradient in B."""
    eta = O + X @ B
    A = np.exp(eta)
    return np.sum(Y * eta - A), X.T @ (Y - A)


rubric = Rubric(
    lesson="many_devices",
    learned="shardings, steps that compile again, `shard_map` and its check",
    minutes=60,
    track="Many devices",
    exercises=(
        BehaviourExercise(
            name="many_devices",
            minutes=12,
            difficulty="medium",
            importance=3,
            devices=DEVICES,
            entry_points=("step", "start", "place"),
            probe=probe,
            decide=decide,
            points={"outputs": 2, "compilations": 3},
        ),
        ProgramExercise(
            name="many_devices_sum",
            minutes=8,
            difficulty="medium",
            importance=2,
            devices=DEVICES,
            entry_points=("log_likelihood",),
            draws=draws,
            reference=log_likelihood,
            points={"outputs": 3, "compilations": 1, "memory": 2},
            memory=Memory(scratch=2**20 // 5),
        ),
    ),
)
