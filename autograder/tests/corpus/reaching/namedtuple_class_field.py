# ruff: noqa
import optax

S = optax.ScaleByAdamState
S.mu = "patched"
# CHECK: __import__('optax').adam(1.).init(1.)[0].mu
