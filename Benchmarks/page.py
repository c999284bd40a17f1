"""The page at /__admin/ui/ under load, in Chromium: how long a key in the filter takes while requests come, and what memory
and DOM are left after many of them.

    python3 -m Benchmarks.page --daemon BINARY [--rate 1000] [--seconds 30] [--events 100000] [--files DIR]

With `--files` the page is that of a folder, such as Sources/Admin/CResources/ui, and not the daemon's.
Needs playwright (Tests/UI/requirements.txt) and Chromium at /usr/bin/chromium. Figures, no judgement: docs/benchmarks.md says
what is aimed at.
"""

import argparse
import socket
import statistics
import subprocess
import tempfile
import threading
import time

from playwright.sync_api import sync_playwright

from Tests.UI import page_files

ROUTES = "GET /a: { body: a }\nGET /b/{id}: { json: { id: 1 } }\nGET /c: { status: 404 }\n"
PATHS = ["/a", "/b/1", "/b/2", "/c", "/nothing"]


class Load:
    """Requests at a steady rate on one connection, pipelined in small batches."""

    def __init__(self, port, rate):
        self.rate = rate
        self.sent = 0
        self.stopped = threading.Event()
        self.socket = socket.create_connection(("127.0.0.1", port))
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        while self.socket.recv(1 << 16):
            pass

    def send(self, count=None, seconds=None):
        """Sends for so many seconds, or so many requests."""
        begin = time.monotonic()
        first = self.sent
        while not self.stopped.is_set():
            elapsed = time.monotonic() - begin
            if seconds is not None and elapsed >= seconds:
                return
            due = int(elapsed * self.rate) - (self.sent - first)
            if count is not None:
                due = min(due, count - (self.sent - first))
                if self.sent - first >= count:
                    return
            if due > 0:
                lines = [f"GET {PATHS[(self.sent + i) % len(PATHS)]} HTTP/1.1\r\nHost: localhost\r\n\r\n" for i in range(due)]
                self.socket.sendall("".join(lines).encode())
                self.sent += due
            time.sleep(0.002)


# The time from a key's event to the frame after it, and tasks that held the page longer than 50 ms.
WATCH = """() => {
    window.measured = { keys: [], tasks: [] };
    addEventListener("keydown", (event) => {
        requestAnimationFrame(() => setTimeout(() => measured.keys.push(performance.now() - event.timeStamp)));
    }, true);
    new PerformanceObserver((list) => measured.tasks.push(...list.getEntries().map((e) => e.duration)))
        .observe({ entryTypes: ["longtask"] });
}"""


def heap(page):
    session = page.context.new_cdp_session(page)
    session.send("HeapProfiler.enable")
    session.send("HeapProfiler.collectGarbage")
    session.send("Performance.enable")
    metrics = {m["name"]: m["value"] for m in session.send("Performance.getMetrics")["metrics"]}
    return metrics["JSHeapUsedSize"] / 1e6, int(metrics["Nodes"])


def figures(name, values, unit="ms"):
    if not values:
        return print(f"{name}: none")
    ordered = sorted(values)
    at = lambda part: ordered[min(len(ordered) - 1, int(part * len(ordered)))]
    print(f"{name}: {len(values)}, median {statistics.median(values):.1f}, p95 {at(0.95):.1f}, longest {ordered[-1]:.1f} {unit}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--daemon", required=True)
    parser.add_argument("--rate", type=int, default=1_000)
    parser.add_argument("--seconds", type=int, default=30)
    parser.add_argument("--events", type=int, default=100_000)
    parser.add_argument("--files")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        with open(f"{folder}/a.yaml", "w") as file:
            file.write(ROUTES)
        daemon = subprocess.Popen(
            [options.daemon, folder, "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            port = int(daemon.stdout.readline().split("http://127.0.0.1:")[1].split()[0])
            browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            if options.files:
                page_files.serve(page.context, options.files, f"http://127.0.0.1:{port}")
            page.goto(f"http://127.0.0.1:{port}/__admin/ui/")
            page.wait_for_timeout(1_000)
            print("empty: heap %.1f MB, %d nodes" % heap(page))
            load = Load(port, options.rate)
            sender = threading.Thread(target=load.send, kwargs={"seconds": options.seconds})
            sender.start()
            page.wait_for_timeout(2_000)
            page.evaluate(WATCH)
            page.keyboard.press("/")
            while sender.is_alive():
                for key in "status:4xx -path:/a":
                    page.keyboard.type(key)
                    page.wait_for_timeout(120)
                for _ in "status:4xx -path:/a":
                    page.keyboard.press("Backspace")
                    page.wait_for_timeout(60)
            measured = page.evaluate("measured")
            print(f"{load.sent} requests at {options.rate}/s")
            figures("keys", measured["keys"])
            figures("tasks above 50 ms", measured["tasks"])
            print("then: heap %.1f MB, %d nodes" % heap(page))
            load.send(count=max(0, options.events - load.sent))
            page.wait_for_timeout(3_000)
            print(f"after {load.sent} requests: heap %.1f MB, %d nodes" % heap(page))
            browser.close()
        finally:
            daemon.kill()


if __name__ == "__main__":
    main()
