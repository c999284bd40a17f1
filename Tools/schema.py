"""Validates stub files against their schema by another implementation: Python's jsonschema (with PyYAML).

    pip install jsonschema pyyaml
    python3 Tools/schema.py .build/debug/stuntdouble

The files of mocks/, the examples of the pages, and the mappings, requests and responses in WireMock's recordings (Tests/Oracle)
that the daemon accepts must be valid. The examples of mistakes must be invalid. Prints the numbers and each unexpected result;
exits with 1 if there is any.
"""

import importlib.metadata
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import jsonschema
import yaml

ROOT = pathlib.Path(__file__).resolve().parents[1]
# Mistakes that no schema can express: see StubSchemaValidationTests.
BEYOND = ("POST /a: { when: { body: { contian", "ANY /users/{id}: { when: { path: { idd")


class Loader(yaml.SafeLoader):
    """YAML 1.2: only true and false are booleans, and a date is a string."""

    def construct_mapping(self, node, deep=False):
        keys = [key.value for key, _ in node.value]
        if len(keys) != len(set(keys)) and "<<" not in keys:
            raise yaml.YAMLError("duplicate key")
        return super().construct_mapping(node, deep)


Loader.yaml_implicit_resolvers = {
    first: [(tag, expression) for tag, expression in resolvers if not tag.endswith((":bool", ":timestamp", ":int"))]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile(r"^(true|True|TRUE|false|False|FALSE)$"), list("tTfF"))
Loader.add_implicit_resolver("tag:yaml.org,2002:int", re.compile(r"^[-+]?[0-9]+$"), list("-+0123456789"))


def without_comments(text):
    """Lenient JSON as JSON: removes line comments."""
    return re.sub(r"^\s*//.*$", "", text, flags=re.M)


def fences():
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        for kind, text in re.findall(r"^```([a-z -]+)\n(.*?)^```$", page.read_text(), flags=re.M | re.S):
            yield page.name, kind, text


def collect(value, name, found):
    if isinstance(value, dict):
        if name in ("request", "pattern"):
            found.add(json.dumps({"request": value}, sort_keys=True))
        elif name == "response":
            found.add(json.dumps({"response": value}, sort_keys=True))
        elif "request" in value or "mappings" in value:
            found.add(json.dumps(value, sort_keys=True))
        for key, member in value.items():
            collect(member, key, found)
    elif isinstance(value, list):
        for element in value:
            collect(element, name, found)


def taken(binary, texts):
    """The texts in which the daemon finds no error."""
    with tempfile.TemporaryDirectory() as folder:
        for index, text in enumerate(texts):
            (pathlib.Path(folder) / f"{index}.json").write_text(text)
        run = subprocess.run([binary, "validate", folder, "--format", "json"], capture_output=True, text=True)
        report = json.loads(run.stdout)
        bad = {pathlib.Path(d["file"]).stem for d in report["diagnostics"] if d["severity"] == "error"}
        bad |= {pathlib.Path(s["file"]).stem for s in report["skipped"]}
        return [text for index, text in enumerate(texts) if str(index) not in bad]


def main(binary):
    schema = json.loads(subprocess.run([binary, "schema"], capture_output=True, text=True, check=True).stdout)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    surprises = []

    def expect(valid, what, value):
        error = next(validator.iter_errors(value), None)
        if (error is None) != valid:
            surprises.append(f"{what}: {'valid' if error is None else error.message[:300]}")

    counts = {"files of mocks/": 0, "examples": 0, "mistakes": 0, "mappings of recordings": 0, "texts PyYAML cannot read": 0}

    def take(kind, what, is_json, text):
        try:
            value = json.loads(without_comments(text)) if is_json else yaml.load(text, Loader)
        except yaml.YAMLError:
            # PyYAML reads a question mark within braces as the start of a key.
            counts["texts PyYAML cannot read"] += 1
            return
        expect(True, what, value)
        counts[kind] += 1

    for path in sorted((ROOT / "mocks").rglob("*")):
        if path.suffix in (".json", ".yaml") and "__files" not in path.parts:
            text = path.read_text()
            take("files of mocks/", path.name, path.suffix == ".json", text)
    for page, kind, text in fences():
        if kind in ("yaml routes", "yaml stubs", "json routes", "json stubs", "json mapping"):
            take("examples", f"{page}: {text[:60]}", kind.startswith("json"), text)
        elif kind in ("yaml routes-error", "yaml stubs-error"):
            counts["mistakes"] += 1
            try:
                value = yaml.load(text, Loader)
            except yaml.YAMLError:
                continue
            expect(text.startswith(BEYOND), f"{page}: {text[:60]}", value)
    found = set()
    for path in sorted((ROOT / "Tests/Oracle").glob("*.json")):
        collect(json.loads(path.read_text()), "", found)
    for text in taken(binary, sorted(found)):
        expect(True, text[:200], json.loads(text))
        counts["mappings of recordings"] += 1
    print(f"jsonschema {importlib.metadata.version('jsonschema')}: " + ", ".join(f"{count} {what}" for what, count in counts.items()))
    for surprise in surprises:
        print("surprise:", surprise)
    return 1 if surprises else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
