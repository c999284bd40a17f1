import SDCapture
import SDJSON
import SDMatching
import SDRecording
import SDStubModel
import SDTestSupport
import Testing

/// The stubs of recorded exchanges equal those of WireMock 3.13.2, recorded by `Tools/oracle/record_recordings.py`.
@Suite struct RecordedStubsTests {
    private static let recording = Result { try JSONValue(parsing: PackageFiles.data("Tests/Oracle/recordings.json")) }

    @Test func theStubsAreThoseOfWireMock() throws {
        let cases = try #require(Self.recording.get()["cases"]?.arrayValue)
        #expect(cases.count >= 20)
        for recorded in cases {
            let name = recorded["name"]?.stringValue ?? ""
            let spec = try RecordSpec(json: recorded["spec"] ?? [:])
            let exchanges = try #require(recorded["exchanges"]?.arrayValue).map(RecordedExchange.init(recorded:))
            let stubs = RecordedStubs(
                of: exchanges, spec, filter: try CompiledPattern(spec.filters.pattern, at: ""))
            var ids: [String: String] = [:]
            for (index, stub) in stubs.mappings.enumerated() { ids[stub.idText] = "id-\(index + 1)" }
            let ours = try JSONValue.array(stubs.mappings.map { $0.json() }).renaming(ids)
            let theirs = try #require(recorded["answer"]?["mappings"]?.arrayValue)
            for (our, their) in zip(ours.arrayValue ?? [], theirs) {
                #expect(our == their, "\(name): \(our.compactText) is \(their.compactText)")
            }
            #expect(stubs.mappings.count == theirs.count, "\(name)")
            #expect(ids.count == theirs.count, "\(name): ids are distinct")
            let files = JSONObject(stubs.bodyFiles.map { ($0.name, .string(Base64.encode($0.bytes))) })
            let theirFiles = try #require(recorded["files"])
            let ourFiles = try JSONValue.object(files).renaming(ids)
            #expect(ourFiles == theirFiles, "\(name)")
        }
    }

    /// Where WireMock refuses to record, or what it has recorded comes back as something else; `docs/recording.md`.
    @Test func whatWouldNotComeBackStaysAsItWas() throws {
        var broken = RecordedExchange(method: "POST", url: "http://a/b", target: "/b", status: 200)
        broken.requestHeaders = [("Content-Type", "application/json")]
        broken.requestBody = Array("not json".utf8)
        broken.responseHeaders = [("Content-Type", "text/plain; charset=iso-8859-1"), ("Content-Encoding", "identity")]
        broken.responseBody = [0xE9]
        var coded = broken
        coded.responseHeaders = [("Content-Type", "text/plain"), ("content-encoding", "br"), ("Content-Length", "1")]
        let stubs = RecordedStubs(of: [broken, coded], RecordSpec()).mappings
        #expect(stubs[1].request.bodyPatterns.map(\.operator) == [.equalTo])
        #expect(stubs.map(\.response.base64Body) == ["6Q==", "6Q=="])
        #expect(stubs[0].response.headers.map(\.name) == ["Content-Type", "content-encoding"])
        #expect(stubs[1].response.headers.map(\.name) == ["Content-Type"])
    }

    /// A stub of half an answer would be a wrong one.
    @Test func anAnswerThatBrokeOffIsNotKept() {
        var half = RecordedExchange(method: "GET", url: "http://a/half", target: "/half", status: 200)
        half.isBroken = true
        let whole = RecordedExchange(method: "GET", url: "http://a/whole", target: "/whole", status: 200)
        let stubs = RecordedStubs(of: [half, whole, half], RecordSpec())
        #expect(stubs.mappings == RecordedStubs(of: [whole], RecordSpec()).mappings)
        #expect(
            stubs.warnings == [
                "GET /half is not kept: its answer is not whole", "GET /half is not kept: its answer is not whole",
            ])
    }

    @Test func idsAreThoseOfTheRequestAndStayTheSame() {
        func ids(_ targets: [String], status: Int) -> [String] {
            RecordedStubs(
                of: targets.map { RecordedExchange(method: "GET", url: "http://a\($0)", target: $0, status: status) },
                RecordSpec()
            ).mappings.map(\.idText)
        }
        let (first, second) = (ids(["/a", "/b", "/a"], status: 200), ids(["/c", "/a", "/a", "/b"], status: 500))
        #expect(Set(first).count == 3)
        #expect(Set(second).isSuperset(of: first))
    }

    @Test func whatIsMissingIsSaid() {
        var exchange = RecordedExchange(method: "GET", url: "http://a/b", target: "/b", status: 200)
        exchange.responseBody = [1]
        exchange.missingBytes = 9
        #expect(RecordedStubs(of: [exchange], RecordSpec()).warnings.count == 1)
        exchange.missingRequestBytes = 9
        exchange.requestBody = [1]
        let stubs = RecordedStubs(of: [exchange], RecordSpec())
        #expect(stubs.warnings.count == 2 && stubs.mappings[0].request.bodyPatterns.isEmpty)
    }

    @Test func specsAreRefusedInWireMocksWords() throws {
        for recorded in try #require(Self.recording.get()["specs"]?.arrayValue) {
            let text = try #require(recorded["spec"]?.stringValue)
            guard let json = try? JSONValue(parsing: Array(text.utf8)[...], dialect: .lenient) else { continue }
            let theirs = recorded["answer"]?["errors"]?[0]
            do throws(ModelProblems) {
                let spec = try RecordSpec(json: json)
                do throws(PatternProblems) {
                    _ = try CompiledPattern(spec.filters.pattern, at: "")
                    #expect(theirs == nil, "\(text) is refused: \(theirs?.compactText ?? "")")
                } catch {
                    #expect(theirs?["source"]?["pointer"]?.stringValue == "/filters", "\(text)")
                }
            } catch {
                let problem = error.problems[0]
                let pointer = problem.pointer.tokens.isEmpty ? "/" : problem.pointer.text
                #expect(problem.detail == theirs?["detail"]?.stringValue, "\(text)")
                #expect(pointer == theirs?["source"]?["pointer"]?.stringValue, "\(text)")
            }
        }
    }
}

extension RecordedExchange {
    /// Reads an exchange of the recording.
    fileprivate init(recorded json: JSONValue) throws {
        func bytes(_ name: String) throws -> [UInt8] { try Base64.decode(json[name]?.stringValue ?? "") }
        func fields(_ name: String) -> [Field] {
            (json[name]?.arrayValue ?? []).map { ($0[0]?.stringValue ?? "", $0[1]?.stringValue ?? "") }
        }
        let target = json["target"]?.stringValue ?? ""
        self.init(
            method: json["method"]?.stringValue ?? "", url: "http://localhost\(target)", target: target,
            status: json["status"]?.intValue ?? 0)
        requestHeaders = fields("headers")
        requestBody = try bytes("body")
        responseHeaders = fields("answerHeaders")
        responseBody = try bytes("answerBody")
    }
}

extension JSONValue {
    fileprivate subscript(index: Int) -> JSONValue? {
        guard let elements = arrayValue, elements.indices.contains(index) else { return nil }
        return elements[index]
    }

    /// The value with other texts in the place of some, wherever they stand.
    fileprivate func renaming(_ names: [String: String]) throws -> JSONValue {
        var text = compactText
        for (name, other) in names { text = text.replacing(name, with: other) }
        return try JSONValue(parsing: Array(text.utf8)[...])
    }
}
