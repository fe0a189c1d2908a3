# wrong: the inner jaxpr is in the answer, as a list inside the list; exercise: tracing; must fail: outputs; says: list of lists
answers = {
    "prints_plain": 3,
    "prints_jitted": 1,
    "prints_shapes": 2,
    "prints_dtypes": 2,
    "shown": "tracer",
    "primitives": ["sub", "integer_pow", "reduce_sum"],
    "primitives_jitted": ["jit", ["sub", "integer_pow", "reduce_sum"]],
    "result_shape": [],
    "old_weight": 12,
    "new_weight": 100,
}
