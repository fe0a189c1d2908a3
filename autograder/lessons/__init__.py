"""Lessons: a script becomes a notebook; the syllabus; verify."""
