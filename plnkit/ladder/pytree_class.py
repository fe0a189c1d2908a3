"""Level 4: a class with jitted methods, a pytree by `tree_flatten` and `tree_unflatten`.

The data are leaves like the parameters: as aux data they would be compared at every call, which
arrays cannot be, or be baked into the program. `tree_unflatten` must not call `__init__`: JAX puts
tracers and placeholders into the tree, and `__init__` would set the parameters back to the start.
"""

from functools import partial

import jax
import jax.numpy as jnp
import optax
from jax import Array
from jax.typing import ArrayLike

from plnkit.ladder.optimizer import ADAM
from plnkit.model import Parameters, covariance, elbo, log_factorials, precision, start


@jax.tree_util.register_pytree_node_class
class PLN:
    """A PLN model whose methods return a new model: the one at hand never changes."""

    def __init__(
        self, Y: Array, O: Array, X: Array, optimizer: optax.GradientTransformation = ADAM
    ):
        self.Y, self.O, self.X = Y, O, X
        self.log_factorial = log_factorials(Y)
        self.parameters = start(Y, X)
        self.log_det = jnp.zeros(())
        self.state = optimizer.init(self.parameters[:3])
        self.optimizer = optimizer

    def tree_flatten(self):
        data = self.Y, self.O, self.X, self.log_factorial
        return (data, self.parameters, self.log_det, self.state), self.optimizer

    @classmethod
    def tree_unflatten(cls, aux_data, children):
        pln = object.__new__(cls)
        data, pln.parameters, pln.log_det, pln.state = children
        pln.Y, pln.O, pln.X, pln.log_factorial = data
        pln.optimizer = aux_data
        return pln

    def loss(self, free: tuple[Array, Array, Array]) -> Array:
        parameters = Parameters(*free, self.parameters.Omega)
        return -elbo(parameters, self.Y, self.O, self.X, self.log_factorial, self.log_det)

    def step(self) -> tuple["PLN", Array]:
        """The model after one iteration and the ELBO before it."""
        free = self.parameters[:3]
        value, gradient = jax.value_and_grad(self.loss)(free)
        updates, state = self.optimizer.update(gradient, self.state, free)
        B, M, log_S = jax.tree.map(jnp.add, free, updates)
        Omega, log_det = precision(covariance(M, log_S))
        (data, *_), optimizer = self.tree_flatten()
        children = data, Parameters(B, M, log_S, Omega), log_det, state
        return self.tree_unflatten(optimizer, children), -value

    @partial(jax.jit, static_argnames="n_iterations")
    def fit(self, n_iterations: int) -> tuple["PLN", Array]:
        """The fitted model and the ELBO before each iteration."""
        return jax.lax.scan(lambda pln, _: pln.step(), self, length=n_iterations)


build = jax.jit(PLN, static_argnames="optimizer")


def fit(
    Y: ArrayLike,
    O: ArrayLike,
    X: ArrayLike,
    n_iterations: int,
    optimizer: optax.GradientTransformation = ADAM,
) -> tuple[Parameters, Array]:
    """The fitted parameters and the ELBO before each iteration, (n_iterations,)."""
    pln = build(jnp.asarray(Y), jnp.asarray(O), jnp.asarray(X), optimizer)
    pln, trace = pln.fit(n_iterations)
    return pln.parameters, trace
