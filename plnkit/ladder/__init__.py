"""The ladder: one fit of the PLN model, jitted further at every level.

Read the files side by side: same model, same start, same optimizer, same ELBO at every iteration.
"""
