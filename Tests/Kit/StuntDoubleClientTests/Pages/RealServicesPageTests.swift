import Foundation
import SDJSON
import StuntDoubleClient
import Testing

/// The examples of docs/swift/real-services.md. The real service is a server of another process.
@Suite struct RealServicesPageTests {
    private func withService(_ body: (MockServer, URL, MockServer) async throws -> Void) async throws {
        let real = try await MockServer.launch()
        try await real.stub(.get("/orders"), .json([["id": 7], ["id": 8]]))
        try await real.stub(.get("/orders/7"), .json(["id": 7]).header("X-From", "real"))
        try await real.stub(.post("/orders").body(.json(["id": 9])), .status(201))
        try await real.stub(.get("/turns"), .text("one"), .status(503))
        try await real.stub(.get("/bytes"), .data([0xFF, 0, 0xFE]))
        try await real.stub(.post("/login"), .json(["token": "s3cret"]).header("Set-Cookie", "id=s3cret"))
        do {
            try await withSession { mock in try await body(mock, real.url, real) }
        } catch {
            try? await real.end()
            throw error
        }
        try await real.end()
    }

    private func withFolder(_ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("recording-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder.path)
    }

    @Test func someCallsAreRealSomeAreFaked() async throws {
        try await withService { mock, service, real in
            try await mock.passThrough(to: service)
            try await mock.stub(.post("/orders"), .status(402, message: "No money"))

            #expect(try await get("/orders/7", of: mock).text == #"{"id":7}"#)
            #expect(try await send("POST", "/orders", body: #"{"id": 9}"#, to: mock).status == 402)
            #expect(try await real.requests.map(\.path) == ["/orders/7"])
            #expect(try await mock.unmatchedRequests.isEmpty)
            try await mock.passThrough(to: nil)
            #expect(try await get("/orders/7", of: mock).status == 404)
        }
    }

    @Test func oneAnswerIsAnotherServers() async throws {
        try await withService { mock, service, _ in
            try await mock.stub(.get("/v1/orders/**"), .proxy(to: service).removingPathPrefix("/v1"))
            try await mock.stub(
                .get("/orders"), .proxy(to: service).proxyHeader("Authorization", "Bearer x").delay(.milliseconds(20)))

            #expect(try await get("/v1/orders/7", of: mock).text == #"{"id":7}"#)
            #expect(try await get("/orders", of: mock).text == #"[{"id":7},{"id":8}]"#)
        }
    }

    @Test func aHostIsPassedThroughUnderItsName() async throws {
        try await withService { mock, service, _ in
            let host = "127.0.0.1:\(service.port ?? 0)"
            try await mock.passThrough(host: host, scheme: "http")
            try await mock.stub("http://\(host)/orders/7", .json(["id": "faked"]))

            // Requests as a proxy gets them.
            #expect(try await get("http://\(host)/orders", of: mock).text == #"[{"id":7},{"id":8}]"#)
            #expect(try await get("http://\(host)/orders/7", of: mock).text == #"{"id":"faked"}"#)
            #expect(try await get("/orders", of: mock).status == 404)
            for wrong in ["", "https://a.example", "a.example/b", "a b"] {
                await #expect(throws: Stub.Problem.self) { try await mock.passThrough(host: wrong) }
            }
        }
    }

    @Test func whatWasRecordedIsReplayed() async throws {
        try await withFolder { folder in
            try await withService { mock, service, real in
                let paths = ["/orders", "/orders/7", "/turns", "/turns", "/bytes"]
                var recorded: [PlainAnswer] = []
                try await mock.record(to: folder, from: service) {
                    for path in paths { recorded.append(try await get(path, of: mock)) }
                    recorded.append(try await send("POST", "/orders", body: #"{"id": 9}"#, to: mock))
                }
                #expect(recorded.map(\.status) == [200, 200, 200, 503, 200, 201])
                let routes = try String(contentsOfFile: folder + "/recorded.yaml", encoding: .utf8)
                #expect(routes.contains("GET /orders/7:") && routes.contains("id: 7"), "\(routes)")

                try await real.end()
                try await withSession { mock in
                    var replayed: [PlainAnswer] = []
                    try await mock.record(to: folder, from: service) {
                        for path in paths { replayed.append(try await get(path, of: mock)) }
                        replayed.append(try await send("POST", "/orders", body: #"{"id": 9}"#, to: mock))
                    }
                    #expect(replayed.map(\.status) == recorded.map(\.status))
                    #expect(replayed.map(\.body) == recorded.map(\.body))
                    #expect(try await send("POST", "/orders", body: #"{"id": 1}"#, to: mock).status == 404)
                }
            }
        }
    }

    @Test func stubsOfTheTestComeBeforeTheServiceAndSecretsAreNotWritten() async throws {
        try await withFolder { folder in
            try await withService { mock, service, real in
                try await mock.stub(.get("/orders"), .json([]))
                try await mock.record(to: folder, from: service) {
                    let faked = try await get("/orders", of: mock)
                    #expect(faked.text == "[]")
                    let login = try await send("POST", "/login", body: #"{"password": "s3cret"}"#, to: mock)
                    #expect(login.text.contains("s3cret"))
                }
                let routes = try String(contentsOfFile: folder + "/recorded.yaml", encoding: .utf8)
                #expect(!routes.contains("s3cret") && !routes.contains("GET /orders"), "\(routes)")
                #expect(try await real.requests.map(\.path) == ["/login"])
            }
        }
    }

    @Test func theModeDecidesWhetherTheServiceIsCalled() async throws {
        try await withFolder { folder in
            try await withService { mock, service, real in
                let missing = await #expect(throws: MockServerError.self) {
                    try await mock.record(to: folder, from: service, mode: .replay) {}
                }
                #expect(missing?.message.contains("STUNTDOUBLE_RECORD=record") == true)
                let nothing = await #expect(throws: MockServerError.self) {
                    try await mock.record(to: folder, from: service, mode: .record) {}
                }
                #expect(nothing?.message.contains("nothing was recorded") == true)

                try await mock.record(to: folder, from: service, mode: .live) {
                    let answer = try await get("/orders", of: mock)
                    #expect(answer.status == 200)
                }
                #expect(!FileManager.default.fileExists(atPath: folder))
                struct Failure: Error {}
                await #expect(throws: Failure.self) {
                    try await mock.record(to: folder, from: service, mode: .record) {
                        _ = try await get("/orders", of: mock)
                        throw Failure()
                    }
                }
                #expect(!FileManager.default.fileExists(atPath: folder))
                for count in 1...2 {
                    try await withSession { mock in
                        try await mock.record(to: folder, from: service, mode: .record) {
                            _ = try await get("/orders/7", of: mock)
                        }
                    }
                    #expect(try await real.requests(matching: .get("/orders/7")).count == count)
                }
            }
        }
    }

    @Test func anArchiveBecomesStubs() async throws {
        try await withFolder { folder in
            try await withService { mock, service, real in
                try await mock.passThrough(to: service)
                _ = try await get("/orders/7", of: mock)
                _ = try await get("/bytes", of: mock)
                let file = folder + "/session.har"
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                try await mock.har().write(to: URL(fileURLWithPath: file))

                try await real.end()
                try await withSession { mock in
                    let loaded = try await mock.load(har: file)
                    #expect(loaded.stubs.count == 2 && loaded.remarks.isEmpty, "\(loaded.remarks)")
                    #expect(try await get("/orders/7", of: mock).text == #"{"id":7}"#)
                    #expect(try await get("/bytes", of: mock).body == [0xFF, 0, 0xFE])
                    // The archive knows where the answers came from.
                    #expect(try await mock.load(har: file, hosts: "127.0.0.1").stubs.count == 2)
                    let archive = try JSONValue(parsing: try [UInt8](Data(contentsOf: URL(fileURLWithPath: file))))
                    let entry = archive["log"]?["entries"]?[0]
                    #expect(entry?["_proxiedTo"]?.stringValue == service.absoluteString + "/orders/7")
                    let none = try await mock.load(har: file, hosts: "api.example.com")
                    #expect(none.stubs.isEmpty && none.remarks == ["2 entries of other hosts are left out"])
                }
            }
        }
    }

    @Test func aFileThatIsNoArchiveIsToldWithItsPlace() async throws {
        try await withFolder { folder in
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Data("{\n  \"log\": {} }".utf8).write(to: URL(fileURLWithPath: folder + "/a.har"))
            try await withSession { mock in
                let error = await #expect(throws: MockServerError.self) { try await mock.load(har: folder + "/a.har") }
                #expect(
                    error?.message.contains("a.har:2:10: error: log.entries: is missing") == true,
                    "\(error?.message ?? "")")
                await #expect(throws: MockServerError.self) { try await mock.load(har: "no-such.har") }
            }
        }
    }

    @Test func theVariableNamesAMode() throws {
        #expect(try MockServer.RecordingMode.ofEnvironment([:]) == .onceThenReplay)
        #expect(try MockServer.RecordingMode.ofEnvironment(["STUNTDOUBLE_RECORD": "REPLAY"]) == .replay)
        #expect(throws: MockServerError.self) {
            try MockServer.RecordingMode.ofEnvironment(["STUNTDOUBLE_RECORD": "yes"])
        }
    }
}
