"""Why a program is compiled again is told as what it is, or told as unknown."""

import dataclasses
import enum
import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from autograder import compiles
from autograder.criteria.compilations import watch
from autograder.programs import jax_private

X = np.ones(3, np.float32)
ONE = Mesh(np.array(jax.devices()[:1]), ("one",))


class Pair(NamedTuple):
    a: Any
    b: Any


class Mode(enum.Enum):
    FAST = 1
    EXACT = 2


class Settings(NamedTuple):
    rate: float
    mode: Mode = Mode.FAST


@dataclasses.dataclass(frozen=True)
class Nested:
    settings: Settings
    sizes: tuple[int, ...] = (1, 2)


class Plain:
    def __init__(self, by: object) -> None:
        self.by = by


class ByValue(Plain):
    def __hash__(self) -> int:
        return hash(self.by)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ByValue) and self.by == other.by


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Model:
    x: Any
    kept: Any = dataclasses.field(metadata={"static": True})


class Bag:
    def __init__(self, x: Any, names: list[str]) -> None:
        self.x, self.names = x, names


jax.tree_util.register_pytree_node(
    Bag,
    lambda bag: ((bag.x,), tuple(bag.names)),
    lambda names, children: Bag(*children, list(names)),
)


def closure(by: object) -> Callable[..., Any]:
    def times(x: Any) -> Any:
        return x

    return lambda x: (by, times(x))[1]


def reason(*calls: Callable[[], object]) -> str:
    """Say why the last call compiles, when those before have been made."""
    with compiles(at_most=9) as programs:
        for call in calls:
            call()
    assert len(programs) == len(calls)
    return programs[-1].reason


def by_static(*values: Any) -> str:
    @functools.partial(jax.jit, static_argnames="kept")
    def step(x: Any, kept: Any) -> Any:
        return x + 1

    return reason(*(functools.partial(step, X, kept=value) for value in values))


def by_argument(*values: Any) -> str:
    @jax.jit
    def step(given: Any) -> Any:
        return jax.tree.leaves(given)[0] * 2

    return reason(*(functools.partial(step, value) for value in values))


def of_case(value: object) -> str:
    """Return a test's id: what is said, and no address, which differs between processes."""
    return value if isinstance(value, str) else "-"


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ((1, 2), "`kept` was the static value 1 and is now the static value 2: a static value"),
        ((1, 1.0), "`kept` was the static value 1 and is now the static value 1.0"),
        (("a", None), "`kept` was the static value 'a' and is now the static value None"),
        (((1, 2), (1, 3)), "`kept[1]` was the static value 2 and is now the static value 3"),
        (((*range(30), 1), (*range(30), 2)), "`kept[30]` was the static value 1 and is now"),
        ((float("nan"), float("nan")), "was the static value nan and is now another one: nan equ"),
        ((Mode.FAST, Mode.EXACT), "`kept` was Mode.FAST and is now Mode.EXACT"),
        ((Settings(0.1), Settings(0.2)), "`kept.rate` was the static value 0.1 and is now"),
        ((Settings(0.1), Settings(0.1, Mode.EXACT)), "`kept.mode` was Mode.FAST and is now Mode.E"),
        ((Nested(Settings(0.1)), Nested(Settings(0.2))), "`kept.settings.rate` was the static val"),
        (
            (Nested(Settings(1), (1,)), Nested(Settings(1), (2,))),
            "`kept.sizes[0]` was the static val",
        ),
        (
            (ByValue(1), ByValue(2)),
            "`kept.by` was the static value 1 and is now the static value 2",
        ),
        (
            (Plain(1), Plain(1)),
            "`kept` was an object of class Plain and is now another one: this",
        ),
        (
            (ByValue((1, Plain(2))), ByValue((1, Plain(2)))),
            "`kept.by[1]` was an object of class",
        ),
        ((abs, len), "`kept` was the function `abs` and is now the function `len`: a static"),
        (
            (closure(1), closure(1)),
            "`kept` was the function `<lambda>` and is now another one: a",
        ),
        (
            (jax.jit(abs), jax.jit(abs)),
            "`kept` was a jax.jit of the function `abs` and is now anoth",
        ),
        (
            (functools.partial(max, 1), functools.partial(max, 1)),
            "`kept` was a functools.partial of the function `max` and is now another one: a stat",
        ),
        (
            (optax.adam(0.1), optax.adam(0.1)),
            "`kept.init` was the function `init_fn` of optax and is now another one (and 1 more): "
            "a static function is compared by identity",
        ),
        (
            (NamedSharding(ONE, PartitionSpec()), NamedSharding(ONE, PartitionSpec("one"))),
            "`kept` was NamedSharding(mesh=",
        ),
        ((1, ONE), "`kept` was the static value 1 and is now Mesh("),
    ],
    ids=of_case,
)
def test_static_arguments(values: tuple, words: str) -> None:
    assert words in by_static(*values)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ((X, X[:2]), "`given` was float32[3] and is now float32[2]: each new shape"),
        ((X, X.astype(np.int32)), "`given` was float32[3] and is now int32[3]: each new dtype"),
        ((1.0, np.float32(1)), "`given` was float32[] from a Python scalar (weak type) and is now"),
        (((X, X), [X, X]), "`given` was a tuple of 2 and is now a list of 2: the structure"),
        ((Pair(X, X), (X, X)), "`given` was a Pair of 2 and is now a tuple of 2: the structure"),
        (([X], [X, X]), "`given` was a list of 1 and is now a list of 2: the structure"),
        (
            ({"a": X}, {"b": X}),
            "`given` was a dict of 1: a and is now a dict of 1: b: the",
        ),
        (((X, None), (X, X)), "`given[1]` was None and is now float32[3]: the structure"),
        ((Pair(X, X), Pair(X, X[:2])), "`given.b` was float32[3] and is now float32[2]"),
        ((Model(X, 1), Model(X, 2)), "`given.kept` was the static value 1 and is now the static v"),
        ((Model(X, (2, 3)), Model(X, (2, 4))), "`given.kept[1]` was the static value 3 and is"),
        (
            (Model(X, optax.sgd(1)), Model(X, optax.sgd(1))),
            "`given.kept.init` was the function `init_fn",
        ),
        ((Bag(X, ["a"]), Bag(X, ["b"])), "`given (aux data)[0]` was the static value 'a' and is"),
        (
            (X, jax.device_put(X, NamedSharding(ONE, PartitionSpec()))),
            "`given` was not committed to a device and is now sharded over the mesh (one: 1) by",
        ),
    ],
    ids=of_case,
)
def test_traced_arguments(values: tuple, words: str) -> None:
    assert words in by_argument(*values)


def test_an_array_in_a_static_field() -> None:
    models = Model(X, jnp.float32(1)), Model(X, jnp.float32(2))
    try:
        words = by_argument(*models)
    except ValueError as error:
        if "metadata fields" not in str(error):
            raise
        pytest.skip("this JAX compares the fields, and refuses arrays")
    assert "`given.kept` was the array float32[] and is now another one: a static field" in words


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda f: lambda x: f(x), "the function `<lambda>`"),
        (lambda f: functools.partial(f), "a functools.partial of the function `f`"),
        (lambda f: jax.vmap(f), "a wrapper of the function `f`"),
        (lambda f: Plain.__call__(f), "an object of class Called"),
        (lambda f: optax.adam(0.1).init, "the function `init_fn` of optax"),
        (lambda f: jax.vjp(f, X)[1], "an object of class VJP"),
    ],
    ids=["lambda", "partial", "vmap", "object", "library", "vjp"],
)
def test_a_function_made_anew(make: Callable[[Any], Any], words: str, monkeypatch) -> None:
    class Called:
        def __init__(self, f: Any) -> None:
            self.f = f

        def __call__(self, x: Any) -> Any:
            return self.f(x)

    monkeypatch.setattr(Plain, "__call__", Called, raising=False)

    def f(x: Any) -> Any:
        return 2 * x

    first, second = jax.jit(make(f)), jax.jit(make(f))
    reported = reason(lambda: first(X), lambda: second(X))
    assert f"was compiled again: it is a new function object each time ({words})" in reported


def test_a_traced_argument_beside_a_static_one_by_keyword() -> None:
    @functools.partial(jax.jit, static_argnums=1)
    def step(x: Any, kept: Any) -> Any:
        return x + 1

    reported = reason(lambda: step(X + 1, kept=1), lambda: step(X + 1, kept=2))
    assert (
        "because `kept` was the static value 1 and is now the static value 2: a static" in reported
    )


def test_another_form_of_call() -> None:
    step = jax.jit(lambda x, rate, size: x * rate * size)
    reported = reason(lambda: step(X, 1.0, 2.0), lambda: step(X, size=2.0, rate=1.0))
    assert (
        "because `<lambda>` was called with (_, _, _) and is now called with (_, rate=_, size=_): "
        "by position and by keyword are two calls; pass each argument in one way."
    ) in reported


def test_the_order_of_keywords_is_no_part_of_the_key() -> None:
    step = jax.jit(lambda x, rate, size: x * rate * size, static_argnames=("rate", "size"))
    step(X, size=2.0, rate=1.0)
    with compiles(at_most=0):
        step(X, rate=1.0, size=2.0)


def test_two_lambdas_of_one_line_are_two_functions() -> None:
    double, triple = jax.jit(lambda x: 2 * x), jax.jit(lambda x: 3 * x)
    reported = reason(lambda: double(X), lambda: triple(X))
    assert "compiled for the first time" in reported


def test_a_number_closed_over_is_named() -> None:
    reported = reason(lambda: jax.jit(closure(1))(X), lambda: jax.jit(closure(2))(X))
    assert (
        "`by` was the static value 1 and is now the static value 2: a variable closed" in reported
    )


@pytest.mark.slow
def test_options_settings_and_contexts_are_named() -> None:
    def f(x: Any) -> Any:
        return x + 1

    plain, donating = jax.jit(f), jax.jit(f, donate_argnums=0)
    assert "`donate_argnums` was () and is now (0,): options of JAX and of jax.jit" in reason(
        lambda: plain(X), lambda: donating(X)
    )
    placed = jax.jit(f, out_shardings=NamedSharding(ONE, PartitionSpec()))
    assert "`out_shardings` was (UnspecifiedValue,) and is now" in reason(
        lambda: jax.jit(f)(X[:2]), lambda: placed(X[:2])
    )

    def precisely() -> None:
        with jax.default_matmul_precision("float32"):
            plain(X)

    assert "`jax_default_matmul_precision` was None and is now 'float32'" in reason(
        lambda: jax.clear_caches() or plain(X), precisely
    )


def test_the_nearest_key_is_compared() -> None:
    reported = by_argument(X, {"a": X}, X[:2])
    assert "`given` was float32[3] and is now float32[2]" in reported


def test_what_was_lowered_by_hand() -> None:
    @jax.jit
    def step(x: Any) -> Any:
        return x + 1

    reported = reason(lambda: step.lower(X).compile(), lambda: step.lower(X[:2]).compile())
    assert "`x` was float32[3] and is now float32[2]" in reported


def test_grad_outside_of_jit() -> None:
    @jax.jit
    def loss(x: Any) -> Any:
        return jnp.sum(x**2)

    with compiles(at_most=9) as programs:
        jax.grad(loss)(X)
    assert "for grad or vmap applied to it outside jit" in programs[-1].reason


def test_a_loop_outside_of_jit() -> None:
    def run(x: Any) -> Any:
        return jax.lax.fori_loop(0, 3, lambda i, x: 2 * x, x)

    reported = reason(lambda: run(X), lambda: run(X))
    assert "jax.lax.fori_loop was called outside jit with a new function object" in reported


@pytest.mark.parametrize("code", ["MISS_CODE", "LOWER_CODE"])
def test_a_jax_that_has_moved_its_private_names(code: str, monkeypatch) -> None:
    monkeypatch.setattr(jax_private, code, None)
    step = jax.jit(lambda x: x + 1)

    def run(x: Any) -> Any:
        return step(x) if code == "MISS_CODE" else step.lower(x).compile()

    assert "`args[0]` was float32[3] and is now float32[2]" in reason(
        lambda: run(X), lambda: run(X[:2])
    )


def test_reading_a_key_never_fails_a_call(monkeypatch) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(watch, "read_key", fail)
    assert "the cause is not known" in by_static(1, 2)
    assert "`given` was float32[3] and is now float32[2]" in by_argument(X, X[:2])
