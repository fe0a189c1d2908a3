"""The site: static pages, made with Sphinx from the lessons, the tables of messages and the docs.

`build.py` puts the sources together in a folder, and runs Sphinx on it. Its settings, its style and
the list of its pages are in `.github/site`.
"""
