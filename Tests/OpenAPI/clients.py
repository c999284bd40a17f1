"""Runs schemathesis and `import openapi` on a served document."""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

import answers
import asked
import values
import wire

CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance,response_headers_conformance"


def schemathesis(description, port, figures):
    """The failures that schemathesis finds."""
    base = description.operations[0].base
    if any(operation.base != base for operation in description.operations):
        figures["documents with several servers"] += 1
        return
    figures["documents asked"] += 1
    figures["operations"] += len(description.operations)
    # schemathesis stores its findings in the working folder.
    scratch = tempfile.TemporaryDirectory()
    done = subprocess.run(
        [
            pathlib.Path(sys.executable).parent / "schemathesis", "run", description.path.resolve(), "--url", f"http://127.0.0.1:{port}{base}",
            "--checks", CHECKS, "--phases", "examples,coverage,fuzzing", "--max-examples", "5", "--seed", "1", "--workers", "1",
            "--mode", "positive", "--no-color", "--request-timeout", "20",
        ],
        capture_output=True, text=True, timeout=900, check=False, stdin=subprocess.DEVNULL, cwd=scratch.name,
    )  # fmt: skip
    scratch.cleanup()
    text = done.stdout + done.stderr
    cases = re.search(r"(\d+) generated", text)
    figures["requests"] += int(cases[1]) if cases else 0
    if done.returncode not in (0, 1) or "FAILURES" not in text and done.returncode:
        figures["not run by schemathesis"] += 1
        print(f"note: {description.path.name}: schemathesis: {text[-300:]}")
    elif done.returncode:
        for failure in re.split(r"\n_{5,} ", text.split("FAILURES")[1])[1:]:
            # In 2.0 it takes what an operation produces for what each of its answers has.
            if description.version == "2.0" and "ST104" in failure and "<EMPTY>" in failure:
                continue
            # Before 3.1 openapi-core has times without an offset only, and schemathesis only those with one.
            if description.version in ("2.0", "3.0") and 'is not a "time"' in failure:
                continue
            yield "schemathesis", failure[:900]


def imported(binary, description, figures):
    """The errors in the routes that `import openapi` makes of a document, and in their answers."""
    with tempfile.TemporaryDirectory() as folder:
        mocks = pathlib.Path(folder) / "mocks"
        done = subprocess.run(
            [binary, "import", "openapi", str(description.path), "--to", str(mocks), "--json"],
            capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip
        if done.returncode:
            yield "import", f"status {done.returncode}: {(done.stdout + done.stderr)[-400:]}"
            return
        figures["imported"] += 1
        checked = subprocess.run(
            [binary, "validate", "--strict", str(mocks)], capture_output=True, text=True, timeout=120, check=False
        )
        if checked.returncode:
            yield "validate", (checked.stdout + checked.stderr)[:600]
        figures["clean"] += not checked.returncode
        remarks = json.loads(done.stdout)["remarks"]
        with asked.Served(binary, description.path) as one, asked.Served(binary, mocks) as other:
            yield from compared(description, remarks, one, other, figures)


def samples(remarks):
    """The paths for which bodies were made that others do not get, by their operations, and whether the usual body is one."""
    found = {}
    for remark in remarks:
        match = re.search(
            r"(\S+ \S+) gives every request (with Prefer or Accept )?what the document gives \S+ ([^, ]+)", remark
        )
        if match:
            found[match[1]] = match[3], not match[2]
    return found


def preferences(operation):
    """The preferences of requests: each status, each of its content types, each example."""
    yield {}
    for code, answer in operation.answers.items():
        if not re.fullmatch("[2-5][0-9][0-9]", code):
            continue
        wish = {"Prefer": f"code={code}"}
        yield wish
        for kind in answer.contents:
            if "*" not in kind:
                yield wish | {"Accept": kind}
        for name in answer.examples:
            yield {"Prefer": f"code={code}, example={name}"}


def compared(description, remarks, one, other, figures):
    """The operations that two daemons answer differently: the answer to a request with nothing in it is the same, whatever that
    asks for; to others the status and content type are, and the body if it is not made for each request."""
    maker = values.Maker(description)
    made = samples(remarks)
    for operation in description.operations:
        request = wire.made(operation, maker)
        if request is None:
            continue
        content = request.content()
        target = operation.base + request.target()
        key = f"{operation.method} {operation.path}"
        figures["operations"] += 1
        first, second = (
            served.ask(operation.method, target, request.headers(), content and content[0]) for served in (one, other)
        )
        same = (first[0], first[1].get("Content-Type"), first[2]) == (second[0], second[1].get("Content-Type"), second[2])
        figures["same answers"] += same
        wrong = list(answers.problems(description, operation, *second, False))
        if first[0] != second[0] or first[1].get("Content-Type") != second[1].get("Content-Type"):
            yield (
                "not the same",
                f"{operation}: {first[0]} {first[1].get('Content-Type')}, then {second[0]} {second[1].get('Content-Type')}",
            )
        elif not same and not made.get(key, (None, False))[1]:
            yield "not the same", f"{operation}: {first[2][:200]!r}, then {second[2][:200]!r}"
        for kind, sentence in wrong:
            if kind != "unjudged":
                yield kind, f"{operation}: {sentence}"
        plain = made[key][0] if key in made else target.partition("?")[0]
        for wish in preferences(operation):
            first, second = (served.ask(operation.method, plain, wish) for served in (one, other))
            figures["plain requests"] += 1
            equal = (first[0], first[1].get("Content-Type"), first[2]) == (second[0], second[1].get("Content-Type"), second[2])
            figures["same for these"] += equal
            if not equal:
                yield (
                    "not the same",
                    f"{operation.method} {plain} {wish}: {first[0]} {first[2][:200]!r}, then {second[0]} {second[2][:200]!r}",
                )
