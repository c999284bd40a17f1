import Foundation
import SDJSON
import SDTestSupport
import Testing

/// `stuntdouble record`, `--record-mappings` and the recordings of the admin API, in front of another daemon.
@Suite struct RecordCommandTests {
    private static let routes = """
        GET /things/1: { json: { id: 1, token: very-secret-token } }
        GET /count: { sequence: [{ body: one }, { body: two }] }
        POST /things: { status: 201, body: "made\\nit\\n" }
        GET /events: { stream: [{ event: a, data: { n: 1 } }, { after: 20ms, data: very-secret-token }] }
        GET /image: { base64: iVBORw0K, headers: { Content-Type: image/png } }
        """

    private func record(
        _ real: Daemon, to folder: TemporaryFolder, _ arguments: [String] = [], _ targets: [String]
    ) throws -> String {
        let scratch = try TemporaryFolder()
        let recorder = try ChildRecorder(
            ["--target", "http://127.0.0.1:\(real.port)", "--to", folder.path + "/mocks"] + arguments, in: scratch)
        for target in targets { _ = try recorder.get(target) }
        #expect(recorder.end() == .exited(0), "\(recorder.process.errors)")
        return recorder.process.output
    }

    private func yaml(_ folder: TemporaryFolder, _ real: Daemon) throws -> String {
        try String(contentsOfFile: folder.path + "/mocks/127.0.0.1-\(real.port).yaml", encoding: .utf8)
    }

    @Test(arguments: ["yaml", "wiremock"]) func whatWasRecordedAnswersAsTheServerDid(_ format: String) throws {
        let folder = try TemporaryFolder()
        let real = try Daemon(files: ["a.yaml": Self.routes])
        let targets = ["/things/1", "/count", "/count", "/events", "/image", "/none"]
        let said = try record(real, to: folder, ["--format", format, "--keep-timing"], targets)
        #expect(said.contains("GET /things/1 → 200 application/json"), "\(said)")
        #expect(said.contains("REDACTED") && !said.contains("very-secret"))
        let check = try ChildProcess(
            Daemon.binary, ["validate", folder.path + "/mocks", "--strict"], outputsIn: try TemporaryFolder())
        #expect(check.wait() == .exited(0), "\(check.output)")
        let again = try Daemon(files: ["a.yaml": Self.routes])
        let replayed = try Daemon(serving: folder.path + "/mocks")
        for target in targets {
            let (was, now) = (try again.get(target), try replayed.get(target))
            #expect(was.status == now.status, "\(target)")
            guard target != "/none" else { continue }
            let expected = String(decoding: was.body, as: UTF8.self).replacing("very-secret-token", with: "REDACTED")
            #expect(String(decoding: now.body, as: UTF8.self) == expected, "\(target)")
        }
    }

    @Test func aSecondRecordingAddsToTheFirst() throws {
        let folder = try TemporaryFolder()
        let real = try Daemon(files: ["a.yaml": Self.routes])
        _ = try record(real, to: folder, ["/things/1"])
        let first = try yaml(folder, real)
        let said = try record(real, to: folder, ["/image"])
        #expect(said.contains("1 stub added, 0 changed, 1 as before"), "\(said)")
        let second = try yaml(folder, real)
        #expect(second.contains("GET /image") && second.contains("GET /things/1"))
        #expect(try record(real, to: folder, ["/things/1"]).contains("stays as it is"))
        // What was changed by hand stays, and what it lacks goes into another file.
        let edited = first.replacing("id: 1", with: "id: 7")
        try folder.write("mocks/127.0.0.1-\(real.port).yaml", edited)
        let told = try record(real, to: folder, ["/things/1", "/events"])
        #expect(told.contains("was changed by hand") && told.contains("GET /things/1 answers differently"), "\(told)")
        #expect(try yaml(folder, real) == edited)
        let other = try String(contentsOfFile: folder.path + "/mocks/127.0.0.1-\(real.port)-2.yaml", encoding: .utf8)
        #expect(other.contains("GET /events") && !other.contains("GET /things/1"))
    }

    private func record(_ real: Daemon, to folder: TemporaryFolder, _ targets: [String]) throws -> String {
        try record(real, to: folder, [], targets)
    }

    @Test func onlyWhatStubsDoNotAnswerIsRecorded() throws {
        let folder = try TemporaryFolder()
        try folder.write("mocks/own.yaml", "GET /things/1: { body: mine }")
        let real = try Daemon(files: ["a.yaml": Self.routes])
        _ = try record(real, to: folder, ["--only-unmatched"], ["/things/1", "/image"])
        let text = try yaml(folder, real)
        #expect(text.contains("GET /image") && !text.contains("GET /things/1"))
    }

    /// Whoever writes second adds to what the first has written.
    @Test(arguments: ["yaml", "wiremock"]) func recordersIntoOneFolderLoseNothing(_ format: String) throws {
        let folder = try TemporaryFolder()
        let routes = (0..<40).map { "GET /r\($0): { body: \"\($0)\" }" }.joined(separator: "\n")
        let real = try Daemon(files: ["a.yaml": routes])
        let scratch = try (0..<4).map { _ in try TemporaryFolder() }
        let recorders = try scratch.map {
            try ChildRecorder(
                ["--target", "http://127.0.0.1:\(real.port)", "--to", folder.path + "/mocks", "--format", format],
                in: $0)
        }
        for target in 0..<40 { _ = try recorders[target % 4].get("/r\(target)") }
        for recorder in recorders { recorder.process.signal(SIGINT) }
        #expect(recorders.map { $0.process.wait() } == Array(repeating: .exited(0), count: 4))
        let replayed = try Daemon(serving: folder.path + "/mocks")
        for target in 0..<40 { #expect(try replayed.get("/r\(target)").text == "\(target)") }
    }

    /// A link that leads out of the folder is not followed: its bodies stay in their routes.
    @Test(arguments: ["__files", "__files/127.0.0.1-PORT"]) func noLinkLeadsOutOfTheFolder(_ link: String) throws {
        let (folder, outside, scratch) = (try TemporaryFolder(), try TemporaryFolder(), try TemporaryFolder())
        let real = try Daemon(files: ["a.yaml": Self.routes])
        let place = folder.path + "/mocks/" + link.replacing("PORT", with: String(real.port))
        try FileManager.default.createDirectory(
            atPath: (place as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: place, withDestinationPath: outside.path)
        let recorder = try ChildRecorder(
            ["--target", "http://127.0.0.1:\(real.port)", "--to", folder.path + "/mocks"], in: scratch)
        for target in ["/image", "/things/1"] { _ = try recorder.get(target) }
        #expect(recorder.end() == .exited(1))
        #expect(recorder.process.errors.contains("a link leads out of the folder"), "\(recorder.process.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: outside.path).isEmpty)
        let text = try yaml(folder, real)
        #expect(text.contains("base64: iVBORw0K") && text.contains("GET /things/1"), "\(text)")
    }

    @Test(arguments: ["X-Sum", nil]) func trailersComeBack(_ announced: String?) throws {
        let head = announced.map { "Trailer: \($0)\r\n" } ?? ""
        let server = try RawServer { client, number in
            _ = client.receive(until: "\r\n\r\n")
            let fields = number == 0 ? "X-Sum: 42\r\n" : ""
            try client.send(
                "HTTP/1.1 200 OK\r\n\(head)Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n5\r\nhello\r\n0\r\n\(fields)\r\n"
            )
        }
        let folder = try TemporaryFolder()
        let recorder = try ChildRecorder(
            ["--target", "http://127.0.0.1:\(server.port)", "--to", folder.path + "/mocks"], in: try TemporaryFolder())
        for target in ["/with", "/without"] { _ = try recorder.get(target) }
        #expect(recorder.end() == .exited(0))
        let replayed = try Daemon(serving: folder.path + "/mocks")
        func raw(_ target: String) throws -> String {
            let client = try RawClient(port: replayed.port)
            try client.send("GET \(target) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            return String(decoding: client.receiveAll(within: 30_000).bytes, as: UTF8.self)
        }
        let (with, without) = (try raw("/with"), try raw("/without"))
        #expect(with.hasSuffix("hello\r\n0\r\nX-Sum: 42\r\n\r\n") && with.contains("\r\nTrailer: X-Sum\r\n"), "\(with)")
        #expect(without.contains("hello") && !without.contains("Trailer"), "\(without)")
    }

    @Test func nothingIsWrittenWithoutACall() throws {
        let folder = try TemporaryFolder()
        let real = try Daemon(files: ["a.yaml": Self.routes])
        #expect(try record(real, to: folder, []).contains("Nothing was recorded"))
    }

    /// The lines of a recording as JSON.
    @Test(arguments: ["yaml", "wiremock"]) func programsReadALineForEachExchange(_ format: String) throws {
        let folder = try TemporaryFolder()
        let real = try Daemon(files: ["a.yaml": Self.routes])
        let said = try record(real, to: folder, ["--json", "--format", format], ["/things/1", "/image"])
        let lines = try said.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
        #expect(lines.map { $0["event"] } == ["ready", "exchange", "exchange", "written"], "\(said)")
        #expect(lines[0]["target"]?.stringValue == "http://127.0.0.1:\(real.port)")
        #expect(lines[1]["url"] == "/things/1" && lines[1]["status"] == 200 && lines[1]["isWhole"] == true)
        #expect(lines[3]["exchanges"] == 2 && lines[3]["secrets"] == 1)
        let files = lines[3]["files"]?.arrayValue ?? []
        let stubs = files.first
        #expect(stubs?["result"] == "written" && (stubs?["added"] == 2 || stubs?["mappings"] == 2), "\(said)")
        let again = try record(real, to: folder, ["--json", "--format", format], [])
        #expect(try JSONValue(parsing: String(again.split(separator: "\n").last ?? ""))["files"] == [])
    }

    // MARK: In the daemon

    @Test func recordMappingsWritesFilesAsRequestsPass() throws {
        let real = try Daemon(files: ["a.yaml": Self.routes])
        let folder = try TemporaryFolder()
        let daemon = try Daemon(
            serving: folder.path,
            ["--proxy-all", "http://127.0.0.1:\(real.port)", "--record-mappings", "--match-headers", "Accept"])
        _ = try daemon.request("GET", "/image?a=b", headers: ["Accept: image/*"])
        _ = try daemon.request("GET", "/image?a=b", headers: ["Accept: image/*"])
        let names = eventually(within: 10_000) { () -> [String]? in
            let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
            return names.contains { $0.contains("mapping-image-") } ? names : nil
        }
        let mapping = try #require(names?.first { $0.contains("mapping-image-") })
        let json = try JSONValue(
            parsing: try #require(FileManager.default.contents(atPath: folder.path + "/" + mapping)))
        #expect(json["request"]?["url"] == "/image?a=b")
        #expect(json["request"]?["headers"] == ["Accept": ["equalTo": "image/*"]])
        let body = try #require(json["response"]?["bodyFileName"]?.stringValue)
        #expect(names?.contains("__files/" + body) == true)
        #expect(names?.filter { $0.contains("mapping-") }.count == 1)
        #expect(try daemon.get("/__admin/mappings").json?["mappings"]?.arrayValue?.count == 1)
    }

    /// What clients have got before the end is written before the end.
    @Test func recordMappingsEndsItsWriting() throws {
        let body = String(repeating: "0123456789abcdef", count: 16_384)
        let real = try CountingTarget { client, _, _ in
            try client.send("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
            return true
        }
        let folder = try TemporaryFolder()
        let daemon = try Daemon(
            serving: folder.path, ["--proxy-all", real.origin, "--record-mappings", "--drain-timeout=60s"])
        let count = 24
        for index in 0..<count { #expect(try daemon.get("/a\(index)").body.count == body.utf8.count) }
        daemon.process.signal(15)
        #expect(daemon.process.wait(milliseconds: 60_000) == .exited(0))
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        #expect(names.count { $0.contains("mapping-a") } == count, "\(daemon.process.errors)")
        let bodies = try names.filter { $0.contains("body-a") }.map { try folder.read($0) }
        #expect(bodies == Array(repeating: body, count: count))
        #expect(!daemon.process.errors.contains("could not be written in time"))
    }

    @Test func aRecordingOfTheAdminAPIReplacesTheServer() throws {
        let real = try Daemon(files: ["a.yaml": Self.routes])
        let daemon = try Daemon(files: ["mappings/.keep": ""])
        let spec =
            #"{"targetBaseUrl": "http://127.0.0.1:\#(real.port)", "extractBodyCriteria": {"binarySizeThreshold": 0}}"#
        #expect(try daemon.request("POST", "/__admin/recordings/start", body: spec).status == 200)
        for target in ["/count", "/count", "/image", "/things/1?x=y"] { _ = try daemon.get(target) }
        let stubs = try daemon.request("POST", "/__admin/recordings/stop").json?["mappings"]?.arrayValue ?? []
        #expect(stubs.count == 4)
        #expect(stubs.map { $0["persistent"] } == [true, true, true, true])
        #expect(stubs.last?["scenarioName"] == "scenario-1-count")
        #expect(try ["/count", "/count", "/count"].map { try daemon.get($0).text } == ["one", "two", "two"])
        #expect(try daemon.get("/things/1?x=y").json?["id"] == 1)
        #expect(try daemon.get("/things/1").status == 404)
        let files = try FileManager.default.subpathsOfDirectory(atPath: daemon.folder.path)
        #expect(files.contains { $0.hasPrefix("__files/image-") && $0.hasSuffix(".png") })
        #expect(files.filter { $0.hasPrefix("mappings/") && $0.hasSuffix(".json") }.count == 4)
    }

    /// All secrets of a document become placeholders, in the lines and in the files, also by names that the folder gives.
    @Test(arguments: ["yaml", "wiremock"]) func allSecretsOfADocumentAreHidden(_ format: String) throws {
        let folder = try TemporaryFolder()
        try folder.write("mocks/names.yaml", "defaults: { redact: [iban] }\nGET /named: {}\n")
        let real = try Daemon(files: [
            "a.yaml": """
            GET /t: { json: { access_token: zq1aaaaaaa, refresh_token: zq2aaaaaaa, list: [{ pwd: 771237712377 }], iban: zq3, kept: nb1 } }
            POST /login: { json: { ok: true, at: zq4aaaaaaa } }
            """
        ])
        let scratch = try TemporaryFolder()
        let recorder = try ChildRecorder(
            [
                "--json", "--target", "http://ada:zqtarget@127.0.0.1:\(real.port)", "--to", folder.path + "/mocks",
                "--format", format,
            ], in: scratch)
        _ = try recorder.get("/t?access%5Ftoken=zq5&api_key=zq6&page=nb2")
        _ = try recorder.get("/login", method: "POST", body: "password=zq4aaaaaaa&user=nb3")
        #expect(recorder.end() == .exited(0), "\(recorder.process.errors)")
        var written = recorder.process.output + recorder.process.errors
        for case let name as String in try #require(FileManager.default.enumerator(atPath: folder.path)) {
            written += name + ((try? String(contentsOfFile: folder.path + "/" + name, encoding: .utf8)) ?? "")
        }
        for secret in ["zq1", "zq2", "zq3", "zq4", "zq5", "zq6", "771237712377", "zqtarget"] {
            #expect(!written.contains(secret), "\(secret): \(written)")
        }
        for kept in ["nb1", "nb2"] { #expect(written.contains(kept), "\(kept): \(written)") }
        // The stubs answer the same requests again.
        let replayed = try Daemon(serving: folder.path + "/mocks")
        #expect(try replayed.get("/t?access%5Ftoken=other&api_key=x&page=nb2").json?["list"]?[0]?["pwd"] == 0)
        #expect(try replayed.request("POST", "/login", body: "password=other&user=nb3").status == 200)
    }

    /// A value that one exchange has told is hidden in the lines of those after it.
    @Test func linesHideWhatIsKnown() throws {
        let folder = try TemporaryFolder()
        let real = try Daemon(files: ["a.yaml": Self.routes])
        let said = try record(real, to: folder, ["--json"], ["/things/1", "/users/very-secret-token", "/count"])
        #expect(!said.contains("very-secret") && said.contains("/users/REDACTED") && said.contains("/count"), "\(said)")
    }

    /// Everything below a folder as one text.
    private func files(_ folder: String) throws -> String {
        var written = ""
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
            written += name + "\n" + ((try? String(contentsOfFile: folder + "/" + name, encoding: .utf8)) ?? "")
        }
        return written
    }

    /// A recording of the admin API answers as the server did, and no file of it holds a secret: also not after all stubs
    /// are saved again.
    @Test(arguments: ["", #", "extractBodyCriteria": {"textSizeThreshold": 0}"#], [true, false])
    func recordedStubsAreSavedWithoutSecrets(_ more: String, _ isSnapshot: Bool) throws {
        let real = try Daemon(files: ["a.yaml": Self.routes])
        let daemon = try Daemon(files: ["mappings/.keep": ""])
        let spec = #"{"targetBaseUrl": "http://127.0.0.1:\#(real.port)"\#(more)}"#
        #expect(try daemon.request("POST", "/__admin/recordings/start", body: spec).status == 200)
        for target in ["/things/1", "/things/1?token=zq1Ab2Cd3Ef", "/count"] { _ = try daemon.get(target) }
        _ = try daemon.request(
            "POST", "/things", headers: ["Content-Type: application/json"], body: #"{"a":1,"password":"zq2Ab2Cd3Ef"}"#)
        let call = isSnapshot ? "snapshot" : "stop"
        let answer = try daemon.request(
            "POST", "/__admin/recordings/\(call)", body: isSnapshot ? "{\(more.dropFirst(2))}" : "")
        #expect(answer.text.contains("zq2Ab2Cd3Ef") && answer.text.contains("zq1Ab2Cd3Ef"), "\(answer.text)")
        if isSnapshot { _ = try daemon.request("POST", "/__admin/recordings/stop?format=files") }
        #expect(try daemon.request("POST", "/__admin/mappings/save").status == 200)
        let written = try files(daemon.folder.path)
        #expect(
            !written.contains("zq1Ab") && !written.contains("zq2Ab") && !written.contains("very-secret"), "\(written)")
        #expect(written.contains("any-string") && written.contains("REDACTED"))
        if more.isEmpty { #expect(try daemon.get("/things/1").json?["token"] == "very-secret-token") }
        let replayed = try Daemon(serving: daemon.folder.path)
        #expect(try replayed.get("/things/1?token=other").json?["id"] == 1)
        #expect(
            try replayed.request(
                "POST", "/things", headers: ["Content-Type: application/json"], body: #"{"a":1,"password":"x"}"#
            ).status == 201)
    }

    @Test func recordMappingsWritesNoSecrets() throws {
        let real = try Daemon(files: ["a.yaml": Self.routes])
        let folder = try TemporaryFolder()
        let daemon = try Daemon(
            serving: folder.path,
            [
                "--proxy-all", "http://127.0.0.1:\(real.port)", "--record-mappings", "--match-headers", "X-Api-Key",
            ])
        _ = try daemon.request("GET", "/things/1?token=zq1Ab2Cd3Ef&a=b", headers: ["X-Api-Key: zq2Ab2Cd3Ef"])
        _ = try daemon.get("/events?last=x")
        let written = eventually(within: 10_000) { () -> String? in
            let written = (try? files(folder.path)) ?? ""
            return written.contains("mapping-events") && written.contains("mapping-things") ? written : nil
        }
        let text = try #require(written)
        #expect(!text.contains("zq1Ab") && !text.contains("zq2Ab") && !text.contains("very-secret"), "\(text)")
        let replayed = try Daemon(serving: folder.path)
        let answer = try replayed.request("GET", "/things/1?token=other&a=b", headers: ["X-Api-Key: x"])
        #expect(answer.json == ["id": 1, "token": "REDACTED"])
    }
}
