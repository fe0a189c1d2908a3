"""All teaching text of the engine: what happened, why JIT cares, the smallest repair.

One module a theme. What single criteria have found out is worded beside them, in the `messages` of
`purity`, `compilations` and `speed`; what the commands say to learners, in `learning.sentences`.
"""
