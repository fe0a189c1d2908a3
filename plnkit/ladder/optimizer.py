"""The optimizers every level takes.

They are made once: a new one brings new functions, and a jitted fit that takes it as a static
argument would be compiled again.
"""

import optax

ADAM = optax.adam(0.2)

# What the tutorial runs in every level; its `lr` is never used.
TUTORIAL = optax.chain(optax.scale_by_radam(), optax.scale(-1.0), optax.clip(0.1))
