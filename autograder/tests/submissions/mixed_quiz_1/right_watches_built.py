# right: built from pairs; exercise: mixed_quiz_1_watches
words = ["two runs", "start", "compiling", "one run"]
answers = {f"watch_{letter}": word for letter, word in zip("abcd", words, strict=True)}
