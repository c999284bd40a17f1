"""Several replicas, their shared Redis server, a link that can be cut between them, and nginx in front."""

import http.client
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time


def find(name):
    return shutil.which(name) or next((p for p in (f"/usr/sbin/{name}", f"/usr/local/bin/{name}", f"/opt/homebrew/bin/{name}") if os.path.exists(p)), None)


REDIS, NGINX = find("redis-server") or find("valkey-server"), find("nginx")


GIVEN = set()


def free_port():
    """A port that neither the system nor TestPort gives to others, each time another."""
    while True:
        port = random.randrange(10000, 20000)
        with socket.socket() as s:
            try:
                s.bind(("127.0.0.1", port))
            except OSError:
                continue
        if port not in GIVEN:
            GIVEN.add(port)
            return port


def write_all(root, files):
    """Writes files, by their paths below a folder."""
    for path, text in (files or {}).items():
        path = os.path.join(root, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


def until(test, what, seconds=20):
    end = time.monotonic() + seconds
    while True:
        value = test()
        if value:
            return value
        assert time.monotonic() < end, f"not within {seconds} s: {what}"
        time.sleep(0.02)


class Way:
    """A link to a server that can be cut silently, slowed down, or reset."""

    def __init__(self, path):
        self.path, self.delay, self.is_cut = path, 0.0, False
        self.pairs, self.lock = [], threading.Lock()
        self.listener = socket.socket()
        self.listener.bind(("127.0.0.1", 0))
        self.listener.listen(64)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            server = socket.socket(socket.AF_UNIX)
            try:
                server.connect(self.path)
            except OSError:
                client.close()
                continue
            with self.lock:
                self.pairs.append((client, server))
            threading.Thread(target=self.pump, args=(client, server), daemon=True).start()
            threading.Thread(target=self.pump, args=(server, client, True), daemon=True).start()

    def pump(self, source, target, is_answer=False):
        try:
            while data := source.recv(65536):
                if is_answer and self.delay:
                    time.sleep(self.delay)
                while self.is_cut:
                    time.sleep(0.05)
                target.sendall(data)
        except OSError:
            pass
        for one in (source, target):
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def break_off(self):
        with self.lock:
            for pair in self.pairs:
                for one in pair:
                    try:
                        one.shutdown(socket.SHUT_RDWR)
                    except OSError:
                        pass
            self.pairs.clear()

    def close(self):
        self.listener.close()
        self.is_cut = False
        self.break_off()


class Answer:
    def __init__(self, response, body):
        self.status, self.body, self.headers = response.status, body, response.headers

    @property
    def json(self):
        return json.loads(self.body)

    def __repr__(self):
        return f"{self.status} {self.body[:300]!r}"


class Client:
    """A kept-alive connection to a replica or to nginx."""

    def __init__(self, port, timeout=60):
        self.port, self.timeout, self.connection = port, timeout, None

    def __call__(self, method, path, body=None, session=None, headers=()):
        fields = dict(headers)
        if session:
            fields["X-StuntDouble-Session"] = session
        data = json.dumps(body).encode() if isinstance(body, (dict, list)) else body
        for last in (False, True):
            if self.connection is None:
                self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=self.timeout)
            try:
                self.connection.request(method, path, body=data, headers=fields)
                response = self.connection.getresponse()
                return Answer(response, response.read())
            except (http.client.RemoteDisconnected, BrokenPipeError, ConnectionResetError):
                self.close()
                # A kept connection may have been closed meanwhile.
                if last or method not in ("GET", "PUT", "DELETE"):
                    raise
            except Exception:
                self.close()
                raise

    def close(self):
        if self.connection:
            self.connection.close()
        self.connection = None


class Replica:
    def __init__(self, cluster, number, way=None, options=(), mocks=None):
        self.cluster, self.number, self.way = cluster, number, way
        self.mocks = mocks or cluster.mocks
        if cluster.has_folders:
            self.mocks = os.path.join(cluster.folder, f"mocks{number}")
            shutil.copytree(cluster.mocks, self.mocks)
        os.makedirs(os.path.join(self.mocks, "mappings"), exist_ok=True)
        self.port = free_port()
        self.log = os.path.join(cluster.folder, f"replica{number}.log")
        self.options = list(options)
        self.process = None
        self.start()

    def start(self):
        address = f"redis://127.0.0.1:{self.way.port}/0" if self.way else self.cluster.address
        shared = [] if self.cluster.is_alone else ["--shared", address, "--shared-name", self.cluster.name]
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [self.cluster.binary, self.mocks, "--port", str(self.port), *shared, *self.options],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=self.cluster.environment)
        self.call = Client(self.port)

    def wait(self):
        until(lambda: b" ready on " in open(self.log, "rb").read() and self.is_ready(), f"replica {self.number} is ready: {open(self.log).read()[-2000:]}", 30)

    def is_ready(self):
        try:
            return self.call("GET", "/__admin/health").json["status"] == "healthy"
        except OSError:
            return False

    def kill(self, how=signal.SIGKILL):
        self.process.send_signal(how)
        self.process.wait()
        self.call.close()

    @property
    def text(self):
        return open(self.log, errors="replace").read()


class Cluster:
    def __init__(self, binary, count=3, appends=False, with_ways=False, with_nginx=False, options=(), name="shop", files=None, password=None, is_alone=False, has_folders=False):
        self.is_alone = is_alone  # daemons that share nothing
        self.binary, self.name, self.appends, self.password = binary, name, appends, password
        # Whether each replica has its own folder.
        self.has_folders = has_folders
        self.folder = tempfile.mkdtemp(prefix="replicas")
        self.mocks = os.path.join(self.folder, "mocks")
        os.makedirs(os.path.join(self.mocks, "mappings"))
        write_all(self.mocks, files)
        self.socket = os.path.join(self.folder, "r.sock")
        secret = f":{password}@" if password else ""
        self.address = f"redis+unix://{secret}{self.socket}"
        self.environment = dict(os.environ, XDG_STATE_HOME=self.folder)
        self.redis = self.nginx = None
        self.needs = {k: v for k, v in (("appends", appends), ("with_ways", with_ways), ("with_nginx", with_nginx), ("password", password), ("files", files), ("options", options), ("has_folders", has_folders)) if v}
        self.options, self.replicas = list(options), []
        try:
            self.begin(count, with_ways, with_nginx)
        except BaseException:
            self.stop()
            raise

    def begin(self, count, with_ways, with_nginx):
        options = self.options
        self.start_redis()
        self.untouched = self.redis
        self.replicas = [Replica(self, n, Way(self.socket) if with_ways else None, options) for n in range(count)]
        for replica in self.replicas:
            replica.wait()
        if not self.is_alone:
            self.settle()
        if with_nginx:
            self.start_nginx()

    def is_as_new(self, needs):
        """Whether nothing has happened that a reset does not undo; then it is made."""
        if needs != self.needs or self.redis is not self.untouched or len(self.replicas) != 3 or any(r.process.poll() is not None for r in self.replicas):
            return False
        if any(r.way and (r.way.is_cut or r.way.delay) for r in self.replicas) or not all(r.is_ready() for r in self.replicas):
            return False
        call = self.replicas[0].call
        for method, path, body in (("DELETE", "/__admin/sessions", None), ("POST", "/__admin/reset", None), ("DELETE", "/__admin/report", None), ("PUT", "/__admin/settings", {"fixedDelay": None})):
            if call(method, path, body).status not in (200, 201):
                return False
        return True

    def settle(self):
        """Waits until all replicas know each other."""
        living = [r for r in self.replicas if r.process.poll() is None]
        until(lambda: all(len(r.call("GET", "/__admin/replicas").json["replicas"]) == len(living) for r in living), "the replicas know each other")

    def start_redis(self):
        if os.path.exists(self.socket):
            os.remove(self.socket)
        arguments = [REDIS, "--port", "0", "--unixsocket", self.socket, "--save", "", "--dir", self.folder, "--appendonly", "yes" if self.appends else "no", "--appendfsync", "always"]
        if self.password:
            arguments += ["--requirepass", self.password]
        self.redis = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until(lambda: self.answers(), "redis-server listens")

    def answers(self):
        try:
            with socket.socket(socket.AF_UNIX) as s:
                s.connect(self.socket)
                s.sendall(b"PING\r\n")
                return s.recv(64)[:5] in (b"+PONG", b"-NOAU")
        except OSError:
            return False

    def redis_command(self, *words):
        with socket.socket(socket.AF_UNIX) as s:
            s.connect(self.socket)
            s.settimeout(5)
            s.sendall(b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%s\r\n" % (len(w.encode()), w.encode()) for w in words))
            return s.recv(1 << 20)

    def kill_redis(self):
        self.redis.kill()
        self.redis.wait()

    def start_nginx(self):
        self.front = free_port()
        servers = "\n".join(f"        server 127.0.0.1:{r.port} max_fails=0;" for r in self.replicas)
        with open(os.path.join(self.folder, "nginx.conf"), "w") as file:
            file.write(f"""
daemon off; pid {self.folder}/nginx.pid; error_log {self.folder}/nginx.log; worker_processes 1;
events {{ worker_connections 1024; }}
http {{
    access_log off;
    client_body_temp_path {self.folder}/body; proxy_temp_path {self.folder}/proxy; fastcgi_temp_path {self.folder}/f; uwsgi_temp_path {self.folder}/u; scgi_temp_path {self.folder}/s;
    client_max_body_size 0;
    upstream replicas {{
{servers}
        keepalive 64;
    }}
    server {{
        listen 127.0.0.1:{self.front};
        keepalive_requests 1000000;
        location / {{
            proxy_pass http://replicas; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host $http_host;
            proxy_next_upstream off; proxy_buffering off; proxy_read_timeout 60s;
        }}
    }}
}}
""")
        self.nginx = subprocess.Popen([NGINX, "-p", self.folder, "-c", os.path.join(self.folder, "nginx.conf")], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until(lambda: self.listens(self.front), "nginx listens")

    @staticmethod
    def listens(port):
        try:
            socket.create_connection(("127.0.0.1", port), timeout=2).close()
            return True
        except OSError:
            return False

    def calls(self):
        return [r.call for r in self.replicas]

    def stop(self):
        for one in [r.process for r in self.replicas] + [self.nginx, self.redis]:
            if one and one.poll() is None:
                one.terminate()
        for one in [r.process for r in self.replicas] + [self.nginx, self.redis]:
            if one:
                try:
                    one.wait(10)
                except subprocess.TimeoutExpired:
                    one.kill()
                    one.wait()
        for replica in self.replicas:
            if replica.way:
                replica.way.close()
        shutil.rmtree(self.folder, ignore_errors=True)
