"""JupyterHub for one course, whose users have accounts of the system."""

c = get_config()  # noqa: F821

COURSE = "jit"  # the same as in nbgrader_config.py
INSTRUCTORS = ["instructor1"]

c.JupyterHub.bind_url = "http://:8000"
c.JupyterHub.db_url = "sqlite:////srv/jupyterhub/jupyterhub.sqlite"
c.JupyterHub.cookie_secret_file = "/srv/jupyterhub/cookie_secret"

# Whoever has an account here, with its password, may come in.
c.JupyterHub.authenticator_class = "pam"
c.Authenticator.allow_all = True
c.Spawner.default_url = "/lab"

c.JupyterHub.services = [
    # formgrader is a notebook server of the account that the course belongs to. nbgrader wants its
    # name to be the course's. Only instructors may open it, at /services/jit/.
    {
        "name": COURSE,
        "url": "http://127.0.0.1:9999",
        "command": ["jupyterhub-singleuser"],
        "user": f"grader-{COURSE}",
        "cwd": f"/home/grader-{COURSE}",
        "environment": {"JUPYTERHUB_DEFAULT_URL": "/lab"},
        "oauth_no_confirm": True,
    },
    # Collects and grades what students hand in. Without it, instructors do that by hand.
    {
        "name": f"grading-{COURSE}",
        "command": ["/etc/jupyterhub/grade_submissions", COURSE],
        "user": f"grader-{COURSE}",
        "cwd": f"/home/grader-{COURSE}",
        "display": False,
    },
]
c.JupyterHub.load_groups = {f"formgrade-{COURSE}": {"users": INSTRUCTORS}}
c.JupyterHub.load_roles = [
    {
        "name": f"formgrade-{COURSE}",
        "groups": [f"formgrade-{COURSE}"],
        "scopes": [
            f"access:services!service={COURSE}",
            f"read:services!service={COURSE}",
            "list:services",
        ],
    }
]
