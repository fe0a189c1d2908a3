"""Jupyter, for the account that the course belongs to: with formgrader."""

c = get_config()  # noqa: F821

c.ServerApp.jpserver_extensions = {
    "nbgrader.server_extensions.formgrader": True,
    "nbgrader.server_extensions.assignment_list": False,
    "nbgrader.server_extensions.course_list": False,
}
# formgrader shows its pages in a frame, which JupyterHub forbids since 4.1.
c.ServerApp.tornado_settings = {"headers": {"Content-Security-Policy": "frame-ancestors 'self'"}}
