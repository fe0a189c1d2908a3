"""nbgrader, for the account that the course belongs to: where `autograder course jit` made it."""

c = get_config()  # noqa: F821

c.CourseDirectory.root = "/home/grader-jit/jit"
# formgrader's server starts in the home, where it finds no settings of the course itself. Without
# them, its buttons would release other notebooks, and run submissions unconfined.
load_subconfig("nbgrader_config.py", path="/home/grader-jit/jit")  # noqa: F821
