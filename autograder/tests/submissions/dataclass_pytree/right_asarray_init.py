# right: a class by hand that makes its fields arrays of JAX; exercise: dataclass_pytree
@jax.tree_util.register_pytree_node_class
class PLN:
    NAMES = ("Y", "O", "X", "B", "M", "log_S", "Omega", "rate")

    def __init__(self, *, covariance, **arrays):
        for name in self.NAMES:
            setattr(self, name, jnp.asarray(arrays[name]))
        self.covariance = covariance

    def tree_flatten(self):
        return [getattr(self, name) for name in self.NAMES], self.covariance

    @classmethod
    def tree_unflatten(cls, covariance, children):
        pln = object.__new__(cls)
        vars(pln).update(zip(cls.NAMES, children, strict=True), covariance=covariance)
        return pln

    def changed(self, **changes):
        leaves, tree = jax.tree.flatten(self)
        copy = jax.tree.unflatten(tree, leaves)
        vars(copy).update(changes)
        return copy


@partial(jax.jit, static_argnames="n_iterations")
def fit(pln, n_iterations):
    optimizer = optax.adam(pln.rate)

    def body(carry, _):
        pln, state = carry
        free = pln.B, pln.M, pln.log_S
        value, gradient = jax.value_and_grad(loss)(free, pln)
        updates, state = optimizer.update(gradient, state)
        B, M, log_S = optax.apply_updates(free, updates)
        pln = pln.changed(B=B, M=M, log_S=log_S)
        pln = pln.changed(Omega=best_Omega(pln))
        return (pln, state), -value

    carry = pln, optimizer.init((pln.B, pln.M, pln.log_S))
    (pln, _), elbos = jax.lax.scan(body, carry, length=n_iterations)
    return pln, elbos
