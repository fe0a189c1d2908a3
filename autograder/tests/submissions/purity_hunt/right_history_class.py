# right: a helper object of the call's own collects the losses; exercise: purity_hunt
class History:
    def __init__(self):
        self.losses = []

    def add(self, loss):
        self.losses.append(loss)

    def stack(self):
        return jnp.stack(self.losses)


def poisson_loss(B, Y, O):
    eta = O + B
    return (jnp.exp(eta) - Y * eta).sum(axis=1).mean()


@jax.jit
def fit(Y, O, rate):
    B, history = jnp.zeros_like(Y[0]), History()
    for _ in range(10):
        loss, slope = jax.value_and_grad(poisson_loss)(B, Y, O)
        history.add(loss)
        B = B - rate * slope
    return B, history.stack()
