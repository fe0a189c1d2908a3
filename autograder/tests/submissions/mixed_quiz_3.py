"""Repairs of the lesson mixed_quiz_3, right and wrong, its starters and empty cells."""

# %% right_calls_set
# right: those that compile, as a set; exercise: mixed_quiz_3_calls
new = {"fewer_sites", "by_name", "integers", "filled"}
old = {"other_values", "numpy", "first_again", "lowered"}
answers = {name: name in new for name in new | old}

# %% right_gaussian_dataclass
# right: a registered dataclass; exercise: mixed_quiz_3_gaussian
from dataclasses import dataclass


@jax.tree_util.register_dataclass
@dataclass
class Gaussian:
    mean: jax.Array
    log_sd: jax.Array


@jax.jit
def expected_counts(q, O):
    return jnp.exp(O + q.mean + jnp.exp(q.log_sd) ** 2 / 2)

# %% right_gaussian_dict
# right: by name, through vars; exercise: mixed_quiz_3_gaussian
@jax.tree_util.register_pytree_node_class
class Gaussian:
    def __init__(self, mean, log_sd):
        self.mean = mean
        self.log_sd = log_sd

    def tree_flatten(self):
        names = tuple(sorted(vars(self)))
        return tuple(vars(self)[name] for name in names), names

    @classmethod
    def tree_unflatten(cls, names, children):
        return cls(**dict(zip(names, children, strict=True)))


@jax.jit
def expected_counts(q, O):
    return jnp.exp(O + q.mean + jnp.exp(q.log_sd) ** 2 / 2)

# %% right_gaussian_named_tuple
# right: a NamedTuple; exercise: mixed_quiz_3_gaussian
from typing import NamedTuple


class Gaussian(NamedTuple):
    mean: jax.Array
    log_sd: jax.Array


@jax.jit
def expected_counts(q, O):
    return jnp.exp(O + q.mean + 0.5 * jnp.exp(2 * q.log_sd))

# %% right_gaussian_unflatten
# right: unflatten takes them in the order of flatten; exercise: mixed_quiz_3_gaussian
@jax.tree_util.register_pytree_node_class
class Gaussian:
    def __init__(self, mean, log_sd):
        self.mean = mean
        self.log_sd = log_sd

    def tree_flatten(self):
        return (self.log_sd, self.mean), None

    @classmethod
    def tree_unflatten(cls, aux_data, children):
        log_sd, mean = children
        return cls(mean, log_sd)


@jax.jit
def expected_counts(q, O):
    return jnp.exp(O + q.mean + jnp.exp(q.log_sd) ** 2 / 2)

# %% right_prepare_frozen
# right: a frozen dataclass; exercise: mixed_quiz_3_prepare
from dataclasses import dataclass


@dataclass(frozen=True)
class Options:
    logs: bool
    power: int


@partial(jax.jit, static_argnames="options")
def prepared(Y, options):
    values = (jnp.log1p(Y) if options.logs else Y) ** options.power
    return values - values.mean(axis=0)


def prepare(Y, logs, power):
    return prepared(Y, Options(logs, power))

# %% right_prepare_hash
# right: equality and hash by hand; exercise: mixed_quiz_3_prepare
class Options:
    def __init__(self, logs, power):
        self.logs = logs
        self.power = power

    def __hash__(self):
        return hash((self.logs, self.power))

    def __eq__(self, other):
        return (self.logs, self.power) == (other.logs, other.power)


@partial(jax.jit, static_argnames="options")
def prepared(Y, options):
    values = (jnp.log1p(Y) if options.logs else Y) ** options.power
    return values - values.mean(axis=0)


def prepare(Y, logs, power):
    return prepared(Y, Options(logs, power))

# %% right_prepare_static_fields
# right: a registered dataclass with static fields; exercise: mixed_quiz_3_prepare
from dataclasses import dataclass, field


@jax.tree_util.register_dataclass
@dataclass
class Options:
    logs: bool = field(metadata=dict(static=True))
    power: int = field(metadata=dict(static=True))


@jax.jit
def prepared(Y, options):
    values = (jnp.log1p(Y) if options.logs else Y) ** options.power
    return values - values.mean(axis=0)


def prepare(Y, logs, power):
    return prepared(Y, Options(logs, power))

# %% right_prepare_traced
# right: both settings traced, one program for all; exercise: mixed_quiz_3_prepare
@jax.jit
def prepare(Y, logs, power):
    values = jnp.where(logs, jnp.log1p(Y), Y) ** power
    return values - values.mean(axis=0)

# %% right_prepare_tuple
# right: a tuple as the static argument; exercise: mixed_quiz_3_prepare
@partial(jax.jit, static_argnums=1)
def prepared(Y, options):
    logs, power = options
    values = (jnp.log1p(Y) if logs else Y) ** power
    return values - values.mean(axis=0)


def prepare(Y, logs, power):
    return prepared(Y, (bool(logs), int(power)))

# %% right_prepare_two_statics
# right: no object at all; exercise: mixed_quiz_3_prepare
@partial(jax.jit, static_argnames=("logs", "power"))
def prepare(Y, logs, power):
    values = jnp.log1p(Y) if logs else Y
    values = values**power
    return values - jnp.mean(values, axis=0, keepdims=True)

# %% right_rates_dataclass
# right: a registered dataclass; exercise: mixed_quiz_3_rates
from dataclasses import dataclass


@jax.tree_util.register_dataclass
@dataclass
class Rates:
    offsets: jax.Array

    @jax.jit
    def expected(self, B):
        return jnp.exp(self.offsets + B)

# %% right_rates_property
# right: offsets behind a property; exercise: mixed_quiz_3_rates
exponential = jax.jit(lambda offsets, B: jnp.exp(offsets + B))


class Rates:
    def __init__(self, offsets):
        self._offsets = jnp.asarray(offsets)

    @property
    def offsets(self):
        return self._offsets

    @offsets.setter
    def offsets(self, offsets):
        self._offsets = jnp.asarray(offsets)

    def expected(self, B):
        return exponential(self.offsets, B)

# %% right_rates_pytree
# right: the class as a pytree; exercise: mixed_quiz_3_rates
@jax.tree_util.register_pytree_node_class
class Rates:
    def __init__(self, offsets):
        self.offsets = offsets

    @jax.jit
    def expected(self, B):
        return jnp.exp(self.offsets + B)

    def tree_flatten(self):
        return (self.offsets,), None

    @classmethod
    def tree_unflatten(cls, aux_data, children):
        return cls(*children)

# %% right_rates_static_key
# right: static self with nothing in its key; the offsets are an argument; exercise: mixed_quiz_3_rates
class Rates:
    def __init__(self, offsets):
        self.offsets = offsets

    def __hash__(self):
        return 0

    def __eq__(self, other):
        return isinstance(other, Rates)

    @partial(jax.jit, static_argnums=0)
    def expected_at(self, offsets, B):
        return jnp.exp(offsets + B)

    def expected(self, B):
        return self.expected_at(self.offsets, B)

# %% right_rates_static_method
# right: a jitted static method; exercise: mixed_quiz_3_rates
class Rates:
    def __init__(self, offsets):
        self.offsets = offsets

    @staticmethod
    @jax.jit
    def _expected(offsets, B):
        return jnp.exp(offsets) * jnp.exp(B)

    def expected(self, B):
        return self._expected(self.offsets, B)

# %% wrong_calls_all
# wrong: every call; exercise: mixed_quiz_3_calls; must fail: outputs; says: other_values
answers = dict.fromkeys(
    [
        "other_values",
        "numpy",
        "fewer_sites",
        "by_name",
        "first_again",
        "integers",
        "filled",
        "lowered",
    ],
    True,
)

# %% wrong_calls_lowered
# wrong: takes lowering for nothing; exercise: mixed_quiz_3_calls; must fail: outputs; says: lowered
answers = {
    "other_values": False,
    "numpy": False,
    "fewer_sites": True,
    "by_name": True,
    "first_again": False,
    "integers": True,
    "filled": True,
    "lowered": True,
}

# %% wrong_calls_name
# wrong: by name is the same; exercise: mixed_quiz_3_calls; must fail: outputs; says: by_name
answers = {
    "other_values": False,
    "numpy": False,
    "fewer_sites": True,
    "by_name": False,
    "first_again": False,
    "integers": True,
    "filled": True,
    "lowered": False,
}

# %% wrong_calls_weak
# wrong: NumPy compiles, weak types do not; exercise: mixed_quiz_3_calls; must fail: outputs; says: numpy
answers = {
    "other_values": False,
    "numpy": True,
    "fewer_sites": True,
    "by_name": True,
    "first_again": False,
    "integers": True,
    "filled": False,
    "lowered": False,
}

# %% wrong_gaussian_aux
# wrong: one field as aux data; exercise: mixed_quiz_3_gaussian; must fail: outputs; says: values
@jax.tree_util.register_pytree_node_class
class Gaussian:
    def __init__(self, mean, log_sd):
        self.mean = mean
        self.log_sd = log_sd

    def tree_flatten(self):
        return (self.mean,), self.log_sd

    @classmethod
    def tree_unflatten(cls, aux_data, children):
        return cls(*children, aux_data)


@jax.jit
def expected_counts(q, O):
    return jnp.exp(O + q.mean + jnp.exp(q.log_sd) ** 2 / 2)

# %% wrong_gaussian_eager
# wrong: the order is right, and jit is gone; exercise: mixed_quiz_3_gaussian; must fail: compilations; says: jit
from typing import NamedTuple


class Gaussian(NamedTuple):
    mean: jax.Array
    log_sd: jax.Array


def expected_counts(q, O):
    return jnp.exp(O + q.mean + jnp.exp(q.log_sd) ** 2 / 2)

# %% wrong_gaussian_formula
# wrong: the fields are exchanged in the formula; exercise: mixed_quiz_3_gaussian; must fail: outputs; says: by_tree_map
@jax.tree_util.register_pytree_node_class
class Gaussian:
    def __init__(self, mean, log_sd):
        self.mean = mean
        self.log_sd = log_sd

    def tree_flatten(self):
        return (self.log_sd, self.mean), None

    @classmethod
    def tree_unflatten(cls, aux_data, children):
        return cls(*children)


@jax.jit
def expected_counts(q, O):
    return jnp.exp(O + q.log_sd + jnp.exp(q.mean) ** 2 / 2)

# %% wrong_gaussian_no_jit
# wrong: jit taken away; exercise: mixed_quiz_3_gaussian; must fail: outputs; says: by_tree_map
@jax.tree_util.register_pytree_node_class
class Gaussian:
    def __init__(self, mean, log_sd):
        self.mean = mean
        self.log_sd = log_sd

    def tree_flatten(self):
        return (self.log_sd, self.mean), None

    @classmethod
    def tree_unflatten(cls, aux_data, children):
        return cls(*children)


def expected_counts(q, O):
    return jnp.exp(O + q.mean + jnp.exp(q.log_sd) ** 2 / 2)

# %% wrong_gaussian_no_pytree
# wrong: no pytree any more; exercise: mixed_quiz_3_gaussian; must fail: outputs; says: Gaussian
class Gaussian:
    def __init__(self, mean, log_sd):
        self.mean = mean
        self.log_sd = log_sd


@jax.jit
def moments(mean, log_sd, O):
    return jnp.exp(O + mean + jnp.exp(log_sd) ** 2 / 2)


def expected_counts(q, O):
    return moments(q.mean, q.log_sd, O)

# %% wrong_gaussian_no_square
# wrong: the standard deviation in place of its square; exercise: mixed_quiz_3_gaussian; must fail: outputs; says: expected_counts
from typing import NamedTuple


class Gaussian(NamedTuple):
    mean: jax.Array
    log_sd: jax.Array


@jax.jit
def expected_counts(q, O):
    return jnp.exp(O + q.mean + jnp.exp(q.log_sd) / 2)

# %% wrong_gaussian_rows
# wrong: row by row, so that a mean for each taxon, or one standard deviation for all, fails; exercise: mixed_quiz_3_gaussian; must fail: outputs; says: vmap
from typing import NamedTuple


class Gaussian(NamedTuple):
    mean: jax.Array
    log_sd: jax.Array


@jax.jit
@jax.vmap
def expected_counts(q, O):
    return jnp.exp(O + q.mean + jnp.exp(q.log_sd) ** 2 / 2)

# %% wrong_prepare_centred_first
# wrong: centred before the power; exercise: mixed_quiz_3_prepare; must fail: outputs; says: expected
@partial(jax.jit, static_argnames=("logs", "power"))
def prepare(Y, logs, power):
    values = jnp.log1p(Y) if logs else Y
    return (values - values.mean(axis=0)) ** power

# %% wrong_prepare_hash_alone
# wrong: a hash, and still no equality; exercise: mixed_quiz_3_prepare; must fail: compilations; says: options
class Options:
    def __init__(self, logs, power):
        self.logs = logs
        self.power = power

    def __hash__(self):
        return hash((self.logs, self.power))


@partial(jax.jit, static_argnames="options")
def prepared(Y, options):
    values = (jnp.log1p(Y) if options.logs else Y) ** options.power
    return values - values.mean(axis=0)


def prepare(Y, logs, power):
    return prepared(Y, Options(logs, power))

# %% wrong_prepare_list
# wrong: a list as the static argument; exercise: mixed_quiz_3_prepare; must fail: outputs; says: hash
@partial(jax.jit, static_argnames="options")
def prepared(Y, options):
    values = (jnp.log1p(Y) if options[0] else Y) ** options[1]
    return values - values.mean(axis=0)


def prepare(Y, logs, power):
    return prepared(Y, options=[logs, power])

# %% wrong_prepare_multiplies
# wrong: multiplies, and begins with the counts: wrong for the powers 0 and -1; exercise: mixed_quiz_3_prepare; must fail: outputs; says: expected
@partial(jax.jit, static_argnames=("logs", "power"))
def prepare(Y, logs, power):
    base = jnp.log1p(Y) if logs else Y
    values = base
    for _ in range(power - 1):
        values = values * base
    return values - values.mean(axis=0)

# %% wrong_prepare_mutable_dataclass
# wrong: a dataclass that is not frozen has no hash; exercise: mixed_quiz_3_prepare; must fail: outputs; says: hash
from dataclasses import dataclass


@dataclass
class Options:
    logs: bool
    power: int


@partial(jax.jit, static_argnames="options")
def prepared(Y, options):
    values = (jnp.log1p(Y) if options.logs else Y) ** options.power
    return values - values.mean(axis=0)


def prepare(Y, logs, power):
    return prepared(Y, Options(logs, power))

# %% wrong_prepare_no_jit
# wrong: jit taken away; exercise: mixed_quiz_3_prepare; must fail: compilations; says: jit
def prepare(Y, logs, power):
    values = (jnp.log1p(Y) if logs else Y) ** power
    return values - values.mean(axis=0)

# %% wrong_prepare_partial
# wrong: a new jitted function at each call; exercise: mixed_quiz_3_prepare; must fail: compilations; says: again
def prepared(Y, logs, power):
    values = (jnp.log1p(Y) if logs else Y) ** power
    return values - values.mean(axis=0)


def prepare(Y, logs, power):
    return jax.jit(lambda Y: prepared(Y, logs, power))(Y)

# %% wrong_prepare_power_alone
# wrong: equal if the power is; exercise: mixed_quiz_3_prepare; must fail: outputs; says: expected
class Options:
    def __init__(self, logs, power):
        self.logs = logs
        self.power = power

    def __hash__(self):
        return self.power

    def __eq__(self, other):
        return self.power == other.power


@partial(jax.jit, static_argnames="options")
def prepared(Y, options):
    values = (jnp.log1p(Y) if options.logs else Y) ** options.power
    return values - values.mean(axis=0)


def prepare(Y, logs, power):
    return prepared(Y, Options(logs, power))

# %% wrong_prepare_room
# wrong: room for the sites of the oaks; exercise: mixed_quiz_3_prepare; must fail: outputs; says: shape
from typing import NamedTuple


class Options(NamedTuple):
    logs: bool
    power: int


@partial(jax.jit, static_argnames="options")
def prepared(Y, options):
    n = len(Y)
    Y = jnp.zeros((116, Y.shape[1])).at[:n].set(Y)[:n]
    values = (jnp.log1p(Y) if options.logs else Y) ** options.power
    return values - values.mean(axis=0)


def prepare(Y, logs, power):
    return prepared(Y, Options(logs, power))

# %% wrong_rates_all_equal
# wrong: all objects are equal; exercise: mixed_quiz_3_rates; must fail: outputs; says: expected
class Rates:
    def __init__(self, offsets):
        self.offsets = offsets

    def __hash__(self):
        return 0

    def __eq__(self, other):
        return isinstance(other, Rates)

    @partial(jax.jit, static_argnums=0)
    def expected(self, B):
        return jnp.exp(self.offsets + B)

# %% wrong_rates_frozen
# wrong: the offsets cannot be set any more; exercise: mixed_quiz_3_rates; must fail: outputs; says: assign
from dataclasses import dataclass


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class Rates:
    offsets: jax.Array

    @jax.jit
    def expected(self, B):
        return jnp.exp(self.offsets + B)

# %% wrong_rates_hash
# wrong: a hash of the contents; exercise: mixed_quiz_3_rates; must fail: outputs; says: ['before']
class Rates:
    def __init__(self, offsets):
        self.offsets = offsets

    def __hash__(self):
        return hash(np.asarray(self.offsets).tobytes())

    def __eq__(self, other):
        return bool(np.array_equal(self.offsets, other.offsets))

    @partial(jax.jit, static_argnums=0)
    def expected(self, B):
        return jnp.exp(self.offsets + B)

# %% wrong_rates_jit_in_init
# wrong: jitted with the first offsets; exercise: mixed_quiz_3_rates; must fail: outputs; says: expected
class Rates:
    def __init__(self, offsets):
        self.offsets = offsets
        self.expected = jax.jit(lambda B: jnp.exp(offsets + B))

# %% wrong_rates_kept_by_identity
# wrong: results kept by the identity of the levels; exercise: mixed_quiz_3_rates; must fail: outputs; says: with_new_offsets
@jax.jit
def expected(offsets, B):
    return jnp.exp(offsets + B)


known = {}


class Rates:
    def __init__(self, offsets):
        self.offsets = offsets

    def expected(self, B):
        if id(B) not in known:
            known[id(B)] = expected(self.offsets, B)
        return known[id(B)]

# %% wrong_rates_new_lambda
# wrong: a new jitted function at each call; exercise: mixed_quiz_3_rates; must fail: compilations; says: new function object each time
class Rates:
    def __init__(self, offsets):
        self.offsets = offsets

    def expected(self, B):
        return jax.jit(lambda B: jnp.exp(self.offsets + B))(B)

# %% wrong_rates_no_jit
# wrong: jit taken away; exercise: mixed_quiz_3_rates; must fail: compilations; says: jit
class Rates:
    def __init__(self, offsets):
        self.offsets = offsets

    def expected(self, B):
        return jnp.exp(self.offsets + B)

# %% wrong_rates_plain_jit
# wrong: the object as an argument that JAX does not know; exercise: mixed_quiz_3_rates; must fail: outputs; says: jit only takes arrays
class Rates:
    def __init__(self, offsets):
        self.offsets = offsets

    @jax.jit
    def expected(self, B):
        return jnp.exp(self.offsets + B)

# %% starter_calls
# starter: no answer yet; exercise: mixed_quiz_3_calls; must fail: outputs; says: has no answer yet

# %% starter_gaussian
# starter: as shipped; exercise: mixed_quiz_3_gaussian; must fail: outputs; says: expected

# %% starter_prepare
# starter: as shipped; exercise: mixed_quiz_3_prepare; must fail: compilations; says: options

# %% starter_rates
# starter: as shipped; exercise: mixed_quiz_3_rates; must fail: outputs; says: expected

# %% empty_calls
# empty: nothing; exercise: mixed_quiz_3_calls; must fail: outputs; says: no function `answers`

# %% empty_gaussian
# empty: nothing; exercise: mixed_quiz_3_gaussian; must fail: outputs, purity, compilations; says: no function `expected_counts`

# %% empty_prepare
# empty: nothing; exercise: mixed_quiz_3_prepare; must fail: outputs, purity, compilations; says: no function `prepare`

# %% empty_rates
# empty: nothing; exercise: mixed_quiz_3_rates; must fail: outputs; says: no function `Rates`
