#!/usr/bin/env python3
"""Sends a server valid and invalid HTTP/2, section by section of RFC 9113 and RFC 7541, and reports wrong reactions.

    python3 Tests/HTTP2/conformance.py --daemon .build/debug/stuntdouble
    python3 Tests/HTTP2/conformance.py http://127.0.0.1:8080/ https://127.0.0.1:8443/
    python3 Tests/HTTP2/conformance.py --only 6.9 --verbose http://127.0.0.1:8080/

With `--daemon`, starts a daemon and tests it in plain text and over TLS. The cases are those of h2spec and some more, with h2spec's
tolerance. The URL's path must be answered with status 200 and a non-empty body for every method. Needs the packages of
Tests/Clients/requirements.txt. Exits with 1 if a case fails.
"""

import argparse
import concurrent.futures
import contextlib
import os
import pathlib
import sys
import tempfile
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2]))

import cases_right  # pylint: disable=unused-import
import cases_wrong  # pylint: disable=unused-import
import cases_h2  # pylint: disable=unused-import
import cases_floods  # pylint: disable=unused-import
from expectations import CASES
from peer import Closed, Failed, Peer, Silent, Target
from Tests.Clients.https import server  # pylint: disable=wrong-import-position


def run(target, case):
    """The failure; None if there is none."""
    _, _, send, expected = case
    peer = None
    try:
        peer = Peer(target)
        send(peer)
        if expected:
            expected(peer)
    except Failed as failure:
        return f"{failure}"
    except Closed:
        return f"the connection ended too early, after {', '.join(peer.seen[-6:]) or 'nothing'}"
    except Silent:
        return f"nothing more came, after {', '.join(peer.seen[-6:]) or 'nothing'}"
    except (OSError, ValueError, KeyError) as error:
        return f"{type(error).__name__}: {error}"
    finally:
        if peer:
            peer.close()
    return None


@contextlib.contextmanager
def served(options):
    """The URLs."""
    if not options.daemon:
        yield options.urls
        return
    with tempfile.TemporaryDirectory() as folder, server.daemon(options.daemon, folder, with_stubs=False) as (addresses, _):
        server.call(addresses["http"], "POST", "/__admin/mappings", {"request": {"urlPath": "/"}, "response": {"body": "hello, hello"}})
        yield [addresses["http"].replace("localhost", "127.0.0.1") + "/", addresses["https"].replace("localhost", "127.0.0.1") + "/"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("urls", metavar="URL", nargs="*")
    parser.add_argument("--daemon", metavar="BINARY", help="start this daemon")
    parser.add_argument("--only", metavar="TEXT", help="cases whose section begins with it, or whose title has it")
    parser.add_argument("--timeout", type=float, default=2, help="seconds that an answer may take")
    parser.add_argument("--jobs", type=int, default=8, help="connections side by side")
    parser.add_argument("--verbose", action="store_true", help="name the cases that pass, too")
    options = parser.parse_args()
    with served(options) as urls:
        passed, failed = tried(urls, options)
    print(f"{passed} passed, {failed} failed")
    sys.stdout.flush()
    os._exit(1 if failed or not passed else 0)


def tried(urls, options):
    """The numbers of cases that pass and fail."""
    passed = failed = 0
    for url in urls:
        target, began = Target(url, options.timeout), time.monotonic()
        cases = [case for case in CASES if not options.only or case[0].startswith(options.only) or options.only in case[1]]
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            outcomes = list(pool.map(lambda case: run(target, case), cases))
        for (section, title, _, expected), outcome in zip(cases, outcomes):
            if outcome:
                print(f"FAILED {section}: {title}\n       expected: {getattr(expected, 'says', 'see the case')}\n       found: {outcome}")
            elif options.verbose:
                print(f"passed {section}: {title}")
        wrong = sum(outcome is not None for outcome in outcomes)
        passed, failed = passed + len(cases) - wrong, failed + wrong
        print(f"{url}: {len(cases) - wrong} passed, {wrong} failed, {time.monotonic() - began:.0f} s", flush=True)
    return passed, failed


if __name__ == "__main__":
    main()
