"""Repairs of the lesson where_time_goes, right and wrong, its starters and empty cells."""

# %% right_float_at_the_end
# right: floats at the end, and for the window that is logged; exercise: where_time_goes
def train(step, state, batches, every, log):
    losses = []
    for number, batch in enumerate(batches, 1):
        state, loss = step(state, batch)
        losses.append(loss)
        if number % every == 0:
            log(number, sum(float(x) for x in losses[-every:]) / every)
    return state, [float(x) for x in losses]

# %% right_sum_on_the_device
# right: adds the losses up as arrays, and reads the sum; exercise: where_time_goes
def train(step, state, batches, every, log):
    losses, total, number = [], 0.0, 0
    for batch in batches:
        state, loss = step(state, batch)
        number += 1
        losses.append(loss)
        total = total + loss
        if number % every == 0:
            log(number, float(total / every))
            total = 0.0
    return state, [loss.item() for loss in losses]

# %% right_stack
# right: jnp.stack at the end, the mean of the window on the device; exercise: where_time_goes
def train(step, state, batches, every, log):
    losses = []
    for number, batch in enumerate(batches):
        state, loss = step(state, batch)
        losses += [loss]
        if (number + 1) % every == 0:
            log(number + 1, float(jnp.mean(jnp.array(losses[-every:]))))
    return state, jnp.stack(losses).tolist()

# %% right_numpy
# right: np.array of the window; exercise: where_time_goes
def train(step, state, batches, every, log):
    done, window = [], []
    for batch in batches:
        state, loss = step(state, batch)
        window.append(loss)
        if len(window) == every:
            values = np.array([np.asarray(x) for x in window])
            done.extend(values.tolist())
            window.clear()
            log(len(done), values.mean().item())
    done.extend(map(float, window))
    return state, done

# %% right_block_before_log
# right: waits for the last loss first, which is allowed there; exercise: where_time_goes
def train(step, state, batches, every, log):
    losses = []
    iterator = iter(batches)
    while True:
        try:
            batch = next(iterator)
        except StopIteration:
            break
        state, loss = step(state, batch)
        losses.append(loss)
        if len(losses) % every == 0:
            jax.block_until_ready(state)
            recent = jax.device_get(losses[-every:])
            log(len(losses), float(sum(recent)) / every)
    return state, [float(loss) for loss in losses]

# %% wrong_float_each_step
# wrong: float moved to the line below; exercise: where_time_goes; must fail: outputs; says: float() of a loss of step 1
def train(step, state, batches, every, log):
    losses = []
    for number, batch in enumerate(batches, 1):
        state, loss = step(state, batch)
        value = float(loss)
        losses.append(value)
        if number % every == 0:
            log(number, sum(losses[-every:]) / every)
    return state, losses

# %% wrong_item
# wrong: .item() in place of float; exercise: where_time_goes; must fail: outputs; says: .item() of a loss
def train(step, state, batches, every, log):
    losses = []
    for number, batch in enumerate(batches, 1):
        state, loss = step(state, batch)
        losses.append(loss.item())
        if number % every == 0:
            log(number, sum(losses[-every:]) / every)
    return state, losses

# %% wrong_blocks_state
# wrong: keeps the losses, and waits for each state; exercise: where_time_goes; must fail: outputs; says: block_until_ready of a state
def train(step, state, batches, every, log):
    losses = []
    for number, batch in enumerate(batches, 1):
        state, loss = step(state, batch)
        jax.block_until_ready(state)
        losses.append(loss)
        if number % every == 0:
            log(number, sum(map(float, losses[-every:])) / every)
    return state, [float(x) for x in losses]

# %% wrong_device_get_each_step
# wrong: device_get at each step; exercise: where_time_goes; must fail: outputs; says: np.asarray of a loss
def train(step, state, batches, every, log):
    losses = []
    for number, batch in enumerate(batches, 1):
        state, loss = step(state, batch)
        losses.append(jax.device_get(loss))
        if number % every == 0:
            log(number, float(np.mean(losses[-every:])))
    return state, [float(x) for x in losses]

# %% wrong_stops_on_nan
# wrong: looks for NaN at each step; exercise: where_time_goes; must fail: outputs; says: waits
def train(step, state, batches, every, log):
    losses = []
    for number, batch in enumerate(batches, 1):
        state, loss = step(state, batch)
        if np.isnan(np.asarray(loss)):
            break
        losses.append(loss)
        if number % every == 0:
            log(number, sum(map(float, losses[-every:])) / every)
    return state, [float(x) for x in losses]

# %% wrong_remembers_the_best
# wrong: compares each loss with the best so far; exercise: where_time_goes; must fail: outputs; says: comparison
def train(step, state, batches, every, log):
    losses, best = [], float("inf")
    for number, batch in enumerate(batches, 1):
        state, loss = step(state, batch)
        if loss < best:
            best = loss
        losses.append(loss)
        if number % every == 0:
            log(number, sum(map(float, losses[-every:])) / every)
    return state, [float(x) for x in losses]

# %% wrong_arrays_returned
# wrong: returns the losses as they come; exercise: where_time_goes; must fail: outputs; says: should be a `float`
def train(step, state, batches, every, log):
    losses = []
    for number, batch in enumerate(batches, 1):
        state, loss = step(state, batch)
        losses.append(loss)
        if number % every == 0:
            log(number, sum(map(float, losses[-every:])) / every)
    return state, losses

# %% wrong_logs_arrays
# wrong: logs a mean that is an array; exercise: where_time_goes; must fail: outputs; says: no number of Python
def train(step, state, batches, every, log):
    losses = []
    for number, batch in enumerate(batches, 1):
        state, loss = step(state, batch)
        losses.append(loss)
        if number % every == 0:
            log(number, sum(losses[-every:]) / every)
    return state, [float(x) for x in losses]

# %% wrong_logs_at_the_end
# wrong: logs everything at the end; exercise: where_time_goes; must fail: outputs; says: before the next step is started
def train(step, state, batches, every, log):
    losses = []
    for batch in batches:
        state, loss = step(state, batch)
        losses.append(loss)
    losses = [float(x) for x in losses]
    for number in range(every, len(losses) + 1, every):
        log(number, sum(losses[number - every : number]) / every)
    return state, losses

# %% wrong_last_loss
# wrong: logs the last loss in place of the mean; exercise: where_time_goes; must fail: outputs; says: the mean of the last
def train(step, state, batches, every, log):
    losses = []
    for number, batch in enumerate(batches, 1):
        state, loss = step(state, batch)
        losses.append(loss)
        if number % every == 0:
            log(number, float(loss))
    return state, [float(x) for x in losses]

# %% wrong_loses_the_rest
# wrong: forgets the losses after the last log; exercise: where_time_goes; must fail: outputs; says: those of all steps
def train(step, state, batches, every, log):
    losses, window = [], []
    for number, batch in enumerate(batches, 1):
        state, loss = step(state, batch)
        window.append(loss)
        if number % every == 0:
            window = [float(x) for x in window]
            log(number, sum(window) / every)
            losses += window
            window = []
    return state, losses

# %% wrong_no_log
# wrong: does not log any more; exercise: where_time_goes; must fail: outputs; says: is called for the steps none
def train(step, state, batches, every, log):
    losses = []
    for batch in batches:
        state, loss = step(state, batch)
        losses.append(loss)
    return state, [float(x) for x in losses]

# %% wrong_goes_through_twice
# wrong: counts the batches first; exercise: where_time_goes; must fail: outputs; says: once for each batch
def train(step, state, batches, every, log):
    count = sum(1 for _ in batches)
    losses = []
    for number, batch in zip(range(1, count + 1), batches):
        state, loss = step(state, batch)
        losses.append(loss)
        if number % every == 0:
            log(number, sum(map(float, losses[-every:])) / every)
    return state, [float(x) for x in losses]

# %% starter
# starter: as shipped; exercise: where_time_goes; must fail: outputs; says: float() of a loss of step 1

# %% empty
# empty: nothing in the cell; exercise: where_time_goes; must fail: outputs; says: There is no function
