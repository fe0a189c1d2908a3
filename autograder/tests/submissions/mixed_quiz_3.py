"""Repairs of the lesson mixed_quiz_3, right and wrong, its starters and empty cells."""

# %% right_calls_counted
# right: counts the traces of a function of the same kind; exercise: mixed_quiz_3_calls
traces = []


@partial(jax.jit, static_argnames="power")
def watched(Y, power):
    traces.append(power)
    return jnp.mean(Y**power, axis=0)


def compiles(*arguments, **keywords):
    before = len(traces)
    watched(*arguments, **keywords)
    return len(traces) > before


watched(Y, 2)
answers = {"other_values": compiles(2 * Y, 2)}
answers["numpy"] = compiles(in_numpy, 2)
answers["fewer_sites"] = compiles(Y[:3], 2)
answers["by_name"] = compiles(Y, power=2)
answers["first_again"] = compiles(Y, 2)
answers["integers"] = compiles(jnp.ones((6, 4), int), 2)
answers["filled"] = compiles(jnp.full((6, 4), 1.0), 2)
watched.lower(Y[:5], 2).compile()
answers["lowered"] = compiles(Y[:5], 2)

# %% right_calls_named_tuple
# right: a NamedTuple with a field for each question; exercise: mixed_quiz_3_calls
from typing import NamedTuple


class Compiles(NamedTuple):
    other_values: bool = False
    numpy: bool = False
    fewer_sites: bool = True
    by_name: bool = True
    first_again: bool = False
    integers: bool = True
    filled: bool = True
    lowered: bool = False


answers = Compiles()

# %% right_calls_numpy_booleans
# right: from two lists, one for each answer; exercise: mixed_quiz_3_calls
answers = dict(zip(["fewer_sites", "by_name", "integers", "filled"], [True] * 4, strict=True))
answers |= {name: False for name in ("other_values", "numpy", "first_again", "lowered")}

# %% right_calls_rows_of_an_array
# right: NumPy's booleans, from a table; exercise: mixed_quiz_3_calls
names = ["other_values", "numpy", "fewer_sites", "by_name"]
names += ["first_again", "integers", "filled", "lowered"]
compiles = np.array([[0, 0, 1, 1], [0, 1, 1, 0]], dtype=bool).ravel()
answers = dict(zip(names, compiles, strict=True))

# %% right_calls_set
# right: those that compile, as a set; exercise: mixed_quiz_3_calls
new = {"fewer_sites", "by_name", "integers", "filled"}
old = {"other_values", "numpy", "first_again", "lowered"}
answers = {name: name in new for name in new | old}

# %% right_calls_written
# right: one after the other, by hand; exercise: mixed_quiz_3_calls
answers = {
    "other_values": False,
    "numpy": False,
    "fewer_sites": True,
    "by_name": True,
    "first_again": False,
    "integers": True,
    "filled": True,
    "lowered": False,
}

# %% right_gaussian_by_keyword
# right: unflatten names the fields; exercise: mixed_quiz_3_gaussian
@jax.tree_util.register_pytree_node_class
class Gaussian:
    def __init__(self, mean, log_sd):
        self.mean = mean
        self.log_sd = log_sd

    def tree_flatten(self):
        return [self.log_sd, self.mean], None

    @classmethod
    def tree_unflatten(cls, aux_data, children):
        q = object.__new__(cls)
        q.log_sd, q.mean = children
        return q


@jax.jit
def expected_counts(q, O):
    variance = jnp.exp(2 * q.log_sd)
    return jnp.exp(O + q.mean + variance / 2)

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

# %% right_gaussian_register_node
# right: registered by functions of its own; exercise: mixed_quiz_3_gaussian
class Gaussian:
    def __init__(self, mean, log_sd):
        self.mean = mean
        self.log_sd = log_sd


jax.tree_util.register_pytree_node(
    Gaussian,
    lambda q: ((q.log_sd, q.mean), None),
    lambda _, children: Gaussian(children[1], children[0]),
)


@jax.jit
def expected_counts(q, O):
    return jnp.exp(O + q.mean + jnp.exp(q.log_sd) ** 2 / 2)

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

# %% right_groups_equality
# right: compares each group with each number; exercise: mixed_quiz_3_groups
@jax.jit
def group_effects(effects, groups):
    same = groups[:, None] == jnp.arange(len(effects))
    return jnp.where(same[:, :, None], effects[None], 0).sum(axis=1)

# %% right_groups_extra_row
# right: a row of zeros for all others; exercise: mixed_quiz_3_groups
@jax.jit
def group_effects(effects, groups):
    k, p = effects.shape
    with_zeros = jnp.vstack([effects, jnp.zeros((1, p))])
    return with_zeros[jnp.where((groups < 0) | (groups >= k), k, groups)]

# %% right_groups_fill
# right: mode fill, and no wrapping of negative ones; exercise: mixed_quiz_3_groups
@jax.jit
def group_effects(effects, groups):
    return effects.at[groups].get(mode="fill", fill_value=0, wrap_negative_indices=False)

# %% right_groups_one_hot
# right: a product with one_hot, which is zero for unknown groups; exercise: mixed_quiz_3_groups
@jax.jit
def group_effects(effects, groups):
    return jnp.dot(jax.nn.one_hot(groups, effects.shape[0]), effects, precision="highest")

# %% right_groups_take
# right: take, after the negative ones were sent out of range; exercise: mixed_quiz_3_groups
@jax.jit
def group_effects(effects, groups):
    groups = jnp.where(groups < 0, len(effects), groups)
    return jnp.take(effects, groups, axis=0, mode="fill", fill_value=0)

# %% right_groups_vmap
# right: one site at a time under vmap, with cond; exercise: mixed_quiz_3_groups
@jax.jit
def group_effects(effects, groups):
    k = effects.shape[0]

    def row(group):
        return jax.lax.cond(
            jnp.logical_and(0 <= group, group < k),
            lambda: effects[group],
            lambda: jnp.zeros_like(effects[0]),
        )

    return jax.vmap(row)(groups)

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

# %% right_rates_lambda_kept
# right: a jitted function as an attribute of the class, given the offsets at each call; exercise: mixed_quiz_3_rates
class Rates:
    program = staticmethod(jax.jit(lambda o, b: jnp.exp(jnp.add(o, b))))

    def __init__(self, offsets):
        self.offsets = offsets

    def expected(self, B):
        return self.program(self.offsets, B)

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

# %% wrong_calls_dtype
# wrong: takes the dtype for no part of the key; exercise: mixed_quiz_3_calls; must fail: outputs; says: integers
answers = {
    "other_values": False,
    "numpy": False,
    "fewer_sites": True,
    "by_name": True,
    "first_again": False,
    "integers": False,
    "filled": True,
    "lowered": False,
}

# %% wrong_calls_first_forgotten
# wrong: a later program drives out the first; exercise: mixed_quiz_3_calls; must fail: outputs; says: first_again
answers = {
    "other_values": False,
    "numpy": False,
    "fewer_sites": True,
    "by_name": True,
    "first_again": True,
    "integers": True,
    "filled": True,
    "lowered": False,
}

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

# %% wrong_calls_none
# wrong: no call compiles; exercise: mixed_quiz_3_calls; must fail: outputs; says: fewer_sites
answers = {
    "other_values": False,
    "numpy": False,
    "fewer_sites": False,
    "by_name": False,
    "first_again": False,
    "integers": False,
    "filled": False,
    "lowered": False,
}

# %% wrong_calls_shape
# wrong: one program for all numbers of sites; exercise: mixed_quiz_3_calls; must fail: outputs; says: fewer_sites
answers = {
    "other_values": False,
    "numpy": False,
    "fewer_sites": False,
    "by_name": True,
    "first_again": False,
    "integers": True,
    "filled": True,
    "lowered": False,
}

# %% wrong_calls_values
# wrong: other numbers compile; exercise: mixed_quiz_3_calls; must fail: outputs; says: other_values
answers = {
    "other_values": True,
    "numpy": False,
    "fewer_sites": True,
    "by_name": True,
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

# %% wrong_calls_weak_alone
# wrong: a weak type is the same; exercise: mixed_quiz_3_calls; must fail: outputs; says: filled
answers = {
    "other_values": False,
    "numpy": False,
    "fewer_sites": True,
    "by_name": True,
    "first_again": False,
    "integers": True,
    "filled": False,
    "lowered": False,
}

# %% wrong_calls_words
# wrong: yes and no; exercise: mixed_quiz_3_calls; must fail: outputs; says: other_values
answers = {
    "other_values": "no",
    "numpy": "no",
    "fewer_sites": "yes",
    "by_name": "yes",
    "first_again": "no",
    "integers": "yes",
    "filled": "yes",
    "lowered": "no",
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

# %% wrong_gaussian_both_turned
# wrong: both flatten and unflatten are turned, which changes nothing; exercise: mixed_quiz_3_gaussian; must fail: outputs; says: by_tree_map
@jax.tree_util.register_pytree_node_class
class Gaussian:
    def __init__(self, mean, log_sd):
        self.mean = mean
        self.log_sd = log_sd

    def tree_flatten(self):
        return (self.mean, self.log_sd), None

    @classmethod
    def tree_unflatten(cls, aux_data, children):
        return cls(children[1], children[0])


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

# %% wrong_gaussian_forgets_offsets
# wrong: the offsets are left out; exercise: mixed_quiz_3_gaussian; must fail: outputs; says: expected_counts
@jax.tree_util.register_pytree_node_class
class Gaussian:
    def __init__(self, mean, log_sd):
        self.mean = mean
        self.log_sd = log_sd

    def tree_flatten(self):
        return (self.mean, self.log_sd), None

    @classmethod
    def tree_unflatten(cls, aux_data, children):
        return cls(*children)


@jax.jit
def expected_counts(q, O):
    return jnp.exp(q.mean + jnp.exp(q.log_sd) ** 2 / 2)

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

# %% wrong_gaussian_mean_alone
# wrong: only the mean is a child, and the other field is lost; exercise: mixed_quiz_3_gaussian; must fail: outputs; says: log_sd
@jax.tree_util.register_pytree_node_class
class Gaussian:
    def __init__(self, mean, log_sd=0.0):
        self.mean = mean
        self.log_sd = log_sd

    def tree_flatten(self):
        return (self.mean,), None

    @classmethod
    def tree_unflatten(cls, aux_data, children):
        return cls(*children)


@jax.jit
def expected_counts(q, O):
    return jnp.exp(O + q.mean + jnp.exp(q.log_sd) ** 2 / 2)

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

# %% wrong_groups_clip
# wrong: clipped on purpose; exercise: mixed_quiz_3_groups; must fail: outputs; says: expected
@jax.jit
def group_effects(effects, groups):
    return effects[jnp.clip(groups, 0, len(effects) - 1)]

# %% wrong_groups_fill_wraps
# wrong: negative ones still count from the end; exercise: mixed_quiz_3_groups; must fail: outputs; says: expected
@jax.jit
def group_effects(effects, groups):
    return effects.at[groups].get(mode="fill", fill_value=0)

# %% wrong_groups_four
# wrong: the four groups of the example; exercise: mixed_quiz_3_groups; must fail: outputs; says: expected
@jax.jit
def group_effects(effects, groups):
    known = (groups >= 0) & (groups < 4)
    return jnp.where(known[:, None], effects[groups], 0)

# %% wrong_groups_if
# wrong: a Python branch on the groups; exercise: mixed_quiz_3_groups; must fail: outputs; says: if
@jax.jit
def group_effects(effects, groups):
    rows = []
    for group in groups:
        if group < 0 or group >= len(effects):
            rows.append(jnp.zeros(effects.shape[1]))
        else:
            rows.append(effects[group])
    return jnp.stack(rows)

# %% wrong_groups_largest
# wrong: one too many is known; exercise: mixed_quiz_3_groups; must fail: outputs; says: expected
@jax.jit
def group_effects(effects, groups):
    known = (groups >= 0) & (groups <= len(effects))
    return jnp.where(known[:, None], effects[groups], 0)

# %% wrong_groups_modulo
# wrong: begins again at the first group; exercise: mixed_quiz_3_groups; must fail: outputs; says: expected
@jax.jit
def group_effects(effects, groups):
    return effects[groups % len(effects)]

# %% wrong_groups_nan
# wrong: NaN in place of zeros; exercise: mixed_quiz_3_groups; must fail: outputs; says: nan
@jax.jit
def group_effects(effects, groups):
    known = (groups >= 0) & (groups < len(effects))
    return jnp.where(known[:, None], effects[groups], jnp.nan)

# %% wrong_groups_negative_only
# wrong: only the negative ones are zero; exercise: mixed_quiz_3_groups; must fail: outputs; says: expected
@jax.jit
def group_effects(effects, groups):
    return jnp.where((groups < 0)[:, None], 0, effects[groups])

# %% wrong_groups_no_jit
# wrong: jit taken away; exercise: mixed_quiz_3_groups; must fail: compilations; says: jit
def group_effects(effects, groups):
    known = (groups >= 0) & (groups < len(effects))
    return jnp.where(known[:, None], effects[groups], 0)

# %% wrong_groups_weights
# wrong: zero as a weight of what is not a number; exercise: mixed_quiz_3_groups; must fail: outputs; says: nan
@jax.jit
def group_effects(effects, groups):
    known = (groups >= 0) & (groups < len(effects))
    return known[:, None] * effects.at[groups].get(mode="fill")

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

# %% wrong_rates_keeps_program
# wrong: keeps a program for the offsets in the object; exercise: mixed_quiz_3_rates; must fail: outputs; says: expected
class Rates:
    def __init__(self, offsets):
        self.offsets = offsets
        self.program = None

    def expected(self, B):
        if self.program is None:
            offsets = self.offsets
            self.program = jax.jit(lambda B: jnp.exp(offsets + B))
        return self.program(B)

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

# %% wrong_rates_only_B
# wrong: the offsets are added outside of the program; exercise: mixed_quiz_3_rates; must fail: compilations; says: outside
@jax.jit
def exponential(x):
    return jnp.exp(x)


class Rates:
    def __init__(self, offsets):
        self.offsets = offsets

    def expected(self, B):
        return exponential(self.offsets + B)

# %% wrong_rates_plain_jit
# wrong: the object as an argument that JAX does not know; exercise: mixed_quiz_3_rates; must fail: outputs; says: jit takes arrays
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

# %% starter_groups
# starter: as shipped; exercise: mixed_quiz_3_groups; must fail: outputs; says: expected

# %% starter_rates
# starter: as shipped; exercise: mixed_quiz_3_rates; must fail: outputs; says: expected

# %% empty_calls
# empty: nothing; exercise: mixed_quiz_3_calls; must fail: outputs; says: no function `answers`

# %% empty_gaussian
# empty: nothing; exercise: mixed_quiz_3_gaussian; must fail: outputs, purity, compilations; says: no function `expected_counts`

# %% empty_groups
# empty: nothing; exercise: mixed_quiz_3_groups; must fail: outputs, purity, compilations; says: no function `group_effects`

# %% empty_rates
# empty: nothing; exercise: mixed_quiz_3_rates; must fail: outputs; says: no function `Rates`
