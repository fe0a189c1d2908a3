# right: a dictionary of data, and a static flag behind a property; exercise: static_self
from dataclasses import field

from jax.tree_util import register_dataclass


@register_dataclass
@dataclass(frozen=True)
class Inner:
    data: dict
    is_all: bool = field(metadata={"static": True})


@jax.jit
def loss_of(inner):
    return penalized_loss(**inner.data, penalized="all" if inner.is_all else "slopes")


@partial(jax.jit, static_argnums=1)
def fit_of(inner, n_iterations):
    word, data = "all" if inner.is_all else "slopes", inner.data
    body = lambda _, B: newton_step(**{**data, "B": B}, penalized=word)
    return jax.lax.fori_loop(0, n_iterations, body, data["B"])


class Poisson:
    def __init__(self, *, penalized, **data):
        self.inner = Inner(data, penalized == "all")

    @property
    def penalized(self):
        return "all" if self.inner.is_all else "slopes"

    def __getattr__(self, name):
        if name == "inner" or name not in self.inner.data:
            raise AttributeError(name)
        return self.inner.data[name]

    def set(self, **changes):
        return Poisson(**{**self.inner.data, "penalized": self.penalized, **changes})

    def loss(self):
        return loss_of(self.inner)

    def fit(self, n_iterations):
        return self.set(B=fit_of(self.inner, n_iterations))
