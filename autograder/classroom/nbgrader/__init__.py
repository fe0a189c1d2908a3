"""Plug-ins that replace some of nbgrader's exporters and preprocessors."""
