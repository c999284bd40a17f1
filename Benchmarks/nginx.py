"""nginx as the benchmarks run it: one process, no access log, and all of its own files in a folder of the run."""

import os

TEMPORARY = ["client_body_temp_path", "proxy_temp_path", "fastcgi_temp_path", "uwsgi_temp_path", "scgi_temp_path"]


def command(binary, folder, port, connections, http, server):
    """Writes the configuration for one port, for which nginx has no option, and returns the command line.

    `http` and `server` are the directives of these blocks beyond those that every nginx has; `connections` is how many
    it takes at most.
    """
    outer = ["access_log off;", *http, *(f"{name} {folder}/nginx.tmp;" for name in TEMPORARY)]
    inner = [f"listen 127.0.0.1:{port};", *server]
    lines = [
        "daemon off;",
        "master_process off;",
        f"pid {folder}/nginx-{port}.pid;",
        f"events {{ worker_connections {connections}; }}",
        "http {",
        *(f"    {line}" for line in outer),
        "    server {",
        *(f"        {line}" for line in inner),
        "    }",
        "}",
    ]
    configuration = os.path.join(folder, f"nginx-{port}.conf")
    with open(configuration, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    return [binary, "-e", "stderr", "-c", configuration]
