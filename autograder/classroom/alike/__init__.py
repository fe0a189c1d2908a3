"""Which submissions are alike beyond what many write: a hint for a person, never a mark."""

from autograder.classroom.alike.similar_page import write_similar as write_similar
