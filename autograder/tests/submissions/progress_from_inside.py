"""Repairs of the lesson progress_from_inside, right and wrong, its starters and empty cells."""

# %% right_cond_io
# right: io_callback of report itself, under cond; exercise: progress_from_inside
def poisson_loss(b, Y, O):
    eta = O + b
    return (jnp.exp(eta) - Y * eta).mean()


@partial(jax.jit, static_argnums=(3, 4, 5))
def fit(Y, O, rate, steps, every, report):
    def step(b, i):
        value, slope = jax.value_and_grad(poisson_loss)(b, Y, O)
        lax.cond(
            i % every == 0,
            lambda: io_callback(report, None, i, value, ordered=True),
            lambda: None,
        )
        return b - rate * slope, value

    return lax.scan(step, jnp.zeros_like(Y[0]), jnp.arange(steps))

# %% right_debug_callback
# right: an ordered debug callback, with operands of cond; exercise: progress_from_inside
def poisson_loss(b, Y, O):
    eta = O + b
    return (jnp.exp(eta) - Y * eta).mean()


def tell(report, i, value):
    jax.debug.callback(lambda i, value: report(int(i), float(value)), i, value, ordered=True)


@partial(jax.jit, static_argnames=("steps", "every", "report"))
def fit(Y, O, rate, steps, every, report):
    def step(b, i):
        value, slope = jax.value_and_grad(poisson_loss)(b, Y, O)
        jax.lax.cond(
            jnp.equal(jnp.mod(i, every), 0),
            lambda i, v: tell(report, i, v),
            lambda i, v: None,
            i,
            value,
        )
        return b - rate * slope, value

    return lax.scan(step, jnp.zeros(Y.shape[1]), jnp.arange(steps))

# %% right_returns_a_number
# right: the callback returns a number that nobody reads; exercise: progress_from_inside
import numpy as np


def poisson_loss(b, Y, O):
    eta = O + b
    return (jnp.exp(eta) - Y * eta).mean()


@partial(jax.jit, static_argnames=("steps", "every", "report"))
def fit(Y, O, rate, steps, every, report):
    def call(i, value):
        report(i, value)
        return np.int32(0)

    def yes(i, value):
        return io_callback(call, jax.ShapeDtypeStruct((), jnp.int32), i, value, ordered=True)

    def step(b, i):
        value, slope = jax.value_and_grad(poisson_loss)(b, Y, O)
        lax.cond(i % every == 0, yes, lambda i, value: jnp.int32(0), i, value)
        return b - rate * slope, value

    return lax.scan(step, jnp.zeros_like(Y[0]), jnp.arange(steps))

# %% right_switch
# right: lax.switch, and a fori_loop that writes the losses; exercise: progress_from_inside
def poisson_loss(b, Y, O):
    eta = O + b
    return (jnp.exp(eta) - Y * eta).mean()


@partial(jax.jit, static_argnames=("steps", "every", "report"))
def fit(Y, O, rate, steps, every, report):
    def body(i, state):
        b, losses = state
        value, slope = jax.value_and_grad(poisson_loss)(b, Y, O)
        lax.switch(
            (i % every == 0).astype(int),
            [
                lambda i, v: None,
                lambda i, v: io_callback(report, None, i, v, ordered=True),
            ],
            i,
            value,
        )
        return b - rate * slope, losses.at[i].set(value)

    return lax.fori_loop(0, steps, body, (jnp.zeros_like(Y[0]), jnp.zeros(steps)))

# %% right_reports_first
# right: the report comes before the step, its loss computed for it; exercise: progress_from_inside
def poisson_loss(b, Y, O):
    eta = O + b
    return (jnp.exp(eta) - Y * eta).mean()


def report_if(due, report, i, value):
    def do():
        io_callback(report, None, i, value, ordered=True)

    def skip():
        pass

    lax.cond(due, do, skip)


@partial(jax.jit, static_argnames=("steps", "every", "report"))
def fit(Y, O, rate, steps, every, report):
    def step(carry, _):
        b, i = carry
        value = poisson_loss(b, Y, O)
        report_if(i % every == 0, report, i, value)
        return (b - rate * jax.grad(poisson_loss)(b, Y, O), i + 1), value

    (b, _), losses = lax.scan(step, (jnp.zeros_like(Y[0]), 0), length=steps)
    return b, losses

# %% wrong_debug_print
# wrong: prints with jax.debug.print, and calls nobody; exercise: progress_from_inside; must fail: outputs; says: called `report` 0 times
def poisson_loss(b, Y, O):
    eta = O + b
    return (jnp.exp(eta) - Y * eta).mean()


@partial(jax.jit, static_argnames=("steps", "every", "report"))
def fit(Y, O, rate, steps, every, report):
    def step(b, i):
        value, slope = jax.value_and_grad(poisson_loss)(b, Y, O)
        lax.cond(
            i % every == 0,
            lambda: jax.debug.print("{i} {v}", i=i, v=value, ordered=True),
            lambda: None,
        )
        return b - rate * slope, value

    return lax.scan(step, jnp.zeros_like(Y[0]), jnp.arange(steps))

# %% wrong_each_step
# wrong: reports each step; exercise: progress_from_inside; must fail: outputs; says: it should report for 0, 10, 20
def poisson_loss(b, Y, O):
    eta = O + b
    return (jnp.exp(eta) - Y * eta).mean()


@partial(jax.jit, static_argnames=("steps", "every", "report"))
def fit(Y, O, rate, steps, every, report):
    def step(b, i):
        value, slope = jax.value_and_grad(poisson_loss)(b, Y, O)
        io_callback(report, None, i, value, ordered=True)
        return b - rate * slope, value

    return lax.scan(step, jnp.zeros_like(Y[0]), jnp.arange(steps))

# %% wrong_python_decides
# wrong: calls Python at each step, which decides; exercise: progress_from_inside; must fail: outputs; says: calls Python 25 times
def poisson_loss(b, Y, O):
    eta = O + b
    return (jnp.exp(eta) - Y * eta).mean()


@partial(jax.jit, static_argnames=("steps", "every", "report"))
def fit(Y, O, rate, steps, every, report):
    def maybe(i, value):
        if i % every == 0:
            report(i, value)

    def step(b, i):
        value, slope = jax.value_and_grad(poisson_loss)(b, Y, O)
        io_callback(maybe, None, i, value, ordered=True)
        return b - rate * slope, value

    return lax.scan(step, jnp.zeros_like(Y[0]), jnp.arange(steps))

# %% wrong_no_order
# wrong: the order is not guaranteed; exercise: progress_from_inside; must fail: outputs; says: without `ordered=True`
def poisson_loss(b, Y, O):
    eta = O + b
    return (jnp.exp(eta) - Y * eta).mean()


@partial(jax.jit, static_argnames=("steps", "every", "report"))
def fit(Y, O, rate, steps, every, report):
    def step(b, i):
        value, slope = jax.value_and_grad(poisson_loss)(b, Y, O)
        lax.cond(
            i % every == 0,
            lambda: jax.debug.callback(report, i, value),
            lambda: None,
        )
        return b - rate * slope, value

    return lax.scan(step, jnp.zeros_like(Y[0]), jnp.arange(steps))

# %% wrong_python_if
# wrong: a Python if on the number of the step; exercise: progress_from_inside; must fail: outputs; says: lax.cond
def poisson_loss(b, Y, O):
    eta = O + b
    return (jnp.exp(eta) - Y * eta).mean()


@partial(jax.jit, static_argnames=("steps", "every", "report"))
def fit(Y, O, rate, steps, every, report):
    def step(b, i):
        value, slope = jax.value_and_grad(poisson_loss)(b, Y, O)
        if i % every == 0:
            io_callback(report, None, i, value, ordered=True)
        return b - rate * slope, value

    return lax.scan(step, jnp.zeros_like(Y[0]), jnp.arange(steps))

# %% wrong_after_the_step
# wrong: reports the loss after the step; exercise: progress_from_inside; must fail: outputs; says: the loss before this step
def poisson_loss(b, Y, O):
    eta = O + b
    return (jnp.exp(eta) - Y * eta).mean()


@partial(jax.jit, static_argnames=("steps", "every", "report"))
def fit(Y, O, rate, steps, every, report):
    def step(b, i):
        value, slope = jax.value_and_grad(poisson_loss)(b, Y, O)
        b = b - rate * slope
        after = poisson_loss(b, Y, O)
        lax.cond(
            i % every == 0,
            lambda: io_callback(report, None, i, after, ordered=True),
            lambda: None,
        )
        return b, value

    return lax.scan(step, jnp.zeros_like(Y[0]), jnp.arange(steps))

# %% wrong_counts_from_one
# wrong: reports after every so many steps; exercise: progress_from_inside; must fail: outputs; says: reported for the steps
def poisson_loss(b, Y, O):
    eta = O + b
    return (jnp.exp(eta) - Y * eta).mean()


@partial(jax.jit, static_argnames=("steps", "every", "report"))
def fit(Y, O, rate, steps, every, report):
    def step(b, i):
        value, slope = jax.value_and_grad(poisson_loss)(b, Y, O)
        lax.cond(
            (i + 1) % every == 0,
            lambda: io_callback(report, None, i + 1, value, ordered=True),
            lambda: None,
        )
        return b - rate * slope, value

    return lax.scan(step, jnp.zeros_like(Y[0]), jnp.arange(steps))

# %% wrong_outside
# wrong: reports from Python when all is done; exercise: progress_from_inside; must fail: compilations; says: jax.jit
def poisson_loss(b, Y, O):
    eta = O + b
    return (jnp.exp(eta) - Y * eta).mean()


@partial(jax.jit, static_argnames="steps")
def run(Y, O, rate, steps):
    def step(b, i):
        value, slope = jax.value_and_grad(poisson_loss)(b, Y, O)
        return b - rate * slope, value

    return lax.scan(step, jnp.zeros_like(Y[0]), jnp.arange(steps))


def fit(Y, O, rate, steps, every, report):
    b, losses = run(Y, O, rate, steps)
    for i in range(0, steps, every):
        report(i, losses[i])
    return b, losses

# %% wrong_python_loop
# wrong: a loop in Python over a jitted step; exercise: progress_from_inside; must fail: compilations; says: one
def poisson_loss(b, Y, O):
    eta = O + b
    return (jnp.exp(eta) - Y * eta).mean()


@jax.jit
def step(b, Y, O, rate):
    value, slope = jax.value_and_grad(poisson_loss)(b, Y, O)
    return b - rate * slope, value


def fit(Y, O, rate, steps, every, report):
    b, losses = jnp.zeros_like(Y[0]), []
    for i in range(steps):
        b, value = step(b, Y, O, rate)
        if i % every == 0:
            report(i, value)
        losses.append(value)
    return b, jnp.stack(losses)

# %% wrong_pure_callback
# wrong: a pure_callback, whose result nobody needs; exercise: progress_from_inside; must fail: outputs; says: called `report` 0 times
import numpy as np


def poisson_loss(b, Y, O):
    eta = O + b
    return (jnp.exp(eta) - Y * eta).mean()


@partial(jax.jit, static_argnames=("steps", "every", "report"))
def fit(Y, O, rate, steps, every, report):
    def call(i, value):
        report(i, value)
        return np.float32(0)

    def step(b, i):
        value, slope = jax.value_and_grad(poisson_loss)(b, Y, O)
        lax.cond(
            i % every == 0,
            lambda: jax.pure_callback(call, jax.ShapeDtypeStruct((), jnp.float32), i, value),
            lambda: jnp.float32(0),
        )
        return b - rate * slope, value

    return lax.scan(step, jnp.zeros_like(Y[0]), jnp.arange(steps))

# %% wrong_leaves_out_losses
# wrong: the losses are those that were reported; exercise: progress_from_inside; must fail: outputs; says: shape
def poisson_loss(b, Y, O):
    eta = O + b
    return (jnp.exp(eta) - Y * eta).mean()


@partial(jax.jit, static_argnames=("steps", "every", "report"))
def fit(Y, O, rate, steps, every, report):
    def step(b, i):
        value, slope = jax.value_and_grad(poisson_loss)(b, Y, O)
        lax.cond(
            i % every == 0,
            lambda: io_callback(report, None, i, value, ordered=True),
            lambda: None,
        )
        return b - rate * slope, value

    b, losses = lax.scan(step, jnp.zeros_like(Y[0]), jnp.arange(steps))
    return b, losses[::every]

# %% starter
# starter: as shipped; exercise: progress_from_inside; must fail: outputs; says: tracers

# %% empty
# empty: nothing in the cell; exercise: progress_from_inside; must fail: outputs; says: There is no function
