"""The words that all rooms share: finding, report, rubric, notebook, observation."""
