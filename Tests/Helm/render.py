"""Renders the chart in packaging/helm with Helm's own library, and checks the manifests.

    pip install -r Tests/Helm/requirements.txt
    python3 -B Tests/Helm/render.py [--show CASE]

For each case of `cases.py`, the manifests must be YAML without repeated keys, valid by Kubernetes' schemas, consistent with each
other, and as the case expects. Values that the chart must reject are rejected with the message of the case. Values on the pages
(fences `yaml values`) are rendered, too, and manifests on the pages (`yaml file` with an `apiVersion`) are checked by the same
schemas. Prints figures and each unexpected result; exits with 1 if there is one.
"""

import argparse
import pathlib
import re
import sys

import helm_python as helm
import kubernetes_validate.utils
import yaml

import cases
from manifests import Manifests, problems

ROOT = pathlib.Path(__file__).resolve().parents[2]
CHART = ROOT / "packaging/helm/stuntdouble"
FENCE = re.compile(r"^```(yaml values|yaml file)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# Versions of Kubernetes: the oldest and the newest with schemas.
VERSIONS = [kubernetes_validate.utils.all_versions()[0], kubernetes_validate.latest_version()]


def render(chart, values):
    """Renders the chart with values, as Helm installs it: (manifests, notes)."""
    chart.validate_schema(values)
    texts = chart.render(values, name=cases.RELEASE, namespace=cases.NAMESPACE)
    notes = next(text for path, text in texts.items() if path.endswith("NOTES.txt"))
    return Manifests([text for path, text in texts.items() if not path.endswith("NOTES.txt")]), notes


def judge(chart, name, values, expected=(), absent=()):
    """The errors of a case."""
    try:
        manifests, notes = render(chart, values)
    except helm.HelmError as error:
        return [f"{name}: refused: {error}"]
    except yaml.YAMLError as error:
        return [f"{name}: no YAML: {error}"]
    found = [f"{name}: {problem}" for problem in problems(manifests, VERSIONS)]
    for path, value in dict(expected).items():
        got = notes if path == "notes" else manifests.at(path)
        if not (value in (got or "") if path == "notes" else got == value):
            found.append(f"{name}: {path}: expected {value!r}, found {got!r}")
    return found + [f"{name}: {path}: expected nothing, found {manifests.at(path)!r}" for path in absent if manifests.at(path) is not None]


def judge_refusal(chart, values, words):
    """The errors for values that the chart must reject with this message."""
    try:
        render(chart, values)
    except helm.HelmError as error:
        return [] if words in str(error) else [f"{values}: refused with other words than {words!r}: {error}"]
    return [f"{values}: expected a refusal with {words!r}"]


def judge_version():
    """The chart and the daemon have the same version."""
    daemon = re.search(r'version = "([^"]+)"', (ROOT / "Sources/Daemon/Command/Manual.swift").read_text(encoding="utf-8"))[1]
    chart = yaml.safe_load((CHART / "Chart.yaml").read_text(encoding="utf-8"))
    return [f"Chart.yaml: {key} is {chart[key]}, and the daemon {daemon}" for key in ("version", "appVersion") if chart[key] != daemon]


def judge_values(chart):
    """The schema and the values have the same members, except those that only WireMock's chart has."""
    known = set(chart.schema["properties"]) - {"global", "initContainer", "persistence"}
    return [f"in values.yaml or its schema alone: {name}" for name in sorted(known ^ set(chart.values))]


def judge_restarts(chart):
    """Pods restart when their configuration changes, and at no other time."""
    def annotations(values):
        return render(chart, values)[0].at(cases.ANNOTATIONS)

    plain = annotations({})
    changes = [{"mocks": {"a.yaml": "x"}}, {"mappings": {"a.json": "{}"}}, {"responses": {"a.json": "{}"}}, {"shared": {"url": cases.URL}}]
    found = [f"the pods stay as they are with {values}" for values in changes if annotations(values) == plain]
    return found + (["the pods change with another service"] if annotations({"service": {"externalPort": 80}}) != plain else [])


def judge_options(chart):
    """The environment variables that the chart sets are options of the daemon."""
    known = set(re.findall(r"`(STUNTDOUBLE_\w+)`", (ROOT / "docs/command-line.md").read_text(encoding="utf-8")))
    used = {name for template in chart.templates for name in re.findall(r"\bSTUNTDOUBLE_[A-Z_]+\b", template["data"])}
    return [f"no option has the variable {name}" for name in sorted(used - known)]


def judge_pages(chart):
    """Checks the examples of the pages, the manifests of a page together: (count, errors)."""
    found, count = [], 0
    for page in sorted((ROOT / "docs").rglob("*.md")):
        name = str(page.relative_to(ROOT))
        fences = FENCE.findall(page.read_text(encoding="utf-8"))
        manifests = [text for kind, text in fences if kind == "yaml file" and "apiVersion:" in text]
        values = [text for kind, text in fences if kind == "yaml values"]
        for text in values:
            found += judge(chart, f"{name}: {text.splitlines()[0]}", yaml.safe_load(text))
        found += [f"{name}: {problem}" for problem in problems(Manifests(manifests), VERSIONS)]
        count += len(values) + len(manifests)
    return count, found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--show", help="print what this case renders")
    arguments = parser.parse_args()
    with helm.Chart.load(CHART) as chart:
        if arguments.show:
            for path, text in chart.render(cases.RENDERED[arguments.show][0], name=cases.RELEASE, namespace=cases.NAMESPACE).items():
                print(f"# {path}\n{text}")
            return 0
        found = judge_version() + judge_values(chart) + judge_options(chart) + judge_restarts(chart)
        report = helm.lint(CHART, strict=True)
        found += report["errors"] + [m["error"] for m in report["messages"] if m["severity"] > 1]
        for name, (values, *expected) in cases.RENDERED.items():
            found += judge(chart, name, values, *expected)
        for values, words in cases.REFUSED:
            found += judge_refusal(chart, values, words)
        count, wrong = judge_pages(chart)
    found += wrong
    print(f"{len(cases.RENDERED)} cases rendered, {len(cases.REFUSED)} refused, {count} examples of pages, by Helm {helm.helm_sdk_version()}")
    for surprise in found:
        print(surprise)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
