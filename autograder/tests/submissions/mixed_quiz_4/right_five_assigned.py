# right: one after the other; exercise: mixed_quiz_4_five
answers = dict.fromkeys(["by_shape", "by_column"], "right")
answers["by_new_function"] = "compiles"
answers["by_dictionary"] = "wrong"
answers["by_list"] = "error"
