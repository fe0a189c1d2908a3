# wrong: prints once even without jit; exercise: tracing; must fail: outputs; says: Without jit there is no tracing
answers = {
    "prints_plain": 1,
    "prints_jitted": 1,
    "prints_shapes": 2,
    "prints_dtypes": 2,
    "shown": "tracer",
    "primitives": ["sub", "integer_pow", "reduce_sum"],
    "primitives_jitted": ["jit"],
    "result_shape": [],
    "old_weight": 12,
    "new_weight": 100,
}
