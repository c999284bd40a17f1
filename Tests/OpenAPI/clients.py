"""What other programs make of a document that is served: schemathesis, and our own `import`."""

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
    """What it finds in the answers."""
    base = description.operations[0].base
    if any(operation.base != base for operation in description.operations):
        figures["documents with several servers"] += 1
        return
    figures["documents asked"] += 1
    figures["operations"] += len(description.operations)
    # It keeps what it finds in the folder in which it runs.
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
    """What is wrong in the routes that `import openapi` makes of a document, and in how they answer."""
    with tempfile.TemporaryDirectory() as folder:
        mocks = pathlib.Path(folder) / "mocks"
        done = subprocess.run(
            [binary, "import", "openapi", str(description.path), "--to", str(mocks)],
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
        with asked.Served(binary, description.path) as one, asked.Served(binary, mocks) as other:
            yield from compared(description, one, other, figures)


def compared(description, one, other, figures):
    """The operations that two daemons answer differently: status and content type are the same, and both bodies valid."""
    maker = values.Maker(description)
    for operation in description.operations:
        request = wire.made(operation, maker)
        if request is None:
            continue
        content = request.content()
        target = operation.base + request.target()
        first, second = (
            served.ask(operation.method, target, request.headers(), content and content[0]) for served in (one, other)
        )
        figures["operations"] += 1
        wrong = list(answers.problems(description, operation, *second, False))
        figures["same answers"] += first[::2] == second[::2]
        if first[0] != second[0] or first[1].get("Content-Type") != second[1].get("Content-Type"):
            yield (
                "not the same",
                f"{operation}: {first[0]} {first[1].get('Content-Type')}, then {second[0]} {second[1].get('Content-Type')}",
            )
        for kind, sentence in wrong:
            if kind != "unjudged":
                yield kind, f"{operation}: {sentence}"
