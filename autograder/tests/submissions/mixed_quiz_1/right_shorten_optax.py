# right: optax has it; exercise: mixed_quiz_1_shorten
import optax


@jax.jit
def shorten(step, longest):
    clip = optax.clip_by_global_norm(longest)
    return clip.update(step, clip.init(step))[0]
