import Foundation
import SDJSON
import SDTestSupport
import Testing

/// Which servers are called in HTTP/2, by which stubs and options.
@Suite struct ProxyHTTP2Tests {
    /// How a target was called by a daemon with stubs and options.
    /// - Parameter setUp: what the daemon is told once it runs.
    private func version(
        secured: Bool = false, files: (String) -> [String: String],
        _ options: (String) -> [String] = { _ in [] }, path: (String) -> String = { _ in "/a" },
        setUp: (Daemon, String) throws -> Void = { _, _ in }
    ) throws -> String? {
        let target = try Daemon(files: ["a.yaml": "ANY /**: { body: hi }"], secured ? ["--https-port", "0"] : [])
        let place = "localhost:\(secured ? try #require(target.ready["httpsPort"]?.intValue) : Int(target.port))"
        let base = "\(secured ? "https" : "http")://\(place)"
        let daemon = try Daemon(files: files(base), options(place))
        try setUp(daemon, base)
        let answer = try daemon.request("POST", path(place), body: "abc")
        #expect(answer.status == 200 && answer.text == "hi", "\(answer.text)")
        let request = try target.admin("GET", "/requests").json?["requests"]?[0]?["request"]
        #expect(request?["body"]?.stringValue == "abc")
        return request?["protocol"]?.stringValue
    }

    private static func plain(_ base: String) -> [String: String] { ["b.yaml": "ANY /**: { proxy: \"\(base)\" }"] }

    @Test func serversAreCalledInHTTP11() throws {
        #expect(try version(files: Self.plain) == "HTTP/1.1")
        #expect(try version(files: Self.plain) { _ in ["--proxy-http2", "localhost:1"] } == "HTTP/1.1")
        #expect(try version(secured: true, files: Self.plain) == "HTTP/1.1")
    }

    @Test func thoseThatAreNamedAreCalledInHTTP2() throws {
        #expect(try version(files: Self.plain) { _ in ["--proxy-http2", "localhost"] } == "HTTP/2.0")
        #expect(try version(files: Self.plain) { place in ["--proxy-http2", "a.example,\(place)"] } == "HTTP/2.0")
        #expect(try version(files: Self.plain) { _ in ["--proxy-http2=*"] } == "HTTP/2.0")
    }

    @Test(
        arguments: [
            ("ANY /**: { proxy: { to: \"BASE\", http2: true } }", "yaml", "HTTP/2.0"),
            ("ANY /**: { proxy: { to: \"BASE\", http2: \"true\" } }", "yaml", "HTTP/2.0"),
            ("ANY /**: { proxy: { to: \"BASE\", http2: false } }", "yaml", "HTTP/1.1"),
            (
                "ANY /**: { proxy: { to: \"BASE{{request.query.x}}\", http2: true }, template: true }", "yaml",
                "HTTP/2.0"
            ),
            ("ANY /**: { sequence: [{ proxy: { to: \"BASE\", http2: true } }, { body: no }] }", "yaml", "HTTP/2.0"),
            ("ANY /**: { proxy: { to: \"BASE\", http2: true }, fault: { bandwidth: 1MB/s } }", "yaml", "HTTP/2.0"),
            (#"{"request": {}, "response": {"proxyBaseUrl": "BASE", "proxyHttp2": true}}"#, "json", "HTTP/2.0"),
            (#"{"request": {}, "response": {"proxyBaseUrl": "BASE", "proxyHttp2": null}}"#, "json", "HTTP/1.1"),
        ], [false, true])
    func aStubNamesTheProtocol(_ stub: (text: String, type: String, version: String), secured: Bool) throws {
        let version = try version(
            secured: secured, files: { ["b.\(stub.type)": stub.text.replacing("BASE", with: $0)] })
        #expect(version == stub.version)
    }

    @Test func whatNothingMatchesIsPassedOnInHTTP2() throws {
        let version = try version(
            files: { _ in ["b.yaml": "GET /b: {}"] },
            setUp: { daemon, base in
                let settings = #"{"passThrough": {"to": "\#(base)", "http2": true}}"#
                #expect(try daemon.admin("PUT", "/settings", settings).status == 200)
                let shown = try daemon.admin("GET", "/settings").json?["settings"]?["passThrough"]
                #expect(shown == ["to": .string(base), "http2": true])
            })
        #expect(version == "HTTP/2.0")
    }

    @Test func theOptionIsForAllWays() throws {
        let none: (String) -> [String: String] = { _ in ["b.yaml": "GET /b: {}"] }
        let option = ["--proxy-http2", "localhost"]
        let forward = try version(files: none, { _ in ["--forward-proxy"] + option }, path: { "http://\($0)/a" })
        #expect(forward == "HTTP/2.0")
        #expect(try version(files: none) { ["--proxy-all", "http://\($0)"] + option } == "HTTP/2.0")
        #expect(try version(files: none) { ["--pass-through", "http://\($0)"] + option } == "HTTP/2.0")
        let recorded = try version(
            files: none, { _ in option },
            setUp: { daemon, base in
                let start = try daemon.admin("POST", "/recordings/start", #"{"targetBaseUrl": "\#(base)"}"#)
                #expect(start.status == 200)
            })
        #expect(recorded == "HTTP/2.0")
    }

    @Test func whatIsRecordedOfHTTP2IsAnsweredAlike() throws {
        let target = try Daemon(files: ["a.yaml": "ANY /**: { body: hi, status: 201, headers: { X-A: b } }"])
        let daemon = try Daemon(
            files: ["b.yaml": "ANY /**: { proxy: { to: \"http://localhost:\(target.port)\", http2: true } }"])
        try daemon.admin("POST", "/recordings/start", "{}")
        #expect(try daemon.request("POST", "/a", body: "abc").text == "hi")
        let mappings = try daemon.admin("POST", "/recordings/stop").json?["mappings"]
        let response = mappings?[0]?["response"]
        #expect(response?["body"] == "hi" && response?["status"] == 201 && response?["headers"]?["x-a"] == "b")
        #expect(response?["proxyHttp2"] == nil)
    }

    @Test(arguments: [
        ("--proxy-http2", "http://localhost:50051", "localhost:50051", "HOST, HOST:PORT, or * for all"),
        ("--proxy-http2", "a.example,https://b.example/x", "b.example", "HOST, HOST:PORT, or * for all"),
        ("--proxy-http2", "localhost:50051/x", nil, "HOST, HOST:PORT, or * for all"),
        ("--proxy-http2", "*.example", nil, "HOST, HOST:PORT, or * for all"),
        ("--proxy-http2", "localhost:70000", nil, "HOST, HOST:PORT, or * for all"),
        ("--trust-proxy-target", "https://b.example", "b.example", "HOST or HOST:PORT"),
        ("--trust-proxy-target", "*", nil, "HOST or HOST:PORT"),
    ])
    func whatNamesNoServerIsRefused(option: String, value: String, meant: String?, expected: String) throws {
        let folder = try TemporaryFolder()
        try folder.write("mocks/a.yaml", "GET /a: {}")
        for command in [["serve", folder.path + "/mocks"], ["record", "--target", "http://localhost:1"]] {
            if command[0] == "record", option != "--proxy-http2" { continue }
            let ended = try EndedCommand(command + [option, value, "--port", "0"], outputsIn: folder)
            #expect(ended.status == 2)
            #expect(ended.errors.contains("\(option): "), "\(ended.errors)")
            #expect(ended.errors.lowercased().contains("expected \(expected.lowercased())"), "\(ended.errors)")
            #expect(meant.map { ended.errors.contains("did you mean \"\($0)\"?") } != false, "\(ended.errors)")
        }
    }

    @Test(arguments: ["[::1]", "::1", "[::1]:50051", "LOCALHOST.", "127.0.0.1:1", "a_b.example,*"])
    func whatNamesServersIsTaken(value: String) throws {
        _ = try Daemon(files: ["a.yaml": "GET /a: {}"], ["--proxy-http2", value])
    }

    /// A server that speaks HTTP/1.1 alone: whoever named it is told, with what named it.
    @Test(arguments: [
        (
            "HTTP/1.1 400 Bad Request\r\nContent-Length: 3\r\n\r\nbad", ", http2: true", [],
            "does not speak HTTP/2, in which it was called, but HTTP/1: its stub has to do without proxyHttp2"
        ),
        (
            "HTTP/1.0 505 No\r\n\r\n", "", ["--proxy-http2", "*"],
            "does not speak HTTP/2, in which it was called, but HTTP/1: --proxy-http2 may not name it"
        ),
        (
            "", "", ["--proxy-http2", "localhost"],
            "which was called in HTTP/2, closed the connection without an answer"
        ),
    ])
    func aServerWithoutHTTP2IsTold(bytes: String, more: String, options: [String], text: String) throws {
        let target = try RawServer { connection, _ in
            _ = connection.receive(until: "\r\n\r\n")
            try connection.send(bytes)
            connection.finishSending()
            _ = connection.receiveAll()
        }
        let route = "ANY /a: { proxy: { to: \"http://localhost:\(target.port)\"\(more) } }"
        let daemon = try Daemon(files: ["a.yaml": route], options)
        for method in ["GET", "POST"] {
            let answer = try daemon.request(method, "/a", body: method == "POST" ? "abc" : nil)
            #expect(answer.status == 500 && answer.text.contains(text), "\(answer.text)")
        }
        let isLogged = eventually { daemon.process.errors.contains("localhost:\(target.port)") ? true : nil }
        #expect(isLogged == true, "\(daemon.process.errors)")
    }

    #if os(Linux)
        /// Where the library is missing that makes these calls, everybody who names one is told its package.
        @Test func aMissingLibraryIsTold() throws {
            let folder = try TemporaryFolder()
            try folder.write("shadow/libnghttp2.so.14", "none")
            try folder.write("mocks/a.yaml", "GET /a: { proxy: { to: \"http://localhost:1\", http2: true } }")
            let environment = ["LD_LIBRARY_PATH": folder.path + "/shadow"]
            let checked = try EndedCommand(
                ["validate", folder.path + "/mocks", "--format", "json"], environment: environment, outputsIn: folder)
            #expect(checked.output.contains("missing-library"), "\(checked.output)")
            let sentence = "HTTP/2 needs nghttp2: install"
            #expect(checked.output.contains(sentence), "\(checked.output)")
            let daemon = try Daemon(
                serving: folder.path + "/mocks", ["--proxy-http2", "a.example"], environment: environment)
            let answer = try daemon.get("/a")
            #expect(answer.status == 500 && answer.text.contains(sentence), "\(answer.text)")
            // The stub, the option and the call.
            let isTold = eventually { daemon.process.errors.components(separatedBy: sentence).count == 4 ? true : nil }
            #expect(isTold == true, "\(daemon.process.errors)")
        }
    #endif
}
