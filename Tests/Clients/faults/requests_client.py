"""Python requests against a list of addresses on standard input; prints what it reports for each."""

import json
import sys
import threading

import requests


def innermost(error):
    """The names of the outermost and the innermost exception."""
    inner = error
    while True:
        following = getattr(inner, "reason", None)
        if not isinstance(following, BaseException):
            following = next((part for part in inner.args if isinstance(part, BaseException)), None)
        if following is None:
            break
        inner = following
    names = [type(error).__name__, type(inner).__name__]
    return names[0] if names[0] == names[1] else " / ".join(names)


def one(address, patience):
    got = bytearray()
    try:
        with requests.get(address, timeout=patience, stream=True) as answer:
            for piece in answer.iter_content(1):
                got += piece
            return {"status": answer.status_code, "body": list(got)}
    except requests.RequestException as error:
        return {"error": innermost(error), "body": list(got)}


addresses = json.load(sys.stdin)
outcomes = [None] * len(addresses)


def work(index):
    outcomes[index] = one(addresses[index], float(sys.argv[1]))


threads = [threading.Thread(target=work, args=(index,)) for index in range(len(addresses))]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
json.dump(outcomes, sys.stdout)
