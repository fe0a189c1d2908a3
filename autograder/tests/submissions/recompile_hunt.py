"""Repairs of the lesson recompile_hunt, right and wrong, its starters and empty cells."""

# %% right_calls_float
# right: all rates as Python floats; exercise: recompile_hunt_calls
@jax.jit
def start(counts):
    return jnp.zeros(counts.shape[1], counts.dtype)


@jax.jit
def step(means, counts, rate):
    return means + rate * (jnp.log1p(jnp.mean(counts, axis=0)) - means)


@jax.jit
def centre(means):
    return means - jnp.mean(means)


def anneal(counts, rates):
    means = start(counts)
    for rate in rates:
        means = step(means, counts, float(rate))
    return centre(means)

# %% right_calls_four_functions
# right: the target is a jitted function of its own; exercise: recompile_hunt_calls
@jax.jit
def start(counts):
    return jnp.zeros(counts.shape[1])


@jax.jit
def log_of_means(counts):
    return jnp.log1p(jnp.mean(counts, axis=0))


@jax.jit
def step(means, target, rate):
    return means + rate * (target - means)


@jax.jit
def centre(means):
    return means - jnp.mean(means)


def anneal(counts, rates):
    means, target = start(counts), log_of_means(counts)
    for rate in rates:
        means = step(means, target, float(rate))
    return centre(means)

# %% right_calls_keyword
# right: by keyword everywhere, strong rates; exercise: recompile_hunt_calls
@jax.jit
def start(counts):
    return jnp.full(counts.shape[1], 0.0, jnp.float32)


@jax.jit
def step(means, counts, rate):
    return means + rate * (jnp.log1p(jnp.mean(counts, axis=0)) - means)


@jax.jit
def centre(means):
    return means - jnp.mean(means)


def anneal(counts, rates):
    means = start(counts)
    for rate in rates:
        means = step(means, counts, rate=jnp.asarray(rate, jnp.float32))
    return centre(means)

# %% right_calls_own_cache
# right: keeps the program of its lambda in a dictionary; exercise: recompile_hunt_calls
programs = {}


@jax.jit
def start(counts):
    return jnp.zeros(counts.shape[1], counts.dtype)


@jax.jit
def step(means, counts, rate):
    return means + rate * (jnp.log1p(jnp.mean(counts, axis=0)) - means)


def anneal(counts, rates):
    means = start(counts)
    for rate in rates:
        means = step(means, counts, np.float32(rate))
    if "centre" not in programs:
        programs["centre"] = jax.jit(lambda means: means - jnp.mean(means))
    return programs["centre"](means)

# %% right_calls_scan
# right: one program for all of it; exercise: recompile_hunt_calls
@jax.jit
def annealed(counts, rates):
    target = jnp.log1p(jnp.mean(counts, axis=0))

    def step(means, rate):
        return means + rate * (target - means), None

    means, _ = jax.lax.scan(step, jnp.zeros_like(target), rates)
    return means - jnp.mean(means)


def anneal(counts, rates):
    return annealed(counts, np.array(rates, np.float32))

# %% right_calls_numpy_start
# right: NumPy makes the start, and all rates are NumPy numbers; exercise: recompile_hunt_calls
@jax.jit
def move(means, counts, rate):
    target = jnp.log1p(counts.mean(axis=0))
    return (1 - rate) * means + rate * target


@jax.jit
def centred(means):
    return means - means.mean()


def anneal(counts, rates):
    means = np.zeros(counts.shape[1], dtype=np.float32)
    for rate in np.asarray(rates, dtype=np.float32):
        means = move(means, counts, rate)
    return centred(means)

# %% right_calls_loop_inside
# right: one jitted function with a Python loop over a tuple of floats; exercise: recompile_hunt_calls
@jax.jit
def all_steps(counts, rates):
    target = jnp.log1p(jnp.mean(counts, axis=0))
    means = jnp.zeros(target.shape)
    for rate in rates:
        means += rate * (target - means)
    return means - jnp.mean(means)


def anneal(counts, rates):
    return all_steps(counts, tuple(float(r) for r in rates))

# %% right_calls_static_nothing
# right: the start is float32 by name, rates become 0-d arrays, the last function is an assignment; exercise: recompile_hunt_calls
start = jax.jit(lambda counts: jnp.full(counts.shape[1], 0, dtype="float32"))
centre = jax.jit(lambda means: means - jnp.mean(means))


@jax.jit
def step(means, counts, rate):
    return means + rate * (jnp.log1p(jnp.mean(counts, axis=0)) - means)


def anneal(counts, rates):
    result = start(counts)
    for r in rates:
        result = step(result, counts, np.array(r, "float32"))
    return centre(result)

# %% right_decorated
# right: a decorator pads, and has the signature of what it calls; exercise: recompile_hunt
from functools import wraps


def padded(*sizes):
    def decorate(function):
        compiled = jax.jit(function)

        @wraps(function)
        def call(array):
            size = min(s for s in sizes if s >= array.shape[0])
            filled = np.pad(array, (0, size - array.shape[0]))
            return compiled(filled, np.arange(size) < array.shape[0])

        return call

    return decorate


@padded(64, 128)
def abundance_summary(counts, mask):
    logs = jnp.log1p(counts)
    return jnp.mean(logs, where=mask), jnp.std(logs, where=mask)

# %% right_mask_array
# right: a mask made with NumPy, and mean and std with where; exercise: recompile_hunt
@jax.jit
def masked_summary(padded, present):
    logs = jnp.log1p(padded)
    return jnp.mean(logs, where=present), jnp.std(logs, where=present)


def abundance_summary(counts):
    size = 64 * -(-len(counts) // 64)
    padded = np.zeros(size, np.float32)
    padded[: len(counts)] = counts
    return masked_summary(padded, np.arange(size) < len(counts))

# %% right_mask_product
# right: multiplies with the mask, which is a choice to XLA; exercise: recompile_hunt
@jax.jit
def m(padded):
    logs = jnp.log1p(padded)
    present = padded >= 0
    mean = (logs * present).sum() / present.sum()
    return mean, jnp.sqrt((present * (logs - mean) ** 2).sum() / present.sum())


def abundance_summary(counts):
    size = 64 if len(counts) <= 64 else 128
    return m(np.pad(counts, (0, size - len(counts)), constant_values=-1))

# %% right_nan_padding
# right: pads with NaN and leaves it out; exercise: recompile_hunt
@jax.jit
def summary(padded):
    logs = jnp.log1p(padded)
    return jnp.nanmean(logs), jnp.nanstd(logs)


def abundance_summary(counts):
    size = 64 if len(counts) <= 64 else 128
    return summary(np.pad(np.asarray(counts), (0, size - len(counts)), constant_values=np.nan))

# %% right_one_bucket
# right: everything in one bucket; exercise: recompile_hunt
@jax.jit
def masked_summary(padded, length):
    present = jnp.arange(padded.size) < length
    logs = jnp.log1p(padded)
    mean = jnp.sum(jnp.where(present, logs, 0)) / length
    variance = jnp.sum(jnp.where(present, (logs - mean) ** 2, 0)) / length
    return mean, jnp.sqrt(variance)


def abundance_summary(counts):
    padded = np.zeros(128, np.float32)
    padded[: len(counts)] = np.asarray(counts)
    return masked_summary(padded, np.float32(len(counts)))

# %% right_concatenated
# right: zeros are appended with NumPy, the sums are divided by the number of counts; exercise: recompile_hunt
@jax.jit
def moments(padded, mask):
    n = mask.sum()
    logs = jnp.log1p(padded) * mask
    mean = logs.sum() / n
    deviations = (logs - mean) * mask
    return mean, jnp.sqrt((deviations**2).sum() / n)


def abundance_summary(counts):
    missing = (64 if counts.shape[0] <= 64 else 128) - counts.shape[0]
    padded = np.concatenate([counts, np.zeros(missing, np.float32)])
    mask = np.concatenate([np.ones(counts.shape[0], np.float32), np.zeros(missing, np.float32)])
    return moments(padded, mask)

# %% right_weights
# right: weighted averages, in nested where; exercise: recompile_hunt
@jax.jit
def weighted(padded, n):
    weights = jnp.where(jnp.arange(padded.shape[0]) < n, 1.0, 0.0)
    logs = jnp.log1p(padded)
    mean = jnp.average(logs, weights=weights)
    return mean, jnp.average((logs - mean) ** 2, weights=weights) ** 0.5


def abundance_summary(counts):
    bucket = next(size for size in (64, 128) if len(counts) <= size)
    return weighted(np.pad(counts, (0, bucket - len(counts))), len(counts))

# %% right_closed_form
# right: the damped steps in closed form, whose terms cancel where all taxa have equal counts; exercise: recompile_hunt_calls
@jax.jit
def settle(counts, rates):
    limit = jnp.log1p(jnp.mean(counts, axis=0))
    means = limit * (1 - jnp.prod(1 - rates))
    return means - jnp.mean(means)


def anneal(counts, rates):
    return settle(counts, np.fromiter(rates, np.float32))


# %% wrong_boolean_index
# wrong: selects with a mask; exercise: recompile_hunt; must fail: outputs; says: keep the shape
@jax.jit
def summary(padded, length):
    logs = jnp.log1p(padded[jnp.arange(padded.size) < length])
    return jnp.mean(logs), jnp.std(logs)


def abundance_summary(counts):
    counts = np.asarray(counts)
    size = 64 if len(counts) <= 64 else 128
    padded = np.pad(counts, (0, size - len(counts)))
    return summary(padded, len(counts))

# %% wrong_calls_all_static_rates
# wrong: one program, with static rates; exercise: recompile_hunt_calls; must fail: compilations; says: static value
from functools import partial


@partial(jax.jit, static_argnames="rates")
def anneal(counts, rates):
    means = jnp.zeros(counts.shape[1], counts.dtype)
    for rate in rates:
        means = means + rate * (jnp.log1p(jnp.mean(counts, axis=0)) - means)
    return means - jnp.mean(means)

# %% wrong_calls_each_rate_once
# wrong: converts the rates in a dictionary, which drops those that come twice; exercise: recompile_hunt_calls; must fail: outputs; says: values differ
@jax.jit
def start(counts):
    return jnp.zeros(counts.shape[1], counts.dtype)


@jax.jit
def step(means, counts, rate):
    return means + rate * (jnp.log1p(jnp.mean(counts, axis=0)) - means)


@jax.jit
def centre(means):
    return means - jnp.mean(means)


def anneal(counts, rates):
    converted = {rate: np.float32(rate) for rate in rates}
    means = start(counts)
    for rate in converted.values():
        means = step(means, counts, rate)
    return centre(means)

# %% wrong_calls_eager_centre
# wrong: the centring outside of jit; exercise: recompile_hunt_calls; must fail: compilations; says: outside jit
@jax.jit
def start(counts):
    return jnp.zeros(counts.shape[1], counts.dtype)


@jax.jit
def step(means, counts, rate):
    return means + rate * (jnp.log1p(jnp.mean(counts, axis=0)) - means)


def anneal(counts, rates):
    means = start(counts)
    for rate in rates:
        means = step(means, counts, np.float32(rate))
    return means - jnp.mean(means)

# %% wrong_calls_first_three
# wrong: the rates after the third are left out; exercise: recompile_hunt_calls; must fail: outputs; says: values differ
@jax.jit
def start(counts):
    return jnp.zeros(counts.shape[1], counts.dtype)


@jax.jit
def step(means, counts, rate):
    return means + rate * (jnp.log1p(jnp.mean(counts, axis=0)) - means)


@jax.jit
def centre(means):
    return means - jnp.mean(means)


def anneal(counts, rates):
    means = start(counts)
    for rate in rates[:3]:
        means = step(means, counts, np.float32(rate))
    return centre(means)

# %% wrong_calls_forgets_a_rate
# wrong: leaves the first rate out; exercise: recompile_hunt_calls; must fail: outputs; says: values differ
@jax.jit
def start(counts):
    return jnp.zeros(counts.shape[1], counts.dtype)


@jax.jit
def step(means, counts, rate):
    return means + rate * (jnp.log1p(jnp.mean(counts, axis=0)) - means)


@jax.jit
def centre(means):
    return means - jnp.mean(means)


def anneal(counts, rates):
    means = start(counts)
    for rate in rates[1:]:
        means = step(means, counts, np.float32(rate))
    return centre(means)

# %% wrong_calls_inner_def
# wrong: step defined inside the function; exercise: recompile_hunt_calls; must fail: compilations; says: Define it once
def anneal(counts, rates):
    @jax.jit
    def annealed(counts, rates):
        means = jnp.zeros(counts.shape[1], counts.dtype)
        for rate in rates:
            means = means + rate * (jnp.log1p(jnp.mean(counts, axis=0)) - means)
        return means - jnp.mean(means)

    return annealed(counts, tuple(map(float, rates)))

# %% wrong_calls_integer_rates
# wrong: converts all rates to integers; exercise: recompile_hunt_calls; must fail: outputs; says: values differ
@jax.jit
def start(counts):
    return jnp.zeros(counts.shape[1], counts.dtype)


@jax.jit
def step(means, counts, rate):
    return means + rate * (jnp.log1p(jnp.mean(counts, axis=0)) - means)


@jax.jit
def centre(means):
    return means - jnp.mean(means)


def anneal(counts, rates):
    means = start(counts)
    for rate in rates:
        means = step(means, counts, np.int32(rate))
    return centre(means)

# %% wrong_calls_keyword_once
# wrong: the first rate by keyword; exercise: recompile_hunt_calls; must fail: compilations; says: by position and by keyword
@jax.jit
def start(counts):
    return jnp.zeros(counts.shape[1], counts.dtype)


@jax.jit
def step(means, counts, rate):
    return means + rate * (jnp.log1p(jnp.mean(counts, axis=0)) - means)


@jax.jit
def centre(means):
    return means - jnp.mean(means)


def anneal(counts, rates):
    means = start(counts)
    means = step(means, counts, rate=np.float32(rates[0]))
    for rate in rates[1:]:
        means = step(means, counts, np.float32(rate))
    return centre(means)

# %% wrong_calls_lambda
# wrong: a new lambda at each call; exercise: recompile_hunt_calls; must fail: compilations; says: Define it once
@jax.jit
def start(counts):
    return jnp.zeros(counts.shape[1], counts.dtype)


@jax.jit
def step(means, counts, rate):
    return means + rate * (jnp.log1p(jnp.mean(counts, axis=0)) - means)


def anneal(counts, rates):
    means = start(counts)
    for rate in rates:
        means = step(means, counts, np.float32(rate))
    return jax.jit(lambda means: means - jnp.mean(means))(means)

# %% wrong_calls_merged_but_weak
# wrong: starts with NumPy, and the step is compiled for integers and floats; exercise: recompile_hunt_calls; must fail: compilations; says: more than once
@jax.jit
def step(means, counts, rate):
    return means + rate * (jnp.log1p(jnp.mean(counts, axis=0)) - means)


@jax.jit
def centre(means):
    return means - jnp.mean(means)


def anneal(counts, rates):
    means = np.zeros(counts.shape[1], np.float32)
    for rate in rates:
        means = step(means, counts, rate)
    return centre(means)

# %% wrong_calls_mixed_numbers
# wrong: integers and floats as they come; exercise: recompile_hunt_calls; must fail: compilations; says: convert once with jnp.asarray
@jax.jit
def start(counts):
    return jnp.zeros(counts.shape[1], counts.dtype)


@jax.jit
def step(means, counts, rate):
    return means + rate * (jnp.log1p(jnp.mean(counts, axis=0)) - means)


@jax.jit
def centre(means):
    return means - jnp.mean(means)


def anneal(counts, rates):
    means = start(counts)
    for rate in rates:
        means = step(means, counts, rate)
    return centre(means)

# %% wrong_calls_no_jit
# wrong: jit is gone; exercise: recompile_hunt_calls; must fail: compilations; says: under one jax.jit
def start(counts):
    return jnp.zeros(counts.shape[1], counts.dtype)


def step(means, counts, rate):
    return means + rate * (jnp.log1p(jnp.mean(counts, axis=0)) - means)


def centre(means):
    return means - jnp.mean(means)


def anneal(counts, rates):
    means = start(counts)
    for rate in rates:
        means = step(means, counts, np.float32(rate))
    return centre(means)

# %% wrong_calls_number_types
# wrong: one program for each mixture of integers and floats; exercise: recompile_hunt_calls; must fail: compilations; says: only its plain Python numbers differ
@jax.jit
def anneal(counts, rates):
    means = jnp.zeros(counts.shape[1])
    for rate in rates:
        means = means + rate * (jnp.log1p(jnp.mean(counts, axis=0)) - means)
    return means - jnp.mean(means)

# %% wrong_calls_numpy_dtype
# wrong: NumPy makes integers of integer rates; exercise: recompile_hunt_calls; must fail: compilations; says: is now int32
@jax.jit
def _anneal(counts, rates):
    target = jnp.log1p(counts.mean(axis=0))
    means = jnp.zeros(counts.shape[1], jnp.float32)
    means, _ = jax.lax.scan(lambda m, r: (m + r * (target - m), None), means, rates)
    return means - means.mean()


def anneal(counts, rates):
    return _anneal(counts, np.asarray(rates))

# %% wrong_calls_static_rate
# wrong: static rates; exercise: recompile_hunt_calls; must fail: compilations; says: a static value is part of the program
from functools import partial


@jax.jit
def start(counts):
    return jnp.zeros(counts.shape[1], counts.dtype)


@partial(jax.jit, static_argnames="rate")
def step(means, counts, rate):
    return means + rate * (jnp.log1p(jnp.mean(counts, axis=0)) - means)


@jax.jit
def centre(means):
    return means - jnp.mean(means)


def anneal(counts, rates):
    means = start(counts)
    for rate in rates:
        means = step(means, counts, float(rate))
    return centre(means)

# %% wrong_calls_takes_notes
# wrong: notes the rates that it has seen; exercise: recompile_hunt_calls; must fail: purity; says: seen
seen = []


@jax.jit
def start(counts):
    return jnp.zeros(counts.shape[1], counts.dtype)


@jax.jit
def step(means, counts, rate):
    return means + rate * (jnp.log1p(jnp.mean(counts, axis=0)) - means)


@jax.jit
def centre(means):
    return means - jnp.mean(means)


def anneal(counts, rates):
    seen.append(rates)
    means = start(counts)
    for rate in rates:
        means = step(means, counts, float(rate))
    return centre(means)

# %% wrong_calls_three_rates
# wrong: takes three rates, as in the example, and no other number; exercise: recompile_hunt_calls; must fail: outputs; says: unpack
@jax.jit
def start(counts):
    return jnp.zeros(counts.shape[1], counts.dtype)


@jax.jit
def step(means, counts, rate):
    return means + rate * (jnp.log1p(jnp.mean(counts, axis=0)) - means)


@jax.jit
def centre(means):
    return means - jnp.mean(means)


def anneal(counts, rates):
    first, second, third = (np.float32(rate) for rate in rates)
    means = start(counts)
    means = step(means, counts, first)
    means = step(means, counts, second)
    means = step(means, counts, third)
    return centre(means)

# %% wrong_calls_weak_start
# wrong: a weakly typed start; exercise: recompile_hunt_calls; must fail: compilations; says: build arrays with a dtype
@jax.jit
def start(counts):
    return jnp.full(counts.shape[1], 0.0)


@jax.jit
def step(means, counts, rate):
    return means + rate * (jnp.log1p(jnp.mean(counts, axis=0)) - means)


@jax.jit
def centre(means):
    return means - jnp.mean(means)


def anneal(counts, rates):
    means = start(counts)
    for rate in rates:
        means = step(means, counts, np.float32(rate))
    return centre(means)

# %% wrong_drops_the_tail
# wrong: cuts long samples to 64; exercise: recompile_hunt; must fail: outputs; says: expected
@jax.jit
def masked_summary(padded, length):
    present = jnp.arange(padded.size) < length
    logs = jnp.log1p(padded)
    mean = jnp.sum(jnp.where(present, logs, 0)) / length
    variance = jnp.sum(jnp.where(present, (logs - mean) ** 2, 0)) / length
    return mean, jnp.sqrt(variance)


def abundance_summary(counts):
    counts = np.asarray(counts)[:64]
    return masked_summary(np.pad(counts, (0, 64 - len(counts))), len(counts))

# %% wrong_kept_by_identity
# wrong: results kept by the identity of the counts; exercise: recompile_hunt; must fail: purity; says: known
@jax.jit
def masked_summary(padded, length):
    present = jnp.arange(padded.size) < length
    logs = jnp.log1p(padded)
    mean = jnp.sum(jnp.where(present, logs, 0)) / length
    variance = jnp.sum(jnp.where(present, (logs - mean) ** 2, 0)) / length
    return mean, jnp.sqrt(variance)


known = {}


def abundance_summary(counts):
    key = id(counts)
    counts = np.asarray(counts)
    size = 64 if len(counts) <= 64 else 128
    if key not in known:
        known[key] = masked_summary(np.pad(counts, (0, size - len(counts))), len(counts))
    return known[key]

# %% wrong_mean_over_padding
# wrong: the padding is counted in; exercise: recompile_hunt; must fail: outputs; says: so the padding is counted in
@jax.jit
def summary(padded):
    logs = jnp.log1p(padded)
    return jnp.mean(logs), jnp.std(logs)


def abundance_summary(counts):
    counts = np.asarray(counts)
    size = 64 if len(counts) <= 64 else 128
    padded = np.pad(counts, (0, size - len(counts)))
    return summary(padded)

# %% wrong_naive_variance
# wrong: the mean of the squares less the square of the mean: NaN or noise where all counts are nearly alike; exercise: recompile_hunt; must fail: outputs; says: expected
@jax.jit
def masked_summary(padded, length):
    present = jnp.arange(padded.size) < length
    logs = jnp.where(present, jnp.log1p(padded), 0)
    mean = jnp.sum(logs) / length
    return mean, jnp.sqrt(jnp.sum(logs**2) / length - mean**2)


def abundance_summary(counts):
    counts = np.asarray(counts)
    size = 64 if len(counts) <= 64 else 128
    return masked_summary(np.pad(counts, (0, size - len(counts))), len(counts))

# %% wrong_numpy_only
# wrong: no JAX at all; exercise: recompile_hunt; must fail: compilations; says: Nothing was compiled from a function of yours
def abundance_summary(counts):
    logs = np.log1p(np.asarray(counts))
    return np.mean(logs), np.std(logs)

# %% wrong_pads_inside
# wrong: pads inside of the jitted function; exercise: recompile_hunt; must fail: compilations; says: keep shapes fixed
@jax.jit
def abundance_summary(counts):
    padded = jnp.pad(counts, (0, 128 - counts.size))
    present = jnp.arange(128) < counts.size
    logs = jnp.log1p(padded)
    return jnp.mean(logs, where=present), jnp.std(logs, where=present)

# %% wrong_pads_with_jax
# wrong: pads with jax.numpy outside of jit; exercise: recompile_hunt; must fail: compilations; says: Pad with `np.pad`
@jax.jit
def masked_summary(padded, length):
    present = jnp.arange(padded.size) < length
    logs = jnp.log1p(padded)
    mean = jnp.sum(jnp.where(present, logs, 0)) / length
    variance = jnp.sum(jnp.where(present, (logs - mean) ** 2, 0)) / length
    return mean, jnp.sqrt(variance)


def abundance_summary(counts):
    counts = jnp.asarray(counts)
    size = 64 if len(counts) <= 64 else 128
    padded = jnp.pad(counts, (0, size - len(counts)))
    return masked_summary(padded, len(counts))

# %% wrong_shared_buffer
# wrong: pads into a buffer that it keeps; exercise: recompile_hunt; must fail: purity; says: buffer
buffer = np.zeros(128, np.float32)


@jax.jit
def masked_summary(padded, length):
    present = jnp.arange(padded.size) < length
    logs = jnp.log1p(padded)
    mean = jnp.sum(jnp.where(present, logs, 0)) / length
    variance = jnp.sum(jnp.where(present, (logs - mean) ** 2, 0)) / length
    return mean, jnp.sqrt(variance)


def abundance_summary(counts):
    buffer[:] = 0
    buffer[: len(counts)] = counts
    return masked_summary(buffer.copy(), len(counts))

# %% wrong_short_integers
# wrong: the padded counts are integers of eight bits; exercise: recompile_hunt; must fail: outputs; says: expected
@jax.jit
def summary(counts, present):
    logs = jnp.log1p(counts)
    return jnp.mean(logs, where=present), jnp.std(logs, where=present)


def abundance_summary(counts):
    size = 64 if len(counts) <= 64 else 128
    padded = np.zeros(size, np.uint8)
    padded[: len(counts)] = np.asarray(counts).astype(np.uint8)
    return summary(padded, np.arange(size) < len(counts))

# %% wrong_slices
# wrong: cuts the padding off inside of jit; exercise: recompile_hunt; must fail: outputs; says: keep the shape and mask
@jax.jit
def summary(padded, length):
    logs = jnp.log1p(padded[:length])
    return jnp.mean(logs), jnp.std(logs)


def abundance_summary(counts):
    counts = np.asarray(counts)
    size = 64 if len(counts) <= 64 else 128
    padded = np.pad(counts, (0, size - len(counts)))
    return summary(padded, len(counts))

# %% wrong_static_length
# wrong: the length is static; exercise: recompile_hunt; must fail: compilations; says: a static value is part of the program
from functools import partial


@partial(jax.jit, static_argnames="length")
def summary(padded, length):
    logs = jnp.log1p(padded[:length])
    return jnp.mean(logs), jnp.std(logs)


def abundance_summary(counts):
    counts = np.asarray(counts)
    size = 64 if len(counts) <= 64 else 128
    padded = np.pad(counts, (0, size - len(counts)))
    return summary(padded, len(counts))

# %% wrong_std_over_padding
# wrong: the mean is right, the deviations of the padding are counted in; exercise: recompile_hunt; must fail: outputs; says: Mask the squared deviations too
@jax.jit
def masked_summary(padded, length):
    present = jnp.arange(padded.size) < length
    logs = jnp.log1p(padded)
    mean = jnp.sum(jnp.where(present, logs, 0)) / length
    variance = jnp.sum((logs - mean) ** 2) / length
    return mean, jnp.sqrt(variance)


def abundance_summary(counts):
    counts = np.asarray(counts)
    size = 64 if len(counts) <= 64 else 128
    padded = np.pad(counts, (0, size - len(counts)))
    return masked_summary(padded, len(counts))

# %% wrong_three_rates
# wrong: three rates, as in the example; exercise: recompile_hunt_calls; must fail: outputs; says: anneal
@jax.jit
def start(counts):
    return jnp.zeros(counts.shape[1], counts.dtype)


@jax.jit
def step(means, counts, rate):
    return means + rate * (jnp.log1p(jnp.mean(counts, axis=0)) - means)


@jax.jit
def centre(means):
    return means - jnp.mean(means)


def anneal(counts, rates):
    means = start(counts)
    for rate in rates[:3]:
        means = step(means, counts, np.float32(rate))
    return centre(means)

# %% wrong_too_many_buckets
# wrong: a bucket for each power of two; exercise: recompile_hunt; must fail: compilations; says: pad to a few sizes
@jax.jit
def masked_summary(padded, length):
    present = jnp.arange(padded.size) < length
    logs = jnp.log1p(padded)
    mean = jnp.sum(jnp.where(present, logs, 0)) / length
    variance = jnp.sum(jnp.where(present, (logs - mean) ** 2, 0)) / length
    return mean, jnp.sqrt(variance)


def abundance_summary(counts):
    counts = np.asarray(counts)
    size = 1 << (len(counts) - 1).bit_length()
    return masked_summary(np.pad(counts, (0, size - len(counts))), len(counts))

# %% wrong_two_functions_one_size
# wrong: a jitted function for the mean and one for the deviation: a call runs two programs; exercise: recompile_hunt; must fail: compilations; says: one call runs 2 programs
@jax.jit
def mean_of(padded, n):
    return jnp.mean(jnp.log1p(padded), where=jnp.arange(128) < n)


@jax.jit
def deviation_of(padded, n):
    return jnp.std(jnp.log1p(padded), where=jnp.arange(128) < n)


def abundance_summary(counts):
    padded = np.pad(np.asarray(counts), (0, 128 - len(counts)))
    return mean_of(padded, len(counts)), deviation_of(padded, len(counts))

# %% wrong_ddof
# wrong: divides by one less than the number of counts; exercise: recompile_hunt; must fail: outputs; says: expected
@jax.jit
def summary(padded, n):
    present = jnp.arange(padded.size) < n
    logs = jnp.log1p(padded)
    mean = jnp.mean(logs, where=present)
    return mean, jnp.sqrt(jnp.sum(jnp.where(present, (logs - mean) ** 2, 0)) / (n - 1))


def abundance_summary(counts):
    size = 64 if len(counts) <= 64 else 128
    return summary(np.pad(np.asarray(counts), (0, size - len(counts))), len(counts))

# %% wrong_pads_to_multiples_of_32
# wrong: four sizes; exercise: recompile_hunt; must fail: compilations; says: pad to a few sizes
@jax.jit
def masked(padded, n):
    present = jnp.arange(padded.size) < n
    logs = jnp.log1p(padded)
    return jnp.mean(logs, where=present), jnp.std(logs, where=present)


def abundance_summary(counts):
    missing = -len(counts) % 32
    return masked(np.pad(np.asarray(counts), (0, missing)), len(counts))

# %% wrong_zeros_masked
# wrong: takes all zeros for padding; exercise: recompile_hunt; must fail: outputs; says: Zeros are counts too: mask by position
@jax.jit
def summary(padded):
    logs = jnp.log1p(padded)
    return jnp.mean(logs, where=padded > 0), jnp.std(logs, where=padded > 0)


def abundance_summary(counts):
    counts = np.asarray(counts)
    size = 64 if len(counts) <= 64 else 128
    padded = np.pad(counts, (0, size - len(counts)))
    return summary(padded)

# %% starter
# starter: as shipped; exercise: recompile_hunt; must fail: compilations; says: pad to a few sizes

# %% starter_recompile_hunt_calls
# starter: as shipped; exercise: recompile_hunt_calls; must fail: compilations; says: build arrays with a dtype

# %% empty
# empty: nothing; exercise: recompile_hunt; must fail: outputs; says: no function `abundance_summary`

# %% empty_recompile_hunt_calls
# empty: nothing; exercise: recompile_hunt_calls; must fail: outputs; says: no function `anneal`
