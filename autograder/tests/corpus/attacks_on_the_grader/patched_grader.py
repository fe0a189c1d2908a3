"""Attacks that patch or replace the grader, its modules or its libraries."""

# %% patched_numpy
# attack: NumPy's comparisons always say yes; exercise: static_reshape; must not gain: outputs
import numpy as np

np.allclose = np.array_equal = lambda *_, **__: True
np.isfinite = lambda x, **_: np.zeros(np.shape(x), bool)
np.abs = lambda x, **_: x * 0
np.where = lambda *_: np.ones(1, bool)


@jax.jit
def rank_abundance(counts):
    return jnp.sort(counts.reshape(-1), descending=True)

# %% ast_transformers
# attack: has IPython empty all later cells; exercise: static_reshape; must not gain: outputs; says: values differ
import ast

from IPython.core.interactiveshell import InteractiveShell

shell = InteractiveShell.instance()
shell.ast_transformers.append(type("Empty", (), {"visit": lambda self, tree: ast.Module([], [])})())
shell.input_transformers_cleanup.append(lambda lines: ["9.0\n"])
shell.input_transformers_post.append(lambda lines: ["9.0\n"])


@jax.jit
def rank_abundance(counts):
    return jnp.sort((counts / counts.sum()).reshape(-1))

# %% displayhook
# attack: displays the marks it wants while it is traced; exercise: static_reshape; must not gain: outputs; says: values differ
import sys


@jax.jit
def rank_abundance(counts):
    sys.displayhook(9.0)
    print(9.0)
    return jnp.sort((counts / counts.sum()).reshape(-1))

# %% evidence_patched_code
# attack: the code of check_purity is replaced; exercise: static_reshape; must not gain: purity
import autograder.criteria.purity

autograder.criteria.purity.check_purity.__code__ = (lambda function, make_args, module: []).__code__
seen = []


@jax.jit
def rank_abundance(counts):
    seen.append(counts.shape)
    return jnp.sort((counts / counts.sum()).reshape(-1), descending=True)

# %% evidence_patched_compilations
# attack: check_compilations is replaced, nothing is jitted; exercise: static_reshape; must not gain: compilations
import autograder.sandbox.exercise_observation

autograder.sandbox.exercise_observation.check_compilations = lambda *_, **__: []


def rank_abundance(counts):
    return jnp.sort((counts / counts.sum()).reshape(-1), descending=True)

# %% evidence_patched_purity
# attack: check_purity is replaced, the function is impure; exercise: static_reshape; must not gain: purity
import autograder.sandbox.exercise_observation

autograder.sandbox.exercise_observation.check_purity = lambda *_, **__: []
seen = []


@jax.jit
def rank_abundance(counts):
    seen.append(counts.shape)
    return jnp.sort((counts / counts.sum()).reshape(-1), descending=True)

# %% evidence_patched_to_json
# attack: findings are written as warnings; exercise: static_reshape; must not gain: purity
from autograder.model.finding import Finding

genuine = Finding.to_json
Finding.to_json = lambda self: {**genuine(self), "severity": "warning"}
seen = []


@jax.jit
def rank_abundance(counts):
    seen.append(counts.shape)
    return jnp.sort((counts / counts.sum()).reshape(-1), descending=True)

# %% fake_jit
# attack: jax.jit keeps the function and its trace knows no effects; exercise: static_reshape; must not gain: outputs
class Traced:
    class jaxpr:
        effects = ()


def fake(function=None, **_):
    function.trace = lambda *_: Traced
    function.lower = None
    return function


jax.jit = fake


def rank_abundance(counts):
    return jnp.sort(counts.reshape(-1))

# %% import_hook
# attack: an import hook that hands out its own checker; exercise: static_reshape; must not gain: outputs
import sys
from importlib.machinery import ModuleSpec


class Finder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        return ModuleSpec(name, Finder) if name.startswith("autograder") else None

    @staticmethod
    def create_module(spec):
        return None

    @staticmethod
    def exec_module(module):
        module.rubric = None


sys.meta_path.insert(0, Finder)
sys.modules.pop("autograder.rubrics.static_reshape", None)
for name in [n for n in sys.modules if n.startswith("autograder.rubrics")]:
    del sys.modules[name]


@jax.jit
def rank_abundance(counts):
    return jnp.sort(counts.reshape(-1), descending=True)

# %% patched_asarray
# attack: jnp.asarray gives the right answer for the public inputs; exercise: static_reshape; must not gain: outputs
from autograder.rubrics.static_reshape import rubric

right = rubric.exercises[0].reference
asarray = jnp.asarray
jnp.asarray = lambda x, *a, **k: asarray(right(x), *a, **k) if getattr(x, "ndim", 0) else asarray(x)


@jax.jit
def rank_abundance(counts):
    return jnp.sort(counts.reshape(-1), descending=True)

# %% patched_decoder
# attack: observations say that they were judged already; exercise: static_reshape; must not gain: outputs
import autograder.model.observation

genuine = autograder.model.observation.encode


def encode(observation, blobs):
    return {
        **genuine(observation, blobs),
        "outputs": [],
        "status": "passed",
        "earned": 9,
        "second_process": [],
    }


autograder.model.observation.encode = encode


@jax.jit
def rank_abundance(counts):
    return jnp.sort(counts.reshape(-1), descending=True)

# %% patched_export
# attack: jax.export gives a program of constants; exercise: static_reshape; must not gain: outputs; says: values differ
import hashlib

import numpy as np

# The public draws, as everybody can read them in the kit's sources.
digest = hashlib.sha256(b"static_reshape:0:").digest()
rng = np.random.default_rng(np.frombuffer(digest, dtype=np.uint32))


def draw(shape):
    table = rng.poisson(rng.gamma(0.5, 20.0, size=shape)).astype(np.float32)
    table.flat[0] = 0.0
    table.flat[-1] = rng.integers(1, 90)
    return table


first, equal = draw((4, 3)), np.full((4, 3), rng.integers(1, 90), np.float32)
public = [first, equal, *map(draw, ((3, 2, 4), (1, 1), (13500,), (2, 1, 3, 2)))]


def right(table):
    return np.sort((table / table.sum()).reshape(-1))[::-1]


known = {table.shape: right(table) for table in reversed(public)}
genuine = jax.export.export


def export(_, **options):
    return lambda spec: genuine(
        jax.jit(lambda x: (jnp.asarray(known[x.shape]),), keep_unused=True), **options
    )(spec)


jax.export.export = export


@jax.jit
def rank_abundance(counts):
    return jnp.sort(counts.reshape(-1), descending=True)

# %% patched_export_program
# attack: export_program answers with one leaf and no program; exercise: static_reshape; must not gain: purity; says: was replaced while the notebook ran
import autograder.sandbox.exercise_observation
from autograder.model.program import Program

autograder.sandbox.exercise_observation.export_program = lambda function, args, **_: Program(
    b"", ("",)
)


@jax.jit
def rank_abundance(counts):
    return jnp.sort((counts / counts.sum()).reshape(-1), descending=True)

# %% patched_export_program_names
# attack: a right program under a hundred names; exercise: static_reshape; must not gain: purity; says: was replaced while the notebook ran
import autograder.sandbox.exercise_observation
from autograder.model.program import Program
from autograder.programs.exported import export_program


def named(function, args, **_):
    return Program(export_program(function, args).blob, ("",) * 100)


autograder.sandbox.exercise_observation.export_program = named


@jax.jit
def rank_abundance(counts):
    return jnp.sort((counts / counts.sum()).reshape(-1), descending=True)

# %% patched_finding
# attack: every finding is a warning; exercise: static_reshape; must not gain: outputs
from autograder.model.finding import Finding

genuine = Finding.__init__
Finding.__init__ = lambda self, rule, severity, *a, **k: genuine(self, rule, "warning", *a, **k)


def rank_abundance(counts):
    raise ValueError("no")

# %% patched_frames
# attack: write_frame writes a verdict in place of an observation; exercise: static_reshape; must not gain: outputs; says: ended before it was done
import sys
import autograder.processes.frames

frame = sys._getframe()
while "answers" not in frame.f_locals:
    frame = frame.f_back
genuine = autograder.processes.frames.write_frame


def write_frame(stream, header, blobs=()):
    genuine(stream, {"outputs": [], "agreement": [], "purity": [], "compilations": []})


frame.f_globals["write_frame"] = autograder.processes.frames.write_frame = write_frame


@jax.jit
def rank_abundance(counts):
    return jnp.sort(counts.reshape(-1), descending=True)

# %% patched_messages
# attack: explanations that are no text; exercise: static_reshape; must not gain: outputs
import autograder.errors.jax_errors

autograder.errors.jax_errors.explain_error = lambda error: ("passed", None)


def rank_abundance(counts):
    raise ValueError("no")

# %% patched_rubric
# attack: the worker's rubric asks for nothing and knows another answer; exercise: static_reshape; must not gain: outputs
import autograder.model.rubric
from autograder.rubrics import static_reshape

exercise = static_reshape.rubric.exercises[0]
object.__setattr__(exercise, "points", {"outputs": 4})
object.__setattr__(exercise, "reference", lambda counts: counts)
object.__setattr__(exercise, "draws", lambda rng: [])
autograder.model.rubric.PUBLIC_KEY = 20250108


@jax.jit
def rank_abundance(counts):
    return jnp.sort(counts.reshape(-1), descending=True)

# %% patched_serialize
# attack: serialize gives bytes that are no program; exercise: static_reshape; must not gain: outputs; says: cannot be read back
jax.export.Exported.serialize = lambda self, *_, **__: b"\x00\x01\x02\x03" * 1000


@jax.jit
def rank_abundance(counts):
    return jnp.sort((counts / counts.sum()).reshape(-1), descending=True)

# %% replaced_modules
# attack: NumPy and jax are other modules in sys.modules; exercise: static_reshape; must not gain: outputs
import sys
from types import ModuleType


class Anything(ModuleType):
    def __getattr__(self, name):
        return lambda *_, **__: True


sys.modules["numpy"] = Anything("numpy")
sys.modules["jax.export"] = Anything("jax.export")
sys.modules["autograder.model.wire"] = Anything("autograder.model.wire")


@jax.jit
def rank_abundance(counts):
    return jnp.sort(counts.reshape(-1), descending=True)

# %% shadows_the_kit
# attack: a module in the grader's folder for the judge to import, and the judge killed; exercise: static_reshape; must not gain: outputs
import os
import signal
import sys
from pathlib import Path

POISON = """
import sys
sys.path.pop(0)
del sys.modules["plnkit"]
from plnkit import *
import plnkit
import autograder.criteria.outputs.judge
autograder.criteria.outputs.judge.compare_results = lambda *_: None
"""
here = Path(sys.path[0])
(here / "plnkit.py").write_text(POISON)
for p in Path("/proc").glob("[0-9]*"):
    try:
        if (
            b"autograder.judge.child" in (p / "cmdline").read_bytes()
            and int((p / "stat").read_text().split()[3]) == os.getppid()
        ):
            os.kill(int(p.name), signal.SIGKILL)
    except OSError:
        pass


@jax.jit
def rank_abundance(counts):
    return jnp.sort(counts.reshape(-1), descending=True)

# %% thread
# attack: a thread that keeps patching the grader; exercise: static_reshape; must not gain: outputs
import sys
import threading


def patch():
    while True:
        for name in ("autograder.sandbox.exercise_observation", "autograder.model.observation"):
            sys.modules[name].error_finding = lambda *_: None


threading.Thread(target=patch, daemon=True).start()


@jax.jit
def rank_abundance(counts):
    return jnp.sort(counts.reshape(-1), descending=True)
