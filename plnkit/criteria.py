"""How good a fit is: the ELBO of each sample, its entropy, and R^2, in NumPy float64.

AIC, BIC and ICL take the ELBO for the log-likelihood, of which it is a lower bound. With k
parameters, n samples (their total weight) and the entropy H of the variational distribution,

    AIC = -ELBO + k,  BIC = -ELBO + k log(n) / 2,  ICL = BIC + H;  smaller is better.

These are half of the usual AIC and BIC, as in PLNmodels and pyPLNmodels. PLNmodels has BIC and ICL
with the other sign, larger is better. pyPLNmodels 1.0.10 has this sign, but its ICL is another
number: it takes H away, and has sums of S^2 in H in the place of those of log S^2.

References:
    Akaike (1974), A new look at the statistical model identification, IEEE Transactions on
    Automatic Control 19(6).
    Schwarz (1978), Estimating the dimension of a model, The Annals of Statistics 6(2).
    Biernacki, Celeux, Govaert (2000), Assessing a mixture model for clustering with the integrated
    completed likelihood, IEEE Transactions on Pattern Analysis and Machine Intelligence 22(7).
    Chiquet, Mariadassou, Robin (2018), Variational inference for probabilistic Poisson PCA, The
    Annals of Applied Statistics 12(4), section 3 (these with the ELBO, and R^2).
"""

import math

import numpy as np
from numpy.typing import NDArray

from plnkit import poisson

Float64 = NDArray[np.float64]

EXPLAINED = 1e-9
"""Of a log-likelihood: what is left to explain, when no more than rounding is."""


def gaussian_part(R: Float64, S2: Float64, Omega: Float64) -> Float64:
    """Of each sample, (log det Omega - R_i Omega R_i' - sum_j Omega_jj S_ij^2 + p) / 2, (n,).

    With the Poisson part less log Y!, it is the sample's part of the ELBO.

    Args:
        R: residuals of the latent means, (n, p).
        S2: variational variances, (n, p).
        Omega: precision, (p, p), or the diagonal of one, (p,).
    """
    p = R.shape[1]
    if Omega.ndim == 1:
        return (np.log(Omega).sum() - (R**2 + S2) @ Omega + p) / 2
    squares = ((R @ Omega) * R).sum(axis=1) + S2 @ np.diagonal(Omega)
    return (np.linalg.slogdet(Omega)[1] - squares + p) / 2


def entropy(log_S: NDArray, weights: Float64) -> float:
    """The variational distribution's, in nats: sum_i w_i sum_j (log(2 pi e) / 2 + log S_ij)."""
    each = 0.5 * np.log(2 * np.pi * np.e) * log_S.shape[1] + log_S.sum(axis=1, dtype=np.float64)
    return float(weights @ each)


def r_squared(Y: NDArray, O: NDArray, M: NDArray, Q: Float64, weights: Float64) -> float:
    """The share of the Poisson deviance that the latent positions explain.

    Between 0, the Poisson regression on the same covariates without latent positions, and 1, a mean
    for each count: (l - l_0) / (l_1 - l_0), with log-likelihoods of counts given their means, which
    are exp(O + M) for l. Covariates explain a part already of l_0: to compare fits with different
    covariates, take another criterion.

    Args:
        Y: counts, (n, p).
        O: offsets, (n, p).
        M: whole latent means, (n, p).
        Q: basis of the covariates, (n, d).
        weights: of the samples, (n,).
    """
    counts, w = Y.astype(np.float64), weights[:, None]
    eta = O + M.astype(np.float64)
    fitted = (w * (counts * eta - np.exp(eta))).sum()
    null = poisson.regress(Y, O, Q, weights).sum()
    saturated = (w * (counts * np.log(np.maximum(counts, 1)) - counts)).sum()
    room = saturated - null
    return float((fitted - null) / room) if room > EXPLAINED * abs(null) else math.nan
