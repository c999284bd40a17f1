"""The clients: each is given the addresses and returns what it reports for each check, by the check's name."""

import base64
import hashlib
import json
import pathlib
import re
import shutil
import ssl
import subprocess
import sys
import tempfile

from Tests.Clients.https.clients import chromium_binary

HERE = pathlib.Path(__file__).resolve().parent
NODE = ["node", "--experimental-websocket"]


class Client:
    """One column: a program, and by which scheme it is to come."""

    def __init__(self, title, run, is_here, version, scheme="ws"):
        self.title, self.run, self.is_here, self.scheme = title, run, is_here, scheme
        self.version_command = version

    def version(self, options):
        command = [{"PYTHON": options.python, "CHROMIUM": chromium_binary()}.get(word, word) for word in self.version_command]
        text = subprocess.run(command, capture_output=True, text=True, check=False)
        return re.search(r"\d+\.\d+(\.\d+)?", text.stdout + text.stderr)[0]


class Options:
    """What all clients have in common: the CA's certificate, the seconds that they wait, and the Python that has them."""

    def __init__(self, authority, patience, python):
        self.authority, self.patience, self.python = str(authority), patience, python


def answered(command, addresses):
    done = subprocess.run(
        [str(word) for word in command], input=json.dumps(addresses), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        timeout=240, check=False)
    if done.returncode or not done.stdout:
        sys.exit(f"{command[0]} failed with {done.returncode}:\n{done.stderr[-3000:]}")
    return json.loads(done.stdout)


def trusted(addresses, options):
    return options.authority if addresses["base"].startswith("wss:") else "-"


def python(library, module, says="version('{}')"):
    def run(addresses, options):
        return answered(
            [options.python, "-I", HERE / "python_client.py", library, options.patience, trusted(addresses, options)], addresses)

    def is_here(options):
        command = [options.python, "-I", "-c", f"import {module}"]
        return subprocess.run(command, stderr=subprocess.DEVNULL, check=False).returncode == 0

    version = ["PYTHON", "-I", "-c", f"from importlib.metadata import version; import {module}; print({says.format(library)})"]
    return lambda title, scheme: Client(title, run, is_here, version, scheme)


def node(addresses, options):
    return answered([*NODE, HERE / "node_client.mjs", options.patience], addresses)


def java(addresses, options):
    command = ["java", "-Xshare:auto", HERE / "JavaWebSocket.java", addresses["base"], options.patience, trusted(addresses, options)]
    return answered(command, addresses)


def key_of(addresses):
    """By what Chromium is told that the server's certificate is right: the hash of its key."""
    host, port = addresses["base"].split("//")[1].split(":")
    certificate = ssl.get_server_certificate((host, int(port)))
    public = subprocess.run(["openssl", "x509", "-noout", "-pubkey"], input=certificate.encode(), capture_output=True, check=True).stdout
    key = subprocess.run(["openssl", "pkey", "-pubin", "-outform", "der"], input=public, capture_output=True, check=True).stdout
    return base64.b64encode(hashlib.sha256(key).digest()).decode()


def chromium(shows_page):
    def run(addresses, options):
        flags = [f"--ignore-certificate-errors-spki-list={key_of(addresses)}"] if addresses["base"].startswith("wss:") else []
        sent = addresses if shows_page else {"base": addresses["base"]}
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
            command = [*NODE, HERE / "chromium_client.mjs", options.patience, chromium_binary(), home + "/profile", *flags]
            return answered(command, sent)
    return run


def has_node(_):
    return shutil.which("node") is not None


def has_chromium(options):
    return has_node(options) and bool(chromium_binary()) and shutil.which("openssl") is not None


WEBSOCKETS = python("websockets", "websockets")
WEBSOCKET_CLIENT = python("websocket-client", "websocket")
AIOHTTP = python("aiohttp", "aiohttp")
PYCURL = python("pycurl", "pycurl", "pycurl.version.split('libcurl/')[1]")
BROWSER = ["CHROMIUM", "--version"]
CLIENTS = [
    WEBSOCKETS("websockets", "ws"),
    WEBSOCKETS("websockets, TLS", "wss"),
    WEBSOCKET_CLIENT("websocket-client", "ws"),
    WEBSOCKET_CLIENT("websocket-client, TLS", "wss"),
    AIOHTTP("aiohttp", "ws"),
    AIOHTTP("aiohttp, TLS", "wss"),
    PYCURL("libcurl", "ws"),
    PYCURL("libcurl, TLS", "wss"),
    Client("Node", node, has_node, ["node", "--version"]),
    Client("Java", java, lambda _: shutil.which("java") is not None, ["java", "-version"]),
    Client("Java, TLS", java, lambda _: shutil.which("java") is not None, ["java", "-version"], "wss"),
    Client("Chromium", chromium(False), has_chromium, BROWSER),
    Client("Chromium, TLS", chromium(False), has_chromium, BROWSER, "wss"),
    Client("Chromium, HTTP/2", chromium(True), has_chromium, BROWSER, "wss"),
]
