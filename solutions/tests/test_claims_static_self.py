"""What lesson `static_self` says of JAX, run: on every jax that the kit supports."""

import gc
import weakref
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import pytest
from jax.tree_util import register_dataclass

from plnkit.compile_counts import compile_counts

COUNTS = jnp.arange(6.0)


class Capped:
    def __init__(self, Y: jax.Array, cap: float) -> None:
        self.Y, self.cap = Y, cap

    @partial(jax.jit, static_argnums=0)
    def total(self) -> Any:
        return jnp.minimum(self.Y, self.cap).sum()


def test_a_changed_attribute_of_a_static_self_is_not_noticed() -> None:
    capped = Capped(COUNTS, 1.0)
    assert capped.total() == 5
    capped.cap = 2.0
    with compile_counts() as counted:
        assert capped.total() == 5
    assert counted["compilations"] == 0
    jax.clear_caches()
    assert capped.total() == 9


@pytest.mark.slow
def test_a_new_object_compiles_again_and_is_kept_in_memory() -> None:
    with compile_counts() as counted:
        models = [Capped(COUNTS, 2.0) for _ in range(3)]
        assert [float(model.total()) for model in models] == [9, 9, 9]
    assert counted["compilations"] >= 3
    kept = weakref.ref(models[0])
    del models
    gc.collect()
    assert kept() is not None


@pytest.mark.parametrize("frozen", [False, True])
def test_a_dataclass_with_an_array_cannot_be_static(frozen: bool) -> None:
    @dataclass(frozen=frozen)
    class CappedData:
        Y: jax.Array
        cap: float

        @partial(jax.jit, static_argnums=0)
        def total(self) -> Any:
            return jnp.minimum(self.Y, self.cap).sum()

    with pytest.raises(ValueError, match="Non-hashable static arguments") as caught:
        CappedData(COUNTS, 2.0).total()
    assert "unhashable type" in str(caught.value)


def test_equal_keys_share_results() -> None:
    class CappedKey(Capped):
        def __hash__(self) -> int:
            return hash(self.cap)

        def __eq__(self, other: object) -> bool:
            return isinstance(other, CappedKey) and self.cap == other.cap

    assert CappedKey(COUNTS, 2.0).total() == 9
    assert CappedKey(10 * COUNTS, 2.0).total() == 9


@register_dataclass
@dataclass(frozen=True)
class Frozen:
    Y: jax.Array
    cap: float
    kind: str = field(metadata={"static": True})

    @jax.jit
    def total(self) -> Any:
        return jnp.minimum(self.Y, self.cap).sum() * (2 if self.kind == "double" else 1)


def test_a_traced_self_is_compiled_for_its_static_fields_only() -> None:
    frozen = Frozen(COUNTS, 1.0, "single")
    frozen.total()
    changed = replace(frozen, cap=2.0)
    other = replace(frozen, Y=-COUNTS)
    with compile_counts() as counted:
        assert (changed.total(), other.total(), frozen.total()) == (9, -15, 5)
    assert counted["compilations"] == 0
    with compile_counts() as counted:
        assert replace(frozen, kind="double").total() == 10
    assert counted["compilations"] == 1
    assert changed.Y is frozen.Y
