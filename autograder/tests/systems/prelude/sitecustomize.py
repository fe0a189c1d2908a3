"""Python runs this at its start, also in the children of `pytest --as-windows`."""

import os

if os.environ.get("AUTOGRADER_TESTS_AS"):
    from other_system import files, views

    views.install(os.environ["AUTOGRADER_TESTS_AS"])
    files.install(os.environ["AUTOGRADER_TESTS_AS"])
