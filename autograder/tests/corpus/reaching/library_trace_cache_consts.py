# ruff: noqa
import jax
import jax.numpy as jnp


class Own:
    consts = None


x = jnp.ones(3)
found = []
for f in (
    jnp.hanning,
    jnp.i0,
    jax.scipy.special.erfcx,
    jax.scipy.special.dawsn,
    jax.scipy.special.bessel_jn,
    jnp.interp,
    jax.scipy.special.digamma,
    jax.scipy.special.i1e,
    jax.scipy.special.gammaln,
    jnp.ediff1d,
    jnp.polyval,
    jnp.vander,
):
    try:
        c = f.trace(x).jaxpr
        found.append((f.__name__, c.consts))
        c.consts.append("planted")
    except Exception:
        pass
proof = found
