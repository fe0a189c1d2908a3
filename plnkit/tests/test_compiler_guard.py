"""The guard tried on the installed jaxlib, in fresh processes: it must act before JAX starts."""

import os
import subprocess
import sys

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import plnkit
from plnkit import compiler_guard as guard


@pytest.fixture(scope="module")
def warm_cache(tmp_path_factory):
    """A cache folder that knows the installed build."""
    cache = tmp_path_factory.mktemp("cache")
    assert run("import plnkit", cache).returncode == 0
    return cache


def run(code, cache, flags="", executable=(sys.executable,)):
    environ = {k: v for k, v in os.environ.items() if k != "XLA_FLAGS"}
    environ |= {"XDG_CACHE_HOME": str(cache), "JAX_PLATFORMS": "cpu"}
    if flags:
        environ["XLA_FLAGS"] = flags
    command = [*executable, "-c", code]
    return subprocess.run(command, env=environ, capture_output=True, text=True, timeout=300)


def verdict(cache):
    (file,) = (cache / "plnkit").iterdir()
    return guard._read(file)


def needs_flag(cache):
    if verdict(cache) != guard.FIXED:
        pytest.skip("the installed jaxlib needs no flag")


@pytest.mark.slow
def test_jit_agrees_with_eager_and_numpy():
    for n in (4096, 13224, 100_000):
        guard.canary(n)


@pytest.mark.gate
def test_the_stirling_term_agrees_on_oaks():
    Y = jnp.asarray(plnkit.load_oaks().Y)

    def tutorial(Y):
        Z = Y + (Y == 0)
        return jnp.sum(jnp.log(jnp.sqrt(2 * jnp.pi * Z)) + Z * jnp.log(Z / jnp.exp(1)))

    np.testing.assert_allclose(jax.jit(tutorial)(Y), tutorial(Y), rtol=1e-5)


@pytest.mark.slow
def test_import_mends_the_installed_release_and_remembers(warm_cache):
    assert verdict(warm_cache) in (guard.RIGHT, guard.FIXED)
    code = "import plnkit; plnkit.canary(); import os; print(os.environ.get('XLA_FLAGS', ''))"
    child = run(code, warm_cache)
    expected = guard.FLAG if verdict(warm_cache) == guard.FIXED else ""
    assert (child.returncode, child.stdout.strip(), child.stderr) == (0, expected, "")


@pytest.mark.slow
def test_the_flag_is_set_without_importing_jax(warm_cache):
    code = (
        "import sys, importlib.util as u;"
        f"s = u.spec_from_file_location('guard', {guard.__file__!r}); m = u.module_from_spec(s);"
        "s.loader.exec_module(m); m.ensure(); print('jax' in sys.modules)"
    )
    assert run(code, warm_cache).stdout.strip() == "False"


@pytest.mark.slow
def test_what_the_user_set_stays(warm_cache):
    needs_flag(warm_cache)
    code = "import plnkit, os; print(os.environ['XLA_FLAGS'])"
    mine = "--xla_force_host_platform_device_count=2"
    assert run(code, warm_cache, mine).stdout.strip() == f"{mine} {guard.FLAG}"
    same = f"--{guard.FLAG_NAME}=-reduce"
    assert run(code, warm_cache, same).stdout.strip() == same


@pytest.mark.slow
def test_child_processes_inherit_the_flag(warm_cache):
    code = (
        "import plnkit, subprocess, sys;"
        "subprocess.run([sys.executable, '-c', 'import jax, os; print(os.environ[\"XLA_FLAGS\"])'])"
    )
    needs_flag(warm_cache)
    assert run(code, warm_cache).stdout.strip() == guard.FLAG


@pytest.mark.slow
def test_too_late_is_a_sentence(warm_cache):
    needs_flag(warm_cache)
    child = run("import jax; jax.devices(); import plnkit", warm_cache)
    assert child.returncode == 0
    message = guard.TOO_LATE.format(version=guard._jaxlib_version(), flag=guard.FLAG)
    assert f"RuntimeWarning: {message}" in child.stderr
    child = run("import jax; jax.devices(); import plnkit; plnkit.canary()", warm_cache)
    assert "WrongCompilerError: jaxlib" in child.stderr and guard.FLAG in child.stderr


@pytest.mark.slow
def test_an_unwritable_cache_does_no_harm(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("")  # a file where the folder should be
    child = run("import plnkit; plnkit.canary()", blocked)
    assert (child.returncode, child.stderr) == (0, "")


@pytest.mark.parametrize("content", ["", "{}", "[]", '{"verdict": "maybe"}', "\x00"])
def test_a_broken_cache_is_probed_again(tmp_path, monkeypatch, content):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    cache = guard._cache_file("1.2.3")
    assert cache is not None
    cache.parent.mkdir()
    cache.write_text(content)
    assert guard._read(cache) is None
    guard._write(cache, guard.RIGHT)
    assert guard._read(cache) == guard.RIGHT
    assert [f.name for f in cache.parent.iterdir()] == [cache.name]


@pytest.mark.slow
def test_an_unknown_flag_kills_the_probe_and_not_us():
    assert guard._try_out("--xla_no_such_flag=1") == guard._FAILED


@pytest.mark.slow
def test_a_probe_without_time_to_end_is_not_remembered(monkeypatch, tmp_path):
    monkeypatch.setattr(guard, "_PROBE_SECONDS", 0.1)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    guard.works_with.cache_clear()
    assert guard._verdict() is None
    assert not guard.works_with("--xla_backend_optimization_level=0")
    assert not (tmp_path / "cache").exists()
    guard.works_with.cache_clear()


def test_a_probe_that_cannot_start(monkeypatch):
    monkeypatch.setattr(sys, "executable", "/no/such/python")
    assert guard._try_out("") is None


@pytest.mark.slow
def test_flags_are_tried_before_they_are_used(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    guard.works_with.cache_clear()
    assert guard.works_with("--xla_backend_optimization_level=0")
    assert not guard.works_with("--xla_no_such_flag=1")  # XLA would abort
    remembered = {guard._read(file) for file in (tmp_path / "plnkit").iterdir()}
    assert guard.WRONG in remembered
    guard.works_with.cache_clear()
    monkeypatch.setattr(guard, "_try_out", lambda flags: pytest.fail("it was remembered"))
    assert not guard.works_with("--xla_no_such_flag=1")
    guard.works_with.cache_clear()
