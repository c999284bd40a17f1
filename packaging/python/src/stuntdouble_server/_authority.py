import atexit
import functools
import os
import shutil
import ssl
import tempfile

from ._errors import AdminError, StuntDoubleError
from ._http import Connection


class Authority:
    """The certificate authority of a daemon, asked for once, in the forms that clients take it in."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    @functools.cached_property
    def pem(self) -> str:
        status, _, body = self._connection.send("GET", "/__admin/certs/wiremock-ca.crt")
        if status == 200:
            return body.decode()
        if status == 404:
            raise StuntDoubleError(
                "no authority issues certificates here: begin the session with httpsPort=0, or start the daemon with"
                " --https-port 0 or --forward-proxy; with a key store of your own clients trust that one's authority"
            )
        raise AdminError(f"GET /__admin/certs/wiremock-ca.crt: status {status}: {body.decode('utf-8', 'replace').strip()}", status)

    @functools.cached_property
    def path(self) -> str:
        pem = self.pem
        path = os.path.join(_folder(), f"{id(self)}.pem")
        with open(path, "w") as file:
            file.write(pem)
        return path

    @functools.cached_property
    def context(self) -> ssl.SSLContext:
        context = ssl.create_default_context()
        context.load_verify_locations(cadata=self.pem)
        return context


@functools.lru_cache(maxsize=None)
def _folder() -> str:
    """A folder that ends with the process."""
    folder = tempfile.mkdtemp(prefix="stuntdouble-ca-")
    owner = os.getpid()

    def remove() -> None:
        # A process that was forked from this one leaves it.
        if os.getpid() == owner:
            shutil.rmtree(folder, ignore_errors=True)

    atexit.register(remove)
    return folder
