"""B, Sigma and the ELBO by blocks against the plain float64 computation; the host's benchmark."""

import json
from typing import get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

import plnkit
from plnkit import estimates, host, reference
from plnkit.checks import check
from plnkit.cli import app
from plnkit.design import make_design


def draw(seed: int, n: int, p: int, d: int, largest: float):
    """Data, and variational parameters somewhere."""
    r = np.random.default_rng(seed)
    Y = np.floor(np.exp(r.uniform(0, np.log(largest), (n, p)))) * (r.random((n, p)) < 0.7)
    O = r.normal(size=(n, p))
    X = np.column_stack([np.ones((n, min(d, 1))), r.normal(size=(n, max(d - 1, 0)))])
    M = np.log(Y + 0.5) - O + 0.1 * r.normal(size=(n, p))
    return Y, O, X, M, r.normal(-1, 0.5, (n, p))


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 99),
    n=st.integers(4, 60),
    p=st.integers(1, 12),
    d=st.integers(0, 3),
    largest=st.sampled_from([3.0, 300.0, 1e5, 1e9]),
    dtype=st.sampled_from([np.float32, np.float64]),
    counts=st.sampled_from([np.float32, np.float64, np.int64]),
    block=st.sampled_from([1, 50, 2**15]),
)
def test_blocks_give_what_whole_arrays_give(seed, n, p, d, largest, dtype, counts, block):
    Y, O, X, M, log_S = draw(seed, n, p, d, largest)
    Y, M, log_S = Y.astype(counts), M.astype(dtype), log_S.astype(dtype)
    design = make_design(X, "abc"[:d])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(estimates, "BLOCK", block)
        B = estimates.regress(M, design.Q)
        Sigma = estimates.covariance(M, log_S, design.Q, B)
        entries = estimates.poisson_part(M, log_S, Y, O)
        exact, stirling = (estimates.log_factorials(Y, form) for form in ("exact", "stirling"))
    S = np.exp(log_S.astype(np.float64))
    np.testing.assert_allclose(X @ design.coefficients(B), design.Q @ (design.Q.T @ M), atol=1e-11)
    R = M - X @ np.linalg.lstsq(X, M.astype(np.float64))[0]
    np.testing.assert_allclose(Sigma, (R.T @ R + np.diag((S**2).sum(axis=0))) / n, atol=1e-11)
    assert entries.shape == exact.shape == (n,)
    for form, factorials in zip(get_args(estimates.LogFactorial), (exact, stirling), strict=True):
        np.testing.assert_allclose(factorials.sum(), reference.log_factorials(Y, form), rtol=1e-12)
        elbo = entries.sum() - factorials.sum() - n / 2 * np.linalg.slogdet(Sigma)[1]
        judged = reference.profiled_elbo(M, S, Y, O, X, form)
        assert elbo == pytest.approx(judged, rel=1e-12, abs=1e-9 * (1 + np.abs(entries).sum()))


@pytest.mark.parametrize(
    ("covariate", "times"), [(None, 1), ("tree", 1), ("distTOground", 1), ("tree", 100)]
)
def test_the_oaks_elbo_is_the_judges(covariate, times):
    """To a millionth of a nat, at a point near the optimum."""
    Y, O, X = (np.repeat(a, times, axis=0) for a in plnkit.load_oaks(covariate)[:3])
    M = (np.log(Y + 0.5) - O).astype(np.float32)
    log_S = (-0.5 * np.log(Y + 1)).astype(np.float32)
    design, trace = make_design(X, "abc"[: X.shape[1]]), np.zeros(1, np.float32)
    fit = plnkit.Fit(check(Y, O, X), design, M, log_S, trace, True, "float32")
    judged = reference.profiled_elbo(M, np.exp(log_S.astype(np.float64)), Y, O, X)
    assert fit.elbo == pytest.approx(judged, abs=1e-6)


@pytest.mark.slow
def test_the_host_benchmark(tmp_path, monkeypatch):
    result = host.measure_host([1], [None], repeats=2)
    header, row = host.table(result)
    assert header == ("CPU ms", "check", "send", "collect", "coefficients", "elbo", "all")
    one = result["data"]["oaks x1, constant"]
    assert row == ("oaks x1, constant", *(f"{one[step]:.1f}" for step in header[1:]))
    assert (one["n"], one["p"]) == (116, 114) and 20 < one["iterations"] < 150
    assert 0 < one["elbo"] < one["all"] and result["environment"]["versions"]["jax"]

    def measure(replicas, covariates, repeats, progress):
        assert (replicas, covariates, repeats) == ([1, 10], (None, "tree"), 3)
        return result

    monkeypatch.setattr(host, "measure_host", measure)
    file = tmp_path / "host.json"
    sizes = ["--replicas", "1", "--replicas", "10", "--repeats", "3"]
    shown = CliRunner().invoke(app, ["bench", "--host", *sizes, "--json", str(file)])
    heading = next(line for line in shown.output.splitlines() if "check" in line)
    assert [cell.strip() for cell in heading.split("┃")[1:-1]] == list(header)
    assert shown.exit_code == 0 and "oaks x1, constant" in shown.output
    assert json.loads(file.read_text(encoding="utf-8")) == {"schema": 1, "host": result}
