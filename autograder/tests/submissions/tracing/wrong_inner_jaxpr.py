# wrong: jit is seen through; exercise: tracing; must fail: outputs; says: From outside, a jitted function is one operation
answers = {
    "prints_plain": 3,
    "prints_jitted": 1,
    "prints_shapes": 2,
    "prints_dtypes": 2,
    "shown": "tracer",
    "primitives": ["sub", "integer_pow", "reduce_sum"],
    "primitives_jitted": ["sub", "integer_pow", "reduce_sum"],
    "result_shape": [],
    "old_weight": 12,
    "new_weight": 100,
}
