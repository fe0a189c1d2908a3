# wrong: a global is looked up at every call; exercise: tracing; must fail: outputs; says: its value is then part of the program
answers = {
    "prints_plain": 3,
    "prints_jitted": 1,
    "prints_shapes": 2,
    "prints_dtypes": 2,
    "shown": "tracer",
    "primitives": ["sub", "integer_pow", "reduce_sum"],
    "primitives_jitted": ["jit"],
    "result_shape": [],
    "old_weight": 60,
    "new_weight": 100,
}
