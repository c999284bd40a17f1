"""httpx against the requests on standard input. Arguments: seconds of patience, `1` or `2` for the version, the CA's file or `-`, as is."""

import base64
import json
import ssl
import sys

import httpx


def innermost(error):
    inner = error
    while inner.__cause__ or inner.__context__:
        inner = inner.__cause__ or inner.__context__
    return inner


def words(error):
    name, inner = type(error).__name__, innermost(error)
    if isinstance(inner, ssl.SSLCertVerificationError):
        return f"{name}: {inner.verify_message}"
    if isinstance(inner, ssl.SSLError) and inner.reason:
        return f"{name}: {inner.reason}"
    text = str(error).split("\n")[0]
    if "StreamReset" in text or "ConnectionTerminated" in text:
        text = f"{text.split()[0].lstrip('<')}, code {text.split('error_code:')[-1].split(',')[0].split('>')[0]}"
    return f"{name}: {text}" if text else name


def main():
    patience, version, authority = float(sys.argv[1]), sys.argv[2], sys.argv[3]
    verify = ssl.create_default_context(cafile=authority) if authority != "-" else True
    outcomes = []
    keep = len(sys.argv) <= 4
    client = None
    for request in json.load(sys.stdin):
        if client is None or not keep:
            client = httpx.Client(http1=version == "1", http2=version == "2", verify=verify, timeout=patience, follow_redirects=True, trust_env=False)
        body = bytearray()
        try:
            with client.stream(request["method"], request["url"], headers=request["headers"], content=base64.b64decode(request["body"]) or None) as answer:
                for piece in answer.iter_bytes():
                    body += piece
                outcomes.append({
                    "status": answer.status_code, "headers": dict(answer.headers), "body": base64.b64encode(body).decode(),
                    "version": answer.http_version,
                })
        except (httpx.HTTPError, ssl.SSLError) as error:
            outcomes.append({"error": words(error), "body": base64.b64encode(body).decode()})
            client = None
    json.dump(outcomes, sys.stdout)


main()
