"""Lesson `pytree_class`: a class with jitted methods, registered as a pytree."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property
from typing import Any, NamedTuple

import jax
import numpy as np
from jax.core import Tracer

from autograder.errors.jax_errors import error_line
from autograder.model.exercise import Compilations, Loop, ProgramExercise, Speed
from autograder.model.finding import AdapterError
from autograder.model.rubric import Rubric
from autograder.rubrics import _pln
from autograder.rubrics._containers import note_changes, take_pair
from autograder.rubrics._draws import LARGER, draw_oaks, near_counts
from plnkit import course
from plnkit.ladder.eager import PLN as EagerPLN
from plnkit.ladder.optimizer import ADAM
from plnkit.model import covariance

ATTRIBUTES = ("Y", "O", "X", "B", "M", "log_S", "Sigma", "Omega")

NOT_REGISTERED = (
    "`PLN` is not a pytree: to JAX an object of it is one leaf, and no array. Put "
    "@jax.tree_util.register_pytree_node_class on the class, so that jit takes it apart with "
    "`tree_flatten` and puts it together with `tree_unflatten`."
)
ARRAYS_IN_AUX = (
    "`tree_flatten` puts arrays into the aux data: {names}. Aux data become part of the compiled "
    "program's key: they are compared at each call, which arrays cannot be, or are baked into the "
    "program. Move them to the children; aux data are for settings such as a name or an integer."
)
RUNS_INIT = (
    "`tree_unflatten` fails on children that are no arrays ({error}). JAX puts tracers and plain "
    "placeholders there, so nothing may be computed with them: make the object with "
    "`object.__new__(cls)` instead of calling `__init__`, and set the attributes."
)
NOT_TWO_THINGS = (
    "`tree_flatten` must return two things, the children and the aux data: `return (self.Y, ...), "
    "None`, where there are no settings."
)
NO_CLASS_METHOD = (
    "JAX calls `PLN.tree_unflatten(aux_data, children)` before there is an object, so it must be a "
    "class method: put `@classmethod` above `def tree_unflatten(cls, aux_data, children)`."
)
WRONG_CHILDREN = (
    "`tree_unflatten` fails on what `tree_flatten` returned ({error}). It is called with the aux "
    "data first and the children second, which come in the order of `tree_flatten`: "
    "`def tree_unflatten(cls, aux_data, children)`."
)
LOST = (
    "What is flattened and unflattened does not come back: {names}. Every attribute must be among "
    "the children (or the aux data) of `tree_flatten`, and be set from there, in the same order, "
    "in `tree_unflatten`."
)
RETURNS_NOTHING = (
    "`tree_unflatten` returns None. It has to return the object that it makes: does it end with "
    "`return`?"
)
GLOBAL = (
    "After `fit`, `{name}.{attribute}` holds a tracer: a method writes to the global `{name}` "
    "instead of `self`. The model that is being fitted never gets the new value, and the global "
    "one is spoilt. Write `self.{attribute}`."
)
NOT_A_PAIR = (
    "`fit` must return two things, the fitted model and the ELBO before each iteration; it returns "
    "{got}. What a jitted method does to `self` is lost: return the model."
)
IN_PLACE = (
    "`fit` changes the model that it is called on: afterwards, its own `{name}` is another one, "
    "and nobody can fit again from the same start. Return the fitted model, and leave `self` as it "
    "was."
)
MOVE_CHECK = (
    "`PLN(Y, O, X)` needs the numbers of the data, as a Python `if` does, and it also keeps what "
    "it computes from them. While JAX traces, the data have no numbers yet. Move the check of the "
    "data to where `PLN(...)` is called, or keep nothing but the data and the start of the fit."
)


class State(NamedTuple):
    """What is compared of a model."""

    B: Any
    M: Any
    log_S: Any
    Sigma: Any
    Omega: Any
    elbos: Any


class Fits(NamedTuple):
    """A model after `fit`, and after `fit` once more; the data as the fitted model has them."""

    once: State
    twice: State
    Y: Any


def _seen(model: Any) -> dict[str, Any]:
    return {name: getattr(model, name, None) for name in ATTRIBUTES}


def _is_computed(cls: type, name: str) -> bool:
    return isinstance(getattr(cls, name, None), (property, cached_property))


def _is_kept(name: str, model: Any, again: Any) -> bool:
    """Whether an attribute came back: what is stored as it was, what is computed with its value."""
    before, after = getattr(model, name, None), getattr(again, name, None)
    if before is None or after is None:
        return False
    return np.array_equal(before, after) if _is_computed(type(model), name) else after is before


def _example(cls: Any) -> Any:
    one = np.ones((2, 3), np.float32)
    return cls(*map(jax.numpy.asarray, (one, 0 * one, one[:, :1])))


def unsound(cls: Any) -> AdapterError | None:
    """What is wrong with the class as a pytree."""
    model = _example(cls)
    flatten, unflatten = getattr(cls, "tree_flatten", cls), getattr(cls, "tree_unflatten", cls)
    try:
        leaves, tree = jax.tree.flatten(model)
    except ValueError as error:
        if "to_iterable" not in str(error):
            raise
        return AdapterError(NOT_TWO_THINGS, flatten)
    root = tree.node_data()
    if root is None:
        return AdapterError(NOT_REGISTERED, cls)
    fixed = [x for x in jax.tree.leaves(root[1]) if isinstance(x, (jax.Array, np.ndarray))]
    if fixed:
        names = [n for n, v in _seen(model).items() if any(v is x for x in fixed)]
        text = ARRAYS_IN_AUX.format(names=", ".join(names or ["one of them"]))
        return AdapterError(text, flatten)
    if inspect.isfunction(inspect.getattr_static(cls, "tree_unflatten", None)):
        return AdapterError(NO_CLASS_METHOD, unflatten)
    template = WRONG_CHILDREN if hasattr(cls, "tree_unflatten") else RUNS_INIT
    try:
        again = jax.tree.unflatten(tree, leaves)
        template = RUNS_INIT
        jax.tree.unflatten(tree, [object() for _ in leaves])
    except Exception as error:
        return AdapterError(template.format(error=error_line(error, most=120)), unflatten)
    if again is None:
        return AdapterError(RETURNS_NOTHING, unflatten)
    lost = [n for n in ATTRIBUTES if not _is_kept(n, model, again)]
    if not lost:
        return None
    return AdapterError(LOST.format(names=", ".join(lost)), flatten)


def _extras(cls: Any) -> list[int]:
    """Leaves that none of the attributes depends on, such as an optimizer's state that is kept."""
    model = _example(cls)
    leaves, tree = jax.tree.flatten(model)
    before = _seen(model)

    def matters(at: int) -> bool:
        if not np.issubdtype(jax.numpy.result_type(leaves[at]), np.number):
            return True
        changed = [leaf + 1 if i == at else leaf for i, leaf in enumerate(leaves)]
        after = _seen(jax.tree.unflatten(tree, changed))
        return any(not np.array_equal(before[name], after[name]) for name in ATTRIBUTES)

    return [i for i in range(len(leaves)) if not matters(i)]


def _own_work(array: Any) -> AbstractContextManager[None]:
    """Context manager: what is computed with arrays, not tracers, counts as the check's work."""
    return nullcontext() if isinstance(array, Tracer) else jax.ensure_compile_time_eval()


def _build(cls: Any, data: tuple[Any, Any, Any]) -> Any:
    """A model of the data.

    An `__init__` that tests numbers fails while they are traced, and may refuse those of another
    experiment. It gets stand-ins, and what the model keeps of these is replaced: by the data, and
    by the start of the fit near them.
    """
    try:
        with _own_work(data[0]):
            return cls(*data)
    except Exception:  # where the stand-ins fail too, their error counts
        pass
    with _own_work(data[0]):
        begun = _start(data)
    models = [_take_apart(cls, data, begun, numbers) for numbers in ((2, 11, 5), (7, 13, 17))]
    (leaves, tree), (others, _) = models
    for one, other in zip(leaves, others, strict=True):
        if one is not other and not np.array_equal(one, other):
            raise AdapterError(MOVE_CHECK, cls)
    return jax.tree.unflatten(tree, leaves)


def _start(data: Sequence[Any]) -> dict[str, Any]:
    """What a model begins with, by attribute."""
    params, Omega = course.start(*data)
    return {**params, "Omega": Omega, "Sigma": covariance(params["M"], params["log_S"])}


def _take_apart(
    cls: Any, data: tuple[Any, Any, Any], begun: Mapping[str, Any], numbers: Sequence[int]
) -> tuple[list, Any]:
    """The leaves of a model of stand-ins, with the data and their start in place; its structure."""
    like = [np.full(a.shape, k, a.dtype) for a, k in zip(data, numbers, strict=True)]
    like[2][:, 0] = 1  # the intercept
    with jax.ensure_compile_time_eval():
        arrays = [*map(jax.device_put, like)]  # compiles nothing
        model = cls(*arrays)
        leaves, tree = jax.tree.flatten(model)
        pairs: list[tuple[Any, Any]] = list(zip(like, data, strict=True))
        for name, value in _start(arrays).items():
            own: Any = getattr(model, name, None)
            if np.shape(own) == value.shape and np.allclose(own, value, 1e-3, 1e-6):
                pairs.append((own, begun[name]))
        given = [next((a for b, a in pairs if np.array_equal(leaf, b)), leaf) for leaf in leaves]
    return given, tree


def _with_fresh(model: Any, fresh: Any, extras: Sequence[int]) -> Any:
    """`model`, with what it holds beside its attributes as in a model that was never fitted."""
    leaves, tree = jax.tree.flatten(model)
    new = jax.tree.leaves(fresh)
    return jax.tree.unflatten(tree, [new[i] if i in extras else x for i, x in enumerate(leaves)])


def _leaked(namespace: Mapping[str, Any], cls: Any) -> AdapterError | None:
    for name, value in namespace.items():
        if isinstance(value, cls):
            for attribute, held in getattr(value, "__dict__", {}).items():
                if isinstance(held, Tracer):
                    text = GLOBAL.format(name=name, attribute=attribute)
                    return AdapterError(text, _method_with(cls, name))
    return None


def _method_with(cls: Any, name: str) -> object:
    """A method of the class that uses a global name."""
    methods = map(inspect.unwrap, vars(cls).values())
    codes = ((method, getattr(method, "__code__", None)) for method in methods)
    return next((method for method, code in codes if code and name in code.co_names), cls)


def adapter(namespace: Mapping[str, Any]) -> Callable[..., Fits]:
    """A model is made, fitted, and fitted again from where it was."""
    cls = namespace["PLN"]
    broken = unsound(cls)
    extras = [] if broken else _extras(cls)
    stored = [name for name in State._fields[:-1] if not _is_computed(cls, name)]

    def fit(model: Any, n_iterations: int) -> tuple[Any, Any]:
        result = model.fit(n_iterations)
        leaked = _leaked(namespace, cls)
        if leaked:
            raise leaked
        return take_pair(result, cls, NOT_A_PAIR, cls.fit)

    def fit_twice(Y: Any, O: Any, X: Any, n_iterations: int) -> Fits:
        if broken:
            raise broken
        begun = _build(cls, (Y, O, X))
        with note_changes(begun, stored, IN_PLACE, cls.fit):
            once, elbos = fit(begun, n_iterations)
        if extras:  # each fit of the task's begins with a new state of the optimizer
            once = _with_fresh(once, begun, extras)
        after_one = _state(once, elbos)  # the next fit may change `once`
        twice, more = fit(once, n_iterations)
        return Fits(after_one, _state(twice, more), twice.Y)

    return fit_twice


def _state(model: Any, elbos: Any) -> State:
    with _own_work(elbos):  # of a property
        return State._make([*(getattr(model, name) for name in State._fields[:-1]), elbos])


def fit_twice(Y: np.ndarray, O: np.ndarray, X: np.ndarray, n_iterations: int) -> Fits:
    """Two fits of `n_iterations`, the second from where the first ended."""
    params, Omega = near_counts(Y, O, X)
    states = []
    for _ in range(2):
        params, Omega, elbos, _ = _pln.fit(params, Omega, Y, O, X, n_iterations)
        states.append(State(**params, Sigma=_pln.covariance(params), Omega=Omega, elbos=elbos))
    return Fits(states[0], states[1], Y)


def draws(rng: np.random.Generator) -> list[tuple]:
    """Two data sets of one shape; a single count with two covariates; more than the oaks have.

    The counts of the last are all equal, with the offsets of the first.
    """

    def data(n: int, p: int, d: int, n_iterations: int) -> tuple:
        O = rng.normal(0, 0.5, (n, 1)) * np.ones(p)
        X = np.hstack([np.ones((n, 1)), rng.normal(size=(n, d - 1))])
        Y = rng.poisson(np.exp(O + rng.normal(1, 1, (n, p))))
        Y[:, 0] = 0  # a taxon that was never seen
        return (*(a.astype(np.float32) for a in (Y, O, X)), n_iterations)

    calls = [data(12, 5, 1, 4), data(12, 5, 1, 4), data(1, 1, 2, 3), data(*LARGER, 1, 1)]
    Y, O, X, n_iterations = calls[0]
    return [*calls, (np.full_like(Y, rng.integers(1, 9)), O.copy(), X.copy(), n_iterations)]


# --- speed: against the same fit without JIT ----------------------------------------------------


def slow(Y: Any, O: Any, X: Any, n_iterations: int) -> Any:
    """The same two fits, each operation sent to the device by itself."""
    pln = EagerPLN(Y, O, X)
    pln.fit(n_iterations, ADAM)
    elbos = pln.fit(n_iterations, ADAM)
    return pln.Omega, elbos


def speed_sizes(rng: np.random.Generator) -> tuple[int, int]:
    """How many of the oaks' leaves to take, and iterations of each fit: few, or errors grow."""
    return int(rng.integers(104, 117)), int(rng.integers(15, 26))


rubric = Rubric(
    lesson="pytree_class",
    exercises=(
        ProgramExercise(
            name="pytree_class",
            minutes=10,
            difficulty="hard",
            importance=2,
            entry_points=("PLN",),
            adapter=adapter,
            draws=draws,
            reference=fit_twice,
            scales={
                f".{fit}.{name}": _pln.RATE
                for fit in Fits._fields[:2]
                for name in ("B", "M", "log_S")
            },
            curve=("ELBO", len(State._fields) - 1),
            points={"outputs": 5, "purity": 2, "compilations": 3, "speed": 2},
            speed=Speed(
                baseline=slow,
                threshold=10.0,
                draw=draw_oaks,
                sizes=speed_sizes,
                baseline_iterations=1,
                eager=True,
            ),
            loop=Loop(3),
            compilations=Compilations(programs=3, each_once=True, dispatches=3),
        ),
    ),
    learned="classes as pytrees: children, aux data, flatten and unflatten, jitted methods",
    minutes=35,
)
