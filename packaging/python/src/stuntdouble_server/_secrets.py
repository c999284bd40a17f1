"""What texts of errors do not show: the values of options such as `--admin-token`, and passwords in addresses."""

import difflib
import re
from typing import List, Sequence, Tuple

HIDDEN = "…"
_SECRET_OPTIONS = (
    "admin-token", "admin-api-basic-auth", "proxy-via", "keystore-password", "key-manager-password", "truststore-password",
    "ca-keystore-password",
)
_SECRET_NAME = re.compile("pass(?!thr)|pwd|token|auth|secret|credential")
# USER:PASSWORD@ of an address, or USER@ behind `//`.
_USER = re.compile(r"(//)[^\s/?#@:]*(?:@|:\S*@)|((?:^|(?<=[\s=\"']))(?!\w+://))[^\s/@:=\"']+:\S*@")


def without_secrets(words: Sequence[str], text: str = "") -> Tuple[str, str]:
    """A command line without the values of options that are secret, and a text that may repeat them, such as a message."""
    shown: List[str] = []
    values: List[str] = []
    is_value = False
    for word in words:
        name, equals, value = word.partition("=")
        is_option = (equals or word.startswith("-")) and _is_secret(name) and not (is_value and name.lstrip("-") not in _SECRET_OPTIONS)
        if is_option:
            shown.append(f"{name}={HIDDEN}" if equals else name)
            values += [value] if equals else []
        elif is_value:
            shown.append(HIDDEN)
            values.append(word)
        else:
            shown.append(without_users(word))
        is_value = is_option and not equals
    # The password alone, too.
    values += [value.partition(":")[2].rpartition("@")[0] or value.partition(":")[2] for value in values]
    for value in sorted(set(values), key=len, reverse=True):
        # Not WireMock's default, which is no secret and a word.
        if value and value != "password":
            text = re.sub(rf"(?<![\w-]){re.escape(value)}(?![\w-])", HIDDEN, text)
    return " ".join(shown), without_users(text)


def without_users(text: str) -> str:
    """A text without the users and passwords that addresses in it have."""
    return _USER.sub(lambda found: f"{found[1] or found[2] or ''}{HIDDEN}@", text)


def _is_secret(option: str) -> bool:
    """Whether it is, abbreviates or misspells an option with a secret."""
    name = option.lstrip("-")
    if name == "ca-keystore":
        return False
    plain = re.sub("[-_]", "", name).lower()
    known = [secret.replace("-", "") for secret in _SECRET_OPTIONS]
    return bool(
        _SECRET_NAME.search(plain)
        or len(plain) > 1 and any(secret.startswith(plain) for secret in known)
        or difflib.get_close_matches(plain, known, 1, 0.85)
    )
