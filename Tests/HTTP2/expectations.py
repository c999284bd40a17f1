"""The reactions that RFC 9113 allows a server, with the tolerance of h2spec."""

import time

from hyperframe.frame import GoAwayFrame, PingFrame, RstStreamFrame, SettingsFrame

from peer import Closed, Failed, Silent, code_name, ping, shown

(NO_ERROR, PROTOCOL_ERROR, INTERNAL_ERROR, FLOW_CONTROL_ERROR, SETTINGS_TIMEOUT, STREAM_CLOSED, FRAME_SIZE_ERROR, REFUSED_STREAM,
 CANCEL, COMPRESSION_ERROR, CONNECT_ERROR, ENHANCE_YOUR_CALM) = range(12)



def connection_error(*codes):
    """GOAWAY with one of the codes, or the end of the connection."""

    def check(peer):
        _ends(peer, codes, streams=False)

    check.says = "GOAWAY " + _said(codes)
    return check


def stream_error(*codes):
    """RST_STREAM with one of the codes, or a connection error with one."""

    def check(peer):
        _ends(peer, codes, streams=True)

    check.says = "RST_STREAM or GOAWAY " + _said(codes)
    return check


def _said(codes):
    return " or ".join(map(code_name, codes)) or "of any code"


def _ends(peer, codes, streams):
    """Reads until an error with one of these codes, or the end."""
    until, wrong = time.monotonic() + peer.target.patience, None
    while True:
        try:
            got = peer.next(max(0.0, until - time.monotonic()))
        except Closed:
            if wrong:
                raise Failed(wrong) from None
            return
        except Silent:
            raise Failed(wrong or f"nothing of this came, only {', '.join(peer.seen[-6:]) or 'nothing'}") from None
        if isinstance(got, GoAwayFrame) or streams and isinstance(got, RstStreamFrame):
            if not codes or got.error_code in codes:
                return
            wrong = f"{shown(got)} came"


def stream_rejected(*codes):
    """As `stream_error`, or an answer with status 400 or above, as RFC 9113, 8.1.1, allows."""

    def check(peer):
        until = time.monotonic() + peer.target.patience
        while True:
            try:
                got = peer.next(max(0.0, until - time.monotonic()))
            except Closed:
                return
            except Silent:
                raise Failed(f"nothing of this came, only {', '.join(peer.seen[-6:]) or 'nothing'}") from None
            if isinstance(got, (GoAwayFrame, RstStreamFrame)):
                if got.error_code in codes:
                    return
                raise Failed(f"{shown(got)} came")
            if hasattr(got, "fields"):
                status = dict(got.fields).get(":status", "")
                if status >= "400":
                    return
                raise Failed(f"it was answered: {status}")

    check.says = f"RST_STREAM or GOAWAY {_said(codes)}, or a status of 400 or more"
    return check


def answered(stream=1):
    """A complete answer."""

    def check(peer):
        status = None
        while True:
            got = peer.until(lambda got: got.stream_id == stream)
            if isinstance(got, RstStreamFrame):
                if status and got.error_code == NO_ERROR:
                    return
                raise Failed(f"{shown(got)} came")
            if hasattr(got, "fields"):
                status = dict(got.fields).get(":status", status)
            if "END_STREAM" in got.flags:
                if not status:
                    raise Failed("an answer without a status")
                return

    check.says = "an answer"
    return check


def acknowledged(peer):
    """SETTINGS are acknowledged."""
    peer.until(lambda got: isinstance(got, SettingsFrame) and "ACK" in got.flags)


def alive(peer):
    """The connection stays open."""
    peer.is_alive()


def pong(payload):
    def check(peer):
        peer.until(lambda got: isinstance(got, PingFrame) and "ACK" in got.flags and got.opaque_data == payload)

    check.says = "a PING that acknowledges"
    return check


def over(peer):
    """The connection ends, with or without GOAWAY."""
    _ends(peer, (), streams=False)


def over_or_alive(peer):
    """A PING is answered, or the connection ends."""
    peer.send(ping(b"and now?"))
    try:
        while True:
            got = peer.next()
            if isinstance(got, GoAwayFrame) or isinstance(got, PingFrame) and got.opaque_data == b"and now?":
                return
    except Closed:
        return
    except Silent:
        raise Failed("neither an answer to PING nor an end") from None


acknowledged.says = "an acknowledgement"
alive.says = "the connection goes on"
over_or_alive.says = "the connection goes on, or ends"
over.says = "GOAWAY, or the end of the connection"

CASES = []


def case(section, title, expected):
    """Declares a case: a function that sends something on a new connection. `expected` is checked afterwards; with None
    the function checks the reaction."""

    def declare(function):
        CASES.append((section, title, function, expected))
        return function

    return declare


def sends(section, title, expected, *frames, pairs=()):
    """Declares a case that sends these frames after the preface: bytes, or functions of the peer that return bytes."""

    def send(peer):
        peer.greet(*pairs)
        peer.send(*(made(peer) if callable(made) else made for made in frames))

    CASES.append((section, title, send, expected))
