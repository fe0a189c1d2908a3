"""nbgrader, for students and graders: the course, and where its assignments are exchanged."""

c = get_config()  # noqa: F821

c.CourseDirectory.course_id = "jit"
c.Exchange.root = "/srv/nbgrader/exchange"
