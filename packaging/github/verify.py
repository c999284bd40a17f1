#!/usr/bin/env python3
"""Runs the actions for GitHub, and the snippet for GitLab, as their runners would.

    python3 packaging/github/verify.py [--dist dist]

`dist` is what `make dist` has made. The steps of `action.yml` and `report/action.yml` are run in order by bash, with files for
GITHUB_ENV, GITHUB_PATH, GITHUB_OUTPUT and GITHUB_STEP_SUMMARY, whose lines then count for the next steps; expressions as the actions use
them are filled in (`inputs.X`, `github.action_path`, `steps.X.outputs.Y`). Shown are a job whose requests are all answered, one with a
request that nothing answers, and one with a folder that cannot be served. Needs PyYAML, bash and curl.
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import yaml

HERE = pathlib.Path(__file__).resolve().parent
STUBS = "GET /orders/{id}: { json: { id: 7 } }\nGET /unused: { body: none }\n"


class Job:
    """The files and variables that the steps of a job share."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.workspace = self.folder / "workspace"
        (self.workspace / "mocks").mkdir(parents=True)
        (self.workspace / "mocks/orders.yaml").write_text(STUBS)
        (self.folder / "temp").mkdir()
        self.summary = self.folder / "summary.md"
        self.variables, self.path, self.log = {}, [], ""

    def step(self, script, variables=()):
        """Runs one script as `shell: bash` does. Returns its status and outputs."""
        files = {name: self.folder / name.lower() for name in ("GITHUB_ENV", "GITHUB_PATH", "GITHUB_OUTPUT")}
        for file in files.values():
            file.write_text("")
        environment = {
            "PATH": ":".join([*reversed(self.path), "/usr/bin", "/bin"]), "HOME": str(self.folder), "RUNNER_TEMP": str(self.folder / "temp"),
            "GITHUB_WORKSPACE": str(self.workspace), "GITHUB_STEP_SUMMARY": str(self.summary), "CI": "true", "GITHUB_ACTIONS": "true",
            **{name: str(file) for name, file in files.items()}, **self.variables, **dict(variables),
        }
        file = self.folder / "step.sh"
        file.write_text(script)
        # To a file: a daemon that a step leaves behind must not keep a pipe open.
        with open(self.folder / "step.log", "w+") as log:
            done = subprocess.run(
                ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", str(file)], env=environment, cwd=self.workspace, stdin=subprocess.DEVNULL,
                stdout=log, stderr=subprocess.STDOUT, timeout=120)
        text = (self.folder / "step.log").read_text()
        self.log += text
        self.variables |= pairs(files["GITHUB_ENV"])
        self.path += files["GITHUB_PATH"].read_text().split()
        return done.returncode, pairs(files["GITHUB_OUTPUT"]), text

    def uses(self, action, **given):
        """Runs the steps of an action. Returns the status of the first that failed, or 0, its outputs and what it printed."""
        document = yaml.safe_load((action / "action.yml").read_text())
        unknown = set(given) - set(document["inputs"])
        assert not unknown, f"the action has no input {unknown}"
        inputs = {name: str(given.get(name, row.get("default", ""))) for name, row in document["inputs"].items()}
        outputs, printed, status = {}, "", 0

        def filled(text):
            def value(match):
                words = match[1].strip().split(".")
                if words[0] == "inputs":
                    return inputs[words[1]]
                if words == ["github", "action_path"]:
                    return str(action)
                return outputs.get(words[1], {}).get(words[3], "")
            return re.sub(r"\$\{\{(.*?)\}\}", value, text)

        assert document["runs"]["using"] == "composite"
        for step in document["runs"]["steps"]:
            assert step["shell"] == "bash" and "${{" not in step["run"], "what users give reaches scripts as variables"
            status, found, text = self.step(step["run"], {name: filled(str(text)) for name, text in step.get("env", {}).items()}.items())
            printed += text
            if "id" in step:
                outputs[step["id"]] = found
            if status:
                break
        return status, {name: filled(row["value"]) for name, row in document.get("outputs", {}).items()}, printed


def pairs(file):
    return dict(line.split("=", 1) for line in file.read_text().splitlines())


def release(checkout, dist):
    """The actions as a job gets them, in a checkout of the sources whose releases are files here."""
    shutil.copytree(HERE.parent, checkout / "packaging")
    manual = "Sources/Daemon/Command/Manual.swift"
    (checkout / manual).parent.mkdir(parents=True)
    shutil.copy(HERE.parents[1] / manual, checkout / manual)
    version = re.search(r' version = "(.*)"', (checkout / manual).read_text())[1]
    project = checkout / "packaging/project.json"
    project.write_text(re.sub(r'("url": )".*"', rf'\1"{checkout}"', project.read_text()))
    (checkout / "releases/download").mkdir(parents=True)
    (checkout / "releases/download" / version).symlink_to(dist)
    return checkout / "packaging/github"


def expect(condition, what, log=""):
    if not condition:
        sys.exit(f"github: {what}\n{log}")
    print(f"github: {what}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--dist", type=pathlib.Path, default=HERE.parents[1] / "dist")
    dist = str(parser.parse_args().dist.resolve())
    with tempfile.TemporaryDirectory() as folder:
        job = Job(pathlib.Path(folder) / "a")
        status, outputs, log = job.uses(HERE, **{"from": dist, "folder": "mocks", "fail-on": "unmatched,error", "options": "--verbose --admin-cors *"})
        expect(status == 0 and job.variables == {"STUNTDOUBLE_URL": outputs["url"]}, f"the action has installed and started it: {outputs['url']}", log)
        status, _, log = job.step("stuntdouble run mocks -- sh -c 'curl -s $STUNTDOUBLE_URL/none'; ls $RUNNER_TEMP/stuntdouble.port")
        expect(status == 0, "a run in a later step has its own server and verdict, and leaves the port file", log)
        status, _, log = job.step('curl -fsS "$STUNTDOUBLE_URL/orders/7"')
        expect(status == 0 and log == '{"id":7}', "the next step's request is answered", log)
        status, outputs, log = job.uses(HERE / "report")
        expect(status == 0 and outputs["verdict"] == "passed", "the report passes, and the server ends", log)
        expect(job.step('curl -s "$STUNTDOUBLE_URL/"')[0] != 0, "it has ended")
        expect((job.workspace / "stuntdouble-report.html").read_text().lstrip().lower().startswith("<!doctype html"), "the page is written")

        job = Job(pathlib.Path(folder) / "b")
        job.uses(HERE, **{"from": dist, "folder": "mocks"})
        job.step('curl -s "$STUNTDOUBLE_URL/order/7"')
        status, outputs, log = job.uses(HERE / "report")
        expect(status != 0 and outputs["verdict"] == "failed", "a request that nothing answers fails the report", log)
        expect(re.search(r"^::(error|warning) .*file=mocks/orders\.yaml,line=1", log, re.M), "with an annotation at the nearest stub", log)
        expect("/order/7" in job.summary.read_text(), "and a line in the summary")

        job = Job(pathlib.Path(folder) / "c")
        (job.workspace / "mocks/orders.yaml").write_text("GET /orders: { stats: 200 }\n")
        status, _, log = job.uses(HERE, **{"from": dist, "folder": "mocks"})
        expect(status != 0 and "::error title=Stunt Double::" in log and "stats" in log, "a folder that cannot be served fails the step", log)

        job = Job(pathlib.Path(folder) / "d")
        status, outputs, log = job.uses(HERE, **{"from": dist})
        expect(status == 0 and outputs["url"] == "", "without a folder it is only installed", log)
        status, _, log = job.step("stuntdouble run mocks --fail-on unmatched -- sh -c 'curl -fsS $STUNTDOUBLE_URL/orders/7'")
        expect(status == 0 and '{"id":7}' in log, "stuntdouble run works in a step", log)

        job = Job(pathlib.Path(folder) / "f")
        action = release(pathlib.Path(folder) / "checkout", dist)
        status, outputs, log = job.uses(action, folder="mocks")
        expect(status == 0 and outputs["url"], "with a folder alone it installs the release of the action's own version", log)
        job.uses(action / "report")

        snippet = yaml.safe_load((pathlib.Path(dist) / "stuntdouble.gitlab-ci.yml").read_text())[".stuntdouble"]
        job = Job(pathlib.Path(folder) / "e")
        variables = {name: str(text).replace("$CI_PROJECT_DIR", str(job.workspace)) for name, text in snippet["variables"].items()}
        variables["STUNTDOUBLE_FROM"] = dist
        report = "--report junit=" + snippet["artifacts"]["reports"]["junit"]
        script = "\n".join([*snippet["before_script"], f"stuntdouble run mocks {report} -- sh -c 'curl -fsS $STUNTDOUBLE_URL/orders/7'"])
        status, _, log = job.step(script, variables.items())
        expect(status == 0 and '{"id":7}' in log, "GitLab's job installs it, and runs a command with it", log)
        expect("<testsuite" in (job.workspace / "stuntdouble-junit.xml").read_text(), "with a JUnit file")
        status, _, log = job.step(script, {**variables, "STUNTDOUBLE_FROM": "/none"}.items())
        expect(status == 0, "the second job takes it from the cache", log)


if __name__ == "__main__":
    main()
