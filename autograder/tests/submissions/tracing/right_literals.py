# right: all ten, as floats where numbers are floats; exercise: tracing
answers = {
    "prints_plain": 3,
    "prints_jitted": 1,
    "prints_shapes": 2,
    "prints_dtypes": 2,
    "shown": "tracer",
    "primitives": ["sub", "integer_pow", "reduce_sum"],
    "primitives_jitted": ["jit"],
    "result_shape": (),
    "old_weight": 12.0,
    "new_weight": 100.0,
}
