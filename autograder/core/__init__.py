"""The words that all rooms share: finding, report, rubric, observation, program, files."""
