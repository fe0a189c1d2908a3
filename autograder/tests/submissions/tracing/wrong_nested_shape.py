# wrong: a list that holds the shape of the arguments; exercise: tracing; must fail: outputs; says: list of lists
answers = {
    "prints_plain": 3,
    "prints_jitted": 1,
    "prints_shapes": 2,
    "prints_dtypes": 2,
    "shown": "tracer",
    "primitives": ["sub", "integer_pow", "reduce_sum"],
    "primitives_jitted": ["jit"],
    "result_shape": [(3,)],
    "old_weight": 12,
    "new_weight": 100,
}
