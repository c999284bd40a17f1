"""The list of checks of replicas, and their shared code."""

CHECKS = []


def check(**options):
    def add(function):
        CHECKS.append((function, options))
        return function

    return add


def stub(url, status=200, **more):
    return {"request": {"urlPath": url}, "response": {"status": status, **more}}
