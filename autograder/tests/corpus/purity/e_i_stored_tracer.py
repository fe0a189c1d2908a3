# impure
import jax


class Net:
    pass


net = Net()


@jax.jit
def f(x):
    net.last = x
    return x
