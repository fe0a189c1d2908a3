"""Jupyter, for everybody: without the graders' pages."""

c = get_config()  # noqa: F821

c.ServerApp.jpserver_extensions = {
    "nbgrader.server_extensions.formgrader": False,
    "nbgrader.server_extensions.course_list": False,
}
