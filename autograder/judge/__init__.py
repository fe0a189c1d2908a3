"""The judge: decides on exported programs, in a process of its own.

It holds keys and right results. When a class is graded, programs run in another process, which is
confined and holds neither (`autograder.sandbox.runner_client`). A learner has no secrets to keep
and waits for the answer: there the programs run in the judge's own process.
"""
