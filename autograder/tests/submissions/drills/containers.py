"""Repairs of the drills of the lesson containers."""

# %% starter_tally_up
# starter: as given; exercise: tally_up; must fail: outputs; says: tally_up

# %% right_tally_up
# right: a new tuple, returned whole; exercise: tally_up
class Tally(NamedTuple):
    total: jax.Array
    positive: jax.Array

@jax.jit
def tally_up(x):
    def body(tally, one):
        return Tally(tally.total + one, tally.positive + jnp.maximum(one, 0)), None
    return tuple(jax.lax.scan(body, Tally(jnp.zeros(()), jnp.zeros(())), x)[0])

# %% wrong_tally_up_1
# wrong: one field is forgotten; exercise: tally_up; must fail: outputs; says: tally_up
class Tally(NamedTuple):
    total: jax.Array
    positive: jax.Array

@jax.jit
def tally_up(x):
    def body(tally, one):
        return tally._replace(total=tally.total + one), None
    tally, _ = jax.lax.scan(body, Tally(jnp.zeros(()), jnp.zeros(())), x)
    return tally.total, tally.positive

# %% wrong_tally_up_2
# wrong: exchanged; exercise: tally_up; must fail: outputs; says: tally_up
@jax.jit
def tally_up(x):
    return jnp.maximum(x, 0).sum(), x.sum()

# %% wrong_tally_up_3
# wrong: the first leaves of the oaks; exercise: tally_up; must fail: outputs; says: tally_up
@jax.jit
def tally_up(x):
    return x[:116].sum(), jnp.maximum(x[:116], 0).sum()

# %% starter_flatten_counts
# starter: as given; exercise: flatten_counts; must fail: outputs; says: str

# %% right_flatten_counts_1
# right: registered by a call; exercise: flatten_counts
@dataclass(frozen=True)
class Flattened:
    y: jax.Array
    kind: str

register_dataclass(Flattened, data_fields=("y",), meta_fields=("kind",))

@jax.jit
def flatten(flattened):
    ways = {"log": jnp.log1p, "root": jnp.sqrt}
    return ways[flattened.kind](flattened.y)

def flatten_counts(y, kind):
    return flatten(Flattened(y, kind))

# %% right_flatten_counts_2
# right: a static argument; exercise: flatten_counts
@partial(jax.jit, static_argnames="kind")
def flatten_counts(y, kind):
    return jnp.log1p(y) if kind == "log" else y**0.5

# %% wrong_flatten_counts_1
# wrong: the kind is no longer looked at; exercise: flatten_counts; must fail: outputs; says: flatten_counts
@partial(jax.jit, static_argnames="kind")
def flatten_counts(y, kind):
    return jnp.log(y + 1)

# %% wrong_flatten_counts_2
# wrong: a number in place of the string, traced; exercise: flatten_counts; must fail: outputs; says: TracerBool
@register_dataclass
@dataclass(frozen=True)
class Flattened:
    y: jax.Array
    kind: int

@jax.jit
def flatten(flattened):
    return jnp.log(flattened.y + 1) if flattened.kind == 0 else jnp.sqrt(flattened.y)

def flatten_counts(y, kind):
    return flatten(Flattened(y, 0 if kind == "log" else 1))

# %% starter_temper
# starter: as given; exercise: temper; must fail: compilations; says: static value

# %% right_temper
# right: no class; exercise: temper
@jax.jit
def temper(z, temperature):
    shares = jnp.exp(z / temperature)
    return shares / shares.sum()

# %% wrong_temper_1
# wrong: no temperature; exercise: temper; must fail: outputs; says: temper
temper = jax.jit(lambda z, temperature: jax.nn.softmax(z))

# %% wrong_temper_2
# wrong: a static argument; exercise: temper; must fail: compilations; says: static value
@partial(jax.jit, static_argnums=1)
def temper(z, temperature):
    return jax.nn.softmax(z / temperature)
