import SDStubFiles

/// The folder that `stuntdouble init` writes, with an example of each common feature.
enum StarterFolder {
    /// The files by their paths in the folder.
    static var files: [(name: String, text: String)] {
        [("routes.yaml", StubSchema.modeline(at: "./" + schema) + routes), ("__files/welcome.html", page)]
    }

    /// The JSON Schema that tells editors the keys of the stub files. Its hidden name keeps it from being read as
    /// stubs.
    static let schema = ".stubs.schema.json"

    /// The README of the folder.
    /// - Parameter folder: its path, quoted for a shell.
    static func readme(of folder: String) -> String {
        """
        # Stubs

        The answers of a mock server: each stub in `routes.yaml` says what a request gets. Serve them with Stunt Double:

            stuntdouble \(folder)
            curl http://localhost:8080/api/health

        To add a stub, write it into `routes.yaml`, or into another file here whose name ends in .yaml or .json. It is served as soon
        as the file is saved:

            GET /api/hello: { json: { hello: world } }

        Bodies that are files are in `__files`.

            stuntdouble validate \(folder)                    # is everything as it should be?
            stuntdouble explain GET /api/hello \(folder)      # which stub answers, and why
            stuntdouble run \(folder) -- npm test             # a command with a mock server of its own

        """
    }

    private static let routes = #"""
        # Stubs: requests, and what is answered to them. They are read again whenever this file is saved.
        # An editor with YAML knows all keys by the schema beside this file. A mistake is named with its line when the folder is served, and by `stuntdouble validate`.

        # A constant answer.
        GET /api/health: { json: { status: up } }

        # {id} is any one segment of the path, and {{…}} is filled in from the request.
        GET /api/users/{id}:
          headers: { Cache-Control: no-store }
          json: { id: "{{path.id}}", name: Ada, page: "{{request.query.page}}" }

        # A list is tried from top to bottom; `when` says what else the request must have.
        POST /api/login:
          - when: { json: { user: ada, password: secret } }
            json: { token: mock-token }
          - status: 401
            json: { error: wrong user or password }

        # A whole resource: list, read, create, replace, change and delete, with ?name=, ?_sort=, ?_page= and more.
        CRUD /api/books:
          data:
            - { id: 1, title: Notes, author: Ada }
            - { id: 2, title: Compilers, author: Grace }

        # A file of the folder __files.
        GET /: { file: welcome.html }

        # Slow, and broken: what does a client make of it?
        GET /api/slow: { delay: 800ms, json: { took: 800ms } }
        GET /api/broken: { fault: CONNECTION_RESET_BY_PEER }

        # Twice a 503, then the answer: for code that tries again.
        GET /api/flaky:
          - { times: 2, status: 503, headers: { Retry-After: 1 } }
          - json: { ok: true }

        # All else below /api is asked of a real server:
        # ANY /api/**: { proxy: https://api.example.com }

        """#

    private static let page = """
        <!doctype html>
        <title>Stunt Double</title>
        <h1>It works</h1>
        <p>This page is <code>__files/welcome.html</code>; <a href="/__admin/mappings">these stubs</a> are served.</p>

        """
}
