# attack: the tangent type of integers; exercise: static_reshape; must not gain: outputs
import numpy as np


def rank_abundance(counts):
    return np.zeros(counts.size, jax.dtypes.float0)
