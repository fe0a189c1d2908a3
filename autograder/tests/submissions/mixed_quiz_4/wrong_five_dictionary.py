# wrong: takes the dictionary for a cache of programs; exercise: mixed_quiz_4_five; must fail: outputs; says: by_dictionary
answers = {
    "by_shape": "right",
    "by_new_function": "right",
    "by_dictionary": "right",
    "by_list": "error",
    "by_column": "right",
}
