"""How fast a program is, beside the points that it is judged for."""

CPU_SPEED = (
    "On this CPU {ratio:.1f} times faster than the baseline (between {low:.1f} and {high:.1f}), "
    "per iteration. For information: the points are given on a GPU, for {threshold:g} times."
)
GPU_SPEED = (
    "On the GPU {ratio:.1f} times faster than the baseline (between {low:.1f} and {high:.1f}), per "
    "iteration; asked for are {threshold:g} times."
)
CPU_SPEED_UNKNOWN = (
    "On this CPU the speed cannot be told: {reason} For information: the points are given on a "
    "GPU, for {threshold:g} times the baseline's speed."
)
