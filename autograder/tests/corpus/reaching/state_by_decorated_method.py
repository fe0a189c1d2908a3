# ruff: noqa
import jax


def steal(function):
    function(jax.Array)
    return function


class A:
    @steal
    def bump(self):
        self.planted = 1


proof = jax.Array.planted
