import Foundation
import Testing

#if os(Linux)
    /// Names that people bring along, and mistakes: the compiler says in a line what is meant here.
    @Suite(.timeLimit(.minutes(30))) struct OtherNamesTests {
        private static let lines = [
            (#"try await mock.stubFor(.get("/a"), .text("a"))"#, "'stubFor' has been renamed to 'stub(_:_:)'"),
            (#"try await mock.stubFor(.get("/a").willReturn(.text("a")))"#, "has been renamed to 'stub(_:_:)'"),
            (#"try await mock.givenThat(.get("/a").willReturn(.text("a")))"#, "has been renamed to 'stub(_:_:)'"),
            (#"try await mock.stub(.get("/a").willReturn(.text("a")))"#, "the answer comes second"),
            (#"try await mock.stub(.urlEqualTo("/a"), .text("a"))"#, "write .get("),
            (#"try await mock.stub(.get("/a").withHeader("A", .equal("b")), .text("a"))"#, "renamed to 'header(_:_:)'"),
            (#"try await mock.stub(.get("/a").header("A", .equalTo("b")), .text("a"))"#, "renamed to 'equal(_:)'"),
            (
                #"try await mock.stub(.post("/a").withRequestBody(.json(["a": 1])), .text("a"))"#,
                "renamed to 'body(_:)'"
            ),
            (#"try await mock.stub(.get("/a"), .aResponse())"#, "begin with .status(200)"),
            (#"try await mock.stub(.get("/a"), .okJson(["a": 1]))"#, "'okJson' has been renamed to 'json(_:)'"),
            (#"try await mock.stub(.get("/a"), .text("a").withFixedDelay(5))"#, "renamed to 'delay(_:)'"),
            (#"try await mock.verify(.exactly(2), .get("/a"))"#, "the request comes first"),
            (#"try await mock.verify(2, .get("/a"))"#, "the request comes first"),
            ("try await mock.resetAll()", "'resetAll()' has been renamed to 'reset()'"),
            ("try await mock.resetRequests()", "has been renamed to 'removeAllRequests()'"),
            (#"_ = try await mock.findAll(.get("/a"))"#, "has been renamed to 'requests(matching:)'"),
            ("_ = mock.baseURL", "'baseURL' has been renamed to 'url'"),
            ("_ = try await MockServer.start()", "'start()' has been renamed to 'launch(mocks:arguments:https:)'"),
            ("_ = MockServer(port: 8080)", "launch() chooses a free port"),
            ("try await mock.stop()", "'stop()' has been renamed to 'end()'"),
            // Former names.
            ("try await mock.fault(.connectionReset)", "has been renamed to 'addFault(_:on:name:)'"),
            ("_ = try await mock.session(name: \"a\")", "renamed to 'makeSession(name:seed:inheriting:ownPort:)'"),
            (#"try await mock.collection("a").replace(with: [])"#, "has been renamed to 'replaceAll(with:)'"),
            (#"_ = mock.records("a")"#, "'records' has been renamed to 'collection(_:)'"),
            (#"try await mock.stub(.get("/a"), .text("a").forget("b"))"#, "renamed to 'deleteState(_:)'"),
            // Mistakes are told as without these names.
            (#"try await mock.verify(.gett("/a"), .exactly(1))"#, "'Stub.Request' has no member 'gett'"),
            (#"try await mock.verify(.get("/a"), .exactlyy(1))"#, "'MockServer.Count' has no member 'exactlyy'"),
            (#"try await mock.verify(.get("/a"), 1)"#, "cannot convert value of type 'Int'"),
            (#"try await mock.stub(.get("/a"), .textt("a"))"#, "'Stub.Answer' has no member 'textt'"),
            (#"try await mock.stub(.get("/a"))"#, "a stub needs an answer"),
        ]
        /// Names that are right compile, whatever the others are.
        private static let right = """
            try await mock.verify(.any, .never)
            try await mock.verify("GET /a")
            try await mock.stub(.get("/a"), .text("a"), .status(503))
            try await mock.stub([Stub(.any, .status(200))])
            try await mock.stub(.mapping(json: ["request": ["url": "/a"]]))
            """

        @Test func theCompilerSaysTheNameThatAThingHasHere() async throws {
            let errors = try await errors(Self.lines.map(\.0) + [Self.right])
            for (index, (line, words)) in Self.lines.enumerated() {
                let told = errors.filter { $0.contains("Names.swift:\(index + 3):") }
                #expect(told.contains { $0.contains(words) }, "\(line): \(told)")
            }
            let rest = errors.filter { error in
                !Self.lines.indices.contains { error.contains("Names.swift:\($0 + 3):") }
            }
            #expect(rest.isEmpty)
        }

        /// What the compiler complains of in these lines, of which the first is the third of the file.
        private func errors(_ lines: [String]) async throws -> [String] {
            let scratch = FileManager.default.temporaryDirectory.appending(path: "kit-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: scratch) }
            let source = scratch.appending(path: "Names.swift")
            let text = ["import StuntDoubleClient", "func names(_ mock: MockServer) async throws {"] + lines + ["}"]
            try Data(text.joined(separator: "\n").utf8).write(to: source)

            let program = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
            let built = program.deletingLastPathComponent()
            let maps = try FileManager.default.contentsOfDirectory(atPath: built.path).filter { $0.hasSuffix(".build") }
                .map { built.appending(path: "\($0)/module.modulemap").path }
                .filter { FileManager.default.fileExists(atPath: $0) }
            let run = try await ChildRun(
                [
                    "swiftc", "-typecheck", "-swift-version", "6", "-I", built.appending(path: "Modules").path,
                    source.path,
                ]
                    + maps.flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] }, of: "/usr/bin/env")
            #expect(run.status == 1, "\(run.output)")
            return run.output.split(separator: "\n").map(String.init).filter { $0.contains(": error: ") }
        }
    }
#endif
