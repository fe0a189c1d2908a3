"""`plnkit.fit` with a formula, with weights, and with other covariances; and what a file keeps."""

import dataclasses
import subprocess
import sys
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray

import plnkit
from plnkit import DataError
from plnkit.design import make_design

N, P = 40, 3


class Data(NamedTuple):
    Y: NDArray
    O: NDArray
    X: NDArray


def draw() -> Data:
    """Counts, a log-depth for each sample, and two covariates; NumPy compiles nothing."""
    r = np.random.default_rng(4)
    X = np.column_stack([np.ones(N), r.normal(size=N)])
    O = np.repeat(0.5 * r.normal(size=(N, 1)), P, axis=1)
    Z = O + X @ (0.5 * r.normal(size=(2, P)) + 2 * np.eye(2, 1)) + r.normal(size=(N, P))
    return Data(*(a.astype(np.float32) for a in (r.poisson(np.exp(Z)), O, X)))


NAMES = [f"leaf{i}" for i in range(N)]
DRAWN = draw()
Y = pd.DataFrame(DRAWN.Y, NAMES, ["oak", "ash", "elm"])
LEAVES = pd.DataFrame(
    {
        "height": DRAWN.X[:, 1].astype(float),
        "side": np.array(["north", "south"])[np.arange(N) % 2],
        "total": np.exp(DRAWN.O[:, 0].astype(float)),
    },
    NAMES,
)
WEIGHTS = pd.Series(np.array([1.0, 0, 0.5, 0.5])[np.arange(N) % 4], NAMES)
FORMULA = "counts ~ center(height) * side + offset(log(total))"


def as_arrays(fit: plnkit.Fit) -> tuple[Any, ...]:
    B, Sigma, _, M, S = fit.parameters
    return fit.elbo, B, Sigma, M, S


def assert_same_fit(one: plnkit.Fit, other: plnkit.Fit, atol: float = 2e-3) -> None:
    for ours, theirs in zip(as_arrays(one), as_arrays(other), strict=True):
        np.testing.assert_allclose(ours, theirs, atol=atol)


@pytest.fixture(scope="module")
def by_formula() -> plnkit.Fit:
    pytest.importorskip("formulaic", reason="formulaic is not installed: extra `notebook`")
    return plnkit.fit(FORMULA, {"counts": Y, "leaves": LEAVES.iloc[::-1]})


@pytest.fixture(scope="module")
def weighted() -> plnkit.Fit:
    return plnkit.fit(Y, O=DRAWN.O, X=DRAWN.X, weights=WEIGHTS.iloc[::-1])


@pytest.mark.slow
def test_a_formula_is_its_covariates_and_offsets(by_formula):
    south = LEAVES["side"] == "south"
    height = LEAVES["height"] - LEAVES["height"].mean()
    X = np.column_stack([np.ones(N), height, south, height * south])
    by_hand = plnkit.fit(Y, O=np.log(LEAVES["total"]), X=X)
    assert_same_fit(by_formula, by_hand)
    assert list(by_formula.coefficients.index) == [
        "Intercept",
        "center(height)",
        "side[T.south]",
        "center(height):side[T.south]",
    ]


@pytest.mark.gate
@pytest.mark.parametrize("saved", [False, True])
def test_new_samples_need_the_formulas_variables(by_formula, saved, tmp_path):
    fit = by_formula
    if saved:
        plnkit.save_fit(fit, tmp_path / "fit.npz")
        fit = plnkit.load_fit(tmp_path / "fit.npz")
        assert fit.formula is not None and fit.formula.text == FORMULA
    some = LEAVES.iloc[[5, 2]]
    inferred = fit.infer(Y.iloc[[2, 5]], X=some)
    assert list(inferred.means.index) == ["leaf2", "leaf5"]
    own = by_formula.latent_means.loc[["leaf2", "leaf5"]]
    np.testing.assert_allclose(inferred.means, own, atol=0.1)
    B, Sigma, *_ = by_formula.parameters
    expected = by_formula.tables.O[[5, 2]] + by_formula.tables.X[[5, 2]] @ B + np.diag(Sigma) / 2
    predicted = fit.predict(X=some)
    np.testing.assert_allclose(predicted, np.exp(expected), rtol=1e-6)
    assert list(predicted.index) == ["leaf5", "leaf2"]
    # Offsets that are given take the place of the formula's, whose variables are not needed then.
    given = fit.predict(O=[0.0, 0.0], X=some.drop(columns="total").to_dict("list"))
    np.testing.assert_allclose(given * some[["total"]].to_numpy(), predicted, rtol=1e-6)


@pytest.mark.gate
def test_an_array_beside_a_formula_is_the_covariates(by_formula):
    X = by_formula.tables.X[:2]
    B, Sigma, *_ = by_formula.parameters
    predicted = by_formula.predict(O=[0, 0], X=X)
    np.testing.assert_allclose(predicted, np.exp(X @ B + np.diag(Sigma) / 2))


def test_a_new_level_is_named(by_formula):
    with pytest.raises(DataError, match="sample leaf0, column side is east, a level that is not i"):
        by_formula.predict(X=LEAVES[:1].assign(side="east"))
    with pytest.raises(DataError, match=r"there is no total. The data have height, side\."):
        by_formula.predict(X=LEAVES[["height", "side"]])


def test_rows_that_pandas_counts_are_names_beside_rows_that_were_sorted(by_formula):
    some = LEAVES.reset_index(drop=True)[:2]
    counts = Y.reset_index(drop=True).iloc[[1, 0]]
    for X in (some, some.loc[[1, 0]].to_dict("list")):  # lists go by position
        inferred = by_formula.infer(counts, X=X)
        np.testing.assert_allclose(inferred.means, by_formula.latent_means.iloc[[1, 0]], atol=0.1)


MISUSED = {
    "no data": ((FORMULA,), {}, DataError, "formula: there is no counts in the data; give a map"),
    "X": ((FORMULA, {"counts": Y, "leaves": LEAVES}), {"X": np.ones((N, 1))}, ValueError, "X goes"),
    "offsets twice": (
        (FORMULA, {"counts": Y, "leaves": LEAVES}),
        {"O": "total"},
        ValueError,
        "give offsets in the formula or in O, and not in both",
    ),
    "no formula": ((Y, LEAVES), {}, ValueError, "data goes with a formula: fit('counts ~ 1 + sit"),
    "covariance": (
        (Y,),
        {"covariance": "diag"},
        ValueError,
        "'diag'; give one of full, diagonal, ",
    ),
    "scheme": ((Y,), {"O": "tss"}, DataError, "offsets: 'tss' is no scheme; give numbers, or one"),
}


@pytest.mark.parametrize("name", MISUSED)
def test_what_does_not_go_together(name):
    arguments, options, kind, sentence = MISUSED[name]
    with pytest.raises(kind) as error:
        plnkit.fit(*arguments, **options)
    assert sentence in str(error.value)


@pytest.mark.slow
def test_weights_are_matched_by_name_and_add_up(weighted):
    """A sample of weight 1 is two of weight 1/2; one of weight 0 is not there."""
    times = np.repeat(np.arange(N), (2 * WEIGHTS).astype(int))  # N of them: one program
    halves = plnkit.fit(
        DRAWN.Y[times], O=DRAWN.O[times], X=DRAWN.X[times], weights=np.full(len(times), 0.5)
    )
    for ours, theirs in zip(as_arrays(weighted)[:3], as_arrays(halves)[:3], strict=True):
        np.testing.assert_allclose(ours, theirs, atol=2e-3)
    np.testing.assert_allclose(weighted.bic, halves.bic, rtol=1e-6)
    np.testing.assert_allclose(weighted.icl, halves.icl, rtol=1e-4)
    np.testing.assert_allclose(weighted.r_squared, halves.r_squared, rtol=1e-4)
    kept = WEIGHTS.to_numpy() > 0
    firsts = [int(np.flatnonzero(times == i)[0]) for i in np.flatnonzero(kept)]
    for ours, theirs in zip(as_arrays(weighted)[3:], as_arrays(halves)[3:], strict=True):
        np.testing.assert_allclose(ours[kept], theirs[firsts], atol=2e-3)


@pytest.mark.gate
def test_a_sample_of_weight_0_is_where_infer_puts_it(weighted):
    out = WEIGHTS.to_numpy() == 0
    inferred = weighted.infer(Y[out], O=DRAWN.O[out], X=DRAWN.X[out])
    np.testing.assert_allclose(inferred.means, weighted.latent_means[out], atol=1e-5)
    np.testing.assert_allclose(inferred.deviations, weighted.latent_deviations[out], atol=1e-5)


def test_the_trace_ends_at_the_elbo(weighted):
    np.testing.assert_allclose(weighted.trace[-1], weighted.elbo, rtol=1e-5)


BAD = {
    "negative": (
        -WEIGHTS,
        "weights: sample leaf0, column weight 0 is -1 (30 such entries); a we",
    ),
    "missing": (WEIGHTS.replace(0.5, np.nan), "weights: sample leaf2, column weight 0 is nan"),
    "text": (["much"] * N, "weights: row 0, column 0 (from 0) is text, 'much'. Give numbers."),
    "shape": (np.ones((N, 2)), "weights: the shape is (40, 2); give (40,)."),
    "too few": (np.ones(3), "weights: the shape is (3,); give (40,)."),
    "other names": (
        WEIGHTS.rename({"leaf1": "twig"}),
        "weights: sample 'leaf1' of the counts is mis",
    ),
    "one": (
        (np.arange(N) == 3) * 1.0,
        "weights: only 1 of them are above 0, and a fit needs several",
    ),
    "tiny": (np.where(np.arange(N) == 3, 1e-9, 1.0), "weights: row 3, column 0 (from 0) is 1e-09"),
}


@pytest.mark.parametrize("name", BAD)
def test_weights_that_are_none(name):
    weights, sentence = BAD[name]
    with pytest.raises(DataError) as error:
        plnkit.fit(Y, O=DRAWN.O, X=DRAWN.X, weights=weights)
    assert sentence in str(error.value)


def test_what_only_samples_without_weight_have():
    counts = Y.copy()
    counts.loc[WEIGHTS > 0, "elm"] = 0
    with pytest.raises(DataError, match="elm has only zeros in the samples with a weight"):
        plnkit.fit(counts, weights=WEIGHTS)
    X = np.column_stack([np.ones(N), WEIGHTS == 0])
    with pytest.raises(DataError, match="one column is a combination of the others"):
        plnkit.fit(Y, X=X, weights=WEIGHTS)
    with pytest.raises(DataError, match="there are 3 columns for 2 samples"):
        plnkit.fit(Y, X=np.random.default_rng(0).normal(size=(N, 3)), weights=np.eye(N)[:2].sum(0))


def test_a_weighted_basis_is_orthonormal_and_gives_weighted_least_squares():
    r = np.random.default_rng(0)
    X = np.column_stack([np.ones(N), 5_092_000 + r.normal(size=N), r.normal(size=N)])
    w, Z = WEIGHTS.to_numpy(), r.normal(size=(N, 2))
    design = make_design(X, ["intercept", "northing", "slope"], w)
    Q = design.Q
    np.testing.assert_allclose(Q.T @ (w[:, None] * Q), np.eye(3), atol=1e-12)
    np.testing.assert_allclose(Q @ design.R, X, rtol=1e-9)
    shifted = X - [0, 5_092_000, 0]
    root = np.sqrt(w)[:, None]
    expected = np.linalg.lstsq(root * shifted, root * Z)[0]
    B = design.coefficients(Q.T @ (w[:, None] * Z))
    np.testing.assert_allclose(B[1:], expected[1:], rtol=1e-8)
    np.testing.assert_allclose(X @ B, shifted @ expected, atol=1e-7)


@pytest.mark.slow
@pytest.mark.parametrize(
    "covariance", [pytest.param("diagonal", marks=pytest.mark.slow), "spherical"]
)
def test_other_covariances(covariance, tmp_path):
    fit = plnkit.fit(Y, O=DRAWN.O, X=DRAWN.X, covariance=covariance, weights=WEIGHTS)
    assert f", {covariance} covariance\n" in repr(fit)
    variances = fit.variances
    assert list(variances.index) == ["oak", "ash", "elm"]
    assert (variances.nunique() == 1) == (covariance == "spherical")
    np.testing.assert_array_equal(fit.covariance, np.diag(variances))
    np.testing.assert_allclose(fit.precision, np.diag(1 / variances))
    kept = WEIGHTS > 0
    inferred = fit.infer(Y, O=DRAWN.O, X=DRAWN.X)
    np.testing.assert_allclose(inferred.means, fit.latent_means, atol=0.01)
    np.testing.assert_allclose(inferred.deviations[kept], fit.latent_deviations[kept], atol=0.01)
    B = fit.parameters.B
    np.testing.assert_allclose(
        fit.predict(O=[0], X=DRAWN.X[:1]), np.exp(DRAWN.X[:1] @ B + variances.to_numpy() / 2)
    )
    plnkit.save_fit(fit, tmp_path / "fit.npz")
    again = plnkit.load_fit(tmp_path / "fit.npz")
    assert (again.covariance_kind, again.n_parameters) == (covariance, fit.n_parameters)
    assert again.elbo == fit.elbo and again.bic == fit.bic
    assert "variance of taxa" in [axis.get_title() for axis in fit.plot().axes]


@pytest.mark.slow
def test_standard_errors_of_independent_taxa_are_those_of_each():
    fit = plnkit.fit(Y, O=DRAWN.O, X=DRAWN.X, covariance="diagonal")
    alone = plnkit.fit(Y[["ash"]], O=DRAWN.O[:, 1], X=DRAWN.X)
    np.testing.assert_allclose(fit.standard_errors["ash"], alone.standard_errors["ash"], rtol=1e-2)
    np.testing.assert_allclose((fit.influence**2).sum(axis=2), fit.standard_errors**2, rtol=1e-6)


def test_errors_that_there_are_none_of(weighted):
    with pytest.raises(DataError, match="weights: there are no standard errors of a weighted fit"):
        weighted.coefficient_table()
    spherical = dataclasses.replace(weighted, covariance_kind="spherical")
    spherical = dataclasses.replace(spherical, tables=spherical.tables._replace(weights=None))
    with pytest.raises(
        DataError, match="covariance: there are no standard errors with a spherical"
    ):
        spherical.coefficient_table()


def test_a_file_keeps_how_offsets_were_computed(tmp_path):
    fit = plnkit.fit(Y, O="total", X=DRAWN.X)
    plnkit.save_fit(fit, tmp_path / "fit.npz")
    again = plnkit.load_fit(tmp_path / "fit.npz")
    new = Y.iloc[:2], DRAWN.X[:2]
    np.testing.assert_allclose(again.infer(new[0], X=new[1]).means, fit.latent_means[:2], atol=0.1)
    with pytest.raises(DataError, match=r"computed from counts \(total\), of which a prediction"):
        again.predict(X=new[1])


@pytest.mark.slow
def test_weights_and_kinds_over_several_devices():
    code = """
import os
os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=4"
import numpy as np, plnkit, jax
oaks = plnkit.load_oaks("tree")
data = dict(O=oaks.O[:115], X=oaks.X[:115], weights=np.arange(115) % 4)
for kind in ("full", "diagonal"):
    alone = plnkit.fit(oaks.Y[:115], **data, covariance=kind)
    spread = plnkit.fit(oaks.Y[:115], **data, covariance=kind, sharding=plnkit.over_samples())
    assert len(jax.devices()) == 4 and spread.converged and spread.M.shape == (115, 114)
    print(alone.elbo - spread.elbo)
"""
    child = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert child.returncode == 0, child.stderr
    assert all(abs(float(line)) < 0.05 for line in child.stdout.split())


@pytest.mark.slow
def test_thousands_of_taxa_fit_into_little_memory():
    """With a matrix of all taxa, this would take 200 MB for each in float64."""
    code = """
import resource, numpy as np, plnkit
r = np.random.default_rng(0)
n, p = 200, 5000
X = np.column_stack([np.ones(n), r.normal(size=n)])
eta = X @ np.vstack([r.normal(1, 1, p), 0.5 * r.normal(size=p)])
Y = r.poisson(np.exp(np.minimum(eta + r.normal(size=(n, p)), 9)))
Y = Y[:, Y.any(axis=0)].astype(np.float32)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
fit = plnkit.fit(Y, X=X, covariance="diagonal")
fit.bic, fit.r_squared, fit.sample_elbos, fit.infer(Y[:9], X=X[:9]), fit.predict(X=X)
assert fit.converged
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024)
"""
    child = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert child.returncode == 0, child.stderr
    assert float(child.stdout) < 900
