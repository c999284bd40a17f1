"""The web shop's tests with `stuntdouble run`, as a job of CI has them, and what the reports say of them.

    python3 run.py STUNTDOUBLE [FOLDER]     # the program, and where the reports are to be kept

First all tests, which pass, and nothing counts against them. Then two mistakes that no test of the shop notices: they are
made in a copy of the shop, and the run's verdict must find them.
"""
import html
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse
import xml.etree.ElementTree

HERE = os.path.dirname(os.path.abspath(__file__))
REPORTS = {"junit": "stuntdouble.xml", "html": "stuntdouble.html", "github": "annotations.txt"}
# `unused` is no reason: the mock refuses a wrong password and a request without a key, which a right shop never sends.
# Nor are `fault` and `aborted`, since the tests break answers themselves.
FAIL_ON = "unmatched,error,webhook"
FAULTS = 10

# A mistake each: the reason that finds it, a test that does not, the file, what stands there and what is put in its place,
# and what the reports have to say.
MISTAKES = [
    (
        "unmatched", "tests.test_checkout.Checkout.test_one_token_does_for_several_orders",
        "shop/payments.py", '/v1/shipments"', '/v1/shipment"',
        r"POST /v1/shipment\b", "POST /v1/shipments:",
    ),
    (
        "webhook", "tests.test_checkout.Checkout.test_a_transfer_is_paid_once_the_provider_calls",
        "shop/app.py", '"204 No Content"', '"500 Internal Server Error"',
        r"POST http://127\.0\.0\.1:\d+/webhooks/payments", "  - when: { jsonPath: { $.method: transfer } }",
    ),
]


def tests():
    """The names of all tests, from their sources."""
    names = []
    for file in sorted(os.listdir(os.path.join(HERE, "tests"))):
        if file.startswith("test_"):
            with open(os.path.join(HERE, "tests", file)) as source:
                for line in source:
                    begun = re.match(r"class (\w+)|    def (test_\w+)", line)
                    if begun and begun[1]:
                        group = begun[1]
                    elif begun:
                        names.append(f"tests.{file[:-3]}.{group}.{begun[2]}")
    return names


class Run:
    """One run: its status, what it said, and its reports."""

    def __init__(self, stuntdouble, shop, reports, *names):
        os.makedirs(reports, exist_ok=True)
        for file in REPORTS.values():
            if os.path.exists(os.path.join(reports, file)):
                os.remove(os.path.join(reports, file))
        written = [f"--report={kind}={os.path.join(reports, file)}" for kind, file in REPORTS.items()]
        command = [stuntdouble, "run", "mocks", "--fail-on", FAIL_ON, "--timeout", "5m", *written]
        environment = {**os.environ, "GITHUB_WORKSPACE": shop}
        done = subprocess.run(
            [*command, "--", sys.executable, "-B", "-m", "tests", *names], cwd=shop, env=environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.status, self.tested, self.told = done.returncode, done.stdout, done.stderr
        self.reports = {}
        for kind, file in REPORTS.items():
            if os.path.exists(os.path.join(reports, file)):
                with open(os.path.join(reports, file), encoding="utf-8") as report:
                    self.reports[kind] = report.read()

    def missing(self):
        return [f"there is no report {kind}" for kind in REPORTS if kind not in self.reports]

    def cases(self):
        """The test cases of JUnit's XML."""
        return list(xml.etree.ElementTree.fromstring(self.reports["junit"]).iter("testcase"))


def good(run):
    """What is wrong with the run of all tests."""
    if run.status != 0:
        return [f"status {run.status}:\n{run.tested}{run.told}"]
    names, problems = tests(), run.missing()
    if problems:
        return problems
    if f"{len(names)} tests in 2 workers: OK" not in run.tested:
        problems.append(f"not all of {len(names)} tests ran in two workers:\n{run.tested}")
    sessions = {case.get("name"): case.findtext("system-out") or "" for case in run.cases() if "session" in case.get("classname")}
    for name in names:
        # The session of each test, with a request and the file and line of the stub that answered it.
        if not re.search(r"POST /v1/payments\b.*payments\.yaml:\d+", sessions.get(name, "")):
            problems.append(f"JUnit's XML does not show what {name} asked for, but: {sessions.get(name)}")
        if name not in run.reports["html"]:
            problems.append(f"the page does not name {name}")
    bad = [case.get("name") for case in run.cases() if case.find("failure") is not None or case.find("error") is not None]
    if bad:
        problems.append(f"JUnit's XML says that these failed: {bad}")
    if not re.search(r"^::notice title=Stunt Double::Passed", run.reports["github"], re.M) or "::error" in run.reports["github"]:
        problems.append(f"the annotations are:\n{run.reports['github']}")
    faults = [name for name in names if "test_faults" in name]
    if len(faults) < FAULTS:
        problems.append(f"there are {len(faults)} tests of faults only")
    return problems


def found(run, reason, test, line, says):
    """What is wrong with the run of a mistake: it must fail for the reason alone, and its reports must say where and what."""
    problems = run.missing()
    if problems or "1 test in 1 worker: OK" not in run.tested or run.status != 1:
        return [f"status {run.status}, {problems}:\n{run.tested}{run.told}"]
    if not re.search(rf"^stuntdouble: failed for {reason}$", run.told, re.M) or not re.search(says, run.told):
        problems.append(f"{reason} is not told:\n{run.told}")
    failed = ["".join([case.get("name"), *case.itertext()]) for case in run.cases() if case.find("failure") is not None]
    if not any(re.search(says, text) for text in failed):
        problems.append(f"JUnit's XML names {failed}")
    page = html.unescape(re.sub("<[^>]*>", "", run.reports["html"]))
    if not re.search(says, page) or test not in page:
        problems.append(f"the page does not name {says} in {test}")
    annotations = urllib.parse.unquote(run.reports["github"])
    if not re.search(rf"^::error file=mocks/payments\.yaml,line={line},.*{says}.*{test}", annotations, re.M):
        problems.append(f"no annotation at payments.yaml:{line} names {says} in {test}:\n{annotations}")
    return problems


def main(stuntdouble, kept=None):
    scratch = tempfile.mkdtemp()
    stuntdouble = os.path.abspath(stuntdouble) if os.path.sep in stuntdouble else stuntdouble
    try:
        problems = good(Run(stuntdouble, HERE, os.path.abspath(kept or os.path.join(scratch, "good"))))
        for reason, test, file, right, wrong, says, stub in MISTAKES:
            shop = os.path.join(scratch, reason)
            shutil.copytree(HERE, shop, ignore=shutil.ignore_patterns("__pycache__"))
            with open(os.path.join(shop, file)) as source:
                text = source.read()
            assert right in text, f"{file} has no {right}"
            with open(os.path.join(shop, file), "w") as source:
                source.write(text.replace(right, wrong))
            with open(os.path.join(shop, "mocks", "payments.yaml")) as mock:
                line = 1 + [written.startswith(stub) for written in mock].index(True)
            run = Run(stuntdouble, shop, os.path.join(scratch, reason + " reports"), test)
            problems += [f"the mistake for {reason}: {problem}" for problem in found(run, reason, test, line, says)]
        for problem in problems:
            print(problem)
        names = tests()
        faults = sum("test_faults" in name for name in names)
        print("web shop: " + (f"{len(problems)} problems" if problems else
              f"{len(names)} tests in 2 workers passed, {faults} of them with a fault, and the reports name each; "
              f"{len(MISTAKES)} mistakes that no test noticed were found"))
        return 1 if problems else 0
    finally:
        shutil.rmtree(scratch)


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
