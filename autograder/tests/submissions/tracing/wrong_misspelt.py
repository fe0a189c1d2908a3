# wrong: a misspelt question; exercise: tracing; must fail: outputs; says: the key 'print_plain' belongs to no question
answers = {
    "print_plain": 3,
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
