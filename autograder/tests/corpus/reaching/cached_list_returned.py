# ruff: noqa
import jax

jax.local_devices().append("planted")
jax.local_devices().clear()
proof = (jax.local_devices(), jax.devices())
