"""Two tests at the same time, one application, one daemon: each test's browser sees its own prices.

    python3 run.py STUNTDOUBLE                  # the program; applications for which there is no runtime are left out
    python3 run.py http://localhost:8080        # a daemon that is running

Each test begins a session, stubs its prices there, and asks the *application* as a browser does: with nothing but the
header `baggage`, or nothing but a cookie. It never tells the application where the mock is.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
APPLICATIONS = {"node": ["node", "app.mjs"], "python": [sys.executable, "app.py"]}
ROUNDS = 20


def call(method, url, body=None, headers={}):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


class Test(threading.Thread):
    """A browser test: a session of its own, and a browser that brings it along."""

    def __init__(self, mock, application, price, way):
        super().__init__(daemon=True)
        self.application, self.price, self.way, self.mock = application, price, way, mock
        self.seen = []

    def run(self):
        _, session = call("POST", f"{self.mock}/__admin/sessions", {"name": f"{self.way} {self.price}"})
        try:
            stub = {"GET /prices/apple": {"json": {"price": self.price}}}
            status, _ = call("POST", f"{session['url']}/__admin/mappings", stub)
            assert status == 201, status
            headers = {"baggage": session["baggage"]} if self.way == "baggage" else {"Cookie": session["cookie"]}
            for _ in range(ROUNDS):
                self.seen.append(call("GET", f"{self.application}/cart", headers=headers))
            self.report = call("GET", f"{self.mock}/__admin/sessions/{session['id']}/report")[1]
        finally:
            call("DELETE", f"{self.mock}/__admin/sessions/{session['id']}")

    def problems(self):
        expected = [(200, {"price": self.price})] * ROUNDS
        if self.seen != expected:
            yield f"{self.way}: saw {[seen for seen in self.seen if seen != expected[0]][:3]}"
        elif self.report["served"] != ROUNDS or self.report["verdict"] != "passed":
            yield f"{self.way}: the report of the session is {self.report}"


def run_application(name, mock):
    command = APPLICATIONS[name]
    environment = {**os.environ, "UPSTREAM": mock, "PORT": "0"}
    process = subprocess.Popen(command, cwd=HERE, env=environment, stdout=subprocess.PIPE, text=True)
    try:
        port = process.stdout.readline().split()[-1]
        application = f"http://127.0.0.1:{port}"
        tests = [Test(mock, application, price, way) for price, way in enumerate(["baggage", "cookie"] * 2)]
        for test in tests:
            test.start()
        for test in tests:
            test.join(60)
        problems = [problem for test in tests for problem in test.problems()]
        # A browser that brings nothing along gets what the daemon's own stubs say: nothing.
        status, _ = call("GET", f"{application}/cart")
        if status != 404:
            problems.append(f"without a session the application got {status}")
        return problems
    finally:
        process.terminate()
        process.wait()


def main(target):
    daemon, scratch = None, tempfile.mkdtemp()
    if not target.startswith("http"):
        port_file = os.path.join(scratch, "port")
        daemon = subprocess.Popen([target, scratch, "--port", "0", "--port-file", port_file, "--exit-with-parent"],
                                  stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
        while daemon.poll() is None and not os.path.exists(port_file):
            time.sleep(0.02)
        target = "http://127.0.0.1:" + open(port_file).read().split()[0]
    failed = False
    try:
        for name, command in APPLICATIONS.items():
            if shutil.which(command[0]) is None:
                print(f"{name}: left out, there is no {command[0]}")
                continue
            problems = run_application(name, target)
            failed = failed or bool(problems)
            print(f"{name}: " + ("; ".join(problems) or f"4 tests at the same time saw their own prices, {ROUNDS} times each"))
    finally:
        if daemon:
            daemon.terminate()
            daemon.wait()
        shutil.rmtree(scratch)
    return 1 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
