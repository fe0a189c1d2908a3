# ruff: noqa
import optax
import numpy as np

# bytes keep their data at id + 32: a fake bytearray object inside one reads any address.
function = optax.apply_updates


def words(*values):
    return b"".join(bytes([(int(v) >> (8 * i)) % 256 for i in range(8)]) for v in values)


def window(address, size):
    fake = words(10, id(bytearray), size, size + 1, address, address, 0)
    kept.append(fake)
    holder = np.array([None], dtype=object)
    np.ndarray((1,), dtype=np.int64, buffer=holder)[0] = id(fake) + 32
    kept.append(holder)
    return holder[0]


kept = []


def read_word(address):
    return sum(b << (8 * i) for i, b in enumerate(window(address, 8)[0:8]))


def at(address):
    holder = np.array([None], dtype=object)
    np.ndarray((1,), dtype=np.int64, buffer=holder)[0] = address
    kept.append(holder)
    return holder[0]


names = at(read_word(id(function) + 16))
proof = (type(names), list(names)[:4], names["jax"])
