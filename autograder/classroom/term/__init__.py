"""The class over all assignments of a course: one page, and the same in the terminal."""
