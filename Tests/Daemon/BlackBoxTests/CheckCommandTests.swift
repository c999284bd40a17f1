import Foundation
import SDJSON
import SDTestSupport
import Testing

/// `stuntdouble check` against a daemon that stands for the real service.
@Suite struct CheckCommandTests {
    private let folder: TemporaryFolder
    private let scratch: TemporaryFolder

    init() throws {
        (folder, scratch) = (try TemporaryFolder(), try TemporaryFolder())
    }

    private func check(_ arguments: [String]) throws -> (output: String, errors: String, status: ChildProcess.Ending?) {
        let process = try ChildProcess(Daemon.binary, ["check"] + arguments, outputsIn: scratch)
        let status = process.wait()
        return (process.output, process.errors, status)
    }

    private func url(_ daemon: Daemon) -> String { "http://127.0.0.1:\(daemon.port)" }

    @Test func aStubThatIsTrueIsOK() throws {
        try folder.write(
            "a.yaml", "GET /users/{id}: { json: { id: \"{{request.path.id}}\", tags: [x] }, delay: 30s }\nHEAD /a: {}")
        let service = try Daemon(
            files: ["s.yaml": "GET /v1/users/{id}: { json: { id: x7, tags: [], more: 1 } }\nHEAD /v1/a: {}"])
        let run = try check([url(service) + "/v1", folder.path, "--param", "id=7"])
        #expect(run.status == .exited(0), "\(run)")
        #expect(
            run.output == """
                ok      \(folder.path)/a.yaml:1 GET /users/{id}
                        note: $.tags: the stub has elements, the service an empty array
                        note: $.more: the stub has no such member, the service a number
                ok      \(folder.path)/a.yaml:2 HEAD /a
                2 stubs against \(url(service))/v1: 2 ok, 0 differs, 0 skipped, 0 failed

                """)
        let asked = try service.admin("GET", "/requests").json?["requests"]?.arrayValue ?? []
        #expect(Set(asked.compactMap { $0["request"]?["url"]?.stringValue }) == ["/v1/users/7", "/v1/a"])
    }

    @Test func whatDiffersIsNamedWithItsPlace() throws {
        try folder.write("a.yaml", "\nGET /me: { json: { user: { name: Ada } } }\nGET /gone: { body: x }")
        let service = try Daemon(files: ["s.yaml": "GET /me: { json: { user: { name: null } } }"])
        let text = try check([url(service), folder.path])
        #expect(text.status == .exited(1))
        #expect(text.output.contains("differs \(folder.path)/a.yaml:2 GET /me\n"))
        #expect(text.output.contains("        $.user.name: the stub has a string, the service null\n"))
        #expect(text.output.contains("        status: the stub has 200, the service 404\n"))
        let run = try check([url(service), folder.path, "--json"])
        #expect(run.status == .exited(1))
        let document = try JSONValue(parsing: run.output)
        #expect(document["verdict"] == "failed" && document["counts"]?["differs"] == 2)
        let stub = document["stubs"]?[0]
        #expect(stub?["file"] == "a.yaml" && stub?["line"] == 2 && stub?["result"] == "differs")
        #expect(stub?["request"] == ["method": "GET", "url": "/me"])
        #expect(stub?["differences"] == [["path": "$.user.name", "stub": "a string", "service": "null"]])
    }

    /// Nothing that may change something is sent unasked.
    @Test func unsafeRequestsAreSentOnlyIfTheyMayBe() throws {
        try folder.write("a.yaml", "POST /orders: { status: 201, json: { id: 1 } }\nDELETE /orders/1: { status: 204 }")
        let service = try Daemon(files: [
            "s.yaml": "POST /orders: { status: 201, json: { id: 2 } }\nDELETE /orders/1: { status: 204 }"
        ])
        let kept = try check([url(service), folder.path])
        #expect(kept.status == .exited(1))
        #expect(kept.output.contains("POST may change something: --unsafe sends it"))
        #expect(try service.admin("GET", "/requests").json?["meta"]?["total"] == 0)
        #expect(try check([url(service), folder.path, "--unsafe"]).status == .exited(0))
        #expect(try service.admin("GET", "/requests").json?["meta"]?["total"] == 2)
    }

    @Test func whatCannotBeAskedIsSkippedWithTheReason() throws {
        try folder.write(
            "a.yaml",
            """
            GET /a: { body: first }
            GET /a?b=c: { body: never }
            GET ~/x/(?!7)[0-9]+: { body: x }
            GET ~/n/[0-9]+: { body: x }
            GET /p: { proxy: "http://localhost:1" }
            GET /f: { fault: EMPTY_RESPONSE }
            GET /{id}/z: { body: z }
            """)
        let service = try Daemon(files: ["s.yaml": "GET /a: { body: other }\nGET /n/1: { body: other }"])
        let run = try check([url(service), folder.path])
        // Nothing is wrong, and not all was compared.
        #expect(run.status == .exited(3), "\(run)")
        for reason in [
            "another stub answers its example: \(folder.path)/a.yaml:1 GET /a", "its URL is an expression",
            "it sends requests on to a real server", "it answers with a fault", "give one by --param id=VALUE",
        ] { #expect(run.output.contains(reason), "\(run.output)") }
        #expect(
            run.output.hasSuffix(
                ": 2 ok, 0 differs, 5 skipped (2 no answer of a service, 2 without an example, 1 not the stub that answers), "
                    + "0 failed\n"))
        let document = try JSONValue(parsing: try check([url(service), folder.path, "--json"]).output)
        #expect(document["verdict"] == "incomplete" && document["counts"]?["skippedFor"]?["without an example"] == 2)
    }

    /// Conditions, the headers of the command line, and the variants of a route.
    @Test func theServiceGetsWhatTheStubAsksFor() throws {
        try folder.write(
            "a.yaml",
            """
            GET /me:
            - when: { headers: { Authorization: { matches: "Bearer .+" } }, query: { v: "2" }, cookies: { c: d } }
              json: { id: 1 }
            - status: 401
            """)
        let service = try Daemon(files: [
            "s.yaml": """
            GET /me:
            - when: { headers: { Authorization: Bearer t }, query: { v: "2" }, cookies: { c: d } }
              json: { id: 2 }
            - status: 401
            """
        ])
        let run = try check([url(service), folder.path, "-H", "Authorization: Bearer t"])
        #expect(run.status == .exited(0), "\(run)")
        #expect(run.output.contains(" 2 ok,"))
    }

    /// The user of the URL is sent, and not printed; a header that is given counts before it.
    @Test func aUserInTheURLIsSent() throws {
        let service = try CountingTarget { client, _, _ in
            try client.send(CountingTarget.ok)
            return true
        }
        try folder.write("a.yaml", "GET /a: { body: ok }")
        let url = service.origin.replacing("://", with: "://ada:s3cret@")
        for more in [[], ["--json"], ["-H", "authorization: Bearer t"]] {
            let run = try check([url, folder.path] + more)
            #expect(!(run.output + run.errors).contains("s3cret"), "\(run)")
        }
        let basic = "Basic " + Data("ada:s3cret".utf8).base64EncodedString()
        #expect(service.requests.map { $0.values("authorization") } == [[basic], [basic], ["Bearer t"]])
    }

    @Test func aServiceThatDoesNotAnswerFails() throws {
        try folder.write("a.yaml", "GET /a: { body: x }")
        let run = try check(["http://127.0.0.1:1", folder.path])
        #expect(run.status == .exited(1))
        #expect(run.output.hasPrefix("failed "), "\(run.output)")
        #expect(run.output.hasSuffix("0 ok, 0 differs, 0 skipped, 1 failed\n"))
        let service = try Daemon(files: ["s.yaml": "GET /a: { body: x, delay: 60s }"])
        let slow = try check([url(service), folder.path, "--timeout", "200ms"])
        #expect(slow.status == .exited(1))
        #expect(slow.output.hasPrefix("failed "), "\(slow.output)")
    }

    @Test func certificatesAreLookedAt() throws {
        let secured = try SecuredDaemon(files: ["s.yaml": "GET /a: { body: x }"])
        try folder.write("a.yaml", "GET /a: { body: x }")
        let refused = try check([secured.https, folder.path])
        #expect(refused.status == .exited(1))
        #expect(refused.output.contains("certificate"), "\(refused.output)")
        #expect(refused.output.contains("; --insecure does not verify it"), "\(refused.output)")
        #expect(try check([secured.https, folder.path, "--insecure"]).status == .exited(0))
    }

    @Test(arguments: [
        (["localhost"], 2, "an absolute URL"), ([], 2, "missing argument"),
        (["http://localhost:1", "/no/such/folder"], 2, "no such folder"),
        (["http://localhost:1", "FOLDER", "--param", "id"], 2, "NAME=VALUE"),
        (["http://localhost:1", "FOLDER"], 1, "bad.yaml:1:11"),
    ]) func whatIsWrongIsTold(arguments: [String], status: Int32, words: String) throws {
        try folder.write("bad.yaml", "GET /a: { boddy: x }")
        let named = arguments.map { $0 == "FOLDER" ? folder.path : $0 }
        let run = try check(named)
        #expect(run.status == .exited(status), "\(run)")
        #expect(run.errors.contains(words), "\(run.errors)")
        let json = try check(named + ["--json"])
        #expect(try JSONValue(parsing: json.errors)["error"]?["message"] != nil, "\(json.errors)")
    }
}
