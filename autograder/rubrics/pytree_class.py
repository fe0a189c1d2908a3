"""Lesson `pytree_class`: a class with jitted methods, registered as a pytree."""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property, partial
from typing import Any, NamedTuple

import jax
import numpy as np
from jax.core import Tracer
from scipy.special import gammaln

import plnkit
from autograder.errors.jax_errors import error_line
from autograder.model.adapters import note_impurity
from autograder.model.call_text import kind_of
from autograder.model.finding import AdapterError
from autograder.model.rubric import Exercise, Rubric, Speed
from autograder.rubrics._draws import LARGER
from autograder.rubrics._hints import read_hints
from plnkit.ladder.eager import PLN as EagerPLN
from plnkit.ladder.optimizer import ADAM

ATTRIBUTES = ("Y", "O", "X", "B", "M", "log_S", "Sigma", "Omega")
RATE = 0.2

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
    "{kind}. What a jitted method does to `self` is lost: return the model."
)
IN_PLACE = (
    "`fit` changes the model that it is called on: afterwards, its own `{name}` is another one, "
    "and nobody can fit again from the same start. Return the fitted model, and leave `self` as it "
    "was."
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


def _is_array(leaf: Any) -> bool:
    return isinstance(leaf, (jax.Array, np.ndarray))


def _held(model: Any) -> dict[str, Any]:
    """What a model stores, by name: in its dictionary, or in slots."""
    slots = {
        name: getattr(model, name)
        for cls in type(model).__mro__
        for name, member in vars(cls).items()
        if inspect.ismemberdescriptor(member) and hasattr(model, name)
    }
    return {**slots, **getattr(model, "__dict__", {})}


def _seen(model: Any) -> dict[str, Any]:
    return {name: getattr(model, name, None) for name in ATTRIBUTES}


def _is_computed(cls: type, name: str) -> bool:
    return isinstance(getattr(cls, name, None), (property, cached_property))


def _is_kept(name: str, model: Any, again: Any) -> bool:
    """Whether an attribute came back: what is stored as it was, what is computed with its value."""
    before, after = getattr(model, name, None), getattr(again, name, None)
    if before is None or after is None:
        return False
    if _is_computed(type(model), name):
        if any(before is leaf for leaf in jax.tree.leaves(model)):
            return after is before
        return np.array_equal(before, after)
    return after is before


def _example(cls: Any, count: int = 1) -> Any:
    one = np.ones((2, 3), np.float32)
    return cls(*map(jax.numpy.asarray, (count * one, 0 * one, one[:, :1])))


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
    fixed = [x for x in jax.tree.leaves(root[1]) if _is_array(x)]
    if fixed:
        names = [n for n, v in _held(model).items() if any(v is x for x in fixed)]
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


class _Jitted:
    """A class under jit. JAX 0.9 keeps no program of a function of which a trace has failed."""

    def __init__(self, cls: Any) -> None:
        self.plain = jax.jit(cls)
        self.answered = jax.jit(partial(cls))  # while `_truth_of` answers: its trace never fails


def _build(cls: Any, jitted: _Jitted, *data: Any) -> Any:
    """A model made under jit. An `__init__` that looks at numbers is shown those of stand-ins."""
    unknown = jax.errors.ConcretizationTypeError, jax.errors.TracerArrayConversionError
    try:
        return jitted.plain(*data)
    except unknown:
        pass
    with jax.ensure_compile_time_eval():
        stand_ins = [
            jax.numpy.full(a.shape, k, a.dtype) for a, k in zip(data, (2, 3, 5), strict=True)
        ]
        stand_ins[2] = stand_ins[2].at[:, 0].set(1)  # the intercept
        answers: list[bool] = []
        with _truth_of(type(stand_ins[0]), lambda array: _noted(array, answers)):
            leaves, tree = jax.tree.flatten(cls(*stand_ins))
    again = iter(answers)
    try:
        with _truth_of(Tracer, lambda _: next(again)):
            return jitted.answered(*data)
    except (*unknown, StopIteration):
        return jax.tree.unflatten(tree, [_given(leaf, stand_ins, data) for leaf in leaves])


@contextmanager
def _truth_of(cls: Any, asked: Callable[[Any], bool]) -> Iterator[None]:
    """Let `asked` say whether an object of `cls` is true."""
    before = cls.__bool__
    cls.__bool__ = asked
    try:
        yield
    finally:
        cls.__bool__ = before


def _noted(array: Any, answers: list[bool]) -> bool:
    answers.append(np.asarray(array).item() != 0)
    return answers[-1]


def _given(leaf: Any, stand_ins: Sequence[Any], data: Sequence[Any]) -> Any:
    """The data that a leaf stands for, if any."""
    pairs = zip(stand_ins, data, strict=True)
    return next((a for one, a in pairs if np.array_equal(leaf, one)), leaf)


def _structures(cls: Any) -> list[Any]:
    """The structures of two models of one shape, if they differ: then each is another program."""
    structures = [jax.tree.structure(_example(cls, count)) for count in (1, 2)]
    return structures if structures[0] != structures[1] else []


def _with_fresh(model: Any, fresh: Any, extras: Sequence[int]) -> Any:
    """`model`, with what it holds beside its attributes as in a model that was never fitted."""
    leaves, tree = jax.tree.flatten(model)
    new = jax.tree.leaves(fresh)
    return jax.tree.unflatten(tree, [new[i] if i in extras else x for i, x in enumerate(leaves)])


def _leaked(namespace: Mapping[str, Any], cls: Any) -> AdapterError | None:
    for name, value in namespace.items():
        if isinstance(value, cls):
            for attribute, held in _held(value).items():
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
    """A model is made under jit, fitted, and fitted again from where it was."""
    cls = namespace["PLN"]
    said = unsound(cls)
    fitted = [name for name in State._fields[:-1] if not _is_computed(cls, name)]
    extras = [] if said else _extras(cls)
    jitted = _Jitted(cls)
    # jit makes models of one shape alike, in `_build`: here they differ as models do without it.
    structures = itertools.cycle([] if said else _structures(cls))

    def fit(model: Any, n_iterations: int) -> tuple[Any, Any]:
        result = model.fit(n_iterations)
        leaked = _leaked(namespace, cls)
        if leaked:
            raise leaked
        if not (
            isinstance(result, (tuple, list)) and len(result) == 2 and isinstance(result[0], cls)
        ):
            raise AdapterError(NOT_A_PAIR.format(kind=kind_of(result)), cls.fit)
        return result[0], result[1]

    def fit_twice(Y: Any, O: Any, X: Any, n_iterations: int) -> Fits:
        if said:
            raise said
        begun = _build(cls, jitted, Y, O, X)
        structure = next(structures, None)
        if structure is not None:
            begun = jax.tree.unflatten(structure, jax.tree.leaves(begun))
        given = {name: getattr(begun, name, None) for name in fitted}
        once, elbos = fit(begun, n_iterations)
        changed = [name for name, array in given.items() if getattr(begun, name, None) is not array]
        if changed:
            note_impurity(IN_PLACE.format(name=changed[0]), cls.fit)
        if extras:  # each fit of the task's begins with a new state of the optimizer
            once = _with_fresh(once, begun, extras)
        after_one = _state(once, elbos)  # the next fit may change `once`
        twice, more = fit(once, n_iterations)
        return Fits(after_one, _state(twice, more), twice.Y)

    return fit_twice


def _read(model: Any) -> list[Any]:
    return [getattr(model, name) for name in State._fields[:-1]]


def _state(model: Any, elbos: Any) -> State:
    computed = any(_is_computed(type(model), name) for name in State._fields[:-1])
    values = jax.jit(_read)(model) if computed else _read(model)
    return State._make([*values, elbos])


# --- the reference: NumPy, with the gradient by hand --------------------------------------------


def _step(
    free: tuple[np.ndarray, ...], Omega: np.ndarray, Y: np.ndarray, O: np.ndarray, X: np.ndarray
) -> tuple[np.ndarray, list[np.ndarray]]:
    """The ELBO, and the gradient of its negative with respect to B, M and log S."""
    B, M, log_S = free
    n, p = Y.shape
    S2 = np.exp(2 * log_S)
    eta = O + X @ B + M
    A = np.exp(eta + S2 / 2)
    spread = M.T @ M + np.diag(S2.sum(axis=0))
    elbo = (
        n / 2 * (np.linalg.slogdet(Omega)[1] + p)
        - np.sum(spread * Omega) / 2
        + np.sum(Y * eta - A + log_S - gammaln(Y + 1))
    )
    gradient = [X.T @ (A - Y), A - Y + M @ Omega, A * S2 - 1 + S2 * np.diag(Omega)]
    return elbo.astype(Y.dtype), gradient


def _fit(
    free: tuple[np.ndarray, ...], Omega: np.ndarray, data: tuple[np.ndarray, ...], count: int
) -> tuple[tuple[np.ndarray, ...], np.ndarray, np.ndarray, np.ndarray]:
    """Adam (Kingma and Ba 2015, algorithm 1) on B, M, log S; Sigma in closed form."""
    real = free[0].dtype.type
    fast, slow = real(0.9), real(0.999)  # 1 - 0.999**t loses digits in float32
    first = [np.zeros_like(x) for x in free]
    second = [np.zeros_like(x) for x in free]
    Sigma, elbos = Omega, []
    for t in range(1, count + 1):
        elbo, gradient = _step(free, Omega, *data)
        elbos.append(elbo)
        first = [0.9 * m + 0.1 * g for m, g in zip(first, gradient, strict=True)]
        second = [0.999 * v + 0.001 * g**2 for v, g in zip(second, gradient, strict=True)]
        free = tuple(
            x - RATE * (m / (1 - fast**t)) / (np.sqrt(v / (1 - slow**t)) + 1e-8)
            for x, m, v in zip(free, first, second, strict=True)
        )
        _, M, log_S = free
        Sigma = (M.T @ M + np.diag(np.exp(2 * log_S).sum(axis=0))) / len(M)
        Omega = np.linalg.inv(Sigma)
    return free, Sigma, Omega, np.array(elbos)


def fit_twice(Y: np.ndarray, O: np.ndarray, X: np.ndarray, n_iterations: int) -> Fits:
    """Two fits of `n_iterations`, the second from where the first ended."""
    p = Y.shape[1]
    free = tuple(np.zeros(s, Y.dtype) for s in ((X.shape[1], p), Y.shape, Y.shape))
    Omega = np.eye(p, dtype=Y.dtype)
    states = []
    for _ in range(2):
        free, Sigma, Omega, elbos = _fit(free, Omega, (Y, O, X), n_iterations)
        states.append(State._make([*free, Sigma, Omega, elbos]))
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


def speed_draw(rng: np.random.Generator, leaves: int, iterations: int) -> tuple:
    """Leaves of the oaks, in any order."""
    oaks = plnkit.load_oaks()
    rows = rng.permutation(len(oaks.Y))[:leaves]
    return oaks.Y[rows], oaks.O[rows], oaks.X[rows], iterations


HINTS = read_hints("pytree_class")

rubric = Rubric(
    lesson="pytree_class",
    exercises=(
        Exercise(
            name="pytree_class",
            minutes=25,
            difficulty="hard",
            entry_points=("PLN",),
            adapter=adapter,
            draws=draws,
            reference=fit_twice,
            # Sums of Adam's steps, each of about RATE, that may cancel: of one count, M goes up and
            # comes back to where it began.
            scales={
                f".{fit}.{name}": RATE for fit in Fits._fields[:2] for name in ("B", "M", "log_S")
            },
            iterations=3,
            curve=("ELBO", len(State._fields) - 1),
            programs=3,  # the adapter's own, which make the model and read properties, and `fit`
            each_once=True,
            dispatches=3,
            points={"outputs": 5, "purity": 2, "compilations": 3, "speed": 2},
            speed=Speed(
                baseline=slow,
                threshold=10.0,
                draw=speed_draw,
                sizes=speed_sizes,
                baseline_iterations=1,
                eager=True,
            ),
            hints=HINTS["pytree_class"],
        ),
    ),
    learned="classes as pytrees: children, aux data, flatten and unflatten, jitted methods",
    minutes=40,
)
