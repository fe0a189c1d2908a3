"""Repairs of the lesson static_self, right and wrong, its starters and empty cells."""

# %% right_arguments
# right: plain class, jitted functions outside; exercise: static_self
import copy


@partial(jax.jit, static_argnames="penalized")
def jitted_loss(B, Y, O, X, ridge, penalized):
    return penalized_loss(B, Y, O, X, ridge, penalized)


@partial(jax.jit, static_argnames=("penalized", "n_iterations"))
def jitted_fit(B, Y, O, X, ridge, penalized, n_iterations):
    def body(B, _):
        return newton_step(B, Y, O, X, ridge, penalized), None

    return jax.lax.scan(body, B, length=n_iterations)[0]


class Poisson:
    def __init__(self, Y, O, X, B, ridge, penalized):
        self.Y, self.O, self.X, self.B = Y, O, X, B
        self.ridge, self.penalized = ridge, penalized

    def set(self, **changes):
        changed = copy.copy(self)
        for name, value in changes.items():
            setattr(changed, name, value)
        return changed

    def loss(self):
        return jitted_loss(self.B, self.Y, self.O, self.X, self.ridge, self.penalized)

    def fit(self, n_iterations):
        data = self.B, self.Y, self.O, self.X, self.ridge
        return self.set(B=jitted_fit(*data, self.penalized, n_iterations))

# %% right_array_ridge
# right: the ridge is made an array; registered by lists; exercise: static_self
from dataclasses import replace

from jax.tree_util import register_dataclass


@partial(register_dataclass, data_fields=["Y", "O", "X", "B", "ridge"], meta_fields=["penalized"])
@dataclass(frozen=True, eq=False)
class Poisson:
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    ridge: float
    penalized: str

    def __post_init__(self):
        object.__setattr__(self, "ridge", jnp.asarray(self.ridge, jnp.float32))

    def set(self, **changes):
        return replace(self, **changes)

    @jax.jit
    def loss(self):
        return penalized_loss(self.B, self.Y, self.O, self.X, self.ridge, self.penalized)

    @partial(jax.jit, static_argnames="n_iterations")
    def fit(self, n_iterations):
        def body(B, _):
            return newton_step(B, self.Y, self.O, self.X, self.ridge, self.penalized), None

        return self.set(B=jax.lax.scan(body, self.B, length=n_iterations)[0])

# %% right_assigned
# right: jitted after the class; exercise: static_self
from dataclasses import field, replace

from jax.tree_util import register_dataclass


@register_dataclass
@dataclass(frozen=True)
class Poisson:
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    ridge: float
    penalized: str = field(metadata={"static": True})

    def set(self, **changes):
        return replace(self, **changes)

    def loss(self):
        return penalized_loss(self.B, self.Y, self.O, self.X, self.ridge, self.penalized)

    def fit(self, n_iterations):
        def body(B, _):
            return newton_step(B, self.Y, self.O, self.X, self.ridge, self.penalized), None

        return self.set(B=jax.lax.scan(body, self.B, length=n_iterations)[0])


Poisson.loss = jax.jit(Poisson.loss)
Poisson.fit = jax.jit(Poisson.fit, static_argnums=1)

# %% right_flag_and_dictionary
# right: a dictionary of data, and a static flag behind a property; exercise: static_self
from dataclasses import field

from jax.tree_util import register_dataclass


@register_dataclass
@dataclass(frozen=True)
class Inner:
    data: dict
    is_all: bool = field(metadata={"static": True})


@jax.jit
def loss_of(inner):
    return penalized_loss(**inner.data, penalized="all" if inner.is_all else "slopes")


@partial(jax.jit, static_argnums=1)
def fit_of(inner, n_iterations):
    word, data = "all" if inner.is_all else "slopes", inner.data
    body = lambda _, B: newton_step(**{**data, "B": B}, penalized=word)
    return jax.lax.fori_loop(0, n_iterations, body, data["B"])


class Poisson:
    def __init__(self, *, penalized, **data):
        self.inner = Inner(data, penalized == "all")

    @property
    def penalized(self):
        return "all" if self.inner.is_all else "slopes"

    def __getattr__(self, name):
        if name == "inner" or name not in self.inner.data:
            raise AttributeError(name)
        return self.inner.data[name]

    def set(self, **changes):
        return Poisson(**{**self.inner.data, "penalized": self.penalized, **changes})

    def loss(self):
        return loss_of(self.inner)

    def fit(self, n_iterations):
        return self.set(B=fit_of(self.inner, n_iterations))

# %% right_float
# right: loss is a Python float in the end; exercise: static_self
from dataclasses import field, replace

from jax.tree_util import register_dataclass


@register_dataclass
@dataclass(frozen=True)
class Poisson:
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    ridge: float
    penalized: str = field(metadata={"static": True})

    def set(self, **changes):
        return replace(self, **changes)

    @jax.jit
    def traced_loss(self):
        return penalized_loss(self.B, self.Y, self.O, self.X, self.ridge, self.penalized)

    def loss(self):
        return float(self.traced_loss())

    @jax.jit
    def fit(self, n_iterations):
        def body(_, B):
            return newton_step(B, self.Y, self.O, self.X, self.ridge, self.penalized)

        return replace(self, B=jax.lax.fori_loop(0, n_iterations, body, self.B))

# %% right_fori_loop
# right: a traced number of iterations; exercise: static_self
from dataclasses import field, replace

from jax.tree_util import register_dataclass


@register_dataclass
@dataclass(frozen=True)
class Poisson:
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    ridge: float
    penalized: str = field(metadata={"static": True})

    def set(self, **changes):
        return replace(self, **changes)

    @jax.jit
    def loss(self):
        return penalized_loss(self.B, self.Y, self.O, self.X, self.ridge, self.penalized)

    @jax.jit
    def fit(self, n_iterations):
        def body(_, model):
            data = model.Y, model.O, model.X, model.ridge, model.penalized
            return model.set(B=newton_step(model.B, *data))

        return jax.lax.fori_loop(0, n_iterations, body, self)

# %% right_named_tuple
# right: a NamedTuple whose methods call jitted functions; exercise: static_self
from typing import NamedTuple


@partial(jax.jit, static_argnames="penalized")
def jitted_loss(B, Y, O, X, ridge, penalized):
    return penalized_loss(B, Y, O, X, ridge, penalized)


@partial(jax.jit, static_argnames=("penalized", "n_iterations"))
def jitted_fit(B, Y, O, X, ridge, penalized, n_iterations):
    def body(B, _):
        return newton_step(B, Y, O, X, ridge, penalized), None

    return jax.lax.scan(body, B, length=n_iterations)[0]


class Poisson(NamedTuple):
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    ridge: float
    penalized: str

    def set(self, **changes):
        return self._replace(**changes)

    def loss(self):
        return jitted_loss(self.B, self.Y, self.O, self.X, self.ridge, self.penalized)

    def fit(self, n_iterations):
        data = self.B, self.Y, self.O, self.X, self.ridge
        return self.set(B=jitted_fit(*data, self.penalized, n_iterations))

# %% right_not_frozen
# right: not frozen, changed copies; exercise: static_self
import copy
from dataclasses import field

from jax.tree_util import register_dataclass


@register_dataclass
@dataclass
class Poisson:
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    ridge: float
    penalized: str = field(metadata={"static": True})

    def set(self, **changes):
        changed = copy.copy(self)
        for name, value in changes.items():
            setattr(changed, name, value)
        return changed

    @jax.jit
    def loss(self):
        return penalized_loss(self.B, self.Y, self.O, self.X, self.ridge, self.penalized)

    @partial(jax.jit, static_argnames="n_iterations")
    def fit(self, n_iterations):
        def body(B, _):
            return newton_step(B, self.Y, self.O, self.X, self.ridge, self.penalized), None

        return self.set(B=jax.lax.scan(body, self.B, length=n_iterations)[0])

# %% right_pytree_class
# right: registered with tree_flatten; exercise: static_self
@jax.tree_util.register_pytree_node_class
class Poisson:
    def __init__(self, Y, O, X, B, ridge, penalized):
        self.Y, self.O, self.X, self.B = Y, O, X, B
        self.ridge, self.penalized = ridge, penalized

    def tree_flatten(self):
        return (self.Y, self.O, self.X, self.B, self.ridge), self.penalized

    @classmethod
    def tree_unflatten(cls, penalized, children):
        model = object.__new__(cls)
        model.Y, model.O, model.X, model.B, model.ridge = children
        model.penalized = penalized
        return model

    def set(self, **changes):
        return Poisson(**{**vars(self), **changes})

    @jax.jit
    def loss(self):
        return penalized_loss(self.B, self.Y, self.O, self.X, self.ridge, self.penalized)

    @partial(jax.jit, static_argnames="n_iterations")
    def fit(self, n_iterations):
        def body(B, _):
            return newton_step(B, self.Y, self.O, self.X, self.ridge, self.penalized), None

        return self.set(B=jax.lax.scan(body, self.B, length=n_iterations)[0])

# %% right_static_settings
# right: static self whose key is its one setting; all data are arguments; exercise: static_self
import copy


class Poisson:
    def __init__(self, Y, O, X, B, ridge, penalized):
        self.Y, self.O, self.X, self.B = Y, O, X, B
        self.ridge, self.penalized = ridge, penalized

    def __hash__(self):
        return hash(self.penalized)

    def __eq__(self, other):
        return self.penalized == other.penalized

    def set(self, **changes):
        changed = copy.copy(self)
        for name, value in changes.items():
            setattr(changed, name, value)
        return changed

    @partial(jax.jit, static_argnums=0)
    def loss_at(self, B, Y, O, X, ridge):
        return penalized_loss(B, Y, O, X, ridge, self.penalized)

    @partial(jax.jit, static_argnums=(0, 1))
    def fitted_B(self, n_iterations, B, Y, O, X, ridge):
        def body(B, _):
            return newton_step(B, Y, O, X, ridge, self.penalized), None

        return jax.lax.scan(body, B, length=n_iterations)[0]

    def loss(self):
        return self.loss_at(self.B, self.Y, self.O, self.X, self.ridge)

    def fit(self, n_iterations):
        data = self.B, self.Y, self.O, self.X, self.ridge
        return self.set(B=self.fitted_B(n_iterations, *data))

# %% wrong_all_static
# wrong: all fields are static; exercise: static_self; must fail: outputs; says: arrays cannot be passed as metadata
from dataclasses import field, replace

from jax.tree_util import register_dataclass


@register_dataclass
@dataclass(frozen=True)
class Poisson:
    Y: jax.Array = field(metadata={"static": True})
    O: jax.Array = field(metadata={"static": True})
    X: jax.Array = field(metadata={"static": True})
    B: jax.Array = field(metadata={"static": True})
    ridge: jax.Array = field(metadata={"static": True})
    penalized: str = field(metadata={"static": True})

    def set(self, **changes):
        return replace(self, **changes)

    @jax.jit
    def loss(self):
        return penalized_loss(self.B, self.Y, self.O, self.X, self.ridge, self.penalized)

    @partial(jax.jit, static_argnames="n_iterations")
    def fit(self, n_iterations):
        def body(B, _):
            return newton_step(B, self.Y, self.O, self.X, self.ridge, self.penalized), None

        return self.set(B=jax.lax.scan(body, self.B, length=n_iterations)[0])

# %% wrong_assigns_frozen
# wrong: set assigns fields of a frozen dataclass; exercise: static_self; must fail: outputs; says: frozen
from dataclasses import field

from jax.tree_util import register_dataclass


@register_dataclass
@dataclass(frozen=True)
class Poisson:
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    ridge: float
    penalized: str = field(metadata={"static": True})

    def set(self, **changes):
        for name, value in changes.items():
            setattr(self, name, value)
        return self

    @jax.jit
    def loss(self):
        return penalized_loss(self.B, self.Y, self.O, self.X, self.ridge, self.penalized)

    @partial(jax.jit, static_argnames="n_iterations")
    def fit(self, n_iterations):
        def body(B, _):
            return newton_step(B, self.Y, self.O, self.X, self.ridge, self.penalized), None

        return self.set(B=jax.lax.scan(body, self.B, length=n_iterations)[0])

# %% wrong_clears_caches
# wrong: clears the caches at each change; exercise: static_self; must fail: compilations, purity; says: compiled
class Poisson:
    def __init__(self, Y, O, X, B, ridge, penalized):
        self.Y, self.O, self.X, self.B = Y, O, X, B
        self.ridge, self.penalized = ridge, penalized

    def set(self, **changes):
        for name, value in changes.items():
            setattr(self, name, value)
        jax.clear_caches()
        return self

    @partial(jax.jit, static_argnums=0)
    def loss(self):
        return penalized_loss(self.B, self.Y, self.O, self.X, self.ridge, self.penalized)

    @partial(jax.jit, static_argnums=(0, 1))
    def fitted_B(self, n_iterations):
        def body(B, _):
            return newton_step(B, self.Y, self.O, self.X, self.ridge, self.penalized), None

        return jax.lax.scan(body, self.B, length=n_iterations)[0]

    def fit(self, n_iterations):
        return self.set(B=self.fitted_B(n_iterations))

# %% wrong_copies_static
# wrong: changed copies, static self; exercise: static_self; must fail: compilations; says: static
import copy


class Poisson:
    def __init__(self, Y, O, X, B, ridge, penalized):
        self.Y, self.O, self.X, self.B = Y, O, X, B
        self.ridge, self.penalized = ridge, penalized

    def set(self, **changes):
        changed = copy.copy(self)
        for name, value in changes.items():
            setattr(changed, name, value)
        return changed

    @partial(jax.jit, static_argnums=0)
    def loss(self):
        return penalized_loss(self.B, self.Y, self.O, self.X, self.ridge, self.penalized)

    @partial(jax.jit, static_argnums=(0, 1))
    def fitted_B(self, n_iterations):
        def body(B, _):
            return newton_step(B, self.Y, self.O, self.X, self.ridge, self.penalized), None

        return jax.lax.scan(body, self.B, length=n_iterations)[0]

    def fit(self, n_iterations):
        return self.set(B=self.fitted_B(n_iterations))

# %% wrong_dataclass_static
# wrong: a dataclass with a static self; exercise: static_self; must fail: outputs; says: hash
from dataclasses import replace


@dataclass
class Poisson:
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    ridge: float
    penalized: str

    def set(self, **changes):
        return replace(self, **changes)

    @partial(jax.jit, static_argnums=0)
    def loss(self):
        return penalized_loss(self.B, self.Y, self.O, self.X, self.ridge, self.penalized)

    @partial(jax.jit, static_argnums=(0, 1))
    def fitted_B(self, n_iterations):
        def body(B, _):
            return newton_step(B, self.Y, self.O, self.X, self.ridge, self.penalized), None

        return jax.lax.scan(body, self.B, length=n_iterations)[0]

    def fit(self, n_iterations):
        return self.set(B=self.fitted_B(n_iterations))

# %% wrong_fifty_at_most
# wrong: the fifty iterations of the notebook, and no more; exercise: static_self; must fail: outputs; says: B
from dataclasses import field, replace

from jax.tree_util import register_dataclass


@register_dataclass
@dataclass(frozen=True)
class Poisson:
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    ridge: jax.Array | float
    penalized: str = field(metadata={"static": True})

    def set(self, **changes):
        return replace(self, **changes)

    @jax.jit
    def loss(self):
        return penalized_loss(self.B, self.Y, self.O, self.X, self.ridge, self.penalized)

    @partial(jax.jit, static_argnames="n_iterations")
    def fit(self, n_iterations):
        def body(B, _):
            return newton_step(B, self.Y, self.O, self.X, self.ridge, self.penalized), None

        return self.set(B=jax.lax.scan(body, self.B, length=min(n_iterations, 50))[0])

# %% wrong_fit_assigns
# wrong: fit changes the model; exercise: static_self; must fail: purity; says: `model.fit(3)` changes
import copy


@partial(jax.jit, static_argnames="penalized")
def jitted_loss(B, Y, O, X, ridge, penalized):
    return penalized_loss(B, Y, O, X, ridge, penalized)


@partial(jax.jit, static_argnames=("penalized", "n_iterations"))
def jitted_fit(B, Y, O, X, ridge, penalized, n_iterations):
    def body(B, _):
        return newton_step(B, Y, O, X, ridge, penalized), None

    return jax.lax.scan(body, B, length=n_iterations)[0]


class Poisson:
    def __init__(self, Y, O, X, B, ridge, penalized):
        self.Y, self.O, self.X, self.B = Y, O, X, B
        self.ridge, self.penalized = ridge, penalized

    def set(self, **changes):
        changed = copy.copy(self)
        for name, value in changes.items():
            setattr(changed, name, value)
        return changed

    def loss(self):
        return jitted_loss(self.B, self.Y, self.O, self.X, self.ridge, self.penalized)

    def fit(self, n_iterations):
        data = self.B, self.Y, self.O, self.X, self.ridge
        self.B = jitted_fit(*data, self.penalized, n_iterations)
        return self

# %% wrong_fit_keeps_data
# wrong: fit goes on with the data that the model was made with, after set(Y=...); exercise: static_self; must fail: outputs; says: old `Y`
import copy


@partial(jax.jit, static_argnames="penalized")
def jitted_loss(B, Y, O, X, ridge, penalized):
    return penalized_loss(B, Y, O, X, ridge, penalized)


@partial(jax.jit, static_argnames=("penalized", "n_iterations"))
def jitted_fit(B, Y, O, X, ridge, penalized, n_iterations):
    def body(B, _):
        return newton_step(B, Y, O, X, ridge, penalized), None

    return jax.lax.scan(body, B, length=n_iterations)[0]


class Poisson:
    def __init__(self, Y, O, X, B, ridge, penalized):
        self.Y, self.O, self.X, self.B = Y, O, X, B
        self.ridge, self.penalized = ridge, penalized
        self.data = Y, O, X  # what does not change during a fit

    def set(self, **changes):
        changed = copy.copy(self)
        for name, value in changes.items():
            setattr(changed, name, value)
        return changed

    def loss(self):
        return jitted_loss(self.B, self.Y, self.O, self.X, self.ridge, self.penalized)

    def fit(self, n_iterations):
        return self.set(B=jitted_fit(self.B, *self.data, self.ridge, self.penalized, n_iterations))

# %% wrong_fit_not_jitted
# wrong: only loss is jitted; exercise: static_self; must fail: compilations; says: jit
from dataclasses import field, replace

from jax.tree_util import register_dataclass


@register_dataclass
@dataclass(frozen=True)
class Poisson:
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    ridge: float
    penalized: str = field(metadata={"static": True})

    def set(self, **changes):
        return replace(self, **changes)

    @jax.jit
    def loss(self):
        return penalized_loss(self.B, self.Y, self.O, self.X, self.ridge, self.penalized)

    def fit(self, n_iterations):
        def body(B, _):
            return newton_step(B, self.Y, self.O, self.X, self.ridge, self.penalized), None

        return self.set(B=jax.lax.scan(body, self.B, length=n_iterations)[0])

# %% wrong_fit_returns_B
# wrong: fit returns the coefficients; exercise: static_self; must fail: outputs; says: should return a model
from dataclasses import field, replace

from jax.tree_util import register_dataclass


@register_dataclass
@dataclass(frozen=True)
class Poisson:
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    ridge: float
    penalized: str = field(metadata={"static": True})

    def set(self, **changes):
        return replace(self, **changes)

    @jax.jit
    def loss(self):
        return penalized_loss(self.B, self.Y, self.O, self.X, self.ridge, self.penalized)

    @partial(jax.jit, static_argnames="n_iterations")
    def fit(self, n_iterations):
        def body(B, _):
            return newton_step(B, self.Y, self.O, self.X, self.ridge, self.penalized), None

        return jax.lax.scan(body, self.B, length=n_iterations)[0]

# %% wrong_forgets_aux
# wrong: the word is not among the aux data; exercise: static_self; must fail: outputs; says: comes back with another `penalized`
@jax.tree_util.register_pytree_node_class
class Poisson:
    def __init__(self, Y, O, X, B, ridge, penalized="all"):
        self.Y, self.O, self.X, self.B, self.ridge, self.penalized = Y, O, X, B, ridge, penalized

    def tree_flatten(self):
        return (self.Y, self.O, self.X, self.B, self.ridge), None

    @classmethod
    def tree_unflatten(cls, aux, children):
        return cls(*children)

    def set(self, **changes):
        return Poisson(**{**vars(self), **changes})

    @jax.jit
    def loss(self):
        return penalized_loss(self.B, self.Y, self.O, self.X, self.ridge, self.penalized)

    @partial(jax.jit, static_argnums=1)
    def fit(self, n_iterations):
        B, _ = jax.lax.scan(
            lambda B, _: (newton_step(B, self.Y, self.O, self.X, self.ridge, self.penalized), ()),
            self.B,
            None,
            n_iterations,
        )
        return self.set(B=B)

# %% wrong_frozen_static
# wrong: a frozen dataclass with a static self; exercise: static_self; must fail: outputs; says: hash
from dataclasses import replace


@dataclass(frozen=True)
class Poisson:
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    ridge: float
    penalized: str

    def set(self, **changes):
        return replace(self, **changes)

    @partial(jax.jit, static_argnums=0)
    def loss(self):
        return penalized_loss(self.B, self.Y, self.O, self.X, self.ridge, self.penalized)

    @partial(jax.jit, static_argnums=(0, 1))
    def fitted_B(self, n_iterations):
        def body(B, _):
            return newton_step(B, self.Y, self.O, self.X, self.ridge, self.penalized), None

        return jax.lax.scan(body, self.B, length=n_iterations)[0]

    def fit(self, n_iterations):
        return self.set(B=self.fitted_B(n_iterations))

# %% wrong_hash_of_settings
# wrong: the key is the settings; exercise: static_self; must fail: outputs; says: key was still the same
import copy


class Poisson:
    def __init__(self, Y, O, X, B, ridge, penalized):
        self.Y, self.O, self.X, self.B = Y, O, X, B
        self.ridge, self.penalized = ridge, penalized

    def __hash__(self):
        return hash((self.ridge, self.penalized))

    def __eq__(self, other):
        return (self.ridge, self.penalized) == (other.ridge, other.penalized)

    def set(self, **changes):
        changed = copy.copy(self)
        for name, value in changes.items():
            setattr(changed, name, value)
        return changed

    @partial(jax.jit, static_argnums=0)
    def loss(self):
        return penalized_loss(self.B, self.Y, self.O, self.X, self.ridge, self.penalized)

    @partial(jax.jit, static_argnums=(0, 1))
    def fitted_B(self, n_iterations):
        def body(B, _):
            return newton_step(B, self.Y, self.O, self.X, self.ridge, self.penalized), None

        return jax.lax.scan(body, self.B, length=n_iterations)[0]

    def fit(self, n_iterations):
        return self.set(B=self.fitted_B(n_iterations))

# %% wrong_hash_of_shapes
# wrong: the key is shapes and settings; exercise: static_self; must fail: outputs; says: key was still the same
import copy


class Poisson:
    def __init__(self, Y, O, X, B, ridge, penalized):
        self.Y, self.O, self.X, self.B = Y, O, X, B
        self.ridge, self.penalized = ridge, penalized

    def __hash__(self):
        return hash((self.Y.shape, self.X.shape, self.penalized))

    def __eq__(self, other):
        return (self.Y.shape, self.X.shape, self.penalized) == (
            other.Y.shape,
            other.X.shape,
            other.penalized,
        )

    def set(self, **changes):
        changed = copy.copy(self)
        for name, value in changes.items():
            setattr(changed, name, value)
        return changed

    @partial(jax.jit, static_argnums=0)
    def loss(self):
        return penalized_loss(self.B, self.Y, self.O, self.X, self.ridge, self.penalized)

    @partial(jax.jit, static_argnums=(0, 1))
    def fitted_B(self, n_iterations):
        def body(B, _):
            return newton_step(B, self.Y, self.O, self.X, self.ridge, self.penalized), None

        return jax.lax.scan(body, self.B, length=n_iterations)[0]

    def fit(self, n_iterations):
        return self.set(B=self.fitted_B(n_iterations))

# %% wrong_hash_of_values
# wrong: the key is all values; exercise: static_self; must fail: compilations; says: static
import copy

import numpy as np


class Poisson:
    def __init__(self, Y, O, X, B, ridge, penalized):
        self.Y, self.O, self.X, self.B = Y, O, X, B
        self.ridge, self.penalized = ridge, penalized

    def key(self):
        arrays = tuple(np.asarray(a).tobytes() for a in (self.Y, self.O, self.X, self.B))
        return arrays, self.Y.shape, float(self.ridge), self.penalized

    def __hash__(self):
        return hash(self.key())

    def __eq__(self, other):
        return self.key() == other.key()

    def set(self, **changes):
        changed = copy.copy(self)
        for name, value in changes.items():
            setattr(changed, name, value)
        return changed

    @partial(jax.jit, static_argnums=0)
    def loss(self):
        return penalized_loss(self.B, self.Y, self.O, self.X, self.ridge, self.penalized)

    @partial(jax.jit, static_argnums=(0, 1))
    def fitted_B(self, n_iterations):
        def body(B, _):
            return newton_step(B, self.Y, self.O, self.X, self.ridge, self.penalized), None

        return jax.lax.scan(body, self.B, length=n_iterations)[0]

    def fit(self, n_iterations):
        return self.set(B=self.fitted_B(n_iterations))

# %% wrong_jits_anew
# wrong: jits a lambda at each call; exercise: static_self; must fail: compilations; says: each
from dataclasses import field, replace

from jax.tree_util import register_dataclass


@register_dataclass
@dataclass(frozen=True)
class Poisson:
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    ridge: float
    penalized: str = field(metadata={"static": True})

    def set(self, **changes):
        return replace(self, **changes)

    def loss(self):
        return jax.jit(
            lambda self: penalized_loss(self.B, self.Y, self.O, self.X, self.ridge, self.penalized)
        )(self)

    @partial(jax.jit, static_argnames="n_iterations")
    def fit(self, n_iterations):
        def body(B, _):
            return newton_step(B, self.Y, self.O, self.X, self.ridge, self.penalized), None

        return self.set(B=jax.lax.scan(body, self.B, length=n_iterations)[0])

# %% wrong_loss_not_jitted
# wrong: only fit is jitted; exercise: static_self; must fail: compilations; says: jit
from dataclasses import field, replace

from jax.tree_util import register_dataclass


@register_dataclass
@dataclass(frozen=True)
class Poisson:
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    ridge: float
    penalized: str = field(metadata={"static": True})

    def set(self, **changes):
        return replace(self, **changes)

    def loss(self):
        return penalized_loss(self.B, self.Y, self.O, self.X, self.ridge, self.penalized)

    @partial(jax.jit, static_argnames="n_iterations")
    def fit(self, n_iterations):
        def body(B, _):
            return newton_step(B, self.Y, self.O, self.X, self.ridge, self.penalized), None

        return self.set(B=jax.lax.scan(body, self.B, length=n_iterations)[0])

# %% wrong_no_jit
# wrong: jit removed; exercise: static_self; must fail: compilations; says: jit
from dataclasses import field, replace

from jax.tree_util import register_dataclass


@register_dataclass
@dataclass(frozen=True)
class Poisson:
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    ridge: float
    penalized: str = field(metadata={"static": True})

    def set(self, **changes):
        return replace(self, **changes)

    def loss(self):
        return penalized_loss(self.B, self.Y, self.O, self.X, self.ridge, self.penalized)

    def fit(self, n_iterations):
        def body(B, _):
            return newton_step(B, self.Y, self.O, self.X, self.ridge, self.penalized), None

        return self.set(B=jax.lax.scan(body, self.B, length=n_iterations)[0])

# %% wrong_not_registered
# wrong: traced self, not registered; exercise: static_self; must fail: outputs; says: pytree
from dataclasses import replace


@dataclass(frozen=True)
class Poisson:
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    ridge: float
    penalized: str

    def set(self, **changes):
        return replace(self, **changes)

    @jax.jit
    def loss(self):
        return penalized_loss(self.B, self.Y, self.O, self.X, self.ridge, self.penalized)

    @partial(jax.jit, static_argnames="n_iterations")
    def fit(self, n_iterations):
        def body(B, _):
            return newton_step(B, self.Y, self.O, self.X, self.ridge, self.penalized), None

        return self.set(B=jax.lax.scan(body, self.B, length=n_iterations)[0])

# %% wrong_only_ridge
# wrong: only the ridge is an argument; exercise: static_self; must fail: outputs; says: `Y`
class Poisson:
    def __init__(self, Y, O, X, B, ridge, penalized):
        self.Y, self.O, self.X, self.B = Y, O, X, B
        self.ridge, self.penalized = ridge, penalized

    def set(self, **changes):
        for name, value in changes.items():
            setattr(self, name, value)
        return self

    @partial(jax.jit, static_argnums=0)
    def loss_at(self, ridge):
        return penalized_loss(self.B, self.Y, self.O, self.X, ridge, self.penalized)

    def loss(self):
        return self.loss_at(self.ridge)

    @partial(jax.jit, static_argnums=(0, 1))
    def fitted_B(self, n_iterations):
        def body(B, _):
            return newton_step(B, self.Y, self.O, self.X, self.ridge, self.penalized), None

        return jax.lax.scan(body, self.B, length=n_iterations)[0]

    def fit(self, n_iterations):
        return self.set(B=self.fitted_B(n_iterations))

# %% wrong_penalized_data
# wrong: the word is data; exercise: static_self; must fail: outputs; says: penalized
from dataclasses import replace

from jax.tree_util import register_dataclass


@register_dataclass
@dataclass(frozen=True)
class Poisson:
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    ridge: float
    penalized: str

    def set(self, **changes):
        return replace(self, **changes)

    @jax.jit
    def loss(self):
        return penalized_loss(self.B, self.Y, self.O, self.X, self.ridge, self.penalized)

    @partial(jax.jit, static_argnames="n_iterations")
    def fit(self, n_iterations):
        def body(B, _):
            return newton_step(B, self.Y, self.O, self.X, self.ridge, self.penalized), None

        return self.set(B=jax.lax.scan(body, self.B, length=n_iterations)[0])

# %% wrong_penalizes_all
# wrong: penalizes all rows, whatever it is told; exercise: static_self; must fail: outputs; says: `penalized`
from dataclasses import field, replace

from jax.tree_util import register_dataclass


@register_dataclass
@dataclass(frozen=True)
class Poisson:
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    ridge: float
    penalized: str = field(metadata={"static": True})

    def set(self, **changes):
        return replace(self, **changes)

    @jax.jit
    def loss(self):
        return penalized_loss(self.B, self.Y, self.O, self.X, self.ridge, "all")

    @partial(jax.jit, static_argnames="n_iterations")
    def fit(self, n_iterations):
        def body(B, _):
            return newton_step(B, self.Y, self.O, self.X, self.ridge, "all"), None

        return self.set(B=jax.lax.scan(body, self.B, length=n_iterations)[0])

# %% wrong_program_without_steps
# wrong: a dictionary of programs whose key leaves the number of iterations out; exercise: static_self; must fail: outputs; says: by the number of its steps
from dataclasses import dataclass, replace

programs = {}


@partial(jax.jit, static_argnames="penalized")
def jitted_loss(B, Y, O, X, ridge, penalized):
    return penalized_loss(B, Y, O, X, ridge, penalized)


def program_for(shape, penalized, n_iterations):
    key = shape, penalized
    if key not in programs:

        def run(B, Y, O, X, ridge):
            def body(B, _):
                return newton_step(B, Y, O, X, ridge, penalized), None

            return jax.lax.scan(body, B, length=n_iterations)[0]

        programs[key] = jax.jit(run)
    return programs[key]


@dataclass(frozen=True)
class Poisson:
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    ridge: float
    penalized: str

    def set(self, **changes):
        return replace(self, **changes)

    def loss(self):
        return jitted_loss(self.B, self.Y, self.O, self.X, self.ridge, self.penalized)

    def fit(self, n_iterations):
        run = program_for(self.Y.shape, self.penalized, n_iterations)
        return self.set(B=run(self.B, self.Y, self.O, self.X, self.ridge))

# %% wrong_remembers_loss
# wrong: the loss is computed once and kept; exercise: static_self; must fail: outputs; says: set
import copy


@partial(jax.jit, static_argnames="penalized")
def jitted_loss(B, Y, O, X, ridge, penalized):
    return penalized_loss(B, Y, O, X, ridge, penalized)


@partial(jax.jit, static_argnames=("penalized", "n_iterations"))
def jitted_fit(B, Y, O, X, ridge, penalized, n_iterations):
    def body(B, _):
        return newton_step(B, Y, O, X, ridge, penalized), None

    return jax.lax.scan(body, B, length=n_iterations)[0]


class Poisson:
    def __init__(self, Y, O, X, B, ridge, penalized):
        self.Y, self.O, self.X, self.B = Y, O, X, B
        self.ridge, self.penalized = ridge, penalized

    def set(self, **changes):
        changed = copy.copy(self)
        for name, value in changes.items():
            setattr(changed, name, value)
        return changed

    def loss(self):
        if not hasattr(self, "kept"):
            self.kept = jitted_loss(self.B, self.Y, self.O, self.X, self.ridge, self.penalized)
        return self.kept

    def fit(self, n_iterations):
        data = self.B, self.Y, self.O, self.X, self.ridge
        return self.set(B=jitted_fit(*data, self.penalized, n_iterations))

# %% wrong_ridge_static
# wrong: the ridge is static; exercise: static_self; must fail: compilations; says: `self.ridge` was the static value
from dataclasses import field, replace

from jax.tree_util import register_dataclass


@register_dataclass
@dataclass(frozen=True)
class Poisson:
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    ridge: float = field(metadata={"static": True})
    penalized: str = field(metadata={"static": True})

    def set(self, **changes):
        return replace(self, **changes)

    @jax.jit
    def loss(self):
        return penalized_loss(self.B, self.Y, self.O, self.X, self.ridge, self.penalized)

    @partial(jax.jit, static_argnames="n_iterations")
    def fit(self, n_iterations):
        def body(B, _):
            return newton_step(B, self.Y, self.O, self.X, self.ridge, self.penalized), None

        return self.set(B=jax.lax.scan(body, self.B, length=n_iterations)[0])

# %% wrong_room_for_the_oaks
# wrong: room for the leaves of the oaks; exercise: static_self; must fail: outputs; says: shape
from dataclasses import field, replace

from jax.tree_util import register_dataclass


@register_dataclass
@dataclass(frozen=True)
class Poisson:
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    ridge: jax.Array | float
    penalized: str = field(metadata={"static": True})

    def set(self, **changes):
        return replace(self, **changes)

    @jax.jit
    def loss(self):
        n = len(self.Y)
        Y = jnp.zeros((116, self.Y.shape[1])).at[:n].set(self.Y)[:n]
        return penalized_loss(self.B, Y, self.O, self.X, self.ridge, self.penalized)

    @partial(jax.jit, static_argnames="n_iterations")
    def fit(self, n_iterations):
        def body(B, _):
            return newton_step(B, self.Y, self.O, self.X, self.ridge, self.penalized), None

        return self.set(B=jax.lax.scan(body, self.B, length=n_iterations)[0])

# %% wrong_set_assigns
# wrong: registered, and set changes the model; exercise: static_self; must fail: purity; says: changes `model` itself
from dataclasses import field

from jax.tree_util import register_dataclass


@register_dataclass
@dataclass
class Poisson:
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    ridge: float
    penalized: str = field(metadata={"static": True})

    def set(self, **changes):
        for name, value in changes.items():
            setattr(self, name, value)
        return self

    @jax.jit
    def loss(self):
        return penalized_loss(self.B, self.Y, self.O, self.X, self.ridge, self.penalized)

    @partial(jax.jit, static_argnames="n_iterations")
    def fit(self, n_iterations):
        def body(B, _):
            return newton_step(B, self.Y, self.O, self.X, self.ridge, self.penalized), None

        return self.set(B=jax.lax.scan(body, self.B, length=n_iterations)[0])

# %% wrong_set_drops
# wrong: set knows the ridge only; exercise: static_self; must fail: outputs; says: set
from dataclasses import field, replace

from jax.tree_util import register_dataclass


@register_dataclass
@dataclass(frozen=True)
class Poisson:
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    ridge: float
    penalized: str = field(metadata={"static": True})

    def set(self, ridge):
        return replace(self, ridge=ridge)

    @jax.jit
    def loss(self):
        return penalized_loss(self.B, self.Y, self.O, self.X, self.ridge, self.penalized)

    @partial(jax.jit, static_argnames="n_iterations")
    def fit(self, n_iterations):
        def body(B, _):
            return newton_step(B, self.Y, self.O, self.X, self.ridge, self.penalized), None

        return replace(self, B=jax.lax.scan(body, self.B, length=n_iterations)[0])

# %% wrong_set_ignores
# wrong: set returns an equal copy; exercise: static_self; must fail: outputs; says: returns a model with the old
from dataclasses import field, replace

from jax.tree_util import register_dataclass


@register_dataclass
@dataclass(frozen=True)
class Poisson:
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    ridge: float
    penalized: str = field(metadata={"static": True})

    def set(self, **changes):
        return replace(self)

    @jax.jit
    def loss(self):
        return penalized_loss(self.B, self.Y, self.O, self.X, self.ridge, self.penalized)

    @partial(jax.jit, static_argnames="n_iterations")
    def fit(self, n_iterations):
        def body(B, _):
            return newton_step(B, self.Y, self.O, self.X, self.ridge, self.penalized), None

        return replace(self, B=jax.lax.scan(body, self.B, length=n_iterations)[0])

# %% wrong_set_keeps_the_last
# wrong: set copies the model anew for each change, so that only the last one counts; exercise: static_self; must fail: outputs; says: one copy with all the values
import copy


@partial(jax.jit, static_argnames="penalized")
def jitted_loss(B, Y, O, X, ridge, penalized):
    return penalized_loss(B, Y, O, X, ridge, penalized)


@partial(jax.jit, static_argnames=("penalized", "n_iterations"))
def jitted_fit(B, Y, O, X, ridge, penalized, n_iterations):
    def body(B, _):
        return newton_step(B, Y, O, X, ridge, penalized), None

    return jax.lax.scan(body, B, length=n_iterations)[0]


class Poisson:
    def __init__(self, Y, O, X, B, ridge, penalized):
        self.Y, self.O, self.X, self.B = Y, O, X, B
        self.ridge, self.penalized = ridge, penalized

    def set(self, **changes):
        for name, value in changes.items():
            changed = copy.copy(self)
            setattr(changed, name, value)
        return changed

    def loss(self):
        return jitted_loss(self.B, self.Y, self.O, self.X, self.ridge, self.penalized)

    def fit(self, n_iterations):
        data = self.B, self.Y, self.O, self.X, self.ridge
        return self.set(B=jitted_fit(*data, self.penalized, n_iterations))

# %% wrong_set_returns_nothing
# wrong: set returns None; exercise: static_self; must fail: outputs; says: None
from dataclasses import field, replace

from jax.tree_util import register_dataclass


@register_dataclass
@dataclass
class Poisson:
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    ridge: float
    penalized: str = field(metadata={"static": True})

    def set(self, **changes):
        for name, value in changes.items():
            setattr(self, name, value)

    @jax.jit
    def loss(self):
        return penalized_loss(self.B, self.Y, self.O, self.X, self.ridge, self.penalized)

    @partial(jax.jit, static_argnames="n_iterations")
    def fit(self, n_iterations):
        def body(B, _):
            return newton_step(B, self.Y, self.O, self.X, self.ridge, self.penalized), None

        return replace(self, B=jax.lax.scan(body, self.B, length=n_iterations)[0])

# %% wrong_set_takes_one
# wrong: set takes any of the six, and only one at a time; exercise: static_self; must fail: outputs; says: one copy with all the values
from dataclasses import field, replace

from jax.tree_util import register_dataclass


@register_dataclass
@dataclass(frozen=True)
class Poisson:
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    ridge: float
    penalized: str = field(metadata={"static": True})

    def set(self, **changes):
        for name, value in changes.items():
            return replace(self, **{name: value})
        return self

    @jax.jit
    def loss(self):
        return penalized_loss(self.B, self.Y, self.O, self.X, self.ridge, self.penalized)

    @partial(jax.jit, static_argnames="n_iterations")
    def fit(self, n_iterations):
        def body(B, _):
            return newton_step(B, self.Y, self.O, self.X, self.ridge, self.penalized), None

        return self.set(B=jax.lax.scan(body, self.B, length=n_iterations)[0])

# %% wrong_starts_at_zero
# wrong: fit starts from zero again; exercise: static_self; must fail: outputs; says: begin at `changed.B`
from dataclasses import field, replace

from jax.tree_util import register_dataclass


@register_dataclass
@dataclass(frozen=True)
class Poisson:
    Y: jax.Array
    O: jax.Array
    X: jax.Array
    B: jax.Array
    ridge: float
    penalized: str = field(metadata={"static": True})

    def set(self, **changes):
        return replace(self, **changes)

    @jax.jit
    def loss(self):
        return penalized_loss(self.B, self.Y, self.O, self.X, self.ridge, self.penalized)

    @partial(jax.jit, static_argnames="n_iterations")
    def fit(self, n_iterations):
        def body(B, _):
            return newton_step(B, self.Y, self.O, self.X, self.ridge, self.penalized), None

        return self.set(B=jax.lax.scan(body, jnp.zeros_like(self.B), length=n_iterations)[0])

# %% wrong_unflatten_order
# wrong: tree_unflatten takes the children in another order; exercise: static_self; must fail: outputs; says: comes back with another `B`
@jax.tree_util.register_pytree_node_class
class Poisson:
    def __init__(self, Y, O, X, B, ridge, penalized):
        self.Y, self.O, self.X, self.B, self.ridge, self.penalized = Y, O, X, B, ridge, penalized

    def tree_flatten(self):
        return (self.Y, self.O, self.X, self.ridge, self.B), self.penalized

    @classmethod
    def tree_unflatten(cls, aux, children):
        return cls(*children, aux)

    def set(self, **changes):
        return Poisson(**{**vars(self), **changes})

    @jax.jit
    def loss(self):
        return penalized_loss(self.B, self.Y, self.O, self.X, self.ridge, self.penalized)

    @partial(jax.jit, static_argnums=1)
    def fit(self, n_iterations):
        B, _ = jax.lax.scan(
            lambda B, _: (newton_step(B, self.Y, self.O, self.X, self.ridge, self.penalized), ()),
            self.B,
            None,
            n_iterations,
        )
        return self.set(B=B)

# %% starter
# starter: as shipped; exercise: static_self; must fail: outputs; says: still gives

# %% empty
# empty: nothing in the cell; exercise: static_self; must fail: outputs; says: There is no
