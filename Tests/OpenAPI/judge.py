"""Checks how the daemon serves OpenAPI documents, with third-party validators.

    pip install -r Tests/OpenAPI/requirements.txt
    python3 Tests/OpenAPI/judge.py .build/debug/stuntdouble [PART …] [--documents FOLDER]

The parts are `answers` (each answer is declared, valid and complete), `verdicts` (requests are validated as by openapi-core),
`broken` (mutated and hostile documents do no harm), `clients` (schemathesis finds nothing), `import` (routes imported from a
document answer as the document does) and `shown` (answers equal those of answers.md); all parts by default. Prints figures and
each unexpected result; exits with 1 if there is one.
"""

import argparse
import collections
import http.client
import pathlib
import subprocess
import sys
import tempfile
from urllib.parse import quote

import asked
import broken
import clients
import shown
import verdicts
from description import Description

HERE = pathlib.Path(__file__).parent


def paths_of(given):
    """The documents of a folder, or those that a text lists; those with others beside them are in folders of their own, with
    `openapi` in the name."""
    if given.suffix == ".txt":
        return [pathlib.Path(line) for line in given.read_text(encoding="utf-8").splitlines()]
    if given.is_file():
        return [given]
    paths = [path for path in sorted(given.rglob("*")) if path.suffix in (".json", ".yaml", ".yml")]
    return [path for path in paths if path.parent == given or "openapi" in path.name]


def descriptions(given, figures):
    """The documents that are asked for, as far as the judge can read them."""
    for path in paths_of(pathlib.Path(given.documents)):
        figures["documents"] += 1
        try:
            yield Description(path)
        except Exception as error:  # whatever the document is
            figures["not read by the judge"] += 1
            print(f"note: {path.name}: {type(error).__name__}: {str(error)[:80]}")


def judge_answers(given, figures):
    """Requests every operation, for generated answers and for examples."""
    for description in descriptions(given, figures):
        try:
            with asked.Served(given.binary, description.path) as served:
                figures["loaded"] += 1
                figures["slowest load (ms)"] = max(figures["slowest load (ms)"], round(served.seconds * 1000))
                for operation, kind, sentence in asked.ask(served, description, figures, given.limit):
                    yield f"{description.path.name} {operation}", kind, sentence
                if served.daemon.process.poll() is not None:
                    yield description.path.name, "crash", served.daemon.log[-2_000:]
        except SystemExit as error:
            yield description.path.name, "not loaded", str(error)[-600:]


def judge_verdicts(given, figures):
    """Sends valid requests and requests with one error, with `enforce`."""
    for description in descriptions(given, figures):
        if description.version == "2.0" or figures["requests"] >= given.requests:
            continue
        try:
            with asked.Served(given.binary, description.path, ("--openapi-validate", "enforce")) as served:
                for where, kind, sentence in verdicts.compare(served, description, figures, given):
                    yield f"{description.path.name} {where}", kind, sentence
        except SystemExit as error:
            yield description.path.name, "not loaded", str(error)[-600:]
        except (http.client.HTTPException, OSError) as error:
            yield description.path.name, "no answer", repr(error)


def judge_broken(given, figures):
    """Serves mutated documents, and documents of extreme size."""
    hostile = HERE / "documents" / "hostile"
    for path in sorted(hostile.iterdir()):
        yield from trial(given, figures, path.name, path.read_bytes(), ["/fine"])
    for name, text in broken.extremes():
        yield from trial(given, figures, name, text.encode(), ["/a"])
    sources = [one for one in descriptions(given, figures) if one.operations and one.path.stat().st_size < 300_000]
    sources = sources[:: max(1, len(sources) // given.mutations)]
    for description in sources:
        count = -(-given.mutations // len(sources))
        paths = [operation.base + operation.path for operation in description.operations[:5]]
        for index, data, what in broken.chosen_mutations(description, count, given.seed):
            name = f"{index}{description.path.suffix}"
            yield from trial(given, figures, name, data, paths, f"{description.path.name} {index} ({what})")


def trial(given, figures, name, data, paths, label=None):
    """Serves a text in a folder of mocks and asks for some paths. A text that is no JSON or YAML keeps nothing else from being
    served."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / name
        path.write_bytes(data)
        figures["trials"] += 1
        try:
            code, text = broken.validated(given.binary, folder)
            figures["with findings"] += bool(code) or "warning" in text
            if code not in (0, 1, 2):
                yield label or name, "validate crashed", f"status {code}: {text[-600:]}"
        except subprocess.TimeoutExpired:
            yield label or name, "validate hung", "60 s"
        try:
            with asked.Served(given.binary, folder, ("--keep-going",)) as served:
                figures["slowest load (ms)"] = max(figures["slowest load (ms)"], round(served.seconds * 1000))
                served.connection.timeout = 20
                for target in paths:
                    try:
                        figures["answers"] += 1
                        status = served.ask("GET", quote(target, safe="/%{}"))[0]
                        figures[f"status {status // 100}XX"] += 1
                    except http.client.InvalidURL:
                        continue
                    except (http.client.HTTPException, OSError) as error:
                        yield label or name, "no answer", f"{target[:100]}: {error!r}"
                health = served.ask("GET", "/__admin/health")[0]
                if health != 200 or served.daemon.process.poll() is not None:
                    yield label or name, "not well", f"health {health}: {served.daemon.log[-600:]}"
        except SystemExit as error:
            yield label or name, "not loaded", str(error)[-600:]
        except (http.client.HTTPException, OSError) as error:
            yield label or name, "crash", repr(error)


def judge_clients(given, figures):
    """Runs schemathesis, which generates requests and checks the answers."""
    for description in descriptions(given, figures):
        if (
            figures["operations"] >= given.operations
            or description.path.stat().st_size > 500_000
            or not description.operations
        ):
            continue
        with asked.Served(given.binary, description.path) as served:
            for kind, sentence in clients.schemathesis(description, served.daemon.port, figures):
                yield description.path.name, kind, sentence


def judge_import(given, figures):
    """Imports a document as routes, and compares their answers with the document's."""
    for description in descriptions(given, figures):
        if not description.operations:
            continue
        for kind, sentence in clients.imported(given.binary, description, figures):
            yield description.path.name, kind, sentence


def judge_shown(given, figures):
    """Compares answers with answers.md."""
    described = []
    for description in descriptions(given, figures):
        with asked.Served(given.binary, description.path) as served:
            described += shown.entries(served, description, 8)
    yield from shown.compared(given, described, figures)


PARTS = {
    "answers": judge_answers,
    "verdicts": judge_verdicts,
    "broken": judge_broken,
    "clients": judge_clients,
    "import": judge_import,
    "shown": judge_shown,
}


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("binary")
    arguments.add_argument("parts", nargs="*")
    arguments.add_argument(
        "--documents", default=HERE / "documents", help="a folder, a document, or a text with a path a line"
    )
    arguments.add_argument("--each", type=int, default=20, help="the number of surprises of a kind to print")
    arguments.add_argument("--limit", type=int, default=200, help="the number of operations of a document in `answers`")
    arguments.add_argument("--requests", type=int, default=1_000, help="the number of requests of `verdicts`")
    arguments.add_argument("--changes", type=int, default=40, help="the changes of a kind to a request of `verdicts`")
    arguments.add_argument("--mutations", type=int, default=200, help="the number of mutations of `broken`")
    arguments.add_argument("--operations", type=int, default=100, help="the number of operations of `clients`")
    arguments.add_argument("--write", action="store_true", help="write the page of `shown`")
    arguments.add_argument("--seed", type=int, default=1)
    given = arguments.parse_args()
    surprises = collections.Counter()
    for part in given.parts or PARTS:
        figures = collections.Counter()
        for where, kind, sentence in PARTS[part](given, figures):
            surprises[part, kind] += 1
            if surprises[part, kind] <= given.each:
                print(f"{part}: {kind}: {where}: {sentence}")
        print(f"{part}: " + ", ".join(f"{name} {number}" for name, number in figures.items()), flush=True)
    for (part, kind), number in surprises.items():
        print(f"{part}: {kind}: {number}")
    sys.exit(any(kind != "unjudged" for _, kind in surprises))


if __name__ == "__main__":
    main()
