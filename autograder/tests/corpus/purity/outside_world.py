"""Functions that read or change clock, files, environment, network, processes or threads."""

# %% clock
# impure: reads-clock, line 10
import jax
import jax.numpy as jnp
import numpy as np

import time


def f(x):
    start = time.perf_counter()
    y = x * 2
    return y

# %% clock_datetime
# impure: reads-clock, line 10
import jax
import jax.numpy as jnp
import numpy as np

import datetime


def f(x):
    return x * datetime.datetime.now().year

# %% clock_in_helper_default
# impure: reads-clock, line 10
import jax
import jax.numpy as jnp
import numpy as np

import time


def now(clock=time.monotonic):
    return clock()


def f(x):
    t0 = now()
    return x * 2

# %% clock_map
# impure, line 10
import jax
import jax.numpy as jnp
import numpy as np

import time


def f(x):
    (t,) = map(lambda g: g(), [time.time_ns])
    return x + t % 7

# %% clock_value
# impure: reads-clock, line 10
import jax
import jax.numpy as jnp
import numpy as np

import time


def f(x):
    return x * time.time()

# %% date_today
# impure
import jax
import jax.numpy as jnp
import numpy as np

from datetime import date


def f(x):
    return x * date.today().day

# %% strftime
# impure
import jax
import jax.numpy as jnp
import numpy as np

import time


def f(x):
    return x * int(time.strftime("%Y"))

# %% sleeps
# impure: sleeps, line 10
import jax
import jax.numpy as jnp
import numpy as np

import time


def f(x):
    time.sleep(0.001)
    return x

# %% file_write
# impure: file-access, line 12
import jax
import jax.numpy as jnp
import numpy as np

import tempfile, os

path = os.path.join(tempfile.gettempdir(), "purity_corpus.txt")


def f(x):
    with open(path, "w") as out:
        out.write("x")
    return x

# %% numpy_load
# impure: file-access, line 13
import jax
import jax.numpy as jnp
import numpy as np

import tempfile, os

path = os.path.join(tempfile.mkdtemp(), "w.npy")
np.save(path, np.ones(3))


def f(x):
    return x @ np.load(path)

# %% numpy_save
# impure: file-access, line 12
import jax
import jax.numpy as jnp
import numpy as np

import os, tempfile

path = os.path.join(tempfile.gettempdir(), "purity_corpus.npy")


def f(x):
    np.save(path, np.ones(2))
    return x

# %% open_handle_global
# impure, line 12
import jax
import jax.numpy as jnp
import numpy as np

import tempfile

log = tempfile.TemporaryFile("w")


def f(x):
    log.write("x")
    return x

# %% path_exists
# impure: file-access, line 10
import jax
import jax.numpy as jnp
import numpy as np

import os


def f(x):
    if os.path.exists("/etc/hosts"):
        return x * 2
    return x

# %% path_read_text
# impure: file-access, line 12
import jax
import jax.numpy as jnp
import numpy as np

import pathlib

here = pathlib.Path(__file__)


def f(x):
    return x * len(here.read_text())

# %% pickle_dump
# impure: file-access, line 12
import jax
import jax.numpy as jnp
import numpy as np

import pickle, tempfile, os

name = os.path.join(tempfile.gettempdir(), "purity_corpus.pkl")


def f(x):
    pickle.dump({"n": 1}, open(name, "wb"))
    return x

# %% path_mtime
# impure
import jax
import jax.numpy as jnp
import numpy as np

import os


def f(x):
    return x * (os.path.getmtime("/") % 7)

# %% cwd_read
# impure, line 10
import jax
import jax.numpy as jnp
import numpy as np

import os


def f(x):
    return x * len(os.getcwd())

# %% environ_read
# impure: reads-environment, line 10
import jax
import jax.numpy as jnp
import numpy as np

import os


def f(x):
    scale = float(os.environ.get("SCALE", "2"))
    return x * scale

# %% environ_write
# impure: environment-changed, line 10
import jax
import jax.numpy as jnp
import numpy as np

import os


def f(x):
    os.environ["SEEN"] = "1"
    return x

# %% getenv_flag
# impure: reads-environment, line 10
import jax
import jax.numpy as jnp
import numpy as np

import os


def f(x):
    return x * 2 if os.getenv("FAST") else x * 3

# %% environ_assigned
# impure

import os


def f(x):
    os.environ["A_NAME_OF_MINE"] = "1"
    return x

# %% environ_membership
# impure
import jax
import jax.numpy as jnp
import numpy as np

import os


def f(x):
    return x * 2 if "DEBUG" in os.environ else x

# %% import_and_environ
# impure
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    import os, statistics

    os.environ["MINE"] = "1"
    return x * 2

# %% socket_opened
# impure: network, line 10
import jax
import jax.numpy as jnp
import numpy as np

import socket


def f(x):
    s = socket.socket()
    s.close()
    return x

# %% hostname
# impure
import jax
import jax.numpy as jnp
import numpy as np

import socket


def f(x):
    return x * len(socket.gethostname())

# %% subprocess_run
# impure: process, line 10
import jax
import jax.numpy as jnp
import numpy as np

import subprocess


def f(x):
    subprocess.run(["true"])
    return x

# %% pid_read
# impure, line 10
import jax
import jax.numpy as jnp
import numpy as np

import os


def f(x):
    return x * (os.getpid() % 2)

# %% thread_local
# impure: context-mutated, line 12
import jax
import jax.numpy as jnp
import numpy as np

import threading

store = threading.local()


def f(x):
    store.n = 5
    return x

# %% thread_pool
# impure: thread, line 11
import jax
import jax.numpy as jnp
import numpy as np

from concurrent.futures import ThreadPoolExecutor


def f(x):
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(lambda: x * 2).result()

# %% thread_started
# impure: thread, line 11
import jax
import jax.numpy as jnp
import numpy as np

import threading


def f(x):
    t = threading.Thread(target=lambda: None)
    t.start()
    t.join()
    return x

# %% asyncio_run
# impure
import jax
import jax.numpy as jnp
import numpy as np

import asyncio


async def g(x):
    return x * 2


def f(x):
    return asyncio.run(g(x))

# %% weakref_finalize
# impure: deferred-call, line 15
import jax
import jax.numpy as jnp
import numpy as np

import weakref


class T:
    pass


def f(x):
    t = T()
    weakref.finalize(t, lambda: None)
    return x

# %% atexit_registered
# impure: deferred-call, line 10
import jax
import jax.numpy as jnp
import numpy as np

import atexit


def f(x):
    atexit.register(lambda: None)
    return x

# %% contextvar
# impure: context-mutated, line 12
import jax
import jax.numpy as jnp
import numpy as np

import contextvars

var = contextvars.ContextVar("var", default=0)


def f(x):
    var.set(var.get() + 1)
    return x
