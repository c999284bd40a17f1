"""Several replicas as one mock server: what one is told, all know; what must be decided once is; what breaks is told and mends itself.

    python3 Tests/Replicas/replicas.py --binary .build/debug/stuntdouble [--only BEGINNING] [--requests 3000]

Starts its own redis-server and nginx, which must be installed. `--requests` is how many requests the checks under load make.
"""

import argparse
import collections
import http.client
import json
import os
import sys
import threading
import time
import traceback

from cluster import NGINX, REDIS, Client, Cluster, Replica, Way, until

CHECKS = []


def check(**options):
    def add(function):
        CHECKS.append((function, options))
        return function

    return add


def stub(url, status=200, **more):
    return {"request": {"urlPath": url}, "response": {"status": status, **more}}


def at_once(count, work):
    """Runs `work(number)` on so many threads, and raises what one of them raised."""
    problems = []

    def run(number):
        try:
            work(number)
        except BaseException:
            problems.append(traceback.format_exc(limit=4))

    threads = [threading.Thread(target=run, args=(n,)) for n in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not problems, problems[0]


@check()
def what_one_is_told_all_know(cluster, options):
    calls = cluster.calls()
    for number in range(60):
        made = calls[number % 3]("POST", "/__admin/mappings", stub(f"/{number}", body=str(number)))
        assert made.status == 201, made
        key = made.json["id"]
        for call in calls:
            assert call("GET", f"/{number}").body == str(number).encode()
            assert call("GET", f"/__admin/mappings/{key}").status == 200, "the id is the same everywhere"
        if number % 3 == 0:
            assert calls[(number + 1) % 3]("PUT", f"/__admin/mappings/{key}", stub(f"/{number}", 202)).status == 200
            assert [call("GET", f"/{number}").status for call in calls] == [202] * 3
        if number % 5 == 0:
            assert calls[(number + 2) % 3]("DELETE", f"/__admin/mappings/{key}").status == 200
            assert [call("GET", f"/{number}").status for call in calls] == [404] * 3
    listed = [json.dumps(call("GET", "/__admin/mappings").json, sort_keys=True) for call in calls]
    assert listed[0] == listed[1] == listed[2], "the lists are the same"
    imported = {"mappings": [stub(f"/imported/{n}", body="x" * 400) for n in range(300)]}
    assert calls[1]("POST", "/__admin/mappings/import", imported).status == 200
    listed = [json.dumps(call("GET", "/__admin/mappings").json, sort_keys=True) for call in calls]
    assert listed[0] == listed[1] == listed[2], "the ids of many are the same, too"
    assert [call("GET", "/imported/299").status for call in calls] == [200] * 3
    assert calls[2]("POST", "/__admin/settings", {"fixedDelay": 1}).status == 200
    assert [call("GET", "/__admin/settings").json["settings"]["fixedDelay"] for call in calls] == [1] * 3
    assert calls[0]("PUT", "/__admin/files/greeting.txt", b"hello").status == 200
    calls[1]("POST", "/__admin/mappings", {"request": {"url": "/file"}, "response": {"bodyFileName": "greeting.txt"}})
    assert [call("GET", "/file").body for call in calls] == [b"hello"] * 3
    assert calls[0]("POST", "/__admin/reset").status == 200
    assert [call("GET", "/imported/299").status for call in calls] == [404] * 3


@check(with_nginx=True)
def scenarios_and_times_are_decided_once(cluster, options):
    states = ["Started"] + [f"s{n}" for n in range(1, 10)]
    call = Client(cluster.front)
    for n, state in enumerate(states):
        made = call("POST", "/__admin/mappings", {
            "scenarioName": "ring", "requiredScenarioState": state, "newScenarioState": states[(n + 1) % 10], "request": {"urlPath": "/ring"}, "response": {"body": state}})
        assert made.status == 201, made
    limit = options.requests // 4
    assert call("POST", "/__admin/mappings", {**stub("/times", body="yes"), "times": limit, "priority": 1}).status == 201
    assert call("POST", "/__admin/mappings", stub("/times", body="no")).status == 201
    seen, lock = collections.Counter(), threading.Lock()

    def run(number):
        # Half of them over connections of their own to one replica.
        own = Client(cluster.front) if number % 2 else cluster.replicas[number % 3].call.__class__(cluster.replicas[number % 3].port)
        mine = collections.Counter()
        for n in range(options.requests // 32):
            for path in ("/ring", "/times"):
                answer = own("GET", path)
                assert answer.status == 200, answer
                mine[path, answer.body.decode()] += 1
        with lock:
            seen.update(mine)

    began = time.monotonic()
    at_once(32, run)
    took = time.monotonic() - began
    each = options.requests // 32 * 32
    counts = [seen["/ring", s] for s in states]
    assert sum(counts) == each and max(counts) - min(counts) <= 1, f"each state answers in its turn: {counts}"
    assert seen["/times", "yes"] == min(limit, each) and seen["/times", "no"] == each - min(limit, each), seen
    state = states[each % 10]
    for one in cluster.calls():
        shown = next(s for s in one("GET", "/__admin/scenarios").json["scenarios"] if s["name"] == "ring")
        assert shown["state"] == state, (shown["state"], state)
    assert call("PUT", "/__admin/scenarios/ring/state", {"state": "s7"}).status == 200
    assert [one("GET", "/ring").body for one in cluster.calls()] == [b"s7", b"s8", b"s9"]
    assert call("POST", "/__admin/scenarios/reset").status == 200
    assert [one("GET", "/ring").body for one in cluster.calls()] == [b"Started", b"s1", b"s2"]
    print(f"      {2 * each} requests in {took:.1f} s")


@check(with_nginx=True)
def sequences_go_on_everywhere(cluster, options):
    call = Client(cluster.front)
    responses = [{"body": str(n)} for n in range(6)]
    assert call("POST", "/__admin/mappings", {"request": {"urlPath": "/seq"}, "responses": responses, "onEnd": "loop"}).status == 201
    assert [call("GET", "/seq").body.decode() for _ in range(12)] == [str(n % 6) for n in range(12)]
    assert call("POST", "/__admin/mappings", {"request": {"urlPath": "/each"}, "responses": responses, "per": "query.q"}).status == 201
    for n in range(4):
        assert [call("GET", f"/each?q={q}").body.decode() for q in "abc"] == [str(n)] * 3


@check(with_nginx=True)
def verifying_misses_nothing(cluster, options):
    call = Client(cluster.front)
    assert call("POST", "/__admin/mappings", stub("/counted")).status == 201
    for turn in range(1, 16):
        for n in range(7):
            assert call("GET", "/counted").status == 200
        counted = cluster.calls()[turn % 3]("POST", "/__admin/requests/count", {"method": "GET", "urlPath": "/counted"}).json["count"]
        assert counted == turn * 7, (turn, counted)
    lists = [one("GET", "/__admin/requests").json["requests"] for one in cluster.calls()]
    assert all(len(found) == 15 * 7 for found in lists), [len(found) for found in lists]
    ids = [[entry["id"] for entry in found] for found in lists]
    assert ids[0] == ids[1] == ids[2], "all list the same requests in the same order"
    dates = [entry["request"]["loggedDate"] for entry in lists[0]]
    assert dates == sorted(dates, reverse=True), "the newest first"
    assert cluster.calls()[1]("GET", f"/__admin/requests/{ids[0][3]}").status == 200
    assert call("GET", "/nowhere").status == 404
    for one in cluster.calls():
        assert len(one("GET", "/__admin/requests/unmatched").json["requests"]) == 1
        assert len(one("GET", "/__admin/requests/unmatched/near-misses").json["nearMisses"]) == 1
        report = one("GET", "/__admin/report").json
        assert report["served"] == 15 * 7 + 1 and report["unmatchedCount"] == 1, report
    assert call("DELETE", "/__admin/requests").status == 200
    for one in cluster.calls():
        assert one("POST", "/__admin/requests/count", {"urlPath": "/counted"}).json["count"] == 0
    call("GET", "/counted")
    assert [one("POST", "/__admin/requests/count", {"urlPath": "/counted"}).json["count"] for one in cluster.calls()] == [1] * 3
    assert call("POST", "/__admin/requests/remove", {"urlPath": "/counted"}).status == 200
    assert [one("POST", "/__admin/requests/count", {"urlPath": "/counted"}).json["count"] for one in cluster.calls()] == [0] * 3


@check()
def waiting_calls_hear_of_requests_elsewhere(cluster, options):
    calls = cluster.calls()
    calls[0]("POST", "/__admin/mappings", stub("/late"))
    results = []
    waiter = threading.Thread(target=lambda: results.append(Client(cluster.replicas[1].port)("POST", "/__admin/requests/wait", {"pattern": {"urlPath": "/late"}, "count": {"atLeast": 2}, "timeoutMs": 10000})))
    waiter.start()
    time.sleep(0.3)
    calls[0]("GET", "/late")
    calls[2]("GET", "/late")
    began = time.monotonic()
    waiter.join()
    assert results[0].status == 200, results[0]
    assert time.monotonic() - began < 5


@check()
def gates_open_for_all(cluster, options):
    calls = cluster.calls()
    assert calls[0]("POST", "/__admin/mappings", {"request": {"urlPath": "/held"}, "response": {"status": 200, "hold": "g"}}).status == 201
    assert b"nobody waits" in calls[1]("POST", "/__admin/gates/g/release").body
    answers = []
    held = [threading.Thread(target=lambda r=r: answers.append(Client(r.port)("GET", "/held").status)) for r in cluster.replicas]
    for thread in held:
        thread.start()
    until(lambda: calls[2]("GET", "/__admin/gates/g").json["waiting"] == 3, "three wait")
    shown = calls[0]("GET", "/__admin/gates").json
    assert len(shown["gates"]) == 1 and len(shown["gates"][0]["requests"]) == 3, shown
    assert shown["meta"] == {"total": 1, "waiting": 3}, shown["meta"]
    assert not answers
    released = calls[1]("POST", "/__admin/gates/g/release")
    assert released.json == {"released": 3}, released
    for thread in held:
        thread.join(10)
    assert answers == [200] * 3, answers


@check()
def streams_are_pushed_to_all(cluster, options):
    calls = cluster.calls()
    assert calls[0]("POST", "/__admin/mappings", {"request": {"urlPath": "/news"}, "response": {"stream": {"name": "news"}}}).status == 201
    got = []

    def read(replica):
        connection = http.client.HTTPConnection("127.0.0.1", replica.port, timeout=15)
        connection.request("GET", "/news")
        response = connection.getresponse()
        got.append(response.read())

    readers = [threading.Thread(target=read, args=(r,)) for r in cluster.replicas]
    for reader in readers:
        reader.start()
    until(lambda: calls[1]("GET", "/__admin/streams/news").json["readers"] == 3, "three read")
    assert calls[2]("POST", "/__admin/streams/news", {"data": "hello"}).json["readers"] == 3
    assert calls[0]("POST", "/__admin/streams/news/close").json == {"closed": 3}
    for reader in readers:
        reader.join(10)
    assert len(got) == 3 and all(b"hello" in text for text in got), got


@check(with_nginx=True)
def sessions_do_not_cross(cluster, options):
    def run(number):
        call = Client(cluster.front)
        made = call("POST", "/__admin/sessions", {"name": f"n{number}"})
        assert made.status == 201, made
        session = made.json["id"]
        assert call("POST", "/__admin/mappings", stub("/who", body=str(number)), session).status == 201
        for n in range(10):
            assert call("GET", "/who", session=session).body == str(number).encode()
        count = call("POST", "/__admin/requests/count", {"urlPath": "/who"}, session)
        assert count.json["count"] == 10, count
        if number % 2:
            assert call("DELETE", f"/__admin/sessions/{session}").status == 200
            assert [Client(r.port)("GET", "/who", session=session).status for r in cluster.replicas] == [410] * 3

    at_once(60, run)
    assert Client(cluster.front)("POST", "/__admin/sessions", {"port": 0}).status == 422


@check()
def sessions_end_together(cluster, options):
    calls = cluster.calls()
    session = calls[0]("POST", "/__admin/sessions", {"ttl": "2s"}).json["id"]
    calls[1]("POST", "/__admin/mappings", stub("/s"), session)
    for _ in range(8):
        time.sleep(0.5)
        assert calls[2]("GET", "/s", session=session).status == 200
    assert [call("GET", "/s", session=session).status for call in calls] == [200] * 3, "used on one, alive on all"
    until(lambda: calls[0]("GET", f"/__admin/sessions/{session}").status == 410, "it ends", 15)
    assert [call("GET", "/s", session=session).status for call in calls] == [410] * 3


@check(with_nginx=True)
def stubs_are_added_while_requests_come(cluster, options):
    call = Client(cluster.front)
    call("POST", "/__admin/mappings", stub("/steady"))
    is_over = threading.Event()

    def run(number):
        own = Client(cluster.front)
        if number == 0:
            for n in range(options.requests // 8):
                assert own("POST", "/__admin/mappings", stub(f"/new/{n}")).status == 201
                assert own("GET", f"/new/{n}").status == 200
            is_over.set()
        while not is_over.is_set():
            assert own("GET", "/steady").status == 200

    try:
        at_once(4, run)
    finally:
        is_over.set()


@check()
def one_that_comes_later_knows_everything(cluster, options):
    calls = cluster.calls()
    calls[0]("POST", "/__admin/mappings", stub("/a"))
    session = calls[1]("POST", "/__admin/sessions", {"name": "x"}).json["id"]
    calls[2]("POST", "/__admin/mappings", stub("/b", 202), session)
    calls[0]("GET", "/a")
    late = Replica(cluster, 9)
    cluster.replicas.append(late)
    late.wait()
    assert late.call("GET", "/a").status == 200
    assert late.call("GET", "/b", session=session).status == 202
    assert late.call("POST", "/__admin/requests/count", {"urlPath": "/a"}).json["count"] == 2
    other = late.call("POST", "/__admin/sessions", {}).json["id"]
    assert calls[0]("GET", f"/__admin/sessions/{other}").status == 200


@check()
def one_that_is_killed_holds_nobody_up(cluster, options):
    calls = cluster.calls()
    calls[0]("POST", "/__admin/mappings", stub("/a"))
    calls[2]("GET", "/a")
    time.sleep(0.5)
    cluster.replicas[2].kill()
    began = time.monotonic()
    assert calls[0]("POST", "/__admin/mappings", stub("/b")).status == 201
    assert calls[1]("GET", "/b").status == 200
    assert calls[1]("POST", "/__admin/requests/count", {"urlPath": "/a"}).json["count"] == 1, "what it had handed in is known"
    assert time.monotonic() - began < 2.5
    until(lambda: len(calls[0]("GET", "/__admin/replicas").json["replicas"]) == 2, "it is forgotten", 10)


def away_and_back(cluster, what, back):
    calls = cluster.calls()
    ring = [{"scenarioName": "two", "requiredScenarioState": a, "newScenarioState": b, "request": {"urlPath": "/two"}, "response": {"body": a}} for a, b in (("Started", "on"), ("on", "Started"))]
    for one in [stub("/free")] + ring:
        assert calls[0]("POST", "/__admin/mappings", one).status == 201
    assert calls[0]("GET", "/two").body == b"Started"
    what()
    longest = 0.0
    until(lambda: calls[0]("GET", "/__admin/health").json["status"] == "degraded", "health says so", 15)
    for _ in range(50):
        began = time.monotonic()
        assert calls[1]("GET", "/free").status == 200
        longest = max(longest, time.monotonic() - began)
    assert longest < 2, f"a request without shared state took {longest:.2f} s"
    refused = calls[0]("GET", "/two")
    assert refused.status == 503 and b"shared" in refused.body or b"replica" in refused.body, refused
    refused = calls[0]("POST", "/__admin/mappings", stub("/c"))
    assert refused.status == 503, refused
    back()
    began = time.monotonic()
    until(lambda: all(r.is_ready() for r in cluster.replicas), "all are back", 15)
    took = time.monotonic() - began
    print(f"      the longest request without shared state took {longest * 1000:.0f} ms; all were back after {took * 1000:.0f} ms")
    assert calls[1]("POST", "/__admin/mappings", stub("/d")).status == 201
    assert [call("GET", "/d").status for call in calls] == [200] * 3
    assert [call("GET", "/free").status for call in calls] == [200] * 3
    return calls


@check(appends=True)
def the_server_is_killed_and_comes_back_with_its_data(cluster, options):
    calls = away_and_back(cluster, cluster.kill_redis, cluster.start_redis)
    assert [call("GET", "/two").body for call in calls] == [b"on", b"Started", b"on"], "nothing is counted twice"
    until(lambda: calls[2]("POST", "/__admin/requests/count", {"urlPath": "/free"}).json["count"] == 53, "all requests are known", 5)


@check()
def the_server_is_killed_and_comes_back_empty(cluster, options):
    calls = away_and_back(cluster, cluster.kill_redis, cluster.start_redis)
    late = Replica(cluster, 9)
    cluster.replicas.append(late)
    late.wait()
    assert late.call("GET", "/d").status == 200 and late.call("GET", "/free").status == 200


@check(with_ways=True)
def a_cut_is_told_and_mends_itself(cluster, options):
    ways = [r.way for r in cluster.replicas]

    def cut():
        for way in ways:
            way.is_cut = True

    def mend():
        for way in ways:
            way.is_cut = False

    away_and_back(cluster, cut, mend)


@check(with_ways=True)
def a_slow_server_delays_only_what_needs_it(cluster, options):
    calls = cluster.calls()
    calls[0]("POST", "/__admin/mappings", stub("/free"))
    calls[0]("POST", "/__admin/mappings", {**stub("/once", body="yes"), "times": 3})
    for replica in cluster.replicas:
        replica.way.delay = 0.2
    longest = 0.0
    for _ in range(20):
        began = time.monotonic()
        assert calls[1]("GET", "/free").status == 200
        longest = max(longest, time.monotonic() - began)
    print(f"      the longest request without shared state took {longest * 1000:.0f} ms")
    assert longest < 2, longest
    assert [call("GET", "/once").status for call in calls] == [200] * 3
    assert calls[0]("GET", "/once").status == 404
    assert calls[1]("POST", "/__admin/mappings", stub("/more")).status == 201
    assert [call("GET", "/more").status for call in calls] == [200] * 3
    assert calls[2]("POST", "/__admin/requests/count", {"urlPath": "/free"}).json["count"] == 20


@check(password="s3cr3t-of-redis")
def the_password_is_told_nobody(cluster, options):
    calls = cluster.calls()
    calls[0]("POST", "/__admin/mappings", stub("/a"))
    shown = b"".join(calls[0]("GET", path).body for path in ("/__admin/replicas", "/__admin/health", "/__admin/settings", "/__admin/status"))
    cluster.kill_redis()
    time.sleep(1)
    shown += calls[0]("POST", "/__admin/mappings", stub("/b")).body + calls[1]("GET", "/__admin/replicas").body
    shown += b"".join(r.text.encode() for r in cluster.replicas)
    assert b"s3cr3t" not in shown


@check()
def two_names_do_not_meet(cluster, options):
    other = Replica.__new__(Replica)
    name, cluster.name = cluster.name, "other"
    try:
        other.__init__(cluster, 8)
        other.wait()
    finally:
        cluster.name = name
        cluster.replicas.append(other)
    cluster.calls()[0]("POST", "/__admin/mappings", stub("/a"))
    assert other.call("GET", "/a").status == 404
    assert len(other.call("GET", "/__admin/replicas").json["replicas"]) == 1


@check(with_nginx=True)
def what_requests_put_away_is_there_for_all(cluster, options):
    calls = cluster.calls()
    recording = {
        "request": {"method": "POST", "urlPath": "/orders"},
        "response": {"status": 201},
        "serveEventListeners": [{"name": "recordState", "parameters": {"context": "{{jsonPath request.body '$.id'}}", "state": {"total": "{{jsonPath request.body '$.total'}}"}, "list": {"addLast": {"line": "{{jsonPath request.body '$.id'}}"}}}}],
    }
    reading = {
        "request": {"method": "GET", "urlPathTemplate": "/orders/{id}", "customMatcher": {"name": "state-matcher", "parameters": {"hasContext": "{{request.path.id}}"}}},
        "response": {"body": "{{state context=request.path.id property='total'}}", "transformers": ["response-template"]},
    }
    counting = {"request": {"urlPath": "/count"}, "response": {"body": "{{counter 'visits'}}", "transformers": ["response-template"]}}
    for one in (recording, reading, counting, stub("/free")):
        assert calls[0]("POST", "/__admin/mappings", one).status == 201
    for number in range(30):
        assert calls[number % 3]("GET", f"/orders/o{number}").status == 404
        assert calls[number % 3]("POST", "/orders", {"id": f"o{number}", "total": number}).status == 201
        for call in calls:
            answer = call("GET", f"/orders/o{number}")
            assert answer.body == str(number).encode(), answer
            context = call("GET", f"/__admin/state/o{number}").json
            assert context["properties"]["total"] == str(number) and len(context["list"]) == 1, context
    listed = [json.dumps(call("GET", "/__admin/state").json, sort_keys=True) for call in calls]
    assert listed[0] == listed[1] == listed[2] and "o29" in listed[0]
    assert calls[1]("PUT", "/__admin/state/o1", {"properties": {"total": "7"}}).status in (200, 201)
    assert [call("GET", "/orders/o1").body for call in calls] == [b"7"] * 3
    assert calls[2]("DELETE", "/__admin/state/o1").status == 200
    assert [call("GET", "/orders/o1").status for call in calls] == [404] * 3
    seen, lock = [], threading.Lock()
    each = max(options.requests // 16 // 4, 10)

    def count(number):
        call = Client(cluster.front)
        mine = []
        for _ in range(each):
            answer = call("GET", "/count")
            assert answer.status == 200, answer
            mine.append(int(answer.body))
        assert mine == sorted(mine)
        with lock:
            seen.extend(mine)

    began = time.monotonic()
    at_once(16, count)
    print(f"      {16 * each} counted in {time.monotonic() - began:.2f} s")
    assert sorted(seen) == list(range(min(seen), min(seen) + 16 * each)), "each is counted once"
    late = Replica(cluster, 9)
    cluster.replicas.append(late)
    late.wait()
    assert late.call("GET", "/orders/o5").body == b"5"
    assert int(late.call("GET", "/count").body) == max(seen) + 1
    assert calls[1]("POST", "/__admin/reset").status == 200
    for call in cluster.calls():
        assert call("GET", "/__admin/state").json["contexts"] == []
    calls[0]("POST", "/__admin/mappings", counting)
    assert int(calls[2]("GET", "/count").body) == min(seen), "it begins anew"


@check(with_nginx=True, files={"mappings/users.yaml": "CRUD /users:\n  data: [{id: 1, name: a}, {id: 2, name: b}, {id: 3, name: c}]\n"})
def a_collection_is_one(cluster, options):
    calls = cluster.calls()
    assert [u["name"] for u in calls[0]("GET", "/users").json] == ["a", "b", "c"]
    assert calls[1]("DELETE", "/users/2").status in (200, 204)
    assert [[u["id"] for u in call("GET", "/users").json] for call in calls] == [[1, 3]] * 3
    assert calls[2]("PUT", "/users/1", {"id": 1, "name": "z"}).status == 200
    assert [call("GET", "/users/1").json["name"] for call in calls] == ["z"] * 3
    made, gone, lock = {}, set(), threading.Lock()
    each = max(options.requests // 8 // 12, 6)

    def work(number):
        call = Client(cluster.front)
        for turn in range(each):
            answer = call("POST", "/users", {"name": f"{number}-{turn}"})
            assert answer.status == 201, answer
            key = answer.json["id"]
            with lock:
                assert key not in made, f"the id {key} was given twice"
                made[key] = f"{number}-{turn}"
            answer = call("PUT", f"/users/{key}", {"id": key, "name": f"{number}-{turn}!"})
            assert answer.status == 200, answer
            assert call("GET", f"/users/{key}").json["name"] == f"{number}-{turn}!"
            if turn % 3 == 0:
                assert call("DELETE", f"/users/{key}").status in (200, 204)
                assert call("GET", f"/users/{key}").status == 404
                with lock:
                    gone.add(key)

    at_once(8, work)
    lists = [call("GET", "/users").body for call in calls]
    assert lists[0] == lists[1] == lists[2], "the lists are the same, in the same order"
    assert {u["id"]: u["name"] for u in json.loads(lists[0]) if u["id"] > 3} == {k: v + "!" for k, v in made.items() if k not in gone}
    late = Replica(cluster, 9)
    cluster.replicas.append(late)
    late.wait()
    assert late.call("GET", "/users").body == lists[0]
    assert late.call("POST", "/users", {"name": "late"}).json["id"] == max(made) + 1
    assert calls[0]("PUT", "/__admin/data/users", [{"id": 9, "name": "nine"}, {"id": 4, "name": "four"}]).status == 200
    assert [[u["id"] for u in call("GET", "/users").json] for call in cluster.calls()] == [[9, 4]] * 4
    assert calls[1]("POST", "/users", {"name": "ten"}).json["id"] == 10
    assert [len(call("GET", "/users").json) for call in cluster.calls()] == [3] * 4
    assert calls[2]("POST", "/__admin/data/users/reset").status == 200
    assert [[u["name"] for u in call("GET", "/users").json] for call in cluster.calls()] == [["a", "b", "c"]] * 4
    calls[0]("DELETE", "/users/3")
    assert calls[0]("POST", "/__admin/reset").status == 200
    assert [[u["name"] for u in call("GET", "/users").json] for call in cluster.calls()] == [["a", "b", "c"]] * 4


@check()
def what_was_put_away_outlives_the_server(cluster, options):
    calls = cluster.calls()
    counting = {"request": {"urlPath": "/count"}, "response": {"body": "{{counter 'visits'}}", "transformers": ["response-template"]}}
    for one in (counting, stub("/free")):
        assert calls[0]("POST", "/__admin/mappings", one).status == 201
    first = int(calls[0]("GET", "/count").body)
    assert [int(call("GET", "/count").body) for call in calls] == [first + 1, first + 2, first + 3]
    cluster.kill_redis()
    until(lambda: calls[0]("GET", "/__admin/health").json["status"] == "degraded", "health says so", 15)
    refused = calls[1]("GET", "/count")
    assert refused.status == 503 and b"replicas could not share" in refused.body, refused
    refused = calls[1]("GET", "/__admin/state")
    assert refused.status == 503, refused
    assert calls[2]("GET", "/free").status == 200
    cluster.start_redis()
    until(lambda: all(r.is_ready() for r in cluster.replicas), "all are back", 15)
    assert int(calls[2]("GET", "/count").body) == first + 4, "nothing is lost"
    assert [int(call("GET", "/count").body) for call in calls] == [first + 5, first + 6, first + 7]


@check()
def one_that_dies_inside_lets_go(cluster, options):
    calls = cluster.calls()
    counting = {"request": {"urlPath": "/count"}, "response": {"body": "{{counter 'visits'}}", "transformers": ["response-template"]}}
    assert calls[0]("POST", "/__admin/mappings", counting).status == 201
    stop, seen = threading.Event(), []

    def load(number):
        call = Client(cluster.replicas[2].port)
        try:
            while not stop.is_set():
                call("GET", "/count")
        except OSError:
            pass

    loaders = [threading.Thread(target=load, args=(n,)) for n in range(4)]
    for one in loaders:
        one.start()
    time.sleep(0.3)
    cluster.replicas[2].kill()
    stop.set()
    longest = 0.0
    for turn in range(20):
        began = time.monotonic()
        answer = calls[turn % 2]("GET", "/count")
        longest = max(longest, time.monotonic() - began)
        assert answer.status == 200, answer
        seen.append(int(answer.body))
    for one in loaders:
        one.join()
    assert seen == list(range(seen[0], seen[0] + 20)), seen
    assert longest < 2, f"held up for {longest:.2f} s"


@check(with_ways=True)
def changes_while_one_joins_are_made_by_it(cluster, options):
    calls, is_over = cluster.calls(), threading.Event()
    made = []

    def add():
        while not is_over.is_set():
            made.append(calls[0]("POST", "/__admin/mappings", stub(f"/{len(made)}")).status)
            time.sleep(0.01)

    adding = threading.Thread(target=add)
    adding.start()
    way = Way(cluster.socket)
    way.delay = 0.1
    late = Replica(cluster, 9, way)
    cluster.replicas.append(late)
    late.wait()
    way.delay = 0
    time.sleep(0.3)
    is_over.set()
    adding.join()
    assert set(made) == {201}, collections.Counter(made)
    for call in cluster.calls():
        until(lambda: call("GET", "/__admin/mappings?limit=1").json["meta"]["total"] == len(made), "all stubs are there", 5)
    assert calls[1]("POST", "/__admin/mappings", stub("/last")).headers.get("X-StuntDouble-Silent-Replicas") is None


@check()
def one_that_is_new_does_not_empty_an_empty_server(cluster, options):
    calls = cluster.calls()
    for n in range(50):
        assert calls[n % 3]("POST", "/__admin/mappings", stub(f"/{n}")).status == 201
    cluster.kill_redis()
    cluster.replicas[2].kill()
    late = Replica(cluster, 9)
    cluster.replicas.append(late)
    time.sleep(0.5)
    cluster.start_redis()
    late.wait()
    for replica in cluster.replicas[:2] + [late]:
        until(replica.is_ready, "it is back")
        assert replica.call("GET", "/__admin/mappings?limit=1").json["meta"]["total"] == 50


@check()
def a_flush_and_a_change_at_once_lose_nothing(cluster, options):
    calls = cluster.calls()
    for n in range(20):
        calls[n % 3]("POST", "/__admin/mappings", stub(f"/{n}"))
    known = {calls[n % 3]("POST", "/__admin/sessions", {}).json["id"] for n in range(3)}
    cluster.redis_command("FLUSHALL")
    made = [call("POST", "/__admin/sessions", {}) for call in calls]
    added = calls[0]("POST", "/__admin/mappings", stub("/more"))
    assert all(one.status in (201, 503) for one in made + [added]), made
    until(lambda: all(r.is_ready() for r in cluster.replicas), "all are back")
    made = [call("POST", "/__admin/sessions", {}).json["id"] for call in calls]
    assert len(set(made)) == 3 and not known & set(made), (known, made)
    late = Replica(cluster, 9)
    cluster.replicas.append(late)
    late.wait()
    assert late.call("GET", "/19").status == 200
    total = {call("GET", "/__admin/mappings?limit=1").json["meta"]["total"] for call in cluster.calls()}
    assert len(total) == 1, total


@check()
def what_others_write_into_the_server_ends_nobody(cluster, options):
    calls, key = cluster.calls(), f"stuntdouble:{{{cluster.name}}}:"
    calls[0]("POST", "/__admin/mappings", stub("/a"))
    head = json.dumps({"method": "POST", "url": "/__admin/shutdown", "session": None, "fields": [], "secure": False, "time": "1", "needsJournal": False, "seed": "1", "nonce": "x.y"})
    cluster.redis_command("XADD", key + "log", "*", "v", "1", "c", head + "\n")
    for text in ("", "made", "in x y {", "ask t o {", "handin a b c d", "used " + "x " * 500):
        cluster.redis_command("PUBLISH", key + "all", text)
    cluster.redis_command("PUBLISH", key + "all", "log")
    cluster.redis_command("XADD", key + "journal", "*", "r", "x", "b", "garbage")
    cluster.redis_command("HSET", key + "members", "evil", "12 {")
    assert calls[1]("POST", "/__admin/mappings", stub("/b")).status == 201
    assert [call("GET", "/b").status for call in calls] == [200] * 3
    assert calls[0]("POST", "/__admin/requests/count", {"urlPath": "/b"}).json["count"] == 3
    cluster.redis_command("XADD", key + "journal", "18446744073709551615-1", "r", "x", "b", "zz")
    assert calls[0]("POST", "/__admin/requests/count", {"urlPath": "/b"}).status in (200, 503)
    cluster.redis_command("XADD", key + "log", "18446744073709551615-1", "v", "1", "c", head + "\n")
    cluster.redis_command("PUBLISH", key + "all", "log")
    until(lambda: calls[0]("GET", "/__admin/health").status == 503, "it says that it cannot go on")
    assert calls[0]("GET", "/a").status == 200


@check()
def a_full_server_loses_no_requests(cluster, options):
    calls = cluster.calls()
    calls[0]("POST", "/__admin/mappings", stub("/a"))
    cluster.redis_command("CONFIG", "SET", "maxmemory", "1")
    for _ in range(50):
        assert calls[0]("GET", "/a").status == 200
    time.sleep(0.7)
    cluster.redis_command("CONFIG", "SET", "maxmemory", "0")
    until(lambda: all(r.is_ready() for r in cluster.replicas), "all are back")
    calls[0]("GET", "/a")
    assert [call("POST", "/__admin/requests/count", {"urlPath": "/a"}).json["count"] for call in calls] == [51] * 3


@check()
def one_is_let_go_where_one_is_asked_for(cluster, options):
    calls, answers = cluster.calls(), []
    calls[0]("POST", "/__admin/mappings", {"request": {"urlPath": "/held"}, "response": {"hold": "g"}})
    held = []
    for replica in cluster.replicas:
        held.append(threading.Thread(target=lambda r=replica: answers.append((r.number, Client(r.port)("GET", "/held").status))))
        held[-1].start()
        until(lambda: calls[1]("GET", "/__admin/gates/g").json["waiting"] == len(held), "it waits")
    shown = calls[1]("GET", "/__admin/gates/g").json["requests"]
    assert [one["sequence"] for one in shown] == sorted(one["sequence"] for one in shown)
    assert calls[2]("GET", f"/__admin/gates/g/requests/{shown[0]['id']}").status == 200
    assert calls[2]("POST", "/__admin/gates/g/release", {"count": 1}).json == {"released": 1}
    until(lambda: len(answers) == 1, "one was let go")
    assert answers == [(0, 200)], "the first to come"
    assert calls[0]("POST", "/__admin/gates/g/release", b"{").status == 422
    assert calls[0]("POST", "/__admin/gates/g/release", {"count": 5}).json == {"released": 2}
    for thread in held:
        thread.join(10)


@check(with_nginx=True)
def reports_keep_what_came_before_a_reset(cluster, options):
    call = Client(cluster.front)
    for _ in range(12):
        assert call("GET", "/nope").status == 404
        assert call("POST", "/__admin/reset").status == 200
    served = [one("GET", "/__admin/report").json["served"] for one in cluster.calls()]
    assert served == [12] * 3, served


@check()
def an_empty_server_is_told_what_was_decided(cluster, options):
    calls = cluster.calls()
    calls[0]("POST", "/__admin/mappings", {**stub("/t"), "times": 3})
    calls[0]("POST", "/__admin/mappings", {"scenarioName": "s", "requiredScenarioState": "Started", "newScenarioState": "on", "request": {"urlPath": "/s"}})
    assert [calls[0]("GET", "/t").status for _ in range(3)] == [200] * 3 and calls[0]("GET", "/s").status == 200
    time.sleep(1.5)
    cluster.kill_redis()
    cluster.start_redis()
    until(lambda: all(r.is_ready() for r in cluster.replicas), "all are back")
    assert [call("GET", "/t").status for call in calls] == [404] * 3
    assert [call("GET", "/s").status for call in calls] == [404] * 3
    assert [call("GET", "/__admin/scenarios").json["scenarios"][0]["state"] for call in calls] == ["on"] * 3


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", required=True)
    parser.add_argument("--only", default="")
    parser.add_argument("--requests", type=int, default=2400)
    options = parser.parse_args()
    if not REDIS or not NGINX:
        print("there is no redis-server or no nginx")
        return 3
    failed, cluster = [], None
    for function, needs in CHECKS:
        name = function.__name__.replace("_", " ")
        if not name.startswith(options.only.replace("_", " ")):
            continue
        began = time.monotonic()
        try:
            if not cluster or not cluster.is_as_new(needs):
                if cluster:
                    cluster.stop()
                cluster = Cluster(os.path.abspath(options.binary), **needs)
            function(cluster, options)
            ended = [r.number for r in cluster.replicas if r.process.poll() not in (None, -9)]
            assert not ended, f"replicas have ended: {ended}"
            print(f"ok    {name} ({time.monotonic() - began:.1f} s)", flush=True)
        except Exception:
            failed.append(name)
            print(f"FAILED {name}\n{traceback.format_exc(limit=6)}", flush=True)
            if cluster:
                for replica in cluster.replicas:
                    print(f"--- replica {replica.number}\n{replica.text[-1500:]}", flush=True)
                cluster.stop()
            cluster = None
    if cluster:
        cluster.stop()
    print(f"{len(failed)} failed: {', '.join(failed)}" if failed else "all passed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
