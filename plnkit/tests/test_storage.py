"""A fit written to a file and read again."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

import plnkit
from plnkit import FitFileError
from plnkit.storage import SCHEMA


@pytest.fixture(scope="module")
def fit() -> plnkit.Fit:
    r = np.random.default_rng(0)
    counts = pd.DataFrame(r.poisson(5.0, (12, 3)), [f"leaf {i}" for i in range(12)], list("aÄc"))
    return plnkit.fit(counts)


@pytest.mark.slow
def test_all_of_it_comes_back(fit, tmp_path):
    plnkit.save_fit(fit, tmp_path / "fit.npz")
    again = plnkit.load_fit(str(tmp_path / "fit.npz"))
    assert repr(again) == repr(fit) and again.elbo == fit.elbo
    for name in ("coefficients", "covariance", "latent_means", "latent_deviations", "fitted"):
        pd.testing.assert_frame_equal(getattr(again, name), getattr(fit, name))
    pd.testing.assert_frame_equal(again.predict(X=[[1.0]]), fit.predict(X=[[1.0]]))
    assert again.dtype == fit.dtype and again.M.dtype == fit.M.dtype
    assert (again.trace == fit.trace).all() and list(tmp_path.iterdir()) == [tmp_path / "fit.npz"]


@pytest.mark.gate
def test_a_file_of_the_first_format(fit, tmp_path):
    """It had the counts in float64, and S instead of its logarithm."""
    path = tmp_path / "fit.npz"
    plnkit.save_fit(fit, path)
    with np.load(path) as file:
        arrays = dict(file)
    arrays |= {"schema": 1, "S": np.exp(arrays.pop("log_S")), "Y": arrays["Y"].astype(float)}
    np.savez(path, **arrays)
    again = plnkit.load_fit(path)
    np.testing.assert_allclose(again.log_S, fit.log_S, atol=1e-6)
    assert again.elbo == pytest.approx(fit.elbo, abs=1e-4)
    pd.testing.assert_frame_equal(again.coefficients, fit.coefficients)


def test_what_is_no_fit(fit, tmp_path):
    path = tmp_path / "fit.npz"
    message = r"fit\.npz: this is not a file that plnkit\.save_fit wrote\."
    for content in (b"", b"PK\x03\x04", b"no fit", np.float32(1).tobytes()):
        path.write_bytes(content)
        with pytest.raises(FitFileError, match=message):
            plnkit.load_fit(path)
    bad: tuple[dict[str, Any], ...] = (
        {"a": np.ones(2)},
        {"schema": np.ones(2)},
        {"schema": np.array(["1"])},
    )
    for arrays in bad:
        np.savez(path, **arrays)
        with pytest.raises(FitFileError, match=message):
            plnkit.load_fit(path)
    np.save(tmp_path / "one.npy", np.ones(2))
    with pytest.raises(FitFileError, match=r"one\.npy: this is not a file"):
        plnkit.load_fit(tmp_path / "one.npy")
    np.savez(path, schema=SCHEMA + 1)
    with pytest.raises(
        FitFileError, match=rf"a newer plnkit wrote this \(format {SCHEMA + 1}, this one rea"
    ):
        plnkit.load_fit(path)
    np.savez(path, schema=1, Y=np.ones((2, 2)))
    with pytest.raises(FitFileError, match=r"the fit has no 'O'; the file is damaged"):
        plnkit.load_fit(path)
    with pytest.raises(FileNotFoundError):
        plnkit.load_fit(tmp_path / "missing.npz")


def test_objects_are_not_unpickled(tmp_path):
    class Bomb:
        def __reduce__(self):
            return (exec, ("raise SystemExit('unpickled')",))

    np.savez(tmp_path / "fit.npz", schema=1, Y=np.array([Bomb()], dtype=object))
    with pytest.raises(FitFileError, match="this is not a file that"):
        plnkit.load_fit(tmp_path / "fit.npz")


def test_a_failed_save_leaves_the_file_alone(fit, tmp_path, monkeypatch):
    path = tmp_path / "fit.npz"
    plnkit.save_fit(fit, path)
    before = path.read_bytes()
    monkeypatch.setattr(np, "savez_compressed", lambda *args, **kwargs: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        plnkit.save_fit(fit, path)
    assert path.read_bytes() == before
