"""The way of an assignment through a JupyterHub, as users go it: over HTTP, each with a password.

`.ci/jupyterhub` runs this in namespaces of its own, where the settings of `.github/jupyterhub` are
at their places. Its argument is a file with the command that starts the hub.
"""

from __future__ import annotations

import asyncio
import fcntl
import json
import os
import re
import secrets
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import requests
from tornado.httpclient import HTTPRequest
from tornado.websocket import websocket_connect

HUB = "http://127.0.0.1:8000"
COURSE, GRADER, LESSON = "jit", "grader-jit", "static_branch"
NOTEBOOK = f"{LESSON}/{LESSON}.ipynb"
FOLDER = Path(f"/home/{GRADER}/{COURSE}")
EXCHANGE = Path(f"/srv/nbgrader/exchange/{COURSE}")
USERS = {"instructor1": 2001, "student1": 2101, "student2": 2102}
LOG = Path("/srv/hub.log")
Answer = requests.Response


def say(text: str) -> None:
    print(f"[{time.monotonic() - STARTED:3.0f} s] {text}", flush=True)


def expect(holds: object, problem: str) -> None:
    """End the journey where something does not hold."""
    if not holds:
        print(f"--- the end of the hub's log\n{LOG.read_text(errors='replace')[-6000:]}")
        sys.exit(f"FAILED: {problem}")


def wait(what: str, ready: Callable[[], Any], seconds: float = 90) -> Any:
    """Return what `ready` returns, once that is true."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := ready():
            return found
        time.sleep(0.5)
    expect(False, f"{what}: not within {seconds:.0f} s")


class User:
    """Somebody with a browser."""

    def __init__(self, name: str, password: str) -> None:
        self.name, self.password = name, password
        self.session = requests.Session()
        self.home = f"/user/{name}"

    def get(self, path: str) -> Answer:
        return self.session.get(HUB + path, timeout=60)

    def _token(self, prefix: str) -> str:
        found = [c for c in self.session.cookies if c.name == "_xsrf" and prefix in c.path]
        return found[0].value or "" if found else ""

    def send(self, method: str, path: str, data: Any = None) -> Answer:
        """Call a server's interface, as its page does."""
        prefix = "/".join(path.split("/")[:3])
        headers = {"X-XSRFToken": self._token(prefix), "Referer": HUB + prefix}
        return self.session.request(method, HUB + path, json=data, headers=headers, timeout=180)

    def log_in(self, password: str = "") -> int:
        """Return the status of the login page's answer."""
        page = self.get("/hub/login").text
        found = re.search(r'name="_xsrf"\s+value="([^"]+)"', page)
        expect(found, "the hub's login page has no form")
        form = {"username": self.name, "password": password or self.password}
        form["_xsrf"] = found[1] if found else ""
        answer = self.session.post(f"{HUB}/hub/login?next=/hub/home", form, timeout=60)
        return answer.status_code

    def reach_server(self) -> None:
        wait(f"{self.name}'s server", lambda: "/lab" in self.get(f"{self.home}/lab").url)
        page = self.get(f"{self.home}/lab")
        expect(page.ok and "jupyter-config-data" in page.text, "JupyterLab does not open")

    def read(self, path: str) -> Any:
        answer = self.get(f"{self.home}/api/contents/{path}")
        expect(answer.ok, f"{self.name} cannot open {path}: {answer.status_code}")
        return answer.json()["content"]

    def save(self, path: str, notebook: Any) -> None:
        content = {"type": "notebook", "format": "json", "content": notebook}
        answer = self.send("PUT", f"{self.home}/api/contents/{path}", content)
        expect(answer.ok, f"{self.name} cannot save {path}: {answer.text}")

    def assignments(self, action: str = "") -> list[dict[str, Any]]:
        """Return the rows of nbgrader's assignment list, after an action on the lesson."""
        if action:
            data = {"course_id": COURSE, "assignment_id": LESSON}
            answer = self.send("POST", f"{self.home}/assignments/{action}", data)
        else:
            answer = self.get(f"{self.home}/assignments?course_id={COURSE}")
        expect(answer.ok and answer.json()["success"], f"{self.name}: {action}: {answer.text}")
        return answer.json()["value"]

    def run(self, server: str, command: str) -> tuple[int, str]:
        """Return status and output of a command, typed into a terminal of a server."""
        answer = self.send("POST", f"{server}/api/terminals")
        expect(answer.ok, f"{self.name} gets no terminal at {server}: {answer.text}")
        path = f"{server}/terminals/websocket/{answer.json()['name']}"
        return asyncio.run(self._type(path, command))

    async def _type(self, path: str, command: str) -> tuple[int, str]:
        prepared = self.session.prepare_request(requests.Request("GET", HUB + path))
        headers = {"Cookie": prepared.headers["Cookie"], "Origin": HUB}
        request = HTTPRequest(f"{HUB.replace('http', 'ws')}{path}", headers=headers)
        terminal = await websocket_connect(request)
        # The echo of what is typed holds no number after "status=".
        typed = f'stty cols 400; {command}; echo "status"=$?\r'
        await terminal.write_message(json.dumps(["stdin", typed]))
        shown = ""
        while not (done := re.search(r"status=(\d+)", shown)):
            message = await asyncio.wait_for(terminal.read_message(), timeout=240)
            expect(message is not None, f"{self.name}'s terminal ended: {shown}")
            kind, *text = json.loads(message or "[]")
            shown += text[0] if kind == "stdout" else ""
        terminal.close()
        return int(done[1]), shown


def run_as(account: str, command: str, folder: Path | str = "/") -> str:
    """Run a command as `docker exec -u ACCOUNT -w FOLDER` does."""
    environment = {**os.environ, "HOME": f"/home/{account}"}
    ask = ["runuser", "-u", account, "--", "sh", "-c", command]
    done = subprocess.run(ask, cwd=folder, env=environment, capture_output=True, text=True)
    expect(done.returncode == 0, f"{account}: {command}\n{done.stdout}{done.stderr}")
    return done.stdout


def start_loopback() -> None:
    """A new network namespace has one device, which is down."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as device:
        up = struct.pack("16sh", b"lo", 1)
        fcntl.ioctl(device, 0x8914, up)  # SIOCSIFFLAGS


def start_hub(command: str) -> dict[str, User]:
    users = {name: User(name, secrets.token_urlsafe()) for name in USERS}
    rows = [
        f"{user.name}:{user.password}:{USERS[name]}:{USERS[name]}::/home/{name}:/bin/bash\n"
        for name, user in users.items()
    ]
    Path("/run/users").touch(mode=0o600)
    Path("/run/users").write_text("".join(rows))
    with LOG.open("w") as log:
        subprocess.Popen(["sh", "-c", command], stdout=log, stderr=log)

    def answers() -> bool:
        try:
            return requests.get(f"{HUB}/hub/health", timeout=5).ok
        except requests.ConnectionError:
            return False

    wait("the hub", answers)
    return users


def solve(student: User) -> None:
    """Put the lesson's own solution into a fetched notebook, and an answer in words."""
    from autograder.lessons.course import the_course
    from autograder.lessons.solutions import own_solution

    lesson = the_course().lesson(LESSON)
    assert lesson is not None
    notebook = student.read(NOTEBOOK)
    for cell in notebook["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("grade_id") == f"{LESSON}-solution":
            cell["source"] = own_solution(lesson, LESSON)
    student.save(NOTEBOOK, notebook)


def formgrader(instructor: User, action: str) -> None:
    path = f"/services/{COURSE}/formgrader/api/assignment/{LESSON}/{action}"
    answer = instructor.send("POST", path)
    expect(answer.ok and answer.json()["success"], f"formgrader: {action}: {answer.text}")
    say(f"formgrader: {action}")


def marks(instructor: User) -> dict[str, tuple[float, float, bool]]:
    """Return automatic score, highest score, and whether the answer waits, by student."""
    path = f"/services/{COURSE}/formgrader/api/submissions/{LESSON}"
    answer = instructor.get(path)
    expect(answer.ok, f"formgrader shows no submissions: {answer.status_code}")
    return {
        row["student"]: (row["code_score"], row["max_code_score"], row["needs_manual_grade"])
        for row in answer.json()
        if row["autograded"]
    }


def refuses(user: User, path: str, status: int) -> None:
    found = user.get(path).status_code
    expect(found == status, f"{user.name} gets {found} for {path}, not {status}")


def keep_out(student: User, other: User) -> None:
    """A student's own terminal reads nothing of the course's or of another student."""
    key = next(FOLDER.glob(".autograder/*key*"))
    closed = [
        *(FOLDER.parent, FOLDER, FOLDER / "gradebook.db", FOLDER / "source", key),
        *(FOLDER / "submitted" / other.name, Path(f"/home/{other.name}")),
        Path(f"/home/{other.name}/{NOTEBOOK}"),
        *(EXCHANGE / "inbound", EXCHANGE / "feedback"),
        *(Path("/srv/jupyterhub/jupyterhub.sqlite"), Path("/srv/jupyterhub/cookie_secret")),
        *(Path("/run/users"), Path("/etc/shadow")),
    ]
    missing = [str(path) for path in closed if not path.exists()]
    expect(not missing, f"there is nothing to keep out of: {missing}")
    own = Path(f"/home/{student.name}/{NOTEBOOK}")
    tests = " ".join(map(str, [own, *closed]))
    _, shown = student.run(student.home, f"for f in {tests}; do test -r $f && echo READ:$f; done")
    read = re.findall(r"READ:(/\S+)", shown)
    expect(read == [str(own)], f"{student.name} can read {read}")
    refuses(student, f"{other.home}/api/contents/{NOTEBOOK}", 403)
    refuses(student, f"/services/{COURSE}/formgrader", 403)
    say(f"{student.name} reads none of {len(closed)} places that are not theirs")


def feedback(student: User) -> str:
    student.assignments("fetch_feedback")
    (folder,) = student.read(f"{LESSON}/feedback")
    (page,) = student.read(folder["path"])
    return student.read(page["path"])


def main() -> None:
    start_loopback()
    users = start_hub(Path(sys.argv[1]).read_text())
    instructor, *students = users.values()
    right, starter = students
    version = requests.get(f"{HUB}/hub/api", timeout=5).json()["version"]
    say(f"JupyterHub {version} runs, with its proxy and accounts of the system")

    # The README's commands, as `docker exec` runs them.
    run_as(GRADER, f"autograder course {COURSE}", FOLDER.parent)
    seen = run_as(GRADER, "autograder doctor")
    expect("bubblewrap" in seen, f"autograder doctor says nothing of the sandbox: {seen}")
    say("the course is made, and autograder doctor has no complaint")

    expect(right.log_in("wrong") == 403, "a wrong password lets somebody in")
    for user in users.values():
        expect(user.log_in() == 200, f"{user.name} cannot log in")
        user.get("/hub/spawn")  # starts the server
    for user in users.values():
        user.reach_server()
        say(f"{user.name} logs in and has a server with JupyterLab")

    page = wait("formgrader", lambda: (p := instructor.get(f"/services/{COURSE}/lab")).ok and p)
    expect("jupyter-config-data" in page.text, "the grader's JupyterLab does not open")
    page = instructor.get(f"/services/{COURSE}/formgrader")
    expect(page.ok and "formgrader" in page.text, "formgrader does not open")
    for user in users.values():
        refuses(user, f"{user.home}/formgrader", 404)
    for student in students:
        for path in ("", "/lab", "/formgrader"):
            refuses(student, f"/services/{COURSE}{path}", 403)
    say("formgrader opens for the instructor, and for no student")

    formgrader(instructor, "assign")
    formgrader(instructor, "release")
    for student in students:
        (row,) = student.assignments()
        expect((row["status"], row["assignment_id"]) == ("released", LESSON), f"{row}")
        (row,) = student.assignments("fetch")
        expect(row["status"] == "fetched", f"{student.name} cannot fetch: {row}")
    solve(right)
    for student, shown in ((right, "9 / 9"), (starter, "/ 9")):
        command = f"jupyter execute --inplace --allow-errors {NOTEBOOK}"
        status, output = student.run(student.home, command)
        expect(status == 0, f"{student.name}'s notebook does not run: {output}")
        card = json.dumps([c for c in student.read(NOTEBOOK)["cells"] if c.get("outputs")])
        expect(shown in card, f"{student.name}'s check shows no {shown!r}")
        rows = student.assignments("submit")
        expect([r["status"] for r in rows] == ["fetched", "submitted"], f"not submitted: {rows}")
    say("both students fetch, check themselves in a kernel, and submit; one has solved it")

    # At the end of a round it names what it has graded; before, marks are still being recorded.
    done = FOLDER / ".autograder/graded_submissions"
    wait("the service that grades", lambda: len(done.read_text().splitlines()) == 2, 240)
    graded = marks(instructor)
    say(f"the hub's service has collected and graded: {graded}")
    # Nobody has answered in words, so nothing waits.
    expect(graded[right.name] == (9, 9, False), "the lesson's own solution has no full marks")
    expect(graded[starter.name][0] < 5, "the starter has marks")

    formgrader(instructor, "collect")
    grade = f"cd {COURSE} && autograder grade . --force"
    status, shown = instructor.run(f"/services/{COURSE}", grade)
    expect(status in (0, 3), f"grading by hand: status {status}\n{shown}")
    expect(marks(instructor) == graded, f"other marks by hand: {marks(instructor)}")
    owners = {path.owner() for path in FOLDER.rglob("*")}
    expect(owners == {GRADER}, f"the course has files of {owners}")
    say(f"graded again in a terminal of formgrader's server: status {status}, the same marks")

    formgrader(instructor, "generate_feedback")
    formgrader(instructor, "release_feedback")
    pages = [feedback(student) for student in students]
    expect("9 / 9" in pages[0] and "9 / 9" not in pages[1], "feedback is another's, or nobody's")
    say("each student fetches feedback, their own")
    keep_out(right, starter)
    keep_out(starter, right)
    say("all of it holds")


if __name__ == "__main__":
    STARTED = time.monotonic()
    main()
