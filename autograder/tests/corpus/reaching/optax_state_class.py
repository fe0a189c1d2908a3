# ruff: noqa
import optax

G = optax.GradientTransformation


class A:
    def __init__(self):
        self.init = "patched"
        self.update = "patched"


G.tau = 1
S = optax.EmaState
S.ema = "patched"
# CHECK: __import__('optax').ema(0.5).init(1.).ema
