"""A dask.distributed cluster that grades: it has certificates, and says when it has no worker."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Executor
from contextlib import contextmanager
from typing import Any

from autograder.classroom import messages
from autograder.classroom.course_config import ClassError
from autograder.model.printable import one_line

LOOK_EVERY = 5.0
"""Seconds between two looks at the cluster's workers."""


@contextmanager
def open_cluster(scheduler: str, say: Callable[[str], None]) -> Iterator[Executor]:
    """Open the cluster of a scheduler.

    Jobs wait while it has no worker. The instructor hears of that within seconds, at the start and
    later, and again once there is one.

    Args:
        scheduler: its address, ``tls://HOST:PORT``.
        say: shows a line to the instructor; another thread calls it.

    Raises:
        ClassError: no such cluster, one that is open to others, or one that ends meanwhile.
    """
    if not scheduler.startswith("tls://"):
        raise ClassError(messages.OPEN_SCHEDULER.format(scheduler=one_line(scheduler)))
    from distributed import Client  # pyright: ignore[reportMissingImports]

    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)  # its tracebacks
    try:
        client = Client(scheduler, timeout=10)
    except (OSError, TypeError, ValueError, RuntimeError) as error:  # certificates that are missing
        text = messages.NO_SCHEDULER.format(scheduler=scheduler, error=error)
        raise ClassError(text) from None
    closing = threading.Event()
    with client, client.get_executor(retries=3, pure=False) as executor:
        where = (client, scheduler, say, closing)
        threading.Thread(target=_watch_workers, args=where, daemon=True).start()
        try:
            yield executor
        except CancelledError:
            raise ClassError(messages.LOST_SCHEDULER.format(scheduler=scheduler)) from None
        finally:
            closing.set()


def _watch_workers(
    client: Any, scheduler: str, say: Callable[[str], None], closing: threading.Event
) -> None:
    """Say when the cluster has no worker, and when it has one again."""
    before = None
    while not closing.is_set():
        try:
            there = bool(client.nthreads())
        except Exception:  # the scheduler has ended, or this client: its user hears of that
            return
        if there != before and not closing.is_set():
            text = messages.CLUSTER_GRADES if there else messages.NO_WORKER
            say(text.format(scheduler=scheduler))
        before = there
        closing.wait(LOOK_EVERY)
