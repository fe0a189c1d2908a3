# wrong: jit takes prints away; exercise: tracing; must fail: outputs; says: other numbers of the same shapes
answers = {
    "prints_plain": 3,
    "prints_jitted": 0,
    "prints_shapes": 0,
    "prints_dtypes": 0,
    "shown": "tracer",
    "primitives": ["sub", "integer_pow", "reduce_sum"],
    "primitives_jitted": ["jit"],
    "result_shape": [],
    "old_weight": 12,
    "new_weight": 100,
}
