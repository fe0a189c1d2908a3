# wrong: a number has shape [1]; exercise: tracing; must fail: outputs; says: a shape with no axes
answers = {
    "prints_plain": 3,
    "prints_jitted": 1,
    "prints_shapes": 2,
    "prints_dtypes": 2,
    "shown": "tracer",
    "primitives": ["sub", "integer_pow", "reduce_sum"],
    "primitives_jitted": ["jit"],
    "result_shape": [1],
    "old_weight": 12,
    "new_weight": 100,
}
