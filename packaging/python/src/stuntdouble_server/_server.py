import os
import shutil
import signal
import ssl
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Sequence, Union

from ._binary import binary_path
from ._authority import Authority
from ._errors import AdminError, StartError, StuntDoubleError
from ._http import Connection
from ._options import named
from ._secrets import without_secrets, without_users
from ._session import Session
from ._start import environment, first_output, host_of, ports_of, signal_group
from ._warnings import Told

if TYPE_CHECKING:
    from ._dialect import Settings

StrPath = Union[str, "os.PathLike[str]"]
START_SECONDS = 60.0


class Server:
    """A daemon: one of its own, that ends with this process, or with `url` one that is running.

    `mocks` is the folder or the stub file that it serves, `args` are more of its options (docs/command-line.md). What it warns
    of in its log, such as a doubtful stub of a file, is a `StuntDoubleWarning` of `start`, of `stop`, and in pytest of the test.
    """

    @named
    def __init__(
        self,
        mocks: Optional[StrPath] = None,
        *,
        args: Sequence[str] = (),
        url: Optional[str] = None,
        binary: Optional[StrPath] = None,
        admin_token: Optional[str] = None,
    ) -> None:
        if url is not None and (mocks is not None or args):
            raise ValueError("a daemon that runs already has its mocks and options; load stubs into a session")
        self.mocks = mocks
        self.args = list(args)
        self._https_url: Optional[str] = None
        self.admin_token = admin_token or os.environ.get("STUNTDOUBLE_ADMIN_TOKEN")
        self._binary = binary
        self._url = url.rstrip("/") if url else None
        self._process: Optional["subprocess.Popen[bytes]"] = None
        self._folder: Optional[str] = None
        self._told = Told()
        self._authority: Optional[Authority] = None

    @property
    def url(self) -> str:
        __tracebackhide__ = True
        if self._url is None:
            raise StuntDoubleError("the server is not started")
        return self._url

    @property
    def https_url(self) -> str:
        """The address for HTTPS; `StuntDoubleError` says how to have one. Clients are to trust `ca`."""
        __tracebackhide__ = True
        if not self._https_url:
            raise StuntDoubleError(
                "the address of this daemon for HTTPS is not known: start it with args=[\"--https-port\", \"0\"], or begin a"
                " session with an address of its own, session(httpsPort=0)"
            )
        return self._https_url

    @property
    def ca(self) -> str:
        """As `Session.ca`."""
        __tracebackhide__ = True
        return self._known_authority().path

    @property
    def ssl_context(self) -> ssl.SSLContext:
        """As `Session.ssl_context`."""
        __tracebackhide__ = True
        return self._known_authority().context

    def _known_authority(self) -> Authority:
        if self._authority is None:
            self._authority = Authority(self._connection())
        return self._authority

    @property
    def port(self) -> int:
        return Connection(self.url)._parts.port or 80

    @property
    def log(self) -> str:
        """What the daemon has logged; empty for one that was running."""
        return Path(self._folder, "log").read_text("utf-8", "replace") if self._folder else ""

    def start(self) -> "Server":
        """Returns when the daemon answers. `StartError` says why it does not, such as a mistake in a stub file."""
        if self._url is not None:
            return self
        command: List[str] = [str(self._binary or binary_path())]
        folder = tempfile.mkdtemp(prefix="stuntdouble-")
        self._folder = folder
        self._told = Told(without_stubs=self.mocks is None)
        ports = os.path.join(folder, "port")
        # Without a folder of stubs it serves an empty one: what lies in the current folder is none of its business.
        command += [str(self.mocks) if self.mocks is not None else _empty(folder)]
        command += ["--port", "0", "--port-file", ports, "--exit-with-parent", *map(str, self.args)]
        variables = environment()
        try:
            with open(os.path.join(folder, "log"), "wb") as log:
                # In a group of its own, so that Ctrl-C at a terminal reaches the tests alone, which still ask it for
                # their reports. It ends with its standard input, and so with this process.
                process = subprocess.Popen(
                    command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, env=variables, start_new_session=True,
                )
        except (OSError, ValueError) as error:
            self._forget()
            raise StartError(f"cannot run {command[0]}: {error}") from error
        self._process = process
        try:
            self._await(process, command, ports)
            numbers = ports_of(ports)
        except BaseException:
            signal_group(process, signal.SIGKILL)
            self.stop()
            raise
        self._told.log = log.name
        host = host_of(command, variables)
        self._url = f"http://{host}:{numbers[0]}"
        if len(numbers) > 1:
            self._https_url = f"https://{host}:{numbers[1]}"
        try:
            self._told.look()
        except BaseException:  # An error by the caller's filter of warnings, who then has no server to stop.
            self.stop()
            raise
        return self

    def _await(self, process: "subprocess.Popen[bytes]", command: List[str], ports: str) -> None:
        """Returns when the daemon is ready."""
        ended = first_output(process, ports, START_SECONDS)
        if ended is None:
            return
        printed, is_late = ended
        how = f"is not ready after {START_SECONDS:g} s" if is_late else f"ended with status {process.returncode} and serves nothing"
        said = (printed.decode("utf-8", "replace") + self.log).strip() or "it printed nothing"
        shown, said = without_secrets(command, said)
        raise StartError(f"{shown} {how}:\n{said}")

    def stop(self) -> None:
        """Ends the daemon if it was started here."""
        process, self._process = self._process, None
        if process is None:
            return
        self._url = self._https_url = self._authority = None
        # Its standard input tells it to end, as the end of this process would.
        for stream in (process.stdin, process.stdout):
            if stream:
                stream.close()
        # A process that was forked from this one may hold the other end of its input.
        for seconds, end in ((2, signal.SIGTERM), (10, signal.SIGKILL)):
            try:
                process.wait(seconds)
                break
            except subprocess.TimeoutExpired:
                signal_group(process, end)
        process.wait()
        news = self._told.news()
        self._forget()
        self._told.warn(news)

    def _forget(self) -> None:
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)
        self._folder = self._told.log = None

    def session(
        self,
        name: Optional[str] = None,
        *,
        port: bool = True,
        inherit: bool = True,
        mocks: Union[StrPath, Sequence[StrPath], None] = None,
        settings: "Optional[Settings]" = None,
        **more: Any,
    ) -> Session:
        """Creates a session, which `close` ends, or the end of its block.

        `port`: whether it gets a port of its own; without one its `url` has a path, ``…/__session/ID``. So it has where
        the port of somebody else's daemon cannot be reached, as that of a container, and where the daemon is one of several
        replicas, whose sessions have no ports.
        `inherit`: whether the daemon's stubs answer, too. `mocks`: a stub file or folder of its own, or a list. `more` is what
        ``POST /__admin/sessions`` takes: `ttl`, `seed`, `passThrough`, and `httpsPort`, with 0 for any that is
        free, by which it has an `https_url` with a port of its own.

        Raises `AdminError` for what the daemon refuses, `FileNotFoundError` for `mocks` that are not there.
        """
        __tracebackhide__ = True
        facts: Dict[str, Any] = {"inherit": inherit, **more}
        if name is not None:
            facts["name"] = name
        if settings is not None:
            facts["settings"] = settings
        if port:
            facts["port"] = 0
        connection = self._connection()
        try:
            answer = self._begin(connection, facts)
        except AdminError as error:
            if error.status == 404:
                error.args = (f"{connection.shown} has no sessions, so it is no Stunt Double, as WireMock is none: {error}",)
            raise
        url = self._reachable(connection, answer)
        https_url = answer.get("httpsUrl") or (self._https_url and f"{self._https_url}/__session/{answer['id']}")
        session = Session(connection, answer, url, https_url, self._known_authority())
        paths = [] if mocks is None else [mocks] if isinstance(mocks, (str, os.PathLike)) else mocks
        try:
            session._begin(list(paths))
        except BaseException:
            session.close()
            raise
        return session

    @staticmethod
    def _begin(connection: Connection, facts: Mapping[str, Any]) -> Mapping[str, Any]:
        try:
            answer: Mapping[str, Any] = connection.call("POST", "/__admin/sessions", facts)
        except AdminError as error:
            if error.status != 422 or "port" not in facts or "httpsPort" in facts:
                raise
            # One of several replicas, perhaps.
            answer = connection.call("POST", "/__admin/sessions", {name: fact for name, fact in facts.items() if name != "port"})
        return answer

    def _reachable(self, connection: Connection, facts: Mapping[str, Any]) -> str:
        by_port: str = facts["url"]
        if facts.get("port") is None or self._process is not None:
            return by_port
        try:
            other = Connection(by_port, self.admin_token)
            # The token is for this host: no answer leads it to another one.
            if other.host == connection.host and other.call("GET", f"/__admin/sessions/{facts['id']}", timeout=2)["id"] == facts["id"]:
                return by_port
        except (StuntDoubleError, ValueError, KeyError, TypeError):
            pass  # Nobody is there, or somebody else.
        return f"{connection.url}/__session/{facts['id']}"

    @property
    def shared(self) -> Session:
        """The daemon's own stubs and journal, which all sessions inherit."""
        return Session(self._connection(), {}, None, self._https_url, self._known_authority())

    def _connection(self) -> Connection:
        return Connection(self.url, self.admin_token, self._told)

    def __enter__(self) -> "Server":
        return self.start()

    def __exit__(self, *exception: object) -> None:
        self.stop()

    def __repr__(self) -> str:
        return f"<Server {without_users(self._url or 'not started')}>"


def _empty(folder: str) -> str:
    path = os.path.join(folder, "mocks")
    os.mkdir(path)
    return path
