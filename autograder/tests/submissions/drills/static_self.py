"""Repairs of the drills of the lesson static_self."""

# %% starter_scaled_total
# starter: as given; exercise: scaled_total; must fail: compilations; says: compile

# %% right_scaled_total_1
# right: the class is a pytree; exercise: scaled_total
@jax.tree_util.register_dataclass
@dataclass
class Scaled:
    Y: jax.Array
    factor: jax.Array

    @jax.jit
    def total(self):
        return (self.Y * self.factor).sum()

def scaled_total(Y, factor):
    return Scaled(Y, factor).total()

# %% right_scaled_total_2
# right: no class; exercise: scaled_total
scaled_total = jax.jit(lambda Y, factor: jnp.sum(Y * factor))

# %% right_scaled_total_3
# right: a static method; exercise: scaled_total
class Scaled:
    def __init__(self, Y, factor):
        self.Y, self.factor = Y, factor

    @staticmethod
    @jax.jit
    def _total(Y, factor):
        return jnp.sum(Y) * factor

    def total(self):
        return self._total(self.Y, self.factor)

def scaled_total(Y, factor):
    return Scaled(Y, factor).total()

# %% wrong_scaled_total_1
# wrong: jitted in the method; exercise: scaled_total; must fail: compilations; says: compile
class Scaled:
    def __init__(self, Y, factor):
        self.Y, self.factor = Y, factor

    def total(self):
        return jax.jit(lambda Y, factor: jnp.sum(Y * factor))(self.Y, self.factor)

def scaled_total(Y, factor):
    return Scaled(Y, factor).total()

# %% wrong_scaled_total_2
# wrong: not jitted; exercise: scaled_total; must fail: compilations; says: jit
def scaled_total(Y, factor):
    return (Y * factor).sum()

# %% wrong_scaled_total_3
# wrong: a key of the shape; exercise: scaled_total; must fail: outputs; says: scaled_total
class Scaled:
    def __init__(self, Y, factor):
        self.Y, self.factor = Y, factor

    def __hash__(self):
        return hash(self.Y.shape)

    def __eq__(self, other):
        return self.Y.shape == other.Y.shape

    @partial(jax.jit, static_argnums=0)
    def total(self):
        return (self.Y * self.factor).sum()

def scaled_total(Y, factor):
    return Scaled(Y, factor).total()

# %% starter_capped_mean
# starter: as given; exercise: capped_mean; must fail: outputs; says: capped_mean

# %% right_capped_mean_1
# right: the counts are an argument, the key is the cap; exercise: capped_mean
class CappedMean:
    def __init__(self, Y, cap):
        self.Y, self.cap = Y, cap

    def __hash__(self):
        return hash(self.cap)

    def __eq__(self, other):
        return self.cap == other.cap

    @partial(jax.jit, static_argnums=0)
    def _mean(self, Y):
        return jnp.minimum(Y, self.cap).mean()

    def mean(self):
        return self._mean(self.Y)

def capped_mean(Y, cap):
    return CappedMean(Y, cap).mean()

# %% right_capped_mean_2
# right: no class, the cap is static; exercise: capped_mean
@partial(jax.jit, static_argnames="cap")
def capped_mean(Y, cap):
    return jnp.mean(jnp.clip(Y, max=cap))

# %% right_capped_mean_3
# right: a pytree class; exercise: capped_mean
@jax.tree_util.register_pytree_node_class
class CappedMean:
    def __init__(self, Y, cap):
        self.Y, self.cap = Y, cap

    def tree_flatten(self):
        return (self.Y,), self.cap

    @classmethod
    def tree_unflatten(cls, cap, children):
        return cls(*children, cap)

    @jax.jit
    def mean(self):
        return jnp.minimum(self.Y, self.cap).mean()

def capped_mean(Y, cap):
    return CappedMean(Y, cap).mean()

# %% wrong_capped_mean_1
# wrong: an array in the key; exercise: capped_mean; must fail: outputs; says: ashable
@dataclass(frozen=True)
class CappedMean:
    Y: jax.Array
    cap: float

    @partial(jax.jit, static_argnums=0)
    def mean(self):
        return jnp.minimum(self.Y, self.cap).mean()

def capped_mean(Y, cap):
    return CappedMean(Y, cap).mean()

# %% wrong_capped_mean_2
# wrong: the key is the identity; exercise: capped_mean; must fail: compilations; says: compile
class CappedMean:
    def __init__(self, Y, cap):
        self.Y, self.cap = Y, cap

    @partial(jax.jit, static_argnums=0)
    def mean(self):
        return jnp.minimum(self.Y, self.cap).mean()

def capped_mean(Y, cap):
    return CappedMean(Y, cap).mean()

# %% starter_penalty_of
# starter: as given; exercise: penalty_of; must fail: compilations; says: 1

# %% right_penalty_of_1
# right: no class; exercise: penalty_of
@jax.jit
def penalty_of(B, ridge):
    return ridge / 2 * jnp.sum(jnp.square(B))

# %% right_penalty_of_2
# right: the ridge as the method's argument; exercise: penalty_of
@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class Penalty:
    B: jax.Array

    @jax.jit
    def value(self, ridge):
        return 0.5 * ridge * jnp.vdot(self.B, self.B)

def penalty_of(B, ridge):
    return Penalty(B).value(ridge)

# %% wrong_penalty_of_1
# wrong: a static argument; exercise: penalty_of; must fail: compilations; says: 1
@partial(jax.jit, static_argnames="ridge")
def penalty_of(B, ridge):
    return ridge / 2 * jnp.sum(B**2)

# %% wrong_penalty_of_2
# wrong: without the half; exercise: penalty_of; must fail: outputs; says: penalty_of
@jax.jit
def penalty_of(B, ridge):
    return ridge * jnp.sum(B**2)
