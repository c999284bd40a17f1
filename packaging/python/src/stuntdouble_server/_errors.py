from typing import Any


class StuntDoubleError(Exception):
    """Anything that goes wrong with the daemon, other than a verification that does not hold."""


class StartError(StuntDoubleError):
    """The daemon did not start; the text has what it wrote, without passwords and tokens."""


class AdminError(StuntDoubleError):
    """A call of the admin API was refused.

    ``status`` is the status code, 0 if there was no answer; ``body`` is the answer's JSON, or its text.
    """

    def __init__(self, message: str, status: int, body: Any = None) -> None:
        super().__init__(message)
        self.status = status
        self.body = body


class VerificationError(AssertionError):
    """A verification does not hold, or a verdict is bad; the text says what was expected and what came nearest."""
