"""Checks of replicas that leave in order, crash or hang, and of their requests in flight."""

import signal
import socket
import time

from checks import check, stub
from cluster import Replica, until

SILENT = "X-StuntDouble-Silent-Replicas"


def count(call, path="/a"):
    return call("POST", "/__admin/requests/count", {"urlPath": path})


def held_at(replica, path):
    """A request that is not answered for a minute."""
    connection = socket.create_connection(("127.0.0.1", replica.port))
    connection.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    return connection


def is_idle(call):
    # Asked with a time of its own, so that no answer is waited for.
    return call("POST", "/__admin/requests/idle", {"quietMs": 10, "timeoutMs": 50}).json["idle"]


def warnings(replicas):
    return [line for one in replicas for line in one.text.splitlines() if "warning" in line and "no stubs" not in line]


@check(options=("--drain-timeout", "300ms"))
def one_that_leaves_in_order_is_no_loss(cluster, options):
    calls = cluster.calls()
    for one in (stub("/a"), stub("/held", fixedDelayMilliseconds=60_000)):
        assert calls[0]("POST", "/__admin/mappings", one).status == 201
    # What is under way, and known to some or to nobody, has ended for all with it.
    ended = cluster.replicas.pop(2)
    calls[2]("GET", "/a")
    held = [held_at(ended, "/held")]
    until(lambda: not is_idle(calls[0]), "it is under way")
    held.append(held_at(ended, "/held"))
    # Asked without requests being handed in.
    until(lambda: calls[2]("GET", "/__admin/in-flight").json["meta"]["total"] == 2, "both are")
    own = calls[0]("GET", "/__admin/replicas").json["replicas"]
    ended.kill(signal.SIGTERM)
    for call in calls[:2]:
        answer = count(call)
        assert answer.json["count"] == 1 and answer.headers.get(SILENT) is None, (answer, answer.headers)
        until(lambda: is_idle(call), "nothing is under way", 5)
        assert call("GET", "/__admin/report").json["openCount"] == 0
        assert count(call, "/held").json["count"] == 2
    # One that begins now, with the number of the one that left, says the same.
    late = Replica(cluster, 9)
    cluster.replicas.append(late)
    late.wait()
    until(lambda: is_idle(late.call), "nothing is under way for one that is new", 6)
    time.sleep(3)
    for call in [*calls[:2], late.call]:
        assert is_idle(call) and count(call).headers.get(SILENT) is None
        assert len(call("GET", "/__admin/replicas").json["replicas"]) == 3 == len(own)
    assert not warnings(cluster.replicas), warnings(cluster.replicas)
    # One that dies is named.
    cluster.replicas.pop().kill()
    until(lambda: count(calls[0]).headers.get(SILENT), "it is named", 8)
    until(lambda: "has died" in cluster.replicas[0].text, "it is told", 8)
    assert sum("has died" in line for line in warnings(cluster.replicas[:1])) == 1


@check()
def nobody_has_died_whose_server_was_away(cluster, options):
    calls = cluster.calls()
    assert calls[0]("POST", "/__admin/mappings", stub("/held", fixedDelayMilliseconds=60_000)).status == 201
    assert calls[0]("POST", "/__admin/mappings", {**stub("/step"), "scenarioName": "one", "requiredScenarioState": "Started"}).status == 201
    held = held_at(cluster.replicas[2], "/held")
    until(lambda: not is_idle(calls[0]), "it is under way")
    for turn in range(2):
        cluster.kill_redis()
        if turn:
            until(lambda: calls[0]("GET", "/step").status == 503, "nothing is decided")
            until(lambda: " GET /step got a 503" in cluster.replicas[0].text, "it is told")
            assert "got a 500" not in cluster.replicas[0].text
        time.sleep(2.5 * turn)
        cluster.start_redis()
        until(lambda: all(one.is_ready() for one in cluster.replicas), "all are back")
        for _ in range(8):
            for call in calls:
                assert count(call).headers.get(SILENT) is None
                assert not is_idle(call), "the answer is still under way"
            time.sleep(0.5)
    assert not [line for line in warnings(cluster.replicas) if "died" in line]
    held.close()


@check()
def one_that_hangs_is_named(cluster, options):
    calls = cluster.calls()
    calls[0]("POST", "/__admin/mappings", stub("/a"))
    own = calls[2]("GET", "/__admin/replicas").json["self"]
    hanging = cluster.replicas[2].process
    hanging.send_signal(signal.SIGSTOP)
    try:
        for turn in range(40):
            named = count(calls[0]).headers.get(SILENT)
            assert named == own, (turn, named)
            time.sleep(0.15)
    finally:
        hanging.send_signal(signal.SIGCONT)
    until(lambda: count(calls[0]).headers.get(SILENT) is None, "it is named no more", 10)
