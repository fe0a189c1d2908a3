"""Repairs of the drills of the lesson ahead_of_time."""

# %% starter_compile_totals
# starter: as given; exercise: compile_totals; must fail: outputs; says: compile

# %% right_compile_totals
# right: traced, lowered, compiled; exercise: compile_totals
@jax.jit
def totals(Y):
    return jnp.sum(Y, 0)

def compile_totals(Y):
    return totals.trace(jax.ShapeDtypeStruct(Y.shape, Y.dtype)).lower().compile()

# %% wrong_compile_totals_1
# wrong: the jitted function; exercise: compile_totals; must fail: outputs; says: compiled program
@jax.jit
def totals(Y):
    return Y.sum(axis=0)

def compile_totals(Y):
    totals.lower(Y).compile()
    return totals

# %% wrong_compile_totals_2
# wrong: the other axis; exercise: compile_totals; must fail: outputs; says: expected
def compile_totals(Y):
    return jax.jit(lambda Y: Y.sum(axis=1)).lower(Y).compile()

# %% starter_call_compiled
# starter: as given; exercise: call_compiled; must fail: outputs; says: compiled

# %% right_call_compiled_1
# right: named first; exercise: call_compiled
def call_compiled(compiled, Y):
    result = compiled(Y)
    return result

# %% right_call_compiled_2
# right: an alias; exercise: call_compiled
call_compiled = lambda program, table: program(table)

# %% wrong_call_compiled_1
# wrong: computes it itself; exercise: call_compiled; must fail: outputs; says: must call
def call_compiled(compiled, Y):
    return 7 * Y

# %% wrong_call_compiled_2
# wrong: computes it itself where the program refuses; exercise: call_compiled; must fail: outputs; says: must call
def call_compiled(compiled, Y):
    try:
        return compiled(Y, 7)
    except TypeError:
        return 7 * Y

# %% wrong_call_compiled_3
# wrong: twice; exercise: call_compiled; must fail: outputs; says: expected
def call_compiled(compiled, Y):
    return compiled(compiled(Y))

# %% starter_compile_for_shape
# starter: as given; exercise: compile_for_shape; must fail: outputs; says: compiled

# %% right_compile_for_shape
# right: zeros in place of shapes; exercise: compile_for_shape
@jax.jit
def log_counts(Y):
    return jnp.log(Y + 1)

def compile_for_shape(n, p):
    return log_counts.lower(jnp.zeros((n, p))).compile()

# %% wrong_compile_for_shape_1
# wrong: rows and columns exchanged; exercise: compile_for_shape; must fail: outputs; says: compiled
def compile_for_shape(n, p):
    return jax.jit(jnp.log1p).lower(jax.ShapeDtypeStruct((p, n), jnp.float32)).compile()

# %% wrong_compile_for_shape_2
# wrong: the jitted function; exercise: compile_for_shape; must fail: outputs; says: compiled program
def compile_for_shape(n, p):
    return jax.jit(jnp.log1p)
