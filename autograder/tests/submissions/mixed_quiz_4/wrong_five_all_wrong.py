# wrong: nothing is fine; exercise: mixed_quiz_4_five; must fail: outputs; says: by_column
answers = {
    "by_shape": "error",
    "by_new_function": "compiles",
    "by_dictionary": "wrong",
    "by_list": "error",
    "by_column": "wrong",
}
