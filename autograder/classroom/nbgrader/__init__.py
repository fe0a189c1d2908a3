"""What nbgrader is given in place of its own exporters and preprocessors."""
