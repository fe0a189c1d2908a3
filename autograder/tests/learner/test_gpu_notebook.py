"""A notebook with a GPU, as far as settings and a stand-in for its backend reach.

Here the kernel's default backend is a second client of the CPU's: other devices, other arrays. The
judge knows nothing of it. What a real GPU computes is tried by the tests marked `gpu`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

SETTINGS = {
    "COLAB_GPU": "1",
    "COLAB_RELEASE_TAG": "release-colab-external",
    "CUDA_VISIBLE_DEVICES": "0",
    "NVIDIA_VISIBLE_DEVICES": "all",
    "LD_LIBRARY_PATH": "/usr/lib64-nvidia",
    "MPLBACKEND": "module://matplotlib_inline.backend_inline",
    "TF_FORCE_GPU_ALLOW_GROWTH": "true",
    "XLA_PYTHON_CLIENT_MEM_FRACTION": "0.9",
    "XLA_PYTHON_CLIENT_PREALLOCATE": "true",
    "JAX_PLATFORMS": "abacus,cpu",
}
PLUGIN = "def initialize():\n    raise RuntimeError('Unable to load CUDA. Is it installed?')\n"

NOTEBOOK = """
import json
from autograder import check
import jax, jax.numpy as jnp
from jax._src import xla_bridge
from jaxlib import xla_client

xla_bridge.register_backend_factory("abacus", xla_client.make_cpu_client, priority=1000)
assert jnp.ones(3).devices() == {jax.devices("abacus")[0]} != {jax.devices("cpu")[0]}

def show(name):
    report = check("static_reshape").report
    found = {one.name: [finding.rule for finding in one.findings] for one in report.criteria}
    print(json.dumps([name, report.earned, found]))

@jax.jit
def rank_abundance(counts):
    return jnp.sort((counts / counts.sum()).reshape(-1), descending=True)
show("right")

seen = []
@jax.jit
def rank_abundance(counts):
    seen.append(1)
    return jnp.sort((counts / counts.sum()).reshape(-1), descending=True)
show("impure")

def rank_abundance(counts):
    rank = jax.jit(lambda counts: jnp.sort((counts / counts.sum()).reshape(-1), descending=True))
    return rank(counts)
show("recompiling")

@jax.jit
def rank_abundance(counts):
    return jnp.sort((counts / counts.sum()).reshape(-1))
show("wrong")
"""


@pytest.mark.slow
def test_the_kernels_backend_decides_nothing(tmp_path):
    plugin = tmp_path / "jax_plugins" / "broken"
    plugin.mkdir(parents=True)
    (plugin / "__init__.py").write_text(PLUGIN)
    file = tmp_path / "notebook.py"
    file.write_text(NOTEBOOK)
    env = {**os.environ, **SETTINGS, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run([sys.executable, file], env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    right, impure, recompiling, wrong = map(json.loads, done.stdout.splitlines())
    none = {"outputs": [], "purity": [], "compilations": []}
    assert right == ["right", 9.0, none]
    assert impure[1] == 7.0 and impure[2] == {**none, "purity": ["global-mutated"]}
    assert recompiling[1] == 6.0 and recompiling[2]["compilations"]
    assert not recompiling[2]["outputs"] and not recompiling[2]["purity"]
    assert wrong[1] == 0.0 and wrong[2]["outputs"] == ["wrong-output"]
    assert "Unable to load CUDA" in done.stderr  # the plug-in was tried
