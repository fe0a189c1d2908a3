"""Makes right submissions impure in thousands of ways, none of which may be proved from source.

    python -m autograder.tests.benchmarks.impure_mutations [--count 10000] [--seed 0] [--show]

A mutant is a proved slice of a right submission, one of its functions, an effect, and a form in
which the effect stands there: as a statement, behind a branch, in a helper, in a loop's body, in a
default and so on. The harmless changes at the end must leave the proof as it is: they tell that
mutants are not refused for how they look.
"""

from __future__ import annotations

import argparse
import ast
import copy
import random
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from autograder.source import prove_cells

STATE = """
import collections
import copy
import dataclasses
import functools
import itertools
import operator
from typing import NamedTuple
import jax
import jax.numpy as jnp
import numpy as np
import optax
from plnkit import load_oaks
zlist, zdict = [0], {"a": 1, "k": [0]}
zset = {1}
zarray, zother, ztable = np.zeros(3), np.zeros(3), np.zeros((3, 3))
zobjects = np.array([[0], [1]], dtype=object)
ztuple = ([0], {"a": 1})
def zsame(value, *more, **named):
    return value
def zcall(function, *args, **named):
    return function(*args, **named)
class Zbox:
    n = 0
    def __init__(self, items):
        self.items = items
class Ztriple(NamedTuple):
    items: list
@dataclasses.dataclass
class Zdata:
    items: list
    more: list = dataclasses.field(default_factory=list)
zbox = Zbox([0])
ztriple, zdata = Ztriple([0]), Zdata([0])
zcached = functools.partial(zsame, [])
zhidden = functools.partial(itertools.chain, [1, 2])()
zoaks = load_oaks()
class Zholder:
    def __init__(self, items):
        self.items, self.shape, self.at, self.compile = items, items, [items], items
    def _replace(self):
        return self.items
    def get(self):
        return zlist
def zgiving(function):
    return lambda value: zlist
@jax.tree_util.Partial(zgiving)
def zdecorated(value):
    return [value]
@functools.partial(functools.partial(zgiving))
def zdecorated_partial(value):
    return [value]
def zinit(kind):
    kind.__init__(zbox, 1)
"""
"""What the effects act on. The slice takes of it what it needs."""

EXPRESSIONS = """
zlist.append(1)
zlist.extend([1])
zlist.insert(0, 1)
zlist.reverse()
zlist.__iadd__([1])
list.append(zlist, 1)
zdict.update(a=2)
zdict.update({"a": 2})
zdict.setdefault("b", 1)
zdict.pop("a", None)
zdict.popitem()
zdict.__setitem__("a", 2)
zdict["k"].append(1)
dict.update(zdict, a=2)
zdict.get("k").append(1)
[*zdict.values()][1].append(1)
zset.add(2)
zset.discard(2)
zset.update([2])
ztuple[0].append(1)
ztuple[1].update(a=2)
zbox.items.append(1)
ztriple.items.append(1)
zdata.items.append(1)
zsame(zlist).append(1)
zcall(zlist.append, 1)
zcall(list.append, zlist, 1)
zcall(lambda kept: kept.append(1), zlist)
(lambda kept=zlist: kept.append(1))()
(zmade := zlist).append(1)
Zbox(zlist).items.append(1)
Ztriple(zlist).items.append(1)
Zdata(zlist).items.append(1)
copy.copy(zbox).items.append(1)
copy.copy(zlist)
copy.deepcopy(zlist)
dataclasses.replace(zdata, more=[]).items.append(1)
[zlist, zlist][0].append(1)
{"k": zlist}["k"].append(1)
(zlist if zlist else zlist).append(1)
(zlist or []).append(1)
setattr(zbox, "n", 1)
setattr(Zbox, "n", 1)
object.__setattr__(zbox, "n", 1)
zbox.__setattr__("n", 1)
zbox.__dict__.update(n=1)
vars(zbox).update(n=1)
delattr(zbox, "items")
getattr(zlist, "append")(1)
getattr(zlist, "app" + "end")(1)
operator.setitem(zdict, "a", 2)
operator.iadd(zlist, [1])
operator.methodcaller("append", 1)(zlist)
operator.attrgetter("append")(zlist)(1)
operator.call(zlist.append, 1)
functools.partial(zlist.append, 1)()
functools.partial(list.append, zlist)(1)
functools.reduce(lambda kept, x: kept.append(x), [1], zlist)
functools.reduce(operator.iadd, [[1]], zlist)
zcached().append(1)
list(map(zlist.append, [1]))
list(itertools.starmap(zlist.append, [(1,)]))
sorted([1], key=zlist.append)
max([1, 2], key=zlist.append)
jax.tree.map(zlist.append, [1])
jax.tree.leaves([zlist], is_leaf=zlist.append)
jax.tree_util.Partial(zlist.append)(1)
jax.lax.fori_loop(0, 1, lambda i, c: zlist.append(i), None)
jax.vmap(lambda v: zlist.append(v))(jnp.ones(3))
jax.grad(lambda v: zlist.append(v) or v)(1.0)
jax.jit(zlist.append)(1)
jax.eval_shape(zlist.append, 1)
jnp.vectorize(zlist.append)(jnp.ones(1))
np.add.at(zarray, 0, 1)
np.copyto(zarray, 1)
np.put(zarray, 0, 1)
np.place(zarray, zarray > 0, 1)
np.putmask(zarray, zarray > 0, 1)
np.fill_diagonal(ztable, 1)
np.put_along_axis(zarray, np.zeros(1, int), 1, 0)
np.add(zarray, 1, out=zarray)
np.add(zarray, 1, zarray)
np.exp(zarray, zarray)
np.sqrt(zarray, out=(zarray,))
np.sum(ztable, 0, None, zarray)
np.mean(ztable, axis=0, out=zarray)
np.clip(zarray, 0, 1, zarray)
np.take(zarray, [0, 1, 2], None, zother)
np.cumsum(zarray, 0, None, zother)
np.round(zarray, 1, zother)
np.dot(ztable, zarray, zother)
np.matmul(ztable, zarray, zother)
np.concatenate([zarray], 0, zother)
np.stack([zarray], 0, zother)
np.einsum("i->i", zarray, out=zother)
np.nan_to_num(zarray, copy=False)
np.nan_to_num(zarray, False)
np.median(zarray, None, zother)
np.median(zarray, overwrite_input=True)
np.percentile(zarray, 50, None, None, True)
np.add(*[zarray, 1, zarray])
np.add(zarray, 1, **{"out": zarray})
np.add.reduce(ztable, 0, None, zarray)
np.linalg.multi_dot([ztable, ztable], out=ztable)
zcall(np.add, zarray, 1, zarray)
functools.partial(np.add, zarray, 1, out=zarray)()
[np.add][0](zarray, 1, zarray)
(np.add if zarray.size else np.exp)(zarray, 1, zarray)
zarray.fill(1)
zarray.sort()
zarray.put(0, 1)
zarray.resize(3)
zarray.setflags(write=False)
zarray.sum(0, None, zother)
zarray.clip(0, 1, zarray)
zarray.round(1, zother)
zarray.dot(1, zarray)
zarray.max(0, zother)
zarray.take([0, 1, 2], None, zother)
zarray.cumsum(0, None, zother)
zarray.mean(*(0, None, zother))
zarray.byteswap(True)
zarray.itemset(0, 1)
zarray.flat.__setitem__(0, 1)
zarray.data.__setitem__(0, 1)
zarray.__iadd__(1)
zobjects.sum().append(1)
zobjects[0].append(1)
zobjects.tolist()[0].append(1)
np.array([zlist], dtype=object)[0].append(1)
np.random.normal()
np.random.seed(0)
np.random.shuffle(zarray)
np.random.default_rng().normal()
np.datetime64("now")
np.array("now", dtype="datetime64[s]")
np.array("now", "datetime64[s]")
np.array("now").astype("M8[s]")
np.empty(3)
np.frompyfunc(zlist.append, 1, 1)(1)
np.vectorize(zlist.append)(1)
np.apply_along_axis(zlist.append, 0, zarray)
np.fromfunction(zlist.append, (1,))
np.save("z.npy", zarray)
np.load("z.npy")
np.seterr(all="ignore")
np.set_printoptions(precision=3)
np.shares_memory(zarray, zother)
next(ziterator)
next(iter(ziterator))
next(zcount)
next(zcycle)
next(zgenerator)
next(zpairs)
next(zflat)
next(zchain, None)
list(zmapped)
sum(zgenerator)
list(zip(ziterator, [1]))
tuple(itertools.islice(ziterator, 2))
[i for i in ziterator][:1]
zcallfirst()
zcounted()
zremember(1)
zdefault()
zdefault_key()
zfresh.bump()
zcallable(1)
zproperty.value
zgetattr.anything
zmemo(1)
zmemo_all()
zgenerate()
zmethod(1)
zbound(1)
zregistered(1)
print("z")
input()
open("z.txt")
exec("zlist.append(1)")
eval("zlist.append(1)")
compile("1", "z", "eval")
globals().update(z=1)
locals().update(z=1)
__import__("os").getpid()
breakpoint()
id(zlist)
hash("z")
hash(zbox)
str(zbox)
repr(zsame)
f"{zbox}"
"%s" % zbox
"{}".format(zbox)
format(zbox, "")
list({"a", "b", "c"})
tuple(frozenset(["a", "b"]))
[name for name in {"a", "b"}]
sum({0.1, 0.2, 0.3})
"".join({"a", "b"})
[*{"a", "b"}]
dict.fromkeys({"a", "b"})
dict(zip({"a", "b"}, [1, 2]))
sorted({"ab", "cd"}, key=len)
max({"ab", "cd"}, key=len)
list(zdict.keys() | {"b", "c"})
list(zdict.keys() - {"b"})
[x for x in zdict.keys() & {"a", "k"}]
next(iter({"a", "b"}))
zsame({"a", "b"})
jnp.stack([jnp.ones(len(x)) for x in {"a", "bb"}])
{"a", "b"}.pop()
jax.debug.print("z")
jax.debug.callback(zlist.append, 1)
jax.pure_callback(zlist.append, jax.ShapeDtypeStruct((), "float32"), 1)
jax.experimental.io_callback(zlist.append, None, 1)
jax.config.update("jax_enable_x64", True)
jax.config.jax_enable_x64
jax.config.read("jax_enable_x64")
jax.clear_caches()
jax.default_backend()
jax.live_arrays()
jax.new_ref(jnp.zeros(3))
jax.device_put(jnp.ones(3), donate=True)
jax.device_put(jnp.ones(3), None, None, True)
jax.jit(zsame, donate_argnums=0)(jnp.ones(3))
jax.jit(zsame, compiler_options={"xla_dump_to": "z"})(1)
functools.partial(jax.jit, donate_argnums=0)(zsame)(jnp.ones(3))
zcall(jax.jit, zsame, donate_argnums=0)
jax.jit(zsame).lower(1.0).compile({"xla_dump_to": "z"})
jax.jit(zsame).clear_cache()
jax.jit(zsame)._cache_size()
jax.core.Tracer
jax.typeof(1)
jax.monitoring.record_event("z")
jax.profiler.start_trace("z")
jax.extend.random.seed(0)
jax.lax.platform_dependent(1, cpu=zsame, default=zsame)
jax.tree_util.register_static(Zbox)
jax.devices().clear()
jax.local_devices().append(1)
jax.ensure_compile_time_eval()
jnp.ones(3).delete()
jnp.ones(3).is_deleted()
jnp.ones(3).unsafe_buffer_pointer()
jnp.save("z.npy", jnp.ones(3))
jnp.load("z.npy")
isinstance(1, jax.core.Tracer)
isinstance(zsame(1), float)
isinstance(zsame(1), np.ndarray)
hasattr(zsame(1), "aval")
type(zsame(1)) is int
zsame(1) is zsame(1)
zlist is zlist
zbox.items is not zlist
callable(zsame(1))
len(str(zsame(1)))
super().__init__()
zsame.__globals__["zlist"].append(1)
zsame.__defaults__
zsame.__code__
zsame.__dict__.update(n=1)
zbox.__class__.__dict__
zlist.__class__
().__class__.__base__.__subclasses__()
"""
"""Effects that are expressions, one a line."""

MORE_STATE = """
import time, datetime, os, random, uuid, warnings, sys, threading, logging, io, gc, weakref
import contextvars, math, string
from time import perf_counter as zclock
zstep = 0
ziterator, zcount, zcycle = iter(range(10**9)), itertools.count(), itertools.cycle([1, 2])
zgenerator, zpairs = (i for i in range(10**9)), zip(range(9), range(9))
zflat, zmapped, zchain = np.zeros(9).flat, map(zsame, range(9)), itertools.chain([1, 2])
zdeque, zcounter, zorder = collections.deque(), collections.Counter(), collections.OrderedDict(a=1)
zrandom, zgen = random.Random(0), np.random.default_rng(0)
zbuffer, zcontext = io.StringIO(), contextvars.ContextVar("z", default=0)
zappend = [].append
zref = jax.new_ref(jnp.zeros(3))
def zcallfirst(kept=zappend):
    return kept(1)
def zcounting():
    n = 0
    def count():
        nonlocal n
        n += 1
        return n
    return count
zcounted = zcounting()
def zremembering():
    seen = []
    def remember(value):
        seen.append(value)
        return value
    return remember
zremember = zremembering()
def zdefault(seen=[]):
    seen.append(1)
    return len(seen)
def zdefault_key(*, seen={"n": 0}):
    seen["n"] += 1
    return seen["n"]
class Zcounter:
    def __init__(self):
        self.n = 0
    def bump(self):
        self.n += 1
        return self.n
    def __call__(self, value):
        self.n = value
    @property
    def value(self):
        self.n += 1
        return self.n
    def __getattr__(self, name):
        zregistry[name] = name
        return 1
zfresh = zcallable = zproperty = zgetattr = Zcounter()
@functools.lru_cache
def zmemo(value):
    return jnp.ones(3)
@functools.cache
def zmemo_all():
    return []
def zgenerating():
    n = 0
    while True:
        n += 1
        yield n
zrunning = zgenerating()
def zgenerate():
    return next(zrunning)
zmethod = Zcounter().__call__
zbound = Zcounter().bump
zregistry = {}
def zregister(function):
    zregistry[function.__name__] = function
    return function
def zregistered(value):
    zregister(zsame)
    return value
def zkeep(function):
    kept = []
    def wrapper(*args, **named):
        kept.append(1)
        return function(*args, **named)
    return wrapper
def zkeep_wrapped(function):
    @functools.wraps(function)
    def wrapper(*args, **named):
        wrapper.calls += 1
        return function(*args, **named)
    wrapper.calls = 0
    return wrapper
def zkeep_last(function):
    last = {}
    def wrapper(*args, **named):
        last["value"] = function(*args, **named)
        return last["value"]
    return wrapper
def zkeep_first(function, kept=[]):
    def wrapper(*args, **named):
        kept.append(function(*args, **named))
        return kept[0]
    return wrapper
"""
"""More of it: what the proof does not admit even where nothing is done with it."""

EXPRESSIONS += """
time.time()
time.sleep(0)
zclock()
datetime.datetime.now()
os.getpid()
os.environ.get("HOME")
os.urandom(1)
random.random()
zrandom.random()
zgen.normal()
uuid.uuid4()
warnings.warn("z")
logging.info("z")
sys.stdout.write("z")
sys.setrecursionlimit(5000)
threading.Thread(target=zsame).start()
gc.collect()
weakref.finalize(zbox, zsame)
zbuffer.write("z")
zcontext.set(1)
zdeque.append(1)
zcounter.update("a")
zorder.move_to_end("a")
zappend(1)
zcallfirst(zappend)
zref[...]
"""

STATEMENTS = r"""
global zstep; zstep = 1
global zstep; zstep += 1
global zlist; zlist = zlist + [1]
global znew; znew = 1
zlist[0] = 1
zlist[0] += 1
zlist[:] = [1]
del zlist[0]
zlist[0], zfree = 1, 2
[zlist[0], zfree] = 1, 2
(zfree, *zlist[:]) = 1, 2
for zlist[0] in range(3): pass
[0 for zlist[0] in range(3)]
zdict["a"] = 2
zdict["a"] += 1
zdict["k"][0] = 1
zdict["k"] += [1]
global zdict; zdict |= {"a": 1}
del zdict["a"]
global zset; zset |= {2}
zbox.n = 1
zbox.n += 1
zbox.items[0] = 1
Zbox.n = 1
Zbox.n += 1
zdata.items += [1]
zdata.items = [1]
ztriple.items[0] = 1
ztriple.items += [1]
ztuple[0][0] = 1
ztuple[1]["a"] += 1
zarray[0] = 1
zarray[:] += 1
zarray[...] = 0
ztable[0][0] = 1
zarray.flat[0] = 1
zarray.shape = (3, 1)
zarray.T[0] = 1
zarray.real[0] = 1
zarray.data[0] = 1
zsame.calls = 1
zsame.calls += 1
jnp.zsum = 1
np.zsum = 1
jax.numpy.sum = zsame
zalias = zlist; zalias.append(1)
zalias = zlist; zalias += [1]
zalias = zlist; zalias[0] = 1
zalias = zlist if zlist else []; zalias.append(1)
zalias = zlist or []; zalias += [1]
zalias = (zlist,); zalias[0].append(1)
zalias = [zlist]; zalias[0].append(1)
zalias = [zlist]; zalias[0][0] = 1
zalias = [zlist]; zalias[0] += [1]
zalias = [[0]]; zalias[0] = zlist; zalias[0][0] = 1
zalias = [[0]]; zalias.append(zlist); zalias[1][0] = 1
zalias = [[0]]; zalias.extend([zlist]); zalias[1] += [1]
zalias = [[0]]; zalias += [zlist]; zalias[1] += [1]
zalias = [[0]] + [zlist]; zalias[1] += [1]
zalias = [zlist] * 2; zalias[1][0] = 1
zalias = {"k": zlist}; zalias["k"].append(1)
zalias = {"k": zlist}; zalias["k"] += [1]
zalias = dict(k=zlist); zalias["k"] += [1]
zalias = {**zdict}; zalias["k"].append(1)
zalias = {**zdict}; zalias["k"][0] = 1
zalias = dict(zdict); zalias["k"] += [1]
zalias = zdict.copy(); zalias["k"] += [1]
zalias = zdict | {}; zalias["k"] += [1]
zalias = list([zlist]); zalias[0] += [1]
zalias = [x for x in [zlist]]; zalias[0] += [1]
zalias = sorted([zlist]); zalias[0] += [1]
zalias = tuple([zlist]); zalias[0][0] = 1
zalias = zsame(zlist); zalias.append(1)
zalias = zsame(zlist); zalias += [1]
zalias = zsame([zlist]); zalias[0][0] = 1
zalias = zbox; zalias.n = 1
zalias = copy.copy(zbox); zalias.items[0] = 1
zalias = copy.copy(Zbox); zalias.n = 1
zalias = Zbox(zlist); zalias.items[0] = 1
zalias = Zbox(zlist); zalias.items += [1]
zalias = Zdata(zlist); zalias.items.append(1)
zalias = Zbox; zalias.n = 1
zalias = dataclasses.replace(zdata); zalias.items[0] = 1
zalias = np.asarray(zarray); zalias += 1
zalias = np.asarray(zarray); zalias[0] = 1
zalias = np.array(zarray, copy=False); zalias[0] = 1
zalias = zarray[:]; zalias[0] = 1
zalias = zarray[:]; zalias += 1
zalias = zarray.reshape(-1); zalias += 1
zalias = zarray.T; zalias[0] = 1
zalias = zarray.view(); zalias[0] = 1
zalias = np.ravel(zarray); zalias[0] = 1
zalias = np.atleast_1d(zarray); zalias += 1
zalias = np.broadcast_arrays(zarray)[0]; zalias[0] = 1
zalias = np.real(zarray); zalias[0] = 1
zalias = np.squeeze(zarray); zalias += 1
zalias = np.transpose(ztable); zalias[0] = 1
zalias = ztable[0]; zalias[:] = 1
zalias = np.full(2, zlist); zalias[0].append(1)
zalias = np.array([zlist, None]); zalias[0].append(1)
zalias = np.array([zlist, None]); zalias[0][0] = 1
zalias = jax.tree.map(zsame, [zlist]); zalias[0].append(1)
zalias = jax.tree.map(lambda x: x, zlist); zalias += [1]
zalias = jax.lax.cond(True, lambda: zlist, lambda: zlist); zalias += [1]
zalias = jax.device_get(zarray); zalias += 1
zalias = max([zlist]); zalias += [1]
zalias = min([zlist, zlist]); zalias[0] = 1
zalias = functools.reduce(zsame, [zlist, zlist]); zalias += [1]
zalias = next(iter([zlist])); zalias += [1]
zalias = zdict.get("k"); zalias += [1]
zalias = zdict["k"]; zalias += [1]
zalias = getattr(zbox, "items"); zalias += [1]
zalias = abs(zarray) if False else zarray; zalias += 1
zalias, = [zlist]; zalias.append(1)
zalias, zfree = zlist, 1; zalias.append(1)
(zalias := zlist); zalias += [1]
zalias = []; zalias = zlist; zalias.append(1)
zalias = zfree = zlist; zfree.append(1)
zalias: list = zlist; zalias.append(1)
for zalias in [zlist]: zalias.append(1)
for zalias in [zlist]: zalias[0] = 1
for zalias in zdict.values(): zalias += [1]
for zfree, zalias in enumerate([zlist]): zalias.append(1)
for zfree, zalias in zip([1], [zlist]): zalias.append(1)
for zalias in ziterator: break
for zalias in zpairs: break
for zalias in {"a", "b"}: break
for zalias in zdict.keys() - {"b"}: break
for zalias in set(zdict): break
zalias = {"a", "b"}; zfree = list(zalias)
zalias = ["a"]; zalias = set(zalias); zfree = [x for x in zalias]
zalias = {"a", "b"} | {"c"}; zfree = tuple(zalias)
zalias = {"a", "b"}; zfree = zalias.pop()
zalias = zdict.keys(); zalias &= {"a", "k"}; zfree = list(zalias)
zalias = zdict.keys(); zalias = zalias - {"c"}; zfree = [x for x in zalias]
zalias = Zholder(zlist)._replace(); zalias.n = 1
zalias = Zholder(zlist)._replace(); zalias.append(1)
zalias = Zholder(zlist).shape; zalias.append(1)
zalias = Zholder(zlist).at[0].get(); zalias.append(1)
Zholder(zset).at[0].add(2)
Zholder(zlist).compile.append(1)
zalias = Zholder(zlist); setattr(zalias, "__dict__", zdict); zalias.n = 1
zalias = Zholder([]); zfree = "__dict__"; setattr(zalias, zfree, zdict); zalias.n = 1
zalias = np.full(2, fill_value=zdict); zalias[0]["a"] = 1
zalias = np.full(shape=2, fill_value=zdict); zalias[0]["a"] += 1
zfree = zarray.max; zfree(0, zother)
zfree = zarray.min; zfree(None, zother)
zfree = zarray.sum; zfree(0, None, zother)
zfree = zarray.trace; zfree(0, 0, 1, None, zother)
zfree = np.fft.fft; zfree(zarray, None, -1, None, zother)
zfree = np.linalg.multi_dot; zfree([zarray, zarray], out=zother)
zfree = list(zhidden)
for zfree in zhidden: break
zfree = zinit(Zbox)
zalias = zdecorated(1); zalias.append(1)
zalias = zdecorated(1); zalias += [1]
zalias = zdecorated_partial(1); zalias += [1]
zalias = zoaks.Y; zalias += 1
zfree = zoaks.Y.sum; zfree(0, None, zother)
for zfree in zoaks.Y.flat: break
zoaks.Y.tofile("z")
zoaks.Y.sort()
match zlist:\n    case zalias: zalias.append(1)
match zlist:\n    case [*zalias]: zlist.append(1)
match zbox:\n    case Zbox(items=zalias): zalias.append(1)
with open("z.txt") as zalias: pass
with jax.disable_jit(): pass
with jax.enable_x64(True): pass
with np.errstate(all="ignore"): pass
import os; os.getpid()
import time as ztime; ztime.time()
from time import time as ztime; ztime()
from os import environ as zenviron; zenviron["Z"] = "1"
import numpy.random as zr; zr.normal()
import builtins; builtins.z = 1
import sys; sys.path.append("z")
zfree = np; zfree.random.seed(0)
zfree = np.random; zfree.seed(0)
zfree = np.add; zfree(zarray, 1, zarray)
zfree = np; zfree.add(zarray, 1, zarray)
zfree = zlist.append; zfree(1)
zfree = print; zfree(1)
zfree = [print]; zfree[0](1)
zfree = jax.jit; zfree(zsame, donate_argnums=0)
zfree = lambda: zlist.append(1); zfree()
def zinner(): zlist.append(1)\nzinner()
def zinner(kept=zlist): kept.append(1)\nzinner()
def zinner(kept): kept.append(1)\nzinner(zlist)
def zinner(*kept): kept[0].append(1)\nzinner(zlist)
def zinner(**kept): kept["k"].append(1)\nzinner(k=zlist)
zmine = []\ndef zinner(): zmine.append(1)\nzinner()
zmine = 0\ndef zinner():\n    nonlocal zmine\n    zmine += 1\nzinner()
class Zinner:\n    kept = zlist\nZinner.kept.append(1)
try: zlist[5]\nexcept IndexError: zlist.append(1)
try: float(zsame(1))\nexcept TypeError: pass
assert zlist.append(1) is None
raise ValueError(zlist.append(1))
yield zlist
async def zinner(): pass
zref[...] = 1.0
zref[...] += 1.0
zbox.__dict__["n"] = 1
zsame.__defaults__ = (1,)
globals()["z"] = 1
Zbox.__init__ = zsame
jax.config.jax_enable_x64 = True
"""
"""Effects that are statements, one a line."""

ON_CONTAINERS = r"""
P.__iadd__(1)
P += 1
P[0] = 1
P[0] += 1
P[:] = 0
del P[0]
P["w"] = 1
P["w"] -= 1
P.n = 1
P.n += 1
P.append(1)
P.update(a=1)
P.pop("w")
P.sort()
P.fill(0)
setattr(P, "n", 1)
zalias = P; zalias += 1
zalias = P[0]; zalias[...] = 1
zalias = P[0]; zalias += 1
zalias = P if True else 0; zalias += 1
zalias = P or 0; zalias += 1
zalias, zfree = P, 1; zalias[0] = 1
zalias = (P, 1); zalias[0][0] = 1
zalias = [P]; zalias[0] += 1
zalias = dict(P); zalias["w"] += 1
zalias = list(P); zalias[0] += 1
zalias = P.copy() if False else P; zalias += 1
for P[0] in range(2): pass
for zalias in P: zalias += 1
for zalias in [P]: zalias[0] = 1
[zalias.append(1) for zalias in [P]]
"""
"""What changes an argument `P` of the function, one a line.

JAX makes new containers for a function that it jits or loops over: there it changes nothing else.
"""

ON_PARAMETERS = r"""
P.T[0] = 1
P.real[0] = 1
P.flat[0] = 1
P.delete()
P.sum(0, None, P)
P.clip(0, 1, P)
np.add(P, 1, out=P)
np.add(P, 1, P)
np.exp(P, P)
np.copyto(P, 0)
np.add.at(P, 0, 1)
np.nan_to_num(P, copy=False)
zalias = np.asarray(P); zalias += 1
zalias = P.reshape(-1); zalias += 1
zalias = P.T; zalias += 1
zalias = zsame(P); zalias += 1
zalias = jax.tree.map(lambda x: x, P); zalias["w"] += 1
zkept = lambda: P.append(1); zkept()
def zinner():\n    P[0] = 1\nzinner()
def zinner(kept): kept[0] = 1\nzinner(P)
next(P)
P is zlist
type(P) is float
isinstance(P, np.ndarray)
isinstance(P, jax.core.Tracer)
hasattr(P, "aval")
len(str(P))
f"{P}"
zlist.append(P)
zdict["a"] = P
zbox.n = P
zsame.last = P
hash(P)
id(P)
P.aval
P.__array_interface__
P.devices()
P.is_deleted()
P.unsafe_buffer_pointer()
"""
"""What is done to an argument `P` of the function, one a line.

Its type may be asked where it is static, so that is not among them.
"""

FORMS = {
    "statement": "{E}",
    "kept": "zvalue = {E}",
    "branch": "if 1 > 2:\n    {E}",
    "else": "if 1 < 2:\n    pass\nelse:\n    {E}",
    "loop": "for zi in range(2):\n    {E}",
    "while": "while False:\n    {E}",
    "condition": "if {E}:\n    pass",
    "conditional": "zvalue = {E} if 1 > 2 else 0",
    "or": "zvalue = 0 or {E}",
    "lambda": "(lambda: {E})()",
    "kept lambda": "zlater = lambda: {E}\nzlater()",
    "comprehension": "zvalue = [{E} for zi in range(1)]",
    "generator": "zvalue = list({E} for zi in range(1))",
    "condition of one": "zvalue = [1 for zi in range(1) if {E}]",
    "dictionary": "zvalue = {{'k': {E}}}",
    "index": "zvalue = (0, 1)[0 if {E} else 1]",
    "argument": "zvalue = zsame({E})",
    "keyword": "zvalue = zsame(0, named={E})",
    "starred": "zvalue = zsame(*[{E}])",
    "inner function": "def zinner():\n    return {E}\nzinner()",
    "inner default": "def zinner(value={E}):\n    return value",
    "inner jitted": "@jax.jit\ndef zinner():\n    return {E}\nzinner()",
    "scan": "jax.lax.scan(lambda c, _: (c, {E}), 0.0, None, length=1)",
    "vmap": "jax.vmap(lambda v: ({E}, v)[1])(jnp.ones(2))",
    "cond": "jax.lax.cond(True, lambda: ({E}, 1.0)[1], lambda: 0.0)",
    "scope": "with jax.named_scope('z'):\n    {E}",
    "assert": "assert {E}",
    "raise": "if 1 > 2:\n    raise ValueError({E})",
    "text": "if 1 > 2:\n    raise ValueError(f'{{{E}}}')",
    "walrus": "(zvalue := {E})",
    "match": "match 1:\n    case 1:\n        {E}",
    "guard": "match 1:\n    case 1 if {E}:\n        pass",
    "decorator": "@zsame\n@(lambda f: ({E}, f)[1])\ndef zinner(): pass",
    "slice": "zvalue = [1, 2][0 : {E} or 1]",
    "key": "zvalue = sorted([1], key=lambda v: ({E}, v)[1])",
}
"""How an expression stands in a function: as text, with the expression as E."""

AROUND = {
    "global helper": ("def zhelper():\n    return {E}\n", "zhelper()"),
    "global lambda": ("zhelper = lambda: {E}\n", "zhelper()"),
    "method": ("class Zhelper:\n    def run(self):\n        return {E}\n", "Zhelper().run()"),
    "init": ("class Zhelper:\n    def __init__(self):\n        self.v = {E}\n", "Zhelper()"),
    "property": (
        "class Zhelper:\n    @property\n    def zv(self):\n        return {E}\n",
        "Zhelper().zv",
    ),
    "static method": (
        "class Zhelper:\n    @staticmethod\n    def run():\n        return {E}\n",
        "Zhelper.run()",
    ),
    "call": ("class Zhelper:\n    def __call__(self):\n        return {E}\n", "Zhelper()()"),
    "operator": (
        "class Zhelper:\n    def __add__(self, o):\n        return {E}\n",
        "Zhelper() + 1",
    ),
    "flatten": (
        "@jax.tree_util.register_pytree_node_class\nclass Zhelper:\n    def tree_flatten(self):\n"
        "        return ({E},), None\n    @classmethod\n    def tree_unflatten(cls, aux, kids):\n"
        "        return cls()\n",
        "jax.tree.leaves(Zhelper())",
    ),
    "post init": (
        "@dataclasses.dataclass\nclass Zhelper:\n    def __post_init__(self):\n        {E}\n",
        "Zhelper()",
    ),
    "factory": (
        "def zfactory():\n    def zhelper():\n        return {E}\n    return zhelper\n"
        "zhelper = zfactory()\n",
        "zhelper()",
    ),
    "partial": (
        "def zhelper(v):\n    return {E}\nzpart = functools.partial(zhelper, 1)\n",
        "zpart()",
    ),
    "jitted helper": ("@jax.jit\ndef zhelper():\n    return {E}\n", "zhelper()"),
    "rule": (
        "@jax.custom_vjp\ndef zhelper(v):\n    return v\ndef zforward(v):\n    {E}\n"
        "    return v, None\ndef zback(r, g):\n    return (g,)\nzhelper.defvjp(zforward, zback)\n",
        "zhelper(1.0)",
    ),
    "optimizer": (
        "def zupdate(g, s, p=None):\n    {E}\n    return g, s\n"
        "ztx = optax.GradientTransformation(lambda p: (), zupdate)\n",
        "ztx.update(1.0, ())",
    ),
}
"""How an expression stands outside of the function, and what the function then calls."""

DECORATORS = (
    "zkeep", "zkeep_wrapped", "zkeep_last", "zkeep_first", "zregister", "functools.lru_cache",
    "functools.cache", "functools.partial(jax.jit, donate_argnums=0)", "jax.jit(donate_argnums=0)",
    "functools.partial(jax.jit, donate_argnames='x')", "functools.singledispatch", "print",
    "zlist.append", "functools.partial(zsame, zlist.append(1))",
    "functools.partial(jax.jit, compiler_options={'xla_dump_to': 'z'})",
    "(lambda f: zlist.append(f) or f)", "functools.wraps(zsame)(zkeep)",
    "zcall(zkeep, zkeep)", "jax.jit(**{'donate_argnums': 0})",
)  # fmt: skip
"""Decorators that keep something, or give arguments away."""

HARMLESS = (
    "zmine = []; zmine.append(1); zmine[0] = 2; zmine += [3]",
    "zmine = {}; zmine['a'] = 1; zmine.update(b=2); zmine['a'] += 1",
    "zmine = np.zeros(3); zmine[0] = 1; zmine += 1; zmine[1] += 1",
    "zmine = [[0] for zi in range(2)]; zmine[0] = [1]",
    "zmine = {'a', 'b'}; zvalue = 'a' in zmine",
    "zmine = Zbox([1]); zmine.n = 2",
    "zvalue = [zsame(zi) for zi in range(2)]",
    "zvalue = zsame(zlist)[0]",
    "def zinner(v):\n    zown = []\n    zown.append(v)\n    return zown\nzvalue = zinner(1)",
    "zvalue = np.add(zarray, 1).sum(0)",
    "zvalue = jnp.zeros(3).at[0].set(1.0); zvalue += 1",
    "zvalue = functools.reduce(operator.add, [1, 2])",
    "zvalue = max(zlist) if 1 > 2 else len(zdict)",
    "if 1 > 2:\n    raise ValueError(f'{zlist}')",
    "zvalue = zdata.items[0] + ztriple.items[0]",
    "zvalue = list(zip([1], [2]))",
    "with jax.named_scope('z'):\n    zvalue = jnp.ones(3)",
    "zvalue = isinstance(zlist, (list, tuple))",
)
"""Statements that change only what the call has made."""


@dataclass(frozen=True)
class Mutant:
    """A source with an effect: what was done, in which form, in which function of what."""

    effect: str
    form: str
    place: str
    cells: tuple[tuple[str, str], ...]
    entries: tuple[str, ...]


@dataclass(frozen=True)
class Base:
    """The slice of a right submission, as one text."""

    name: str
    tree: ast.Module
    entries: tuple[str, ...]

    @property
    def functions(self) -> list[ast.FunctionDef]:
        return [x for x in ast.walk(self.tree) if isinstance(x, ast.FunctionDef)]


def find_bases() -> list[Base]:
    """Return the proved slices of the lessons' right submissions."""
    from autograder.tests.benchmarks.proofs import lesson_cases

    found: dict[str, Base] = {}
    for case in lesson_cases():
        if case.kind != "right":
            continue
        proof = case.prove()
        if proof.is_pure:
            tree = ast.Module([s.node for s in proof.slice.statements], [])
            base = Base(f"{case.group}: {case.name}", tree, case.entries)
            if base.functions and prove_cells(_cells(tree, ""), case.entries).is_pure:
                found.setdefault(ast.unparse(tree), base)
    return list(found.values())


def _cells(tree: ast.Module, more: str) -> tuple[tuple[str, str], ...]:
    return ("state", STATE + more), ("slice", ast.unparse(ast.fix_missing_locations(tree)))


def _lines(text: str) -> list[str]:
    return [line.replace("\\n", "\n") for line in text.splitlines() if line.strip()]


_TEXTS = ("str(", "repr(", 'f"', '"%s', '"{}', "format(", "len(str(")
"""Texts, which an error's message may hold."""


def effects() -> Iterator[tuple[str, str, str, str]]:
    """Yield every operator: its effect, its form, what stands at the top, what in the function."""
    for expression in _lines(EXPRESSIONS):
        for form, text in FORMS.items():
            is_message = form in ("raise", "text") and expression.startswith(_TEXTS)
            is_awkward = form == "text" and set(expression) & set("'\\{")
            if not is_message and not is_awkward:
                yield expression, form, "", text.format(E=expression.replace("\n", " "))
        for form, (top, call) in AROUND.items():
            yield expression, form, top.format(E=expression), call
    for statement in _lines(STATEMENTS):
        yield statement, "statement", "", statement
        indented = statement.replace("\n", "\n    ")
        yield statement, "branch", "", f"if 1 > 2:\n    {indented}"
        helper = statement.replace("\n", "\n    ")
        yield statement, "global helper", f"def zhelper():\n    {helper}\n", "zhelper()"
    for what, statements in (("container", ON_CONTAINERS), ("argument", ON_PARAMETERS)):
        for statement in _lines(statements):
            yield statement, what, "", statement
            indented = statement.replace("\n", "\n    ")
            yield statement, f"{what} behind a branch", "", f"if 1 > 2:\n    {indented}"


def mutate(base: Base, rng: random.Random, every: list[tuple[str, str, str, str]]) -> Mutant | None:
    """Return one mutant of a slice; None where the effect does not fit the place."""
    tree = copy.deepcopy(base.tree)
    functions = [x for x in ast.walk(tree) if isinstance(x, ast.FunctionDef)]
    function = rng.choice(functions)
    if rng.random() < 0.03:
        effect, form, top, text = rng.choice(DECORATORS), "decorator of it", "", ""
        at = rng.randrange(len(function.decorator_list) + 1)
        function.decorator_list.insert(at, ast.parse(effect, mode="eval").body)
    else:
        effect, form, top, text = rng.choice(every)
        parameters = [a.arg for a in (*function.args.args, *function.args.kwonlyargs)]
        if form.startswith(("argument", "container")) and "P" in text:
            if form.startswith("container"):  # an own object is none
                parameters = [
                    x for x in parameters if x != "self" and not _is_rebuilt(function, tree)
                ]
            if not parameters:
                return None
            text = _with_parameter(text, rng.choice(parameters))
        blocks = list(_blocks(function))
        block = rng.choice(blocks)
        block[rng.randrange(len(block)) : 0] = ast.parse(text).body
    cells = (("state", STATE + MORE_STATE), ("beside", top), _cells(tree, "")[1])
    return Mutant(effect, form, f"{base.name}: {function.name}", cells, base.entries)


def _is_rebuilt(function: ast.FunctionDef, tree: ast.Module) -> bool:
    """Whether jit calls a function at once, or one of JAX's loops does."""
    if function.decorator_list:
        return "jit" in ast.unparse(function.decorator_list[-1])
    calls = [x for x in ast.walk(tree) if isinstance(x, ast.Call)]
    loops = [c for c in calls if ast.unparse(c.func).endswith(("scan", "while_loop", "fori_loop"))]
    return any(isinstance(a, ast.Name) and a.id == function.name for c in loops for a in c.args)


def _with_parameter(text: str, name: str) -> str:
    tree = ast.parse(text)
    for x in ast.walk(tree):
        if isinstance(x, ast.Name) and x.id == "P":
            x.id = name
    return ast.unparse(tree)


def _blocks(function: ast.FunctionDef) -> Iterator[list[ast.stmt]]:
    """Yield the blocks of a function that can be reached, its body twice as likely as others."""
    yield function.body
    for x in ast.walk(function):
        if isinstance(x, (ast.For, ast.While, ast.If, ast.FunctionDef)):
            yield x.body


def _is_valid(mutant: Mutant) -> bool:
    try:
        for _, text in mutant.cells:
            compile(text, "<mutant>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return True


def find_proofs(bases: Iterable[Base], count: int, seed: int) -> tuple[list[Mutant], Counter[str]]:
    """Return the mutants that are proved, of `count` mutants, and the reasons of the others."""
    rng, every, some = random.Random(seed), list(effects()), list(bases)
    proved: list[Mutant] = []
    reasons: Counter[str] = Counter()
    made = 0
    while made < count:
        mutant = mutate(rng.choice(some), rng, every)
        if mutant is None or not _is_valid(mutant):
            continue
        made += 1
        proof = prove_cells(mutant.cells, mutant.entries)
        if proof.unproved is None:
            proved.append(mutant)
        else:
            reasons[proof.unproved.reason] += 1
    return proved, reasons


def count_harmless(bases: Iterable[Base], seed: int) -> Counter[str]:
    """Return how often each harmless change is not proved."""
    rng = random.Random(seed)
    refused: Counter[str] = Counter()
    for base in bases:
        for text in HARMLESS:
            tree = copy.deepcopy(base.tree)
            functions = [x for x in ast.walk(tree) if isinstance(x, ast.FunctionDef)]
            rng.choice(functions).body[:0] = ast.parse(text).body
            proof = prove_cells(_cells(tree, ""), base.entries)
            if proof.unproved is not None:
                refused[f"{text}: {proof.unproved.reason}"] += 1
    return refused


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--show", action="store_true", help="print the source of each proved mutant"
    )
    options = parser.parse_args()
    bases = find_bases()
    operators = list(effects())
    print(f"{len(bases)} slices, {len(operators) + len(DECORATORS)} operators")
    proved, reasons = find_proofs(bases, options.count, options.seed)
    for reason, number in reasons.most_common(30):
        print(f"{number:6} {reason}")
    for mutant in proved:
        print(f"PROVED: {mutant.effect!r} as {mutant.form!r} in {mutant.place}")
        if options.show:
            print(mutant.cells[-1][1], file=sys.stderr)
    refused = count_harmless(bases[:40], options.seed)
    for text, number in refused.most_common():
        print(f"not proved, though harmless: {number} of 40: {text}")
    print(f"{len(proved)} of {options.count} mutants are proved")
    return len(proved)


if __name__ == "__main__":
    raise SystemExit(main())
