# wrong: does not think of the third call; exercise: mixed_quiz_4_five; must fail: outputs; says: by_list
answers = {
    "by_shape": "right",
    "by_new_function": "compiles",
    "by_dictionary": "wrong",
    "by_list": "right",
    "by_column": "right",
}
