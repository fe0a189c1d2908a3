import socket
import subprocess
import sys

import pytest

from autograder.sandbox import bubblewrap, confined

needs_bubblewrap = pytest.mark.skipif(
    bubblewrap() is None, reason="bubblewrap is not installed, or may make no namespaces here"
)


def run(code, scratch):
    command = confined([sys.executable, "-c", code], scratch)
    return subprocess.run(command, capture_output=True, text=True, timeout=60).stdout.strip()


@needs_bubblewrap
def test_only_the_scratch_folder_can_be_written(tmp_path):
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    code = f"""
for path in ({str(scratch / "mine")!r}, {str(tmp_path / "theirs")!r}):
    try:
        open(path, "w").close()
        print("written")
    except OSError as error:
        print(error.strerror)
"""
    assert run(code, scratch).splitlines() == ["written", "Read-only file system"]
    assert [p.name for p in tmp_path.iterdir()] == ["scratch"]


@needs_bubblewrap
def test_no_other_process_and_no_network(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as server:
        code = f"""
import os, socket
print(max(int(p) for p in os.listdir("/proc") if p.isdigit()) < 10)
try:
    socket.create_connection(("127.0.0.1", {server.getsockname()[1]}), timeout=5)
    print("connected")
except OSError as error:
    print("no connection")
"""
        assert run(code, tmp_path).splitlines() == ["True", "no connection"]


def test_without_bubblewrap_the_command_is_left_as_it_is(tmp_path, monkeypatch):
    monkeypatch.setattr("autograder.sandbox.bubblewrap", lambda: None)
    assert confined(["python", "-V"], tmp_path) == ["python", "-V"]
