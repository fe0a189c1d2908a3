# wrong: only the last shape is remembered; exercise: tracing; must fail: outputs; says: what was compiled for a shape is kept
answers = {
    "prints_plain": 3,
    "prints_jitted": 1,
    "prints_shapes": 4,
    "prints_dtypes": 2,
    "shown": "tracer",
    "primitives": ["sub", "integer_pow", "reduce_sum"],
    "primitives_jitted": ["jit"],
    "result_shape": [],
    "old_weight": 12,
    "new_weight": 100,
}
