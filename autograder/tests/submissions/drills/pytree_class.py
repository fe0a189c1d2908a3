"""Repairs of the drills of the lesson pytree_class."""

# %% starter_line_at
# starter: as given; exercise: line_at; must fail: outputs; says: line_at

# %% right_line_at_1
# right: unflatten takes them in that order; exercise: line_at
@jax.tree_util.register_pytree_node_class
class Line:
    def __init__(self, slope, intercept):
        self.slope, self.intercept = slope, intercept

    def tree_flatten(self):
        return (self.intercept, self.slope), None

    @classmethod
    def tree_unflatten(cls, aux_data, children):
        intercept, slope = children
        return cls(slope, intercept)

@jax.jit
def values_on(line, x):
    return line.slope * x + line.intercept

def line_at(slope, intercept, x):
    return values_on(Line(slope, intercept), x)

# %% right_line_at_2
# right: no class; exercise: line_at
line_at = jax.jit(lambda slope, intercept, x: slope * x + intercept)

# %% wrong_line_at_1
# wrong: exchanged twice in one place; exercise: line_at; must fail: outputs; says: line_at
@jax.tree_util.register_pytree_node_class
class Line:
    def __init__(self, slope, intercept):
        self.slope, self.intercept = slope, intercept

    def tree_flatten(self):
        return (self.slope, self.intercept), None

    @classmethod
    def tree_unflatten(cls, aux_data, children):
        return cls(*children[::-1])

@jax.jit
def values_on(line, x):
    return line.slope * x + line.intercept

def line_at(slope, intercept, x):
    return values_on(Line(slope, intercept), x)

# %% wrong_line_at_2
# wrong: no jit; exercise: line_at; must fail: compilations; says: jit
def line_at(slope, intercept, x):
    return slope * x + intercept

# %% starter_raise_all
# starter: as given; exercise: raise_all; must fail: outputs; says: Integer

# %% right_raise_all_1
# right: traced, with a power; exercise: raise_all
@jax.tree_util.register_pytree_node_class
class Power:
    def __init__(self, x, power):
        self.x, self.power = x, power

    def tree_flatten(self):
        return (self.x, self.power), None

    @classmethod
    def tree_unflatten(cls, aux_data, children):
        return cls(*children)

@jax.jit
def multiply(pair):
    return pair.x**pair.power

def raise_all(x, power):
    return multiply(Power(x, power))

# %% right_raise_all_2
# right: a dictionary as aux data is no key, a tuple is; exercise: raise_all
@jax.tree_util.register_pytree_node_class
class Power:
    def __init__(self, x, power):
        self.x, self.power = x, power

    def tree_flatten(self):
        return [self.x], (("power", self.power),)

    @classmethod
    def tree_unflatten(cls, aux_data, children):
        return cls(*children, **dict(aux_data))

@jax.jit
def multiply(pair):
    result = pair.x
    for _ in range(1, pair.power):
        result = result * pair.x
    return result

def raise_all(x, power):
    return multiply(Power(x, power))

# %% wrong_raise_all_1
# wrong: the array in the aux data, too; exercise: raise_all; must fail: outputs; says: metadata
@jax.tree_util.register_pytree_node_class
class Power:
    def __init__(self, x, power):
        self.x, self.power = x, power

    def tree_flatten(self):
        return (), (self.x, self.power)

    @classmethod
    def tree_unflatten(cls, aux_data, children):
        return cls(*aux_data)

@jax.jit
def multiply(pair):
    return pair.x**pair.power

def raise_all(x, power):
    return multiply(Power(x, power))

# %% wrong_raise_all_2
# wrong: always squares; exercise: raise_all; must fail: outputs; says: raise_all
raise_all = jax.jit(lambda x, power: x * x)

# %% starter_scale_counts
# starter: as given; exercise: scale_counts; must fail: outputs; says: float

# %% right_scale_counts_1
# right: __init__ is not run again; exercise: scale_counts
@jax.tree_util.register_pytree_node_class
class Scaled:
    def __init__(self, y, rate):
        self.y, self.rate = y, rate

    def tree_flatten(self):
        return (self.y, self.rate), None

    @classmethod
    def tree_unflatten(cls, aux_data, children):
        self = object.__new__(cls)
        self.y, self.rate = children
        return self

@jax.jit
def divide(scaled):
    return scaled.y / scaled.rate

def scale_counts(y, rate):
    return divide(Scaled(y, rate))

# %% right_scale_counts_2
# right: no class; exercise: scale_counts
scale_counts = jax.jit(lambda y, rate: y / rate)

# %% wrong_scale_counts_1
# wrong: times the rate; exercise: scale_counts; must fail: outputs; says: scale_counts
scale_counts = jax.jit(lambda y, rate: y * rate)

# %% wrong_scale_counts_2
# wrong: the rate is not a child, and lost; exercise: scale_counts; must fail: outputs; says: scale_counts
@jax.tree_util.register_pytree_node_class
class Scaled:
    def __init__(self, y, rate=1.0):
        self.y, self.rate = y, rate

    def tree_flatten(self):
        return (self.y,), None

    @classmethod
    def tree_unflatten(cls, aux_data, children):
        return cls(*children)

@jax.jit
def divide(scaled):
    return scaled.y / scaled.rate

def scale_counts(y, rate):
    return divide(Scaled(y, rate))

# %% right_scale_counts_3
# right: float before the program; exercise: scale_counts
@jax.tree_util.register_pytree_node_class
class Scaled:
    def __init__(self, y, rate):
        self.y, self.rate = y, rate

    def tree_flatten(self):
        return (self.y, self.rate), None

    @classmethod
    def tree_unflatten(cls, aux_data, children):
        return cls(*children)


@jax.jit
def divide(scaled):
    return scaled.y / scaled.rate


def scale_counts(y, rate):
    return divide(Scaled(y, float(rate)))

# %% wrong_scale_counts_3
# wrong: the rate among the aux data; exercise: scale_counts; must fail: compilations; says: compiled
@jax.tree_util.register_pytree_node_class
class Scaled:
    def __init__(self, y, rate):
        self.y, self.rate = y, float(rate)

    def tree_flatten(self):
        return (self.y,), self.rate

    @classmethod
    def tree_unflatten(cls, aux_data, children):
        return cls(children[0], aux_data)


@jax.jit
def divide(scaled):
    return scaled.y / scaled.rate


def scale_counts(y, rate):
    return divide(Scaled(y, rate))
