"""Minimum speedup: a program against the rubric's baseline, decided by paired timings.

What is timed is the exported program, in a process of its own, on this machine or later on one
with a GPU. It needs nothing but jax, jaxlib, numpy and flatbuffers.

Precision. How a matrix product is rounded is written into a program when it is exported, so
``jax_default_matmul_precision`` has no effect on a program that is loaded. Export programs and
baselines under ``jax.default_matmul_precision("highest")``: then no TF32 is used on a GPU, unless
the code itself asked for it. The timing process sets ``NVIDIA_TF32_OVERRIDE=0`` besides, which
keeps cuBLAS from TF32 in programs exported otherwise.
"""
