# ruff: noqa
import jax


class A(ValueError):
    pass


jax.tree_util.register_dataclass(
    A, ["__traceback__", "__class__", "__reduce_ex__", "__setattr__", "__getattribute__"], []
)
try:
    raise A()
except A as error:
    proof = jax.tree.leaves(error, is_leaf=lambda x: x is not error)
    proof[3]("__notes__", "any attribute of its own by name")
    more = proof[4]("__" + "dict__")
# CHECK: ns['more']
