# ruff: noqa
import optax

n = optax.nadam
n.keywords["nesterov"] = "planted"
# CHECK: __import__('optax').nadam
