"""Makes a large OpenAPI document by repeating a real one with numbered paths, schemas and ids.

    python3 Tools/large_document.py DOCUMENT MEGABYTES [--compact] > large.json
"""

import argparse
import json
import sys

SCHEMAS = ("#/definitions/", "#/components/schemas/")


def renamed(value, number):
    """A copy with numbered schema references and ids."""
    if isinstance(value, list):
        return [renamed(item, number) for item in value]
    if not isinstance(value, dict):
        return value
    copy = {}
    for key, item in value.items():
        copy[key] = renamed(item, number)
        if key == "$ref" and isinstance(item, str):
            for start in SCHEMAS:
                if item.startswith(start):
                    copy[key] = f"{start}{number}.{item[len(start):]}"
        if key == "operationId" and isinstance(item, str):
            copy[key] = f"{item}{number}"
    return copy


def schemas(document):
    """The object with a document's schemas."""
    if "swagger" in document:
        return document.setdefault("definitions", {})
    return document.setdefault("components", {}).setdefault("schemas", {})


def large(document, size, indent):
    """A document of about this many bytes of JSON."""
    one = len(json.dumps(document, indent=indent))
    whole = json.loads(json.dumps(document))
    for number in range(1, max(1, round(size / one))):
        copy = renamed(document, number)
        whole["paths"].update({f"/copy{number}{path}": item for path, item in copy["paths"].items()})
        schemas(whole).update({f"{number}.{name}": schema for name, schema in schemas(copy).items()})
    return json.dumps(whole, indent=indent)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("document")
    arguments.add_argument("megabytes", type=float)
    arguments.add_argument("--compact", action="store_true", help="without blanks")
    options = arguments.parse_args()
    with open(options.document, encoding="utf-8") as file:
        document = json.load(file)
    sys.stdout.write(large(document, options.megabytes * 1e6, None if options.compact else 2))


if __name__ == "__main__":
    main()
