# right: those that compile, as a set; exercise: mixed_quiz_3_calls
new = {"fewer_sites", "by_name", "integers", "filled"}
old = {"other_values", "numpy", "first_again", "lowered"}
answers = {name: name in new for name in new | old}
