"""Repairs of the drills of the lesson dataclass_pytree."""

# %% starter_share_by_site
# starter: as given; exercise: share_by_site; must fail: outputs; says: Sites

# %% right_share_by_site_1
# right: registered by a call; exercise: share_by_site
@dataclass
class Sites:
    Y: jax.Array

register_dataclass(Sites, data_fields=["Y"], meta_fields=[])

@jax.jit
def shares_of(sites):
    return sites.Y / (sites.Y.sum(axis=1, keepdims=True) + 1)

def share_by_site(Y):
    return shares_of(Sites(Y=Y))

# %% right_share_by_site_2
# right: the object is made under jit; exercise: share_by_site
@dataclass
class Sites:
    Y: jax.Array

@jax.jit
def share_by_site(Y):
    sites = Sites(Y)
    return sites.Y / (sites.Y.sum(axis=1)[:, None] + 1)

# %% wrong_share_by_site_1
# wrong: the whole object static; exercise: share_by_site; must fail: outputs; says: ashable
@dataclass(frozen=True)
class Sites:
    Y: jax.Array

@partial(jax.jit, static_argnums=0)
def shares_of(sites):
    return sites.Y / (sites.Y.sum(axis=1, keepdims=True) + 1)

def share_by_site(Y):
    return shares_of(Sites(Y))

# %% wrong_share_by_site_2
# wrong: the total of the taxon; exercise: share_by_site; must fail: outputs; says: share_by_site
share_by_site = jax.jit(lambda Y: Y / (Y.sum(axis=0) + 1))

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

# %% starter_shifted_logs
# starter: as given; exercise: shifted_logs; must fail: outputs; says: Frozen

# %% right_shifted_logs_1
# right: a new object; exercise: shifted_logs
@register_dataclass
@dataclass(frozen=True)
class Logs:
    y: jax.Array
    offset: jax.Array

@jax.jit
def shift(logs):
    new = Logs(jnp.log1p(logs.y), logs.offset)
    return new.y + new.offset

def shifted_logs(y, offset):
    return shift(Logs(y, offset))

# %% wrong_shifted_logs_1
# wrong: what replace returns is lost; exercise: shifted_logs; must fail: outputs; says: shifted_logs
@register_dataclass
@dataclass(frozen=True)
class Logs:
    y: jax.Array
    offset: jax.Array

@jax.jit
def shift(logs):
    replace(logs, y=jnp.log(logs.y + 1))
    return logs.y + logs.offset

def shifted_logs(y, offset):
    return shift(Logs(y, offset))

# %% wrong_shifted_logs_2
# wrong: no jit; exercise: shifted_logs; must fail: compilations; says: jit
def shifted_logs(y, offset):
    return jnp.log(y + 1) + offset

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

# %% right_shifted_logs_2
# right: float before the program; exercise: shifted_logs
@register_dataclass
@dataclass(frozen=True)
class Logs:
    y: jax.Array
    offset: float


@jax.jit
def shift(logs):
    return replace(logs, y=jnp.log(logs.y + 1)).y + logs.offset


def shifted_logs(y, offset):
    return shift(Logs(y, float(offset)))
