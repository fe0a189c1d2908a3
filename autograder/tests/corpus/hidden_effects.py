"""Submissions that hide an effect or a state in what the grammar admits: none may be proved.

Each is given what stands above the first one.
"""

import collections.abc
import dataclasses
import functools
import itertools
import math
import operator
import jax
from functools import partial
from typing import NamedTuple
import jax.numpy as jnp
import numpy as np
import optax
KEPT = [0]
TABLE = {"k": [0], "n": 1}
ARRAY = np.zeros(3)

# %% wraps_renames_a_global
def a(x): return x
def other(x): return x
def f(x):
    n = len(a.__name__)
    functools.wraps(other)(a)
    return x * n

# %% wraps_above_picked
def a(x): return x
def other(x): return x
def pick(g): return a
def f(x):
    n = len(a.__name__)
    @functools.wraps(other)
    @pick
    def run(x): return x
    return x * n

# %% getattr_gives_shape
class Box:
    def __getattr__(self, name):
        return KEPT
def f(x):
    s = Box().shape
    s.append(1)
    return x

# %% views_without_args
def f(x):
    a = TABLE.keys(*[])
    names = a - TABLE.items(*[])
    return [x for n in names]

# %% dict_update_unbound
def f(x):
    dict.update(TABLE, {"n": TABLE["n"] + 1})
    return x * TABLE["n"]

# %% update_starred
def f(x):
    TABLE.update(*[{"n": 2}], *[])
    return x

# %% set_update_two
S = {1}
def f(x):
    S.update([2], [3])
    return x * len(S)

# %% fill_in_comprehension
def f(x):
    own = [[0]]
    [own.append(KEPT) for _ in range(1)]
    own[1].append(1)
    return x

# %% fill_by_alias
def f(x):
    a = [[0]]
    b = a
    b.append(KEPT)
    a[1].append(1)
    return x

# %% fill_by_container
def f(x):
    a = [[0]]
    c = [a]
    c[0].append(KEPT)
    a[1].append(1)
    return x

# %% fill_by_unpacking
def f(x):
    own = [[0]]
    own[0], y = KEPT, 1
    own[0].append(1)
    return x

# %% made_and_filled
def make():
    own = [[0]]
    own.append(KEPT)
    return own
def f(x):
    m = make()
    m[1].append(1)
    return x

# %% range_is_own
def range(n):
    return [KEPT]
def f(x):
    for v in range(3):
        v.append(1)
    return x

# %% enumerate_is_own
def enumerate(n):
    return [(KEPT, 1)]
def f(x):
    for v, w in enumerate(3):
        v.append(1)
    return x

# %% keysview_call
def f(x):
    names = collections.abc.KeysView(TABLE)
    more = names - collections.abc.KeysView({})
    return [x for n in more]

# %% math_prod_start
def f(x):
    y = math.prod([], start=KEPT)
    y.append(1)
    return x

# %% own_member_defvjp
class Box:
    def defvjp(self, a, b): return 1
@jax.custom_vjp
def g(x): return x
def fa(x): return x, None
def fb(r, t): return (t,)
def f(x):
    g.defvjp(fa, fb)
    return g(x)

# %% local_defvjp_of_global
@jax.custom_vjp
def kept(x): return x
def fa(x): return x, None
def fb(r, t): return (t,)
def f(x):
    def g(v): return v
    g = kept
    g.defvjp(fa, fb)
    return x

# %% local_defvjp_picked
@jax.custom_vjp
def kept(x): return x
def fa(x): return x, None
def fb(r, t): return (t,)
def pick(g): return kept
def f(x):
    @pick
    def g(v): return v
    g.defvjp(fa, fb)
    return x

# %% static_object_changes
class C:
    def __init__(self, n):
        self.n = n
@partial(jax.jit, static_argnames="c")
def g(x, c):
    return x * c.n
def f(x):
    c = C(1)
    y = g(x, c)
    c.n = 2
    return y + g(x, c)

# %% closure_changes_after_jit
def f(x):
    n = 1
    @jax.jit
    def g(v): return v * n
    y = g(x)
    n = 2
    return y + g(x)

# %% closure_list_changes_after
def f(x):
    own = [0]
    @jax.jit
    def g(v): return v * own[0]
    y = g(x)
    own[0] = 5
    return y + g(x)

# %% closure_in_loop
def f(x):
    total = x
    @jax.jit
    def g(v): return v * n
    for n in (1, 2):
        total = total + g(x)
    return total

# %% jit_default_list
@jax.jit
def f(x, kept=[]):
    kept.append(1)
    return x * len(kept)

# %% jit_kw_default_list
@jax.jit
def f(x, *, kept=[]):
    kept.append(1)
    return x * len(kept)

# %% jit_static_kept
class C:
    def __init__(self): self.n = 0
@partial(jax.jit, static_argnums=1)
def f(x, c):
    c.n = 1
    return x

# %% jit_above_other_decorator
def other(g):
    def run(x):
        return g(TABLE)
    return run
@jax.jit
@other
def f(p):
    p["n"] = 2
    return p["n"]

# %% unflatten_returns_aux
@jax.tree_util.register_pytree_node_class
class C:
    def __init__(self, x): self.x = x
    def tree_flatten(self): return (self.x,), self
    @classmethod
    def tree_unflatten(cls, aux, children): return aux
@jax.jit
def g(c):
    c.x = c.x + 1
    return c.x
def f(c):
    return g(c)

# %% unflatten_returns_kept
class C:
    def __init__(self, x): self.x = x
ONE = C(1.0)
def flat(c): return (c.x,), None
def back(aux, children): return ONE
jax.tree_util.register_pytree_node(C, flat, back)
@jax.jit
def g(c):
    c.x = c.x + 1
    return c.x
def f(x):
    return g(C(x))

# %% aux_part_changed
@jax.tree_util.register_pytree_node_class
class C:
    def __init__(self, x, log):
        self.x, self.log = x, log
    def tree_flatten(self): return (self.x,), self.log
    @classmethod
    def tree_unflatten(cls, aux, children): return cls(children[0], aux)
@jax.jit
def g(c):
    c.log.append(1)
    return c.x
def f(x):
    return g(C(x, KEPT))

# %% scan_body_called_too
def f(p):
    def body(c, _):
        c["n"] = 2
        return c, None
    body(TABLE, None)
    return jax.lax.scan(body, p, length=1)

# %% scan_body_given_elsewhere
def call(g): return g(TABLE, None)
def f(p):
    def body(c, _):
        c["n"] = 2
        return c, None
    call(body)
    return jax.lax.scan(body, p, length=1)

# %% scan_body_default
def f(p):
    def body(c, _, kept=TABLE):
        kept["n"] = 2
        return c, None
    return jax.lax.scan(body, p, length=1)

# %% scan_body_returned
def make():
    def body(c, _):
        c["n"] = 2
        return c, None
    jax.lax.scan(body, {"n": 1.0}, length=1)
    return body
def f(x):
    make()(TABLE, None)
    return x

# %% scan_not_jax
class jax_:
    pass
def f(p):
    class_ = 1
    def scan(g, c): return g(TABLE, None)
    def body(c, _):
        c["n"] = 2
        return c, None
    return scan(body, p)

# %% changer_on_global
class M:
    def __init__(self): self.n = 1
    def bump(self): self.n = self.n + 1
ONE = M()
def f(x):
    m = M()
    m.bump()
    ONE.bump()
    return x * ONE.n

# %% changer_on_parameter
class M:
    def __init__(self): self.n = 1
    def bump(self): self.n = self.n + 1
def f(m):
    m.bump()
    return m.n

# %% changer_by_helper
class M:
    def __init__(self): self.n = 1
    def bump(self): self.n = self.n + 1
ONE = M()
def bump(m): return m.bump()
def f(x):
    M().bump()
    bump(ONE)
    return x * ONE.n

# %% changer_passed_on
class M:
    def __init__(self): self.n = 1
    def bump(self): self.n = self.n + 1
ONE = M()
def call(g): return g()
def f(x):
    m = M(); m.bump()
    call(ONE.bump)
    return x * ONE.n

# %% changer_through_property
class M:
    def __init__(self): self.n = 1
    @property
    def value(self):
        self.n = self.n + 1
        return self.n
ONE = M()
def f(x):
    return x * ONE.value

# %% changer_through_call
class M:
    def __init__(self): self.n = 1
    def bump(self): self.n = self.n + 1
    def __call__(self, x):
        self.bump()
        return x
ONE = M()
def f(x):
    return ONE(x) * ONE.n

# %% changer_keeps_self
class M:
    def __init__(self): self.n = 1
    def bump(self):
        KEPT.append(self)
        self.n = 2
def f(x):
    m = M(); m.bump()
    return x

# %% changer_appends_to_given
class M:
    def __init__(self, items): self.items = items
    def bump(self):
        self.n = 1
        self.items.append(1)
def f(x):
    m = M(KEPT); m.bump()
    return x

# %% changer_of_given_object
class M:
    def __init__(self, n): self.n = n
    def bump(self, other):
        self.n = 1
        other.n = 2
ONE = M(1)
def f(x):
    m = M(1); m.bump(ONE)
    return x * ONE.n

# %% registered_in_a_loop
class C:
    def __init__(self, x): self.x = x
def flat(c):
    KEPT.append(1)
    return (c.x,), None
for c in (C,):
    jax.tree_util.register_pytree_node(c, flat, lambda aux, k: C(*k))
@jax.jit
def g(c): return c.x
def f(x):
    return g(C(x))

# %% registered_by_helper
class C:
    def __init__(self, x): self.x = x
def flat(c):
    KEPT.append(1)
    return (c.x,), None
def reg(c):
    jax.tree_util.register_pytree_node(c, flat, lambda aux, k: C(*k))
reg(C)
@jax.jit
def g(c): return c.x
def f(x):
    return g(C(x))

# %% registered_by_helper_without_argument
class C:
    def __init__(self, x): self.x = x
def flat(c): return (c.x,), None
def reg():
    jax.tree_util.register_pytree_node(C, flat, lambda aux, k: C(*k))
reg()
@jax.jit
def g(c): return c.x
def f(x):
    return g(C(x))

# %% registered_through_a_list
class C:
    def __init__(self, x): self.x = x
def flat(c): return (c.x,), None
EVERY = [C]
for c in EVERY:
    jax.tree_util.register_pytree_node(c, flat, lambda aux, k: C(*k))
@jax.jit
def g(c): return c.x
def f(x):
    return g(C(x))

# %% table_filled_by_helper
def fill(t): t["n"] = 5
fill(TABLE)
def f(x):
    return x * TABLE["n"]

# %% table_filled_by_numpy
np.fill_diagonal(ARRAY, 1)
def f(x):
    return x * ARRAY

# %% asarray_then_changed
def f(x):
    a = np.zeros(3)
    b = jnp.asarray(a)
    a[0] = 1
    return x + b

# %% asarray_then_changed_in_loop
def f(x):
    a = np.zeros(3)
    total = x
    for i in range(3):
        total = total + jnp.asarray(a)
        a[i] = 1
    return total

# %% asarray_of_product
def f(x):
    y = x * 2
    z = jnp.asarray(y)
    y += 1
    return z

# %% asarray_in_list
def f(x):
    a = np.zeros(3)
    rows = [a]
    z = jnp.asarray(rows[0])
    a += 1
    return z + x

# %% asarray_by_helper
def g(v): return jnp.asarray(v)
def f(x):
    a = np.zeros(3)
    z = g(a)
    a += 1
    return z + x

# %% device_put_then_changed
def f(x):
    a = np.ones(3)
    z = jax.device_put(a)
    a[1] += 1
    return z + x

# %% view_then_changed
def f(x):
    a = np.zeros((3, 3))
    v = a[0]
    z = jnp.asarray(v)
    a[0, 0] = 1
    return z + x

# %% static_array_field
@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Line:
    slope: float
    ones: np.ndarray = dataclasses.field(metadata={"static": True})
@jax.jit
def apply(line, x): return line.slope * line.ones * x
def f(x):
    return apply(Line(2.0, np.ones(3)), x)

# %% static_array_field_lying
@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Line:
    slope: float
    ones: tuple = dataclasses.field(metadata={"static": True})
@jax.jit
def apply(line, x): return line.slope * line.ones * x
def f(x):
    return apply(Line(2.0, np.ones(3)), x)

# %% static_array_field_by_helper
@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Line:
    slope: float
    ones: tuple = dataclasses.field(metadata={"static": True})
@jax.jit
def apply(line, x): return line.slope * line.ones * x
def make(ones): return Line(2.0, ones)
def f(x):
    return apply(make(np.ones(3)), x)

# %% static_array_replaced
@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Line:
    slope: float
    ones: tuple = dataclasses.field(metadata={"static": True})
def f(x):
    line = dataclasses.replace(Line(2.0, ()), ones=np.ones(3))
    return jax.jit(lambda v: v.slope * x)(line)

# %% aux_array_assigned_later
@jax.tree_util.register_pytree_node_class
class C:
    def __init__(self, x): self.x, self.n = x, 0
    def tree_flatten(self): return (self.x,), self.n
    @classmethod
    def tree_unflatten(cls, aux, children): return cls(*children)
@jax.jit
def g(c): return c.x
def f(x):
    c = C(x)
    c.n = jnp.ones(3)
    return g(c)

# %% aux_by_local
@jax.tree_util.register_pytree_node_class
class C:
    def __init__(self, x): self.x, self.n = x, jnp.ones(3)
    def tree_flatten(self):
        aux = self.n
        return (self.x,), aux
    @classmethod
    def tree_unflatten(cls, aux, children): return cls(*children)
@jax.jit
def g(c): return c.x
def f(x): return g(C(x))

# %% jit_positional_options
def g(x): return x
def f(x):
    return jax.jit(g, None, None, None, None, (0,))(x)

# %% typing_set
import typing
def f(x):
    return [x for n in typing.Set(["a", "b"])]

# %% sorted_by_mutating_key
def key(v):
    KEPT.append(v)
    return v
def f(x):
    return sorted([2, 1], key=key)

# %% property_counts
class C:
    def __init__(self): self.items = [0]
    @property
    def value(self):
        self.items.append(1)
        return len(self.items)
ONE = C()
def f(x): return x * ONE.value

# %% iter_with_state
class C:
    def __init__(self): self.n = 0
    def __iter__(self):
        self.n = self.n + 1
        return iter([self.n])
ONE = C()
def f(x): return [x * n for n in ONE]

# %% format_spec_calls
class C:
    def __format__(self, spec):
        KEPT.append(1)
        return ""
def f(x): return x * len(f"{C()}")

# %% default_factory_global
@dataclasses.dataclass
class C:
    items: list = dataclasses.field(default_factory=lambda: KEPT)
def f(x):
    c = C()
    c.items.append(1)
    return x * len(KEPT)

# %% namedtuple_list_field
class S(NamedTuple):
    items: list
ONE = S([0])
def f(x):
    s = ONE._replace()
    s.items.append(1)
    return x * len(ONE.items)

# %% reduce_mutating
def f(x):
    return x * len(functools.reduce(lambda a, v: a.append(v) or a, [1], KEPT))

# %% tree_map_mutating
def add(v):
    KEPT.append(v)
    return v
def f(x): return jax.tree.map(add, x)

# %% match_captures
def f(x):
    match TABLE:
        case {"k": kept}:
            kept.append(1)
    return x * len(TABLE["k"])

# %% match_star
def f(x):
    match [KEPT, KEPT]:
        case [first, *rest]:
            rest[0].append(1)
    return x

# %% walrus_in_comprehension
def f(x):
    own = []
    [own := KEPT for _ in range(1)]
    own.append(1)
    return x

# %% clock_by_dtype_variable
KIND = np.dtype("M8[s]")
def f(x): return x * np.array("now", dtype=KIND).astype(int)

# %% random_by_getattr
def f(x): return x * getattr(np, "random").normal()

# %% callback_by_name
from jax import pure_callback
def f(x): return pure_callback(lambda v: v, x, x)

# %% debug_print_in_rule
@jax.custom_jvp
def g(x): return x
@g.defjvp
def rule(p, t):
    KEPT.append(1)
    return p[0], t[0]
def f(x): return jax.grad(g)(x)

# %% rule_with_state
@jax.custom_vjp
def g(x): return x
def fa(x):
    KEPT.append(1)
    return x, None
def fb(r, t): return (t,)
g.defvjp(fa, fb)
def f(x): return jax.grad(g)(x)

# %% decorator_keeps
def keep(g):
    seen = []
    def run(x):
        seen.append(1)
        return g(x) * len(seen)
    return run
@keep
def f(x): return x

# %% shadowed_across_cells
def g(x): return x
def f(x): return g(x)
g = KEPT.append

# %% setattr_class
class C:
    n = 0
def f(x):
    setattr(C, "n", C.n + 1)
    return x * C.n

# %% class_through_type
class C:
    n = 0
    def bump(self):
        type(self).n = 2
        return self.n
def f(x): return x * C().bump()

# %% verbose_linesearch
def f(x):
    return optax.scale_by_zoom_linesearch(10, verbose=True).init(x)

# %% compare_by_static_eq
class C:
    def __init__(self, n): self.n = n
    def __eq__(self, o): return True
    def __hash__(self): return 1
@partial(jax.jit, static_argnames="c")
def g(x, c): return x * c.n
def f(x): return g(x, C(1)) + g(x, C(2))

# %% namedexpr_at_top
y = (len := KEPT.append)
def f(x):
    len(1)
    return x

# %% unpacked_builtin
len, other = KEPT.append, 1
def f(x):
    len(1)
    return x

# %% module_attribute_alias
import numpy.random
def f(x): return x * numpy.random.normal()

# %% np_dtype_of_object
def f(x):
    a = np.array([KEPT], dtype=object)
    a[0].append(1)
    return x

# %% partial_reads_mutable
def g(kept, x):
    kept.append(1)
    return x
h = functools.partial(g, [])
def f(x): return h(x)

# %% starred_own_alias
def f(x):
    own = [*[KEPT]]
    own[0].append(1)
    return x

# %% aug_on_tuple_item
def f(x):
    own = ([0], KEPT)
    own[1] += [1]
    return x

# %% nested_function_returns_kept
def f(x):
    def inner():
        return KEPT
    y = inner()
    y.append(1)
    return x

# %% returns_closure_list
def make():
    own = []
    def get(): return own
    return get
GET = make()
def f(x):
    y = GET()
    y.append(1)
    return x * len(y)

# %% lambda_default
G = lambda x, kept=[]: kept.append(x)
def f(x):
    G(1)
    return x

# %% hasattr_traced
def f(x):
    return x if hasattr(x, "aval") else -x

# %% del_item
def f(x):
    del TABLE["n"]
    return x

# %% dtype_member
class Box:
    dtype = "M8[s]"
def f(x):
    return x * np.array("now", dtype=Box.dtype).astype(int)

# %% dtype_field
class Box:
    def __init__(self): self.dtype = "M8[s]"
def f(x):
    b = Box()
    return x * np.array("now", b.dtype).astype(int)

# %% dtype_positional_full
def f(x): return x * np.full(3, "now", "M8[s]").astype(int)

# %% arange_now
def f(x): return x * np.arange("now", "2030", dtype="M8[s]").astype(int)

# %% posonly_default
@jax.jit
def f(x, kept=[], /):
    kept.append(1)
    return x * len(kept)

# %% vararg_items
def g(*rows):
    rows[0].append(1)
    return 1
def f(x):
    g(KEPT)
    return x

# %% kwargs_items
def g(**rows):
    rows["a"].append(1)
    return 1
def f(x):
    g(a=KEPT)
    return x

# %% scan_body_nested_name
def f(p):
    def body(c, _):
        c["n"] = 2
        return c, None
    def other(body):
        return body(TABLE, None)
    jax.lax.scan(body, p, length=1)
    return other(lambda c, _: c)

# %% scan_of_global_body
def body(c, _):
    c["n"] = 2
    return c, None
def f(p):
    body(TABLE, None)
    return jax.lax.scan(body, p, length=1)

# %% jit_applied_by_call
def g(p):
    p["n"] = 2
    return p["n"]
h = jax.jit(g)
def f(p): return h(p) + g(p)

# %% jit_partial_static_by_name
NAMES = ("p",)
@partial(jax.jit, static_argnames=NAMES)
def f(p):
    p.append(1)
    return len(p)

# %% jit_static_argnums_list
class C:
    def __init__(self): self.n = 0
@partial(jax.jit, static_argnums=[1])
def f(x, c):
    c.n = 2
    return x

# %% jit_twice
@jax.jit
@partial(jax.jit, static_argnums=1)
def f(x, c):
    c.append(1)
    return x

# %% jit_then_vmap
@jax.jit
@jax.vmap
def f(p):
    p["n"] = 2
    return p

# %% method_jitted_changes_other
@jax.tree_util.register_pytree_node_class
class C:
    def __init__(self, x): self.x = x
    @jax.jit
    def m(self):
        TABLE["n"] = 3
        return self.x
    def tree_flatten(self): return (self.x,), None
    @classmethod
    def tree_unflatten(cls, aux, k): return cls(*k)
def f(x): return C(x).m()

# %% unflatten_keeps_class_attribute
@jax.tree_util.register_pytree_node_class
class C:
    kept = 0
    def __init__(self, x): self.x = x
    def tree_flatten(self): return (self.x,), None
    @classmethod
    def tree_unflatten(cls, aux, k):
        cls.kept = cls.kept + 1
        return cls(*k)
@jax.jit
def g(c): return c.x
def f(x): return g(C(x)) * C.kept

# %% flatten_changes_self
@jax.tree_util.register_pytree_node_class
class C:
    def __init__(self, x): self.x, self.n = x, 0
    def tree_flatten(self):
        self.n = self.n + 1
        return (self.x, self.n), None
    @classmethod
    def tree_unflatten(cls, aux, k): return cls(*k[:1])
ONE = C(1.0)
@jax.jit
def g(c): return c.x * c.n
def f(x): return g(ONE) * x

# %% flatten_through_helper
@jax.tree_util.register_pytree_node_class
class C:
    def __init__(self, x): self.x, self.n = x, 0
    def count(self): self.n = self.n + 1
    def tree_flatten(self):
        self.count()
        return (self.x, self.n), None
    @classmethod
    def tree_unflatten(cls, aux, k): return cls(*k[:1])
ONE = C(1.0)
def f(x): return jax.tree.leaves(ONE)[1] * x

# %% init_changes_argument
class C:
    def __init__(self, other):
        self.other = other
        other.n = 2
class D:
    def __init__(self): self.n = 0
ONE = D()
def f(x):
    C(ONE)
    return x * ONE.n

# %% init_appends_to_class
class C:
    every = ()
    def __init__(self):
        C.every = C.every + (1,)
def f(x):
    C()
    return x * len(C.every)

# %% changer_staticmethod
class C:
    def __init__(self): self.n = 0
    @staticmethod
    def bump(c): c.n = c.n + 1
ONE = C()
def f(x):
    C.bump(ONE)
    return x * ONE.n

# %% changer_inherited
class A:
    def __init__(self): self.n = 0
    def bump(self): self.n = self.n + 1
class B_(A):
    pass
ONE = B_()
def f(x):
    a = A(); a.bump()
    b = ONE
    b.bump()
    return x * ONE.n

# %% changer_on_part
class A:
    def __init__(self): self.n = 0
    def bump(self): self.n = self.n + 1
class H:
    def __init__(self, a): self.a = a
ONE = A()
def f(x):
    h = H(ONE)
    h.a.bump()
    return x * ONE.n

# %% changer_on_item_of_own
class A:
    def __init__(self): self.n = 0
    def bump(self): self.n = self.n + 1
ONE = A()
def f(x):
    rows = [ONE]
    rows[0].bump()
    return x * ONE.n

# %% changer_on_loop_item
class A:
    def __init__(self): self.n = 0
    def bump(self): self.n = self.n + 1
ONE = A()
def f(x):
    for a in (ONE,):
        a.bump()
    return x * ONE.n

# %% changer_replaced_self
class A:
    def __init__(self): self.n = 0
    def bump(self, other):
        self = other
        self.n = 5
ONE = A()
def f(x):
    a = A(); a.bump(ONE)
    return x * ONE.n

# %% changer_by_lambda_attribute
class A:
    bump = lambda self: KEPT.append(1)
def f(x):
    A().bump()
    return x

# %% alias_through_conditional
def f(x):
    own = []
    same = own if x is None else KEPT
    same.append(1)
    return x

# %% alias_through_starred_assign
def f(x):
    first, *rest = [KEPT, KEPT]
    rest[0].append(1)
    return x

# %% alias_swap
def f(x):
    a, b = [], KEPT
    a, b = b, a
    a.append(1)
    return x

# %% alias_chain
def f(x):
    a = b = KEPT
    b.append(1)
    return x

# %% alias_loop_carried
def f(x):
    a = []
    b = KEPT
    for i in range(2):
        a.append(1)
        a = b
    return x

# %% own_dict_of_kept
def f(x):
    d = {}
    d["k"] = KEPT
    d["k"].append(1)
    return x

# %% own_dict_setdefault
def f(x):
    d = {"a": [0]}
    d.setdefault("k", KEPT)
    d["k"].append(1)
    return x

# %% own_list_times
def f(x):
    rows = [KEPT] * 2
    rows[0] += [1]
    return x

# %% tuple_plus
def f(x):
    rows = ([0],) + (KEPT,)
    rows[1].append(1)
    return x

# %% dict_merge
def f(x):
    d = {"a": [0]} | TABLE
    d["k"].append(1)
    return x

# %% zip_items
def f(x):
    for a, b in zip([KEPT], [1]):
        a.append(1)
    return x

# %% max_of_lists
def f(x):
    m = max([KEPT], key=len)
    m.append(1)
    return x

# %% sum_of_lists
def f(x):
    m = sum([], KEPT)
    m.append(1)
    return x

# %% reduce_returns_kept
def f(x):
    m = functools.reduce(lambda a, b: a, [KEPT])
    m += [1]
    return x

# %% partial_call_returns_kept
def g(): return KEPT
def f(x):
    m = partial(g)()
    m.append(1)
    return x

# %% custom_vjp_identity
@jax.custom_vjp
def g(p): return p
g.defvjp(lambda p: (p, None), lambda r, t: (t,))
def f(x):
    m = g(TABLE)
    m["n"] = 4
    return x

# %% global_iterator_by_unpack
first, rest = 1, iter([1, 2, 3])
def f(x): return x * sum(rest)

# %% global_generator
GEN = (i for i in range(9))
def f(x): return x * sum(GEN)

# %% attribute_iterator
class C:
    def __init__(self): self.it = map(abs, [1, 2, 3])
ONE = C()
def f(x): return x * sum(ONE.it)

# %% set_in_tuple_compare
def f(x):
    names = {"a", "b"}
    return [x for n in sorted(names)]

# %% dict_from_set
def f(x):
    d = {k: 1 for k in {"a", "b"}}
    return list(d)

# %% text_of_object
class C: pass
def f(x): return x * len(f"{C()}")

# %% name_mangled
_C__n = KEPT
__n = []
class C:
    def m(self):
        return __n
def f(x):
    y = C().m()
    return x * len(y)

# %% class_scope_default
class C:
    kept = []
    def m(self, rows=kept):
        rows.append(1)
        return len(rows)
def f(x): return x * C().m()

# %% comprehension_in_default
def f(x, rows=[k for k in [KEPT]]):
    rows[0].append(1)
    return x

# %% x64_set_above
jax.config.update("jax_enable_x64", True)
def f(x): return x

# %% decorated_rule_outside
@jax.custom_vjp
def g(x): return x
def fwd(x):
    KEPT.append(1)
    return x, None
rules = (fwd, lambda r, t: (t,))
g.defvjp(*rules)
def f(x): return g(x)

# %% global_object_method_above
class M:
    def __init__(self): self.n = 0
    def bump(self): self.n = self.n + 1
ONE = M()
ONE.bump()
def f(x): return x * ONE.n

# %% global_changed_through_alias_call
def fill(t): t["n"] = 7
OTHER = TABLE
fill(OTHER)
def f(x): return x * TABLE["n"]

# %% global_changed_in_with
def fill(t): t["n"] = 7
for i in range(2):
    fill(TABLE)
def f(x): return x * TABLE["n"]

# %% np_unary_out
def f(x):
    np.exp(ARRAY, ARRAY)
    return x * ARRAY

# %% np_sum_out
def f(x):
    np.sum(ARRAY, 0, None, ARRAY)
    return x

# %% np_median_overwrite
def f(x): return x * np.median(ARRAY, None, None, True)

# %% array_method_out
def f(x):
    ARRAY.clip(0, 1, ARRAY)
    return x

# %% at_on_own_class
class Ref:
    def __init__(self): self.at = KEPT
def f(x):
    r = Ref()
    s = r.at[0].set(1)
    s.append(1)
    return x

# %% jnp_shape_of_own
class Box:
    def __init__(self): self.shape = KEPT
def f(x):
    s = Box().shape
    s += [1]
    return x

# %% replace_member
class Box:
    def _replace(self): return KEPT
def f(x):
    s = Box()._replace()
    s.append(1)
    return x

# %% add_gives_kept
class Box:
    def __add__(self, o): return KEPT
def f(x):
    s = Box() + 1
    s += [1]
    return x

# %% getitem_gives_kept
class Box:
    def __getitem__(self, i): return KEPT
def f(x):
    s = Box()[0]
    s += [1]
    return x

# %% device_state
def f(x): return x * jax.devices()[0].memory_stats()["bytes_in_use"]

# %% member_memory_stats
class C:
    def memory_stats(self): return 1
def f(x): return x * jax.devices()[0].memory_stats()

# %% member_seed
class C:
    def id(self): return 1
def f(x): return x * id(x)

# %% lower_text
def g(x): return x
def f(x): return len(jax.jit(g).lower(x).as_text())

# %% cache_size
g = jax.jit(lambda x: x)
def f(x): return g(x) * g._cache_size()

# %% other_code_changes_by_an_alias
params = {"w": 1.0}
@jax.jit
def f(x): return params["w"] * x
def train():
    p = params
    f(jnp.ones(3))
    p["w"] = p["w"] * 0.5
train()

# %% other_code_changes_its_default
class Settings:
    rate = 0.1
@jax.jit
def f(x): return x * Settings.rate
def decay(s=Settings): s.rate = s.rate / 2
decay()

# %% other_code_passes_it_on
class Model:
    def __init__(self): self.w = 1.0
model = Model()
@jax.jit
def f(x): return x * model.w
def descend(m, rate): m.w -= rate
def train(): descend(model, 0.25)

# %% other_code_passes_it_on_above_it
def descend(m): m["w"] -= 0.5
def train(): descend(model)
model = {"w": 1.0}
def f(x): return x * model["w"]

# %% other_code_loops_over_it
class Model:
    def __init__(self, w): self.w = w
a, b = Model(1.0), Model(2.0)
first = a
@jax.jit
def f(x): return x * first.w
def train():
    for m in [first, b]: m.w = 0.0

# %% other_code_sets_an_attribute_by_its_name
class Settings:
    rate = 0.1
def configure(**given):
    for name, value in given.items(): setattr(Settings, name, value)
def f(x): return x * Settings.rate

# %% other_code_picks_it_from_a_tuple
params = {"w": 1.0}
def f(x): return params["w"] * x
p = (params, 0)[0]
p["w"] = 2.0

# %% other_code_picks_it_by_or
params = {"w": 1.0}
def f(x): return params["w"] * x
p = None or params
p["w"] = 2.0

# %% other_code_picks_it_by_if
params = {"w": 1.0}
def f(x): return params["w"] * x
p = params if KEPT else TABLE
p["w"] = 2.0

# %% other_code_returns_it
params = {"w": 1.0}
def f(x): return params["w"] * x
def get(): return params
get()["w"] = 2.0

# %% other_code_yields_it
params = {"w": 1.0}
def f(x): return params["w"] * x
def each(): yield params
for p in each(): p["w"] = 2.0

# %% other_code_binds_it_by_walrus
params = {"w": 1.0}
def f(x): return params["w"] * x
def train():
    if (p := params): p["w"] = 2.0

# %% other_code_matches_it
params = {"w": 1.0}
def f(x): return params["w"] * x
def train():
    match params:
        case p: p["w"] = 2.0

# %% other_code_keeps_it
params = {"w": 1.0}
def f(x): return params["w"] * x
KNOWN = {}
def keep(): KNOWN["p"] = params
keep()
KNOWN["p"]["w"] = 2.0

# %% closure_changes_its_parameter
def make(k):
    @jax.jit
    def g(x): return x * k
    g(jnp.ones(3))
    k = k + 1
    return g
f = make(1.0)

# %% memory_that_nobody_filled
def f(x): return x + jnp.asarray(np.ndarray(x.shape, np.float32))

# %% other_code_keeps_what_is_returned
params = {"w": 1.0}
def f(x): return params["w"] * x
get = lambda: params
p = get()
p["w"] = 2.0

# %% other_code_keeps_what_two_functions_return
params = {"w": 1.0}
def f(x): return params["w"] * x
def get(): return params
def get_it(): return get()
p = get_it()
p["w"] = 2.0
