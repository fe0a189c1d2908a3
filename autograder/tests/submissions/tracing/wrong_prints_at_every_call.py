# wrong: a jitted function prints at every call; exercise: tracing; must fail: outputs; says: other numbers of the same shapes and dtypes need no new trace
answers = {
    "prints_plain": 3,
    "prints_jitted": 3,
    "prints_shapes": 4,
    "prints_dtypes": 3,
    "shown": "tracer",
    "primitives": ["sub", "integer_pow", "reduce_sum"],
    "primitives_jitted": ["jit"],
    "result_shape": [],
    "old_weight": 12,
    "new_weight": 100,
}
