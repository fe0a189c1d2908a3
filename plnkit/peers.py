"""The same model elsewhere: pyPLNmodels, and the loops of this package in PyTorch.

torch and pyPLNmodels are imported where they are used: neither is needed for anything else.
"""

import contextlib
import io
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plnkit import reference
from plnkit.extras import from_extras


class PeerFit(NamedTuple):
    """A fit by someone else: whole latent mean M and deviation S, each (n, p)."""

    M: NDArray
    S: NDArray


def pyplnmodels(Y: NDArray, O: NDArray, X: NDArray) -> PeerFit:
    """`pyPLNmodels.Pln(...).fit()` with its own defaults (Rprop, at most 400 iterations)."""
    with from_extras():
        from pyPLNmodels import Pln  # pyright: ignore[reportMissingImports]

    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        model = Pln(endog=Y, exog=X, offsets=O, add_const=False)
        model.fit(verbose=False)
    M, S = (np.asarray(a) for a in (model.latent_mean, model.latent_sqrt_variance))
    return PeerFit(M, S)


def torch_ladder(
    data: tuple[NDArray, NDArray, NDArray], n_iterations: int, device: str, compiled: bool
) -> tuple[NDArray, NDArray, NDArray, NDArray]:
    """The ladder's loop in PyTorch, same ELBO, start, Adam and closed forms: B, M, S, Omega."""
    with from_extras():
        import torch

    Y, O, X = (torch.as_tensor(a, device=device) for a in data)
    (n, p), d = Y.shape, X.shape[1]
    log_factorial = torch.lgamma(Y + 1).sum()
    B = torch.zeros(d, p, device=device, requires_grad=True)
    M = torch.zeros(n, p, device=device, requires_grad=True)
    log_S = torch.zeros(n, p, device=device, requires_grad=True)
    Omega, log_det = torch.eye(p, device=device), torch.zeros((), device=device)

    def loss(B, M, log_S, Omega, log_det):
        eta, S2 = O + X @ B + M, torch.exp(2 * log_S)
        trace = ((M @ Omega) * M).sum() + (S2.sum(0) * Omega.diagonal()).sum()
        entries = (Y * eta - torch.exp(eta + S2 / 2) + log_S).sum()
        return -(entries + 0.5 * (n * log_det - trace + n * p) - log_factorial)

    def closed_form(M, log_S):
        Sigma = (M.T @ M + torch.diag(torch.exp(2 * log_S).sum(0))) / n
        L = torch.linalg.cholesky(Sigma)
        return torch.cholesky_inverse(L), -2 * L.diagonal().log().sum()

    if compiled:
        loss, closed_form = torch.compile(loss), torch.compile(closed_form)
    optimizer = torch.optim.Adam([B, M, log_S], lr=0.2)
    for _ in range(n_iterations):
        optimizer.zero_grad()
        loss(B, M, log_S, Omega, log_det).backward()
        optimizer.step()
        with torch.no_grad():
            Omega, log_det = closed_form(M, log_S)
    # Copying to the host waits for the device.
    B, M, S, Omega = (a.detach().cpu().numpy() for a in (B, M, log_S.exp(), Omega))
    return B, M, S, Omega


def torch_rprop(Y: NDArray, O: NDArray, X: NDArray, n_iterations: int, compiled: bool) -> PeerFit:
    """pyPLNmodels' own algorithm (Rprop on the profiled ELBO) as a bare loop in PyTorch, on CPU."""
    with from_extras():
        import torch

    Y_, O_, X_ = (torch.as_tensor(a) for a in (Y, O, X))
    n = len(Y_)
    hat = torch.linalg.solve(X_.T @ X_, X_.T)
    M = torch.log(torch.clamp(Y_, min=1.0)).requires_grad_()
    S = torch.full_like(Y_, 0.5).requires_grad_()

    def loss(M, S):
        R, S2 = M - X_ @ (hat @ M), S**2
        Sigma = (R.T @ R + torch.diag(S2.sum(0))) / n
        entries = Y_ * (O_ + M) - torch.exp(O_ + M + S2 / 2) + 0.5 * torch.log(S2)
        return 0.5 * n * torch.logdet(Sigma) - entries.sum()

    if compiled:
        loss = torch.compile(loss)
    optimizer = torch.optim.Rprop([M, S], lr=0.01, step_sizes=(1e-10, 50))
    for _ in range(n_iterations):
        optimizer.zero_grad()
        loss(M, S).backward()
        optimizer.step()
    return PeerFit(M.detach().numpy(), S.detach().numpy())


def judge(fit: PeerFit, data: tuple[Any, Any, Any]) -> float:
    """The float64 ELBO with Stirling's factorials, as pyPLNmodels reports it."""
    return reference.profiled_elbo(fit.M, fit.S, *data, "stirling")
