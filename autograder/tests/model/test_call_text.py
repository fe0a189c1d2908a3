import jax.numpy as jnp
import numpy as np
import pytest

from autograder.model.call_text import kind_of


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (None, "None"),
        (3, "an int"),
        (0.5, "a float"),
        ((1, 2), "a tuple"),
        (object(), "an object"),
        (np.ones(3), "an array"),
        (np.float32(1), "an array"),
        (jnp.ones(3), "an array"),
    ],
)
def test_what_a_value_is(value, kind):
    assert kind_of(value) == kind
