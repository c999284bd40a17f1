"""The strict client `h2` of PyPI accepts everything that the server sends."""

import h2.config
import h2.connection
import h2.events
import h2.exceptions

from expectations import case
from peer import Failed


class Client:
    """One connection with concurrent requests of `h2`."""

    def __init__(self, peer):
        self.peer = peer
        self.connection = h2.connection.H2Connection(h2.config.H2Configuration(client_side=True, header_encoding="utf-8"))
        self.connection.initiate_connection()
        self.bodies, self.statuses, self.left = {}, {}, set()
        #: The unsent parts of bodies, by stream.
        self.uploads = {}

    def ask(self, method="GET", body=None, trailers=None):
        stream = self.connection.get_next_available_stream_id()
        self.connection.send_headers(stream, self.peer.fields(method), end_stream=body is None)
        if body is not None:
            self.uploads[stream] = (body, trailers)
        self.bodies[stream] = b""
        self.left.add(stream)
        return stream

    def push_on(self):
        """Sends as much of the bodies as the windows allow."""
        for stream, (body, trailers) in list(self.uploads.items()):
            while body:
                most = min(self.connection.local_flow_control_window(stream), self.connection.max_outbound_frame_size)
                if most <= 0:
                    break
                self.connection.send_data(stream, body[:most])
                body = body[most:]
            if body:
                self.uploads[stream] = (body, trailers)
                continue
            if trailers:
                self.connection.send_headers(stream, trailers, end_stream=True)
            else:
                self.connection.end_stream(stream)
            del self.uploads[stream]

    def run(self):
        """Runs until all requests are answered."""
        while self.left:
            self.push_on()
            self.peer.socket.settimeout(30)
            self.peer.socket.sendall(self.connection.data_to_send())
            received = self.peer.socket.recv(65_536)
            if not received:
                raise Failed(f"the connection ended while {len(self.left)} answers were missing")
            try:
                events = self.connection.receive_data(received)
            except h2.exceptions.ProtocolError as error:
                raise Failed(f"h2 refuses what came: {error!r}") from error
            for event in events:
                self.take(event)

    def take(self, event):
        stream = getattr(event, "stream_id", None)
        if isinstance(event, h2.events.ResponseReceived):
            self.statuses[stream] = int(dict(event.headers)[":status"])
        elif isinstance(event, h2.events.DataReceived):
            self.bodies[stream] += event.data
            self.connection.acknowledge_received_data(event.flow_controlled_length, stream)
        elif isinstance(event, h2.events.StreamEnded):
            self.left.discard(stream)
            self.uploads.pop(stream, None)
        elif isinstance(event, (h2.events.StreamReset, h2.events.ConnectionTerminated)):
            raise Failed(f"{event}")


def strict(title):
    def declare(function):
        @case("h2", title, None)
        def _(peer):
            client = Client(peer)
            function(client)
            client.run()
            if len(client.statuses) < len(client.bodies) or len(set(client.statuses.values())) > 2:
                raise Failed(f"statuses {client.statuses}")
    return declare


@strict("eighty requests side by side")
def _(client):
    for _ in range(80):
        client.ask()


@strict("a body of 1 MB")
def _(client):
    client.ask("POST", b"x" * 1_000_000)


@strict("twenty bodies side by side, among them requests without")
def _(client):
    for _ in range(20):
        client.ask("POST", b"y" * 70_000)
        client.ask("GET")


@strict("HEAD, and a body with trailers")
def _(client):
    client.ask("HEAD")
    client.ask("POST", b"z" * 10, [("x-checksum", "1")])
