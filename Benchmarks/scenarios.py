"""The measurements of serving, starting and memory. Each returns its tables and the bars that they decide."""

import os
import statistics
import time

from Benchmarks import contenders, load
from Benchmarks.contenders import Server
from Benchmarks.first_answer import measure
from Benchmarks.report import Bar, figure, table
from Benchmarks.rounds import HEALTH, Outcome, Turn, median, progress, ratio, settle, take_turns
from Benchmarks.slices import take_slices
from Benchmarks.stubs import StubSet, write_delayed


def beside_others(setting):
    """The daemon, nginx and WireMock with the same 1,000 stubs and equal answers."""
    stubs = StubSet(1000)
    place = setting.place("thousand")
    stubs.write_files(place)
    paths_file = os.path.join(place, "paths.txt")
    stubs.write_paths(paths_file)
    sample_path = stubs.path(500)
    logs = setting.place("logs")

    servers = [
        Server("Stunt Double", contenders.stunt_double(setting.daemon, place), sample_path, logs, setting.server_cpu)
    ]
    sample = load.response_bytes(servers[0].port, sample_path)
    nginx = contenders.Nginx(setting.nginx, setting.place("nginx"), sample)
    nginx.fit(sample_path)
    servers.append(Server("nginx", nginx.command, sample_path, logs, setting.server_cpu))

    progress("start to first answer")
    starts = {
        "Stunt Double": measure(contenders.stunt_double(setting.daemon, place), sample_path, runs=setting.starts),
        "nginx": measure(nginx.command, sample_path, runs=setting.starts),
    }
    if setting.wiremock:
        starts["WireMock"] = measure(contenders.wiremock(setting.wiremock, place), sample_path, runs=3)
        servers.append(Server("WireMock", contenders.wiremock(setting.wiremock, place), sample_path, logs))
    names = [server.name for server in servers]

    sizes = {server.name: len(load.response_bytes(server.port, sample_path)) for server in servers}
    settle(servers)
    before = {server.name: server.process.resident_mib() for server in servers}
    turns = [Turn(server.name, server, load.paths(paths_file), setting.connections) for server in servers]
    samples = take_turns(setting, turns)
    # A JVM goes on compiling and collecting when its load is stopped.
    slices = take_slices(setting, [turn for turn in turns if turn.name != "WireMock"])
    after = {server.name: server.process.resident_mib() for server in servers}
    for server in servers:
        server.stop()

    def row(title, value, digits=1):
        return [title] + [figure(value(name), digits) for name in names]

    rows = [
        row("requests/s", lambda name: median(samples[name], lambda one: one.per_second), 0),
        row("CPU µs a request", lambda name: median(samples[name], lambda one: one.cpu_microseconds), 2),
        row("CPU, ratio to nginx", lambda name: ratio(slices if name in slices else samples, name, "nginx"), 3),
        row("p50 ms", lambda name: median(samples[name], lambda one: one.p50_ms), 2),
        row("p99 ms", lambda name: median(samples[name], lambda one: one.p99_ms), 2),
        row("bytes of a response", sizes.get, 0),
        row("start to first answer, ms", lambda name: statistics.median(starts[name]) * 1000),
        row("resident MiB before", before.get),
        row("resident MiB after", after.get),
    ]
    title = f"1,000 stubs in files, journal on, {setting.connections} keep-alive connections"
    return Outcome(
        [table(title, [""] + names, rows)],
        [
            Bar("CPU a request, 1,000 stubs", ratio(slices, "Stunt Double", "nginx"), 1.0, "× nginx", 3),
            Bar(
                "start to first answer, 1,000 stubs in files",
                statistics.median(starts["Stunt Double"]) * 1000,
                20,
                "ms",
                is_work=True,
            ),
            Bar("resident memory, 1,000 stubs, idle", before["Stunt Double"], 24, "MiB"),
        ],
    )


def starts(setting):
    """The daemon's start with an empty folder, and with one file of many stubs."""
    empty = setting.place("empty")
    one_file = setting.place("thousand-in-one-file")
    StubSet(1000).write_one_file(one_file)
    rows = []
    medians = []
    for title, place in (("an empty folder", empty), ("1,000 stubs in one file", one_file)):
        times = measure(contenders.stunt_double(setting.daemon, place), HEALTH, runs=setting.starts)
        medians.append(statistics.median(times) * 1000)
        rows.append([title, figure(medians[-1]), figure(min(times) * 1000), figure(max(times) * 1000)])
    return Outcome(
        [table("Start to first answer, Stunt Double", ["", "median ms", "fastest ms", "slowest ms"], rows)],
        [Bar("start to first answer, an empty folder", medians[0], 5, "ms", is_work=True)],
    )


def growing(setting):
    """The daemon with 1, 1,000 and many stubs: a third each of exact paths, templates and regexes, all requested."""
    turns, before, starts_of, rows = [], {}, {}, []
    logs = setting.place("growing-logs")
    for count in (1, 1000, setting.many_stubs):
        stubs = StubSet(count, mixed=True)
        place = setting.place(f"stubs-{count}")
        stubs.write_one_file(place)
        paths_file = os.path.join(place, "paths.txt")
        stubs.write_paths(paths_file)
        command, name = contenders.stunt_double(setting.daemon, place), f"{count:,} stubs"
        starts_of[name] = measure(command, stubs.path(count // 2), runs=min(setting.starts, 5))
        server = Server(name, command, stubs.path(count // 2), logs, setting.server_cpu)
        stubs.check_answers(lambda path, port=server.port: load.response_bytes(port, path))
        before[server.name] = server.process.resident_mib()
        turns.append(Turn(server.name, server, load.paths(paths_file), setting.connections, count))
    samples = take_turns(setting, turns)
    servers = [turn.server for turn in turns]
    few, many = servers[1].name, servers[2].name
    for server in servers:
        mine = samples[server.name]
        rows.append(
            [
                server.name,
                figure(median(mine, lambda one: one.per_second), 0),
                figure(median(mine, lambda one: one.cpu_microseconds), 2),
                figure(ratio(samples, server.name, few), 2),
                figure(median(mine, lambda one: one.p99_ms), 2),
                figure(statistics.median(starts_of[server.name]) * 1000),
                figure(before[server.name]),
                figure(server.process.resident_mib()),
            ]
        )
        server.stop()
    columns = ["", "requests/s", "CPU µs", "ratio", "p99 ms", "start ms", "MiB before", "MiB after"]
    title = "Stunt Double with more stubs, mixed and in one file, every stub asked for"
    return Outcome(
        [table(title, columns, rows)],
        [
            Bar(f"CPU a request, {many} over {few}", ratio(samples, many, few), 1.15, "×"),
            Bar(f"load of {many}, start to first answer", statistics.median(starts_of[many]) * 1000, 600, "ms", is_work=True),
            Bar(f"load of {many}, resident memory", before[many], 160, "MiB"),
        ],
    )


def delayed(setting):
    """Many answers delayed by 2 s, all in flight at the same time."""
    place = setting.place("delayed")
    write_delayed(place, 2000)
    server = Server(
        "Stunt Double", contenders.stunt_double(setting.daemon, place), HEALTH, setting.folder, setting.server_cpu
    )
    rows = []
    results = {}
    for title, spread in (("sent over 1 s", 1000), ("sent at once", 0)):
        late = load.run_delayed(
            server, setting.delayed_tool, "/delayed", setting.in_flight, 2000, spread, setting.load_cpu
        )
        progress(f"delayed, {title}: p99 {late.p99:.2f} ms late, {late.lost} lost")
        results[spread] = late
        rows.append(
            [title, f"{late.sent:,}", late.lost]
            + [figure(value, 2) for value in (late.earliest, late.p50, late.p99, late.latest)]
        )
    resident = server.process.resident_mib()
    server.stop()
    columns = ["", "in flight", "lost", "earliest ms", "p50 ms", "p99 ms", "latest ms"]
    title = f"Answers delayed by 2 s: how late beyond it (resident memory after it: {resident:.1f} MiB)"
    return Outcome(
        [table(title, columns, rows)],
        [
            Bar(f"{setting.in_flight:,} delayed in flight, p99 late", results[1000].p99, 5, "ms"),
            Bar(
                f"{setting.in_flight:,} delayed in flight, lost", sum(late.lost for late in results.values()), 0, "", 0
            ),
        ],
    )


def memory(setting):
    """Resident memory after many requests, and with many idle connections."""
    stubs = StubSet(1000)
    place = setting.place("memory")
    stubs.write_files(place)
    paths_file = os.path.join(place, "paths.txt")
    stubs.write_paths(paths_file)
    path = stubs.path(0)
    server = Server(
        "Stunt Double", contenders.stunt_double(setting.daemon, place), path, setting.folder, setting.server_cpu
    )
    settle([server])
    rows = [["idle", figure(server.process.resident_mib())]]
    sent, rate, at_half, resident = 0, 100_000.0, 0.0, 0.0
    for target in (setting.requests // 10, setting.requests // 2, setting.requests):
        while sent < target:
            seconds = min(30, max(1, round((target - sent) / rate)))
            sample = load.run(server, load.paths(paths_file), seconds, setting.connections, setting.load_cpu)
            sent, rate = sent + sample.requests, sample.per_second
        resident = server.process.resident_mib()
        if target == setting.requests // 2:
            at_half = resident
        rows.append([f"after {sent:,} requests", figure(resident)])
        progress(f"{sent:,} requests: {resident:.1f} MiB")

    clients = load.open_idle(server.port, setting.in_flight)
    # An answer on the last connection shows that all others were accepted.
    last_is_served = load.answers_on(clients[-1], server.port, path)
    with_idle = server.process.resident_mib()
    served = last_is_served and all(load.answers_on(client, server.port, path) for client in clients[:-1:100])
    for client in clients:
        client.close()
    rows.append([f"with {len(clients):,} idle connections", figure(with_idle)])
    time.sleep(1)
    rows.append(["1 s after closing them", figure(server.process.resident_mib())])
    server.stop()
    if not served:
        raise RuntimeError("an idle connection was not served any more")
    return Outcome(
        [table("Resident memory, Stunt Double, 1,000 stubs", ["", "MiB"], rows)],
        [
            Bar(f"resident memory after {setting.requests:,} requests", resident, 96, "MiB"),
            Bar("growth over the second half of them", max(0.0, resident - at_half), 2, "MiB"),
        ],
    )
