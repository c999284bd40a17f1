"""Checks of the command line with replicas."""

import json
import socket
import subprocess

from checks import check, stub
from cluster import Cluster, Replica, free_port, until


def command(cluster, *words, environment=(), status=0):
    """Runs the program; returns its standard output and error."""
    ended = subprocess.run(
        [cluster.binary, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60,
        env={**cluster.environment, **dict(environment)})
    assert ended.returncode == status, (ended.returncode, ended.stdout[-500:], ended.stderr[-1500:])
    return ended


ASKS = ["--", "sh", "-c", 'curl -s -o /dev/null -w "%{http_code} $STUNTDOUBLE_URL" "$STUNTDOUBLE_URL/asked"']


@check(with_nginx=True)
def a_run_has_a_session_by_path(cluster, options):
    call = cluster.calls()[0]
    call("POST", "/__admin/mappings", stub("/asked"))
    front = f"http://127.0.0.1:{cluster.front}"
    done = command(cluster, "run", "--url", front, "--fail-on", "unmatched", *ASKS)
    assert done.stdout.startswith(f"200 {front}/__session/s") and "1 request" in done.stderr, (done.stdout, done.stderr)
    missed = command(
        cluster, "run", "--url", front, "--fail-on", "unmatched", "--", "sh", "-c", 'curl -s -o /dev/null "$STUNTDOUBLE_URL/missed"',
        status=1)
    assert "/missed" in missed.stderr, missed.stderr
    command(cluster, "run", "--url", front, "--", "false", status=1)
    refused = command(cluster, "run", "--url", front, "--port", "1", *ASKS, status=125)
    assert "one of several replicas, whose sessions have no ports" in refused.stderr and "leave out --port 1" in refused.stderr, refused.stderr
    refused = command(cluster, "run", "--url", front, "--port", "0", *ASKS, status=125)
    assert "leave out --port 0" in refused.stderr, refused.stderr
    refused = command(cluster, "run", "--url", front, "--port-file", cluster.folder + "/p", *ASKS, status=125)
    assert "leave out --port-file" in refused.stderr, refused.stderr
    assert call("GET", "/__admin/sessions").json["sessions"] == []


@check()
def a_run_of_its_own_joins_the_others(cluster, options):
    call = cluster.calls()[0]
    call("POST", "/__admin/mappings", stub("/asked"))
    shared = ["--shared", cluster.address, "--shared-name", cluster.name]
    for words in (shared, [*shared, "--no-share"]):
        done = command(cluster, "run", cluster.mocks, *words, "--fail-on", "unmatched", *ASKS)
        assert done.stdout.startswith("200 http://127.0.0.1:") and "/__session/s" in done.stdout, done.stdout
        assert "1 request" in done.stderr, done.stderr
    by_name = {"STUNTDOUBLE_SHARED": cluster.address, "STUNTDOUBLE_SHARED_NAME": cluster.name}
    port = free_port()
    done = command(cluster, "run", cluster.mocks, "--port", str(port), *ASKS, environment=by_name)
    assert done.stdout.startswith(f"200 http://127.0.0.1:{port}/__session/s"), done.stdout
    assert call("GET", "/__admin/sessions").json["sessions"] == []


@check(password="s3cret")
def commands_say_what_is_with_the_shared_server(cluster, options):
    def doctor(address, status=0, **more):
        ended = command(cluster, "doctor", "--json", "--port", "0", *(["--shared", address] if address else []), status=status, **more)
        return {one["part"]: one for one in json.loads(ended.stdout)["checks"]}, ended.stdout

    parts = ("shared-server", "shared-memory", "shared-rights")
    for address, more in ((cluster.address, {}), (None, {"environment": {"STUNTDOUBLE_SHARED": cluster.address}})):
        checks, said = doctor(address, **more)
        assert [checks[part]["state"] for part in parts] == ["ok"] * 3, said
        assert "***@" in checks["shared-server"]["found"] and "s3cret" not in said, said
    checks, said = doctor(cluster.address.replace("s3cret", "wr0ng"), 1)
    assert "refuses AUTH" in checks["shared-server"]["found"] and "wr0ng" not in said, said
    checks, said = doctor(f"redis://127.0.0.1:{free_port()}", 1)
    assert "cannot be reached" in checks["shared-server"]["found"], said
    with socket.socket(socket.AF_UNIX) as s:
        s.connect(cluster.socket)
        s.sendall(b"AUTH s3cret\r\nCONFIG SET maxmemory 100mb\r\nCONFIG SET maxmemory-policy allkeys-lru\r\n"
                  b"ACL SETUSER few on >few ~stuntdouble:* &stuntdouble:* +@read +@connection +@scripting +@pubsub\r\n"
                  b"ACL SETUSER enough on >enough ~stuntdouble:* &stuntdouble:* +@read +@write +@scripting +@pubsub +@connection +time\r\nPING\r\n")
        answer = b""
        while b"PONG" not in answer:
            answer += s.recv(4096)
    checks, said = doctor(cluster.address, 1)
    assert "maxmemory-policy allkeys-lru" in checks["shared-memory"]["found"] and "noeviction" in checks["shared-memory"]["fix"], said
    checks, said = doctor(cluster.address.replace(":s3cret@", "few:few@"), 1)
    assert "its user may not do what replicas do: " in checks["shared-rights"]["found"] and "+@write" in checks["shared-rights"]["fix"], said
    checks, said = doctor(cluster.address.replace(":s3cret@", "enough:enough@"))
    assert (checks["shared-rights"]["state"], checks["shared-memory"]["state"]) == ("ok", "note"), said

    front = f"http://127.0.0.1:{cluster.replicas[0].port}"
    assert "is Stunt Double" in command(cluster, "wait", front).stdout
    cluster.kill_redis()
    until(lambda: cluster.calls()[0]("GET", "/__admin/health").json["status"] == "degraded", "it is told")
    assert "is degraded: Without the other replicas" in command(cluster, "wait", front).stdout
    for words in (["report", "--url", front], ["top", "--once", "--url", front], ["run", "--url", front, *ASKS]):
        said = command(cluster, *words, status=125 if words[0] == "run" else 2).stderr
        assert "The replicas cannot agree: " in said and "once the shared server is back" in said and "{" not in said, said
    alone = Replica(cluster, 9)
    cluster.replicas.append(alone)
    until(lambda: Cluster.listens(alone.port) and alone.call("GET", "/__admin/health").status == 503, "it is unhealthy", 30)
    unready = command(cluster, "wait", f"http://127.0.0.1:{alone.port}", "--timeout", "1s", status=1)
    assert "is unhealthy: " in unready.stderr, unready.stderr


@check()
def what_refuses_is_not_away(cluster, options):
    wrong = Replica(cluster, 9, options=["--shared", cluster.address + "?db=999"])
    cluster.replicas.append(wrong)
    until(lambda: "cannot be used: " in wrong.text, "the log says so", 20)
    assert "refuses SELECT 999" in wrong.text and "is away" not in wrong.text, wrong.text


@check()
def other_options_are_told(cluster, options):
    call = cluster.calls()[0]
    assert "options=same" in call("GET", "/__admin/health").headers["X-StuntDouble-Replicas"]
    late = Replica(cluster, 9, options=["--no-request-journal"])
    cluster.replicas.append(late)
    late.wait()
    cluster.settle()
    assert "options=differ" in call("GET", "/__admin/health").headers["X-StuntDouble-Replicas"]
    assert len({one["options"] for one in call("GET", "/__admin/replicas").json["replicas"]}) == 2
