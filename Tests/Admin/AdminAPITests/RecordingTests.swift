import SDJSON
import SDMockEngine
import SDTestSupport
import Testing

/// `/__admin/recordings`, with exchanges that need no other server; those with one are in the black-box tests.
@Suite struct RecordingTests {
    private let mock: TestMock

    init() throws {
        mock = try TestMock(files: ["x": ""])
        try mock.add(#"{"request": {"urlPath": "/a"}, "response": {"status": 201, "body": "made"}}"#)
    }

    private func stub(_ answer: JSONValue, _ index: Int = 0) -> JSONValue? { answer["mappings"]?.arrayValue?[index] }

    @Test func aSnapshotMakesStubsOfWhatStubsAnsweredIfItIsAllowed() throws {
        _ = try Exchange(mock.port, "GET", "/a")
        _ = try Exchange(mock.port, "GET", "/none")
        #expect(try mock.admin("POST", "/recordings/snapshot") == ["mappings": []])
        let spec = #"{"filters": {"allowNonProxied": true}, "persist": "false"}"#
        let answer = try mock.admin("POST", "/recordings/snapshot", spec)
        #expect(answer["mappings"]?.arrayValue?.count == 2)
        #expect(stub(answer)?["request"] == ["url": "/none", "method": "GET"])
        #expect(stub(answer)?["response"]?["status"] == 404)
        #expect(stub(answer, 1)?["name"] == "a")
        #expect(stub(answer, 1)?["persistent"] == nil)
        let listed = try mock.admin("GET", "/mappings")
        #expect(
            listed["mappings"]?.arrayValue?.prefix(2).map { $0["id"] } == [stub(answer, 1)?["id"], stub(answer)?["id"]])
    }

    @Test func repeatsAnswerInTheirOrder() throws {
        for text in ["1", "2"] {
            try mock.add(#"{"request": {"urlPath": "/n"}, "response": {"body": "\#(text)"}}"#)
            _ = try Exchange(mock.port, "GET", "/n?q=1")
        }
        let answer = try mock.admin(
            "POST", "/recordings/snapshot", #"{"filters": {"allowNonProxied": true}, "outputFormat": "ids"}"#)
        #expect(answer["ids"]?.arrayValue?.count == 2)
        for text in ["1", "2", "2"] {
            #expect(try Exchange(mock.port, "GET", "/n?q=1").body == Array(text.utf8))
        }
    }

    @Test func aRecordingHasAStatus() throws {
        #expect(try mock.admin("GET", "/recordings/status") == ["status": "NeverStarted"])
        let refusal = try mock.admin("POST", "/recordings/stop", status: 400)
        #expect(refusal == ["errors": [["code": 30, "title": "Not currently recording."]]])
        #expect(try mock.admin("POST", "/recordings/start", "{}") == [:])
        #expect(try mock.admin("POST", "/recordings/start", #"{"targetBaseUrl": "http://x"}"#) == [:])
        #expect(try mock.admin("GET", "/recordings/status") == ["status": "Recording"])
        #expect(try mock.admin("GET", "/mappings")["meta"]?["total"] == 1)
        #expect(try mock.admin("POST", "/recordings/stop") == ["mappings": []])
        #expect(try mock.admin("GET", "/recordings/status") == ["status": "Stopped"])
    }

    @Test func aPreviewAddsAndEndsNothing() throws {
        _ = try mock.admin("GET", "/recordings/preview", status: 400)
        _ = try mock.admin("POST", "/recordings/start", #"{"filters": {"allowNonProxied": true}}"#)
        _ = try Exchange(mock.port, "GET", "/a")
        let preview = try mock.admin("GET", "/recordings/preview")
        #expect(preview["count"] == 1 && preview["mappings"]?.arrayValue?.count == 1)
        let files = try mock.admin("GET", "/recordings/preview?format=files")
        #expect(files["count"] == 1 && files["files"]?[0]?["text"]?.stringValue?.hasPrefix("GET /a:") == true)
        #expect(try mock.admin("GET", "/recordings/status") == ["status": "Recording"])
        #expect(try mock.admin("GET", "/mappings")["meta"]?["total"] == 1)
        #expect(try mock.admin("POST", "/recordings/stop")["mappings"] == preview["mappings"])
    }

    @Test func whatIsDiscardedBecomesNoStub() throws {
        _ = try mock.admin("POST", "/recordings/start", #"{"filters": {"allowNonProxied": true}}"#)
        _ = try Exchange(mock.port, "GET", "/a")
        _ = try mock.admin("POST", "/recordings/stop?discard=perhaps", status: 400)
        #expect(try mock.admin("POST", "/recordings/stop?discard=true") == [:])
        #expect(try mock.admin("GET", "/recordings/status") == ["status": "Stopped"])
        #expect(try mock.admin("GET", "/mappings")["meta"]?["total"] == 1)
    }

    @Test func theStubForTheTargetIsThereWhileItIsRecorded() throws {
        _ = try mock.admin("POST", "/recordings/start", #"{"targetBaseUrl": "http://localhost:1"}"#)
        let listed = try mock.admin("GET", "/mappings")
        #expect(stub(listed)?["request"] == ["method": "ANY"])
        #expect(stub(listed)?["response"] == ["status": 200, "proxyBaseUrl": "http://localhost:1"])
        _ = try mock.admin("POST", "/recordings/stop")
        #expect(try mock.admin("GET", "/mappings")["meta"]?["total"] == 1)
    }

    @Test func aSessionIsRecordedByItself() throws {
        let id = try #require(try mock.admin("POST", "/sessions", "{}", status: 201)["id"]?.stringValue)
        _ = try Exchange(mock.port, "POST", "/__session/\(id)/__admin/recordings/start", body: "{}")
        let status = try Exchange(mock.port, "GET", "/__session/\(id)/__admin/recordings/status").json
        #expect(status == ["status": "Recording"])
        #expect(try mock.admin("GET", "/recordings/status") == ["status": "NeverStarted"])
    }

    @Test(
        arguments: [
            (#"{"foo": 1}"#, "/foo", #"Unrecognized field "foo""#),
            (#"{"filters": {"urlPattern": "("}}"#, "/filters", "Unclosed group near index 1"),
            (#"{"outputFormat": "x"}"#, "/outputFormat", "Invalid output format"),
        ]) func aSpecIsRefused(_ spec: String, at pointer: String, with detail: String) throws
    {
        let error = try mock.admin("POST", "/recordings/start", spec, status: 422)["errors"]?.arrayValue?[0]
        #expect(error?["source"]?["pointer"]?.stringValue == pointer)
        #expect(error?["detail"]?.stringValue?.hasPrefix(detail) == true, "\(error?.compactText ?? "")")
        #expect(try mock.admin("GET", "/recordings/status") == ["status": "NeverStarted"])
    }

    @Test func aBodyThatCannotBeStoredIsTold() throws {
        _ = try Exchange(mock.port, "GET", "/a")
        let spec = #"{"filters": {"allowNonProxied": true}, "extractBodyCriteria": {"binarySizeThreshold": 0}}"#
        let refusal = try mock.admin("POST", "/recordings/snapshot", spec, status: 500)
        #expect(refusal["errors"]?.arrayValue?[0]["detail"]?.stringValue?.contains("read only") == true)
    }

    @Test func theAddressOfThePageLeadsToThePage() throws {
        let way = try Exchange(mock.port, "GET", "/__admin/recorder")
        #expect(way.status == 302)
        for path in ["/__admin/recorder/", "/__admin/recorder/index.html"] {
            let page = try Exchange(mock.port, "GET", path)
            #expect(page.status == 302 && page.header("Location") == "../ui/#/record")
        }
    }
}
