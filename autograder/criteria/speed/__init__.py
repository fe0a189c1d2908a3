"""Minimum speedup: a program against the rubric's baseline, decided by paired timings.

What is timed is the exported program, in a process of its own, on this machine or later on one
with a GPU. It needs nothing but jax, jaxlib, numpy and flatbuffers.

Precision. How a matrix product is rounded is written into a program when it is exported, so
``jax_default_matmul_precision`` has no effect on a program that is loaded. Export programs and
baselines under ``jax.default_matmul_precision("highest")``: then no TF32 is used on a GPU, unless
the code itself asked for it. The timing process sets ``NVIDIA_TF32_OVERRIDE=0`` besides, which
keeps cuBLAS from TF32 in programs exported otherwise.
"""

from __future__ import annotations

from autograder.criteria.speed.bundle import Bundle as Bundle
from autograder.criteria.speed.bundle import BundleError as BundleError
from autograder.criteria.speed.bundle import BundleWriter as BundleWriter
from autograder.criteria.speed.bundle import Entry as Entry
from autograder.criteria.speed.bundle import read_bundle as read_bundle
from autograder.criteria.speed.pairs import Comparison as Comparison
from autograder.criteria.speed.pairs import Runner as Runner
from autograder.criteria.speed.pairs import compare as compare
from autograder.criteria.speed.results import Results as Results
from autograder.criteria.speed.results import ResultsError as ResultsError
from autograder.criteria.speed.results import read_results as read_results
from autograder.criteria.speed.sequential import decide as decide
from autograder.criteria.speed.sequential import median_interval as median_interval
