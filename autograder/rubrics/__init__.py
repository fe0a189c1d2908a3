"""One module a lesson; each defines `rubric`."""
