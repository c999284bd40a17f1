import SDHTTPMessages
import SDHTTPTransport
import SDJSON
import SDJournal
import SDMockEngine
import SDStubFiles
import SDStubModel
import SDStubs

/// `/__admin/mappings/validate`: what would become of stubs that are not added yet. An addition to WireMock's admin API.
enum ValidationRoutes {
    static let all: [AdminRoute] = [
        AdminRoute("POST", "/mappings/validate", validate).matching.query("id")
    ]

    /// The most requests without an answer that are looked at, and the most that are listed.
    private static let mostLooked = 200
    private static let mostAnswers = 50

    private static func validate(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        let id = try edited(call)
        let check = try StubCheck(call, inPlaceOf: id)
        let session = call.session
        let answers = session.unanswered(that: check.drafts, looked: mostLooked, most: mostAnswers)
        var json: JSONObject = [
            "valid": .bool(check.isValid),
            "problems": .array(check.problems.map(\.problemJSON)),
            "stubs": .array(check.stubs.map { $0.json(view: .api) }),
            "answers": .array(answers.map { answer($0, session) }),
            "hides": .array(check.hidden.map { .object($0.json) }),
            "hiddenBy": .array(check.hiding.map { .object($0.json) }),
        ]
        switch file(check, call) {
        case .success(let file): json["file"] = file
        case .failure(let error):
            json["file"] = .null
            if !check.stubs.isEmpty { json["notSaved"] = .string(error.message) }
        }
        if !check.stubs.isEmpty { json["paste"] = .string(StubFileText.yaml(check.stubs)) }
        return .json(.object(json))
    }

    /// The stub that is to be edited; nil for new ones.
    private static func edited(_ call: AdminCall) throws(AdminError) -> StubMapping.ID? {
        guard let text = call.query["id"], !text.isEmpty else { return nil }
        guard let id = StubMapping.id(text: text) else {
            throw .invalidParameter("id", found: text, expected: "the id of a stub")
        }
        guard call.session.stub(id) != nil else { throw .notFound }
        return id
    }

    private static func answer(_ event: ServeEvent, _ session: Session) -> JSONValue {
        [
            "id": .string(session.eventIDs.text(event.sequence)),
            "method": .string(String(decoding: event.request.method, as: UTF8.self)),
            "url": .string(session.redaction.url(of: event.request)),
        ]
    }

    /// Where a save would write, and the text of that file before and after it.
    private static func file(_ check: StubCheck, _ call: AdminCall) -> Result<JSONValue, StubStoreError> {
        Result { () throws(StubStoreError) in
            guard check.stubs.count == 1, let stub = check.stubs.first else {
                throw StubStoreError(message: "each of several stubs is saved in a file of its own")
            }
            if let obstacle = call.daemon.folderAccess?.obstacle { throw StubStoreError(message: obstacle) }
            let (write, line) = try call.session.plannedSave(of: stub)
            var json: JSONObject = ["path": .string(write.file)]
            json["line"] = line.map { number($0) }
            json["before"] = write.before.map { .string($0) } ?? .null
            json["after"] = .string(write.after)
            return .object(json)
        }
    }
}

extension FileDiagnostic {
    /// The problem without the name of its file.
    fileprivate var problemJSON: JSONValue {
        guard case .object(var object) = json else { return json }
        for name in ["file", "keyPath"] { object[name] = nil }
        return .object(object)
    }
}
