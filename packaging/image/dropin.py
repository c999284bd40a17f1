"""Shows that the container image takes the place of `wiremock/wiremock`.

How it is run: `make verify-image`, or `python3 packaging/image/dropin.py [IMAGE]`, by default the image `stuntdouble` of
`make image`. It needs buildah, root, curl and Linux's `unshare`; where the Python package `wiremock` can be imported
(`PYTHONPATH=…/site-packages`), that package's own container class runs the image, too.

Each case does what a user of WireMock's image does: the folder that is mounted, the files that Testcontainers copies before
or after the start, the arguments that it gives, the calls that it waits for. It happens in a network of its own, so
port 8080 is free. At the end stands the size of the image, of which more than 40 MB compressed is a failure.
"""

import contextlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import types
import urllib.error
import urllib.request
from io import BytesIO
from pathlib import Path

MOST_BYTES = 40_000_000
os.environ.setdefault("BUILDAH_ISOLATION", "chroot")
# Inherited by the processes of a container under chroot isolation, where an engine would begin with the image's alone.
for variable in [name for name in os.environ if name.startswith(("STUNTDOUBLE_", "WIREMOCK_"))] + ["uid"]:
    os.environ.pop(variable, None)


def buildah(*words, **options):
    return subprocess.run(["buildah", *words], check=True, capture_output=True, text=True, **options).stdout.strip()


class Container:
    """A container of the image, as `docker create`, `docker cp`, `docker start` and `docker rm` treat one."""

    def __init__(self, image, *arguments, environment=None, user=None, volumes=()):
        self.name = buildah("from", "--pull-never", image)
        self.image = image
        self.arguments = list(arguments)
        self.environment = environment or {}
        self.user = user
        self.volumes = list(volumes)
        self.process = None
        self.log = tempfile.TemporaryFile("w+")

    def config(self, field):
        return json.loads(buildah("inspect", "--type", "image", self.image))["Docker"]["config"][field]

    def words(self, command):
        words = ["run", "--network", "host", "--user", self.user or self.config("User")]
        for name, value in self.environment.items():
            words += ["--env", f"{name}={value}"]
        for volume in self.volumes:
            words += ["--volume", volume]
        return [*words, self.name, "--", *command]

    def copy(self, source, target):
        buildah("copy", self.name, str(source), target)

    def start(self):
        words = self.words([*self.config("Entrypoint"), *self.arguments])
        self.process = subprocess.Popen(
            ["buildah", *words], stdin=subprocess.DEVNULL, stdout=self.log, stderr=subprocess.STDOUT)
        return self

    def run(self, *command):
        """Runs a command beside the daemon, as `docker exec` does: the status, and what it prints."""
        done = subprocess.run(
            ["buildah", *self.words(command)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return done.returncode, done.stdout

    def is_healthy(self):
        check = self.config("Healthcheck")["Test"]
        assert check[0] == "CMD", check
        return self.run(*check[1:])[0] == 0

    def output(self):
        self.log.seek(0)
        return self.log.read()

    def daemons(self):
        """The processes of the daemon, among those that this container's run has started."""
        def children(process):
            for path in Path(f"/proc/{process}/task").glob("*/children"):
                for child in path.read_text().split():
                    yield int(child)
                    yield from children(child)

        found = []
        for process in children(self.process.pid):
            with contextlib.suppress(OSError):
                if Path(f"/proc/{process}/comm").read_text().strip() == "stuntdouble":
                    found.append(process)
        return found

    def stop(self):
        """Ends the daemon with SIGTERM, as `docker stop` does. The status of the container's command."""
        if self.process and self.process.poll() is None:
            for process in self.daemons():
                os.kill(process, 15)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(10)
            if self.process.poll() is None:
                self.process.kill()
        status = self.process.returncode if self.process else None
        with contextlib.suppress(subprocess.CalledProcessError):
            buildah("rm", self.name)
        return status

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if kind:
            print(self.output(), file=sys.stderr)
        self.stop()


def ask(path, body=None, port=8080, method=None, headers=None):
    """Status and text of an answer; of one that does not come, 0."""
    data = body.encode() if body is not None else None
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", data, headers or {}, method=method)
    try:
        with urllib.request.urlopen(request, timeout=5) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()
    except OSError:
        return 0, ""


def until(is_so, what):
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        if is_so():
            return
        time.sleep(0.02)
    raise AssertionError(f"{what}: not within 20 s")


def wait_for(path, port=8080):
    """Waits for a 200, as Testcontainers' strategy for HTTP does."""
    until(lambda: ask(path, port=port)[0] == 200, f"200 of {path}")


def expect(actual, expected):
    assert actual == expected, f"expected {expected!r}, found {actual!r}"


HELLO = {
    "request": {"method": "GET", "urlPath": "/hello"},
    "response": {"body": "Hello, {{request.query.name}}!"},
}
FILED = {"request": {"url": "/filed"}, "response": {"bodyFileName": "filed.json"}}


def folder(scratch):
    """A folder as users of WireMock mount it."""
    root = Path(tempfile.mkdtemp(dir=scratch))
    (root / "mappings").mkdir()
    (root / "__files").mkdir()
    (root / "mappings" / "hello.json").write_text(json.dumps(HELLO))
    (root / "mappings" / "filed.json").write_text(json.dumps(FILED))
    (root / "__files" / "filed.json").write_text('{"from": "a file"}')
    subprocess.run(["chmod", "-R", "a+rX", str(root)], check=True)
    return root


# The cases. Each has a name that says what holds.

def it_serves_a_mounted_folder_with_flags(image, scratch):
    with Container(image, "--global-response-templating", "--verbose", volumes=[f"{folder(scratch)}:/home/wiremock"]) as c:
        c.start()
        wait_for("/__admin/health")
        expect(ask("/hello?name=Ada"), (200, "Hello, Ada!"))
        expect(ask("/filed"), (200, '{"from": "a file"}'))
        assert c.is_healthy()
        expect(c.stop(), 0)


def it_serves_what_java_testcontainers_copies(image, scratch):
    """WireMockContainer: files are copied before the start, the banner is switched off, /__admin/mappings is asked."""
    root = folder(scratch)
    with Container(image, "--global-response-templating", "--disable-banner") as c:
        c.copy(root / "mappings" / "hello.json", "/home/wiremock/mappings/-12345.json")
        c.copy(root / "mappings" / "filed.json", "/home/wiremock/mappings/filed.json")
        c.copy(root / "__files" / "filed.json", "/home/wiremock/__files/filed.json")
        c.start()
        wait_for("/__admin/mappings")
        expect(ask("/hello?name=Joan"), (200, "Hello, Joan!"))
        expect(ask("/filed"), (200, '{"from": "a file"}'))
        stub = '{"request": {"url": "/added"}, "response": {"status": 204}, "persistent": true}'
        expect(ask("/__admin/mappings", stub)[0], 201)
        expect(ask("/added")[0], 204)
        expect(json.loads(ask("/__admin/requests/count", '{"url": "/added"}')[1])["count"], 1)


def it_is_run_by_pythons_own_container(image, scratch):
    """`wiremock.testing.testcontainer` as it stands; only Docker's client below it is replaced."""
    try:
        import requests
        import wiremock  # noqa: F401
    except ImportError:
        return "left out: the Python packages wiremock and requests cannot be imported"
    import warnings

    class DockerContainer:
        def __init__(self, name, **_):
            self.container = Container(name)

        def with_exposed_ports(self, *_):
            return self

        def with_command(self, text):
            self.container.arguments = text.split()

        def start(self):
            self.container.start()
            return self

        def get_wrapped_container(self):
            return self

        def put_archive(self, path, data):
            target = Path(tempfile.mkdtemp(dir=scratch))
            with tarfile.open(fileobj=BytesIO(data)) as archive:
                archive.extractall(target, filter="data")
            self.container.copy(target, path)

        def get_container_host_ip(self):
            return "localhost"

        def get_exposed_port(self, port):
            return port

        def stop(self):
            self.container.stop()

        def __enter__(self):
            return self.start()

        def __exit__(self, *_):
            self.stop()

    def module(name, **members):
        sys.modules[name] = types.ModuleType(name)
        vars(sys.modules[name]).update(members)

    class Client:
        def ping(self):
            pass

        close = ping

    module("docker", from_env=Client)
    module("testcontainers")
    module("testcontainers.core")
    module("testcontainers.core.container", DockerContainer=DockerContainer)
    module("testcontainers.core.exceptions", ContainerStartException=type("ContainerStartException", (Exception,), {}))
    module("testcontainers.core.waiting_utils", wait_container_is_ready=lambda: lambda function: function)
    from wiremock.testing.testcontainer import wiremock_container

    stub = {"request": {"method": "GET", "url": "/hello"}, "response": {"status": 200, "body": "hello"}}
    warnings.simplefilter("ignore")
    for secure in (False, True):
        with wiremock_container(
            image=image, secure=secure, verify_ssl_certs=False, mappings=[("hello-world.json", stub)]
        ) as server:
            answer = requests.get(server.get_url("/hello"), verify=False)
            expect((answer.status_code, answer.text), (200, "hello"))


def it_heeds_wiremock_options(image, scratch):
    options = {"WIREMOCK_OPTIONS": "--port 9999 --global-response-templating"}
    with Container(image, environment=options, volumes=[f"{folder(scratch)}:/home/wiremock"]) as c:
        c.start()
        wait_for("/__admin/health", 9999)
        expect(ask("/hello?name=Ada", port=9999), (200, "Hello, Ada!"))
        assert c.is_healthy()


def it_takes_wiremocks_own_command(image, scratch):
    command = ["java", "-Xmx64m", "-cp", "/var/wiremock/lib/*:/var/wiremock/extensions/*", "wiremock.Run", "--port", "9000"]
    with Container(image, *command, volumes=[f"{folder(scratch)}:/home/wiremock"]) as c:
        c.start()
        wait_for("/__admin/mappings", 9000)
        expect(json.loads(ask("/__admin/mappings", port=9000)[1])["meta"]["total"], 2)


def it_is_started_by_the_words_of_wiremocks_image(image, scratch):
    """The entry points and commands of public Dockerfiles and compose files, with the port that each names."""
    run = ["java", "-Xmx1g", "-Dk=v", "--add-opens", "java.base/java.lang=ALL-UNNAMED", "-cp", "/var/wiremock/lib/*"]
    old = "com.github.tomakehurst.wiremock.standalone.WireMockServerRunner"
    for command in [
        ["/docker-entrypoint.sh", "--global-response-templating", "--disable-gzip", "--verbose", "--port", "8081"],
        ["/docker-entrypoint.sh", *run, "wiremock.Run", "--port", "8081"],
        [*run, old, "--global-response-templating", "--port", "8081"],
        ["sh", "-c", "java -Xmx1g -cp '/var/wiremock/lib/*:/var/wiremock/extensions/*' wiremock.Run --port 8081"],
        ["bash", "-c", "exec java $JAVA_OPTS -jar /var/wiremock/lib/wiremock-standalone.jar --port=8081"],
        ["sh", "-c", "/docker-entrypoint.sh --port 8081"],
    ]:
        with Container(image, *command, volumes=[f"{folder(scratch)}:/home/wiremock"]) as c:
            c.start()
            wait_for("/__admin/health", 8081)
            expect(json.loads(ask("/__admin/mappings", port=8081)[1])["meta"]["total"], 2)
            assert c.is_healthy(), command
            expect(c.stop(), 0)


def it_is_what_the_public_chart_starts(image, scratch):
    """The chart's own arguments; its probes call the address of the pod, its clients the service."""
    arguments = [
        "--port=9021", "--max-request-journal=1000", "--local-response-templating", "--root-dir=/home/wiremock/storage"]
    with Container(image, *arguments, volumes=[f"{folder(scratch)}:/home/wiremock/storage:ro"]) as c:
        c.start()
        wait_for("/__admin/health", 9021)
        for host in ["10.1.2.3:9021", "[fd00::1]:9021", "wiremock", "wiremock.mocks.svc.cluster.local:9021"]:
            for path in ["/__admin/health", "/__admin/mappings"]:
                expect(ask(path, port=9021, headers={"Host": host})[0], 200)
        for host in ["elb.example.com", "10.1.2.3.nip.io"]:
            expect(ask("/__admin/health", port=9021, headers={"Host": host})[0], 200)
            expect(ask("/__admin/mappings", port=9021, headers={"Host": host})[0], 403)
        expect(c.run("bash", "-c", "cp -rf /home/wiremock/storage/mappings /tmp/mappings && ls /tmp/mappings | wc -l"), (0, "2\n"))


def it_starts_beside_a_service_of_its_name(image, scratch):
    """Kubernetes gives every pod of a namespace the addresses of its services."""
    links = {"STUNTDOUBLE_SERVICE_HOST": "10.96.0.7", "STUNTDOUBLE_SERVICE_PORT": "80", "STUNTDOUBLE_PORT": "tcp://10.96.0.7:80"}
    links |= {"STUNTDOUBLE_PORT_80_TCP_ADDR": "10.96.0.7", "STUNTDOUBLE_HTTPS_PORT": "tcp://10.96.0.8:443"}
    with Container(image, environment=links) as c:
        c.start()
        wait_for("/__admin/health")
        assert c.is_healthy()


def it_has_the_programs_of_health_checks(image, scratch):
    with Container(image) as c:
        c.start()
        wait_for("/__admin/health")
        for check in [
            ["sh", "-c", "curl -f http://localhost:8080/__admin/health || exit 1"],
            ["curl", "-fsS", "--retry", "3", "--max-time", "2", "-o", "/dev/null", "http://127.0.0.1:8080/__admin/mappings"],
            ["wget", "-q", "-O", "-", "http://localhost:8080/__admin/version"],
            ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/8080"],
            ["sh", "-c", "netstat -ltn | grep -q ':8080 ' && pidof stuntdouble && test \"$(echo aGk= | base64 -d)\" = hi"],
        ]:
            status, text = c.run(*check)
            expect((check, status, text if status else ""), (check, 0, ""))
        assert c.run("curl", "-f", "-s", "http://localhost:8080/__admin/nothing")[0] != 0


def it_is_healthy_wherever_it_listens(image, scratch):
    certificate = Path(scratch) / "client-ca.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=clients", "-keyout", "/dev/null",
         "-out", str(certificate)], check=True, capture_output=True)
    certificate.chmod(0o644)
    clients = ["--https-require-client-cert", "--https-truststore", "/client-ca.pem"]
    for arguments in [
        ["--port", "9000"],
        ["--port", "9000", "--bind-address", "127.0.0.5"],
        ["--https-port", "8443", "--disable-http"],
        ["--https-port", "8443", "--disable-http", *clients],
        ["--https-port", "8443", "--admin-api-require-https"],
        ["--https-port", "8443", "--admin-api-require-https", *clients],
        ["--admin-api-basic-auth", "a:b"],
    ]:
        for environment in [{}, {"STUNTDOUBLE_PORT_FILE": ""}]:
            with Container(image, *arguments, environment=environment) as c:
                c.copy(certificate, "/client-ca.pem")
                assert not c.is_healthy(), arguments
                c.start()
                until(c.is_healthy, f"health of {arguments} {environment}")
                expect(c.stop(), 0)


def it_serves_a_read_only_folder_to_any_user(image, scratch):
    for user, environment in [(None, {}), ("12345", {}), ("12345:678", {}), ("0", {"uid": "1234"})]:
        with Container(
            image, "--verbose", user=user, environment=environment, volumes=[f"{folder(scratch)}:/home/wiremock:ro"]
        ) as c:
            c.start()
            wait_for("/hello")
            assert c.is_healthy()
            status, text = ask("/__admin/mappings", '{"request": {"url": "/a"}, "response": {}, "persistent": true}')
            assert status == 500 and ("ead-only" in text or "ermission denied" in text), (status, text)
            expect(ask("/__admin/mappings", '{"request": {"url": "/b"}, "response": {"status": 204}}')[0], 201)
            expect(ask("/b")[0], 204)
            expect("could be given to uid=1234" in c.output(), "uid" in environment)
            expect(c.stop(), 0)


def it_serves_from_a_read_only_root(image, scratch):
    """Pods with `readOnlyRootFilesystem`, `docker run --read-only`: nothing can be written, not even to /tmp."""
    inside = (
        'mkdir -p "$0/proc" "$0/dev" "$0/mocks" && mount --bind "$0" "$0" && mount --bind "$1" "$0/mocks" && mount -o remount,ro,bind "$0" && '
        'mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && shift && exec chroot --userspec=10001:10001 "$0" "$@"')
    root = folder(scratch)
    with Container(image) as c:
        words = ["unshare", "--mount", "sh", "-c", inside, buildah("mount", c.name), str(root / "mappings")]
        words += ["env", "-i", *c.config("Env"), *c.config("Entrypoint")]
        for arguments in [[], ["--https-port", "8443"]]:
            c.process = subprocess.Popen([*words, *arguments], stdin=subprocess.DEVNULL, stdout=c.log, stderr=subprocess.STDOUT)
            wait_for("/hello")
            check = [*words[:-len(c.config("Entrypoint"))], *c.config("Healthcheck")["Test"][1:]]
            expect((arguments, subprocess.run(check, stdin=subprocess.DEVNULL).returncode), (arguments, 0))
            c.process.terminate()
            expect(c.process.wait(10), 0)
        buildah("umount", c.name)


def it_makes_certificates_for_any_user(image, scratch):
    with Container(image, "--https-port", "8443", "--disable-http", user="12345") as c:
        c.start()
        until(c.is_healthy, "health over HTTPS")


def it_says_what_is_not_served(image, scratch):
    root = folder(scratch)
    (root / "mocks").mkdir()
    (root / "mocks" / "ours.yaml").write_text("GET /ours: { body: ours }\n")
    with Container(image, volumes=[f"{root}:/home/wiremock:ro"]) as c:
        c.start()
        wait_for("/ours")
        assert "the stubs in mappings are not served, as there is a folder mocks" in c.output(), c.output()
    with Container(image, volumes=[f"{root}:/home/wiremock:ro", f"{root / 'mocks'}:/mocks:ro"]) as c:
        c.start()
        wait_for("/ours")
        assert "/home/wiremock/mappings is not served, as there is a folder /mocks" in c.output(), c.output()
    with Container(image, "--root-dir", "/home/wiremock", volumes=[f"{root}:/home/wiremock", f"{root / 'mocks'}:/mocks:ro"]) as c:
        c.copy(root / "mappings" / "hello.json", "/var/wiremock/extensions/some.jar")
        c.start()
        wait_for("/hello")
        assert "/mocks" not in c.output().replace("/home/wiremock/mocks", ""), c.output()
        assert "the extensions in /var/wiremock/extensions are not loaded" in c.output(), c.output()


def it_says_why_a_low_port_is_not_opened(image, scratch):
    Path("/proc/sys/net/ipv4/ip_unprivileged_port_start").write_text("1024\n")
    with Container(image, "--port", "80") as c:
        c.start()
        assert c.process.wait(20) != 0
        assert "only root may listen on ports below 1024" in c.output() and "-p 80:PORT" in c.output(), c.output()
    Path("/proc/sys/net/ipv4/ip_unprivileged_port_start").write_text("80\n")
    with Container(image, "--port", "80", user="12345") as c:
        c.start()
        wait_for("/__admin/health", 80)
        assert c.is_healthy()


def it_logs_what_scripts_wait_for(image, scratch):
    with Container(image, "--verbose") as c:
        c.start()
        until(lambda: "Verbose logging enabled" in c.output(), "the line")
        expect(ask("/__admin/health")[0], 200)
        assert "port:                         8080" in c.output(), c.output()


def it_changes_to_the_uid_that_is_asked_for(image, scratch):
    with Container(image, environment={"uid": "1234"}, user="0") as c:
        c.start()
        wait_for("/__admin/health")
        process = c.daemons()[0]
        owner = [line for line in Path(f"/proc/{process}/status").read_text().splitlines() if line.startswith("Uid")]
        assert "1234" in owner[0], owner
        stub = '{"request": {"url": "/kept"}, "response": {"status": 204}, "persistent": true}'
        expect(ask("/__admin/mappings", stub)[0], 201)


def it_serves_a_folder_of_ours(image, scratch):
    root = Path(tempfile.mkdtemp(dir=scratch))
    root.chmod(0o755)
    (root / "a.yaml").write_text("GET /ours: { body: routes }\n")
    with Container(image, volumes=[f"{root}:/mocks:ro"]) as c:
        c.start()
        wait_for("/ours")
        (root / "b.yaml").write_text("GET /later: { body: live }\n")
        wait_for("/later")


def it_has_every_library(image, scratch):
    """XML, signatures, HTTPS, HTTP/2, calls of other servers, time zones: what is opened by the first that needs it."""
    with Container(image, "--https-port", "8443") as c:
        assert not c.is_healthy()
        c.start()
        wait_for("/__admin/health")
        xml = '{"request": {"url": "/xml", "bodyPatterns": [{"matchesXPath": "//a"}]}, "response": {"body": "xml"}}'
        expect(ask("/__admin/mappings", xml)[0], 201)
        expect(ask("/xml", "<b><a/></b>"), (200, "xml"))
        template = "{{hmac 'a' key='b'}} {{now format='HH' timezone='Asia/Tokyo'}}"
        signed = {"request": {"url": "/signed"}, "response": {"body": template, "transformers": ["response-template"]}}
        expect(ask("/__admin/mappings", json.dumps(signed))[0], 201)
        status, text = ask("/signed")
        assert status == 200 and len(text.split()[0]) == 64, (status, text)
        expect(int(text.split()[1]), (time.gmtime().tm_hour + 9) % 24)
        proxied = '{"request": {"urlPath": "/proxied/xml"}, "response": {"proxyBaseUrl": "http://127.0.0.1:1"}}'
        expect(ask("/__admin/mappings", proxied)[0], 201)
        status, text = ask("/proxied/xml")
        assert status == 500 and "Connection refused" in text, (status, text)
        certificate = Path(scratch) / "ca.pem"
        certificate.write_text(ask("/__admin/certs/wiremock-ca.crt")[1])
        url = "https://localhost:8443/signed"
        curl = ["curl", "-s", "--http2", "--cacert", str(certificate), "-o", "/dev/null", "-w", "%{http_code} %{http_version}"]
        expect(subprocess.run([*curl, url], capture_output=True, text=True).stdout, "200 2")


def it_has_what_doctor_asks_for(image, scratch):
    parts = "https,http2,xml,certificates,watching"
    with Container(image, "doctor", "--require", parts) as c:
        c.start()
        expect(c.process.wait(20), 0)


def it_runs_its_other_commands(image, scratch):
    with Container(image, "validate", "/examples") as c:
        c.start()
        expect(c.process.wait(20), 0)
        assert "0 errors" in c.output(), c.output()
    with Container(image, "sh", "-c", "stuntdouble --version | head -n 1") as c:
        c.start()
        expect(c.process.wait(20), 0)
        assert c.output().startswith("stuntdouble "), c.output()


def it_is_small(image, scratch):
    target = Path(scratch) / "oci"
    buildah("push", "--quiet", image, f"oci:{target}:image")
    size = sum(path.stat().st_size for path in (target / "blobs" / "sha256").iterdir())
    assert size <= MOST_BYTES, f"{size / 1e6:.1f} MB compressed"
    return f"{size / 1e6:.1f} MB compressed"


def main():
    image = sys.argv[1] if len(sys.argv) > 1 else "stuntdouble"
    if "--in-a-network-of-its-own" not in sys.argv:
        words = [sys.executable, __file__, image, "--in-a-network-of-its-own"]
        os.execvp("unshare", ["unshare", "--net", "sh", "-c", 'ip link set lo up && exec "$@"', "sh", *words])
    scratch = tempfile.mkdtemp()
    os.chmod(scratch, 0o755)
    failed = 0
    for case in [value for name, value in globals().items() if name.startswith("it_")]:
        begun = time.monotonic()
        try:
            note = case(image, scratch)
            print(f"ok    {case.__name__.replace('_', ' ')} ({note or f'{time.monotonic() - begun:.1f} s'})")
        except Exception as error:  # noqa: BLE001  what goes wrong is told, and the next case has its turn
            failed += 1
            print(f"FAILS {case.__name__.replace('_', ' ')}: {type(error).__name__}: {error}")
    shutil.rmtree(scratch, ignore_errors=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
