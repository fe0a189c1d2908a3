# wrong: the names of NumPy functions; exercise: tracing; must fail: outputs; says: with the primitives' own names
answers = {
    "prints_plain": 3,
    "prints_jitted": 1,
    "prints_shapes": 2,
    "prints_dtypes": 2,
    "shown": "tracer",
    "primitives": ["subtract", "square", "sum"],
    "primitives_jitted": ["jit"],
    "result_shape": [],
    "old_weight": 12,
    "new_weight": 100,
}
