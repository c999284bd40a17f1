import SDBasics
import SDHTTPMessages
import SDHTTPTransport
import SDJSON
import SDJournal
import SDMockEngine
import SDPlatform
import SDStubFiles
import SDStubModel
import SDStubs

/// `/__admin/mappings/validate`: checks stubs without adding them. An addition to WireMock's admin API.
enum ValidationRoutes {
    static let all: [AdminRoute] = [
        AdminRoute("POST", "/mappings/validate", later: validate).matching.own.query("id", "newId")
    ]

    /// The maximum number of unmatched requests that are tried, and that are listed.
    private static let maxLooked = 200
    private static let maxAnswers = 50
    /// The maximum number of files whose texts are shown.
    private static let maxFiles = 50
    /// The maximum size of a body in bytes: parsing it cannot be interrupted.
    private static let largestBody = 8 << 20

    private static func validate(_ call: AdminCall) throws(AdminError) -> AdminAnswer {
        let id = try edited(call)
        let newID = try newID(call)
        let text = try call.text()
        guard text.count <= largestBody else {
            let title = "At most \(largestBody >> 20) MiB are checked at once: send the stubs in parts"
            throw AdminError(413, ErrorDocument(code: 10, title: title))
        }
        return .later { reply in
            // Runs off the loop, which reports if the client disconnects.
            let client = CheckLimits.Client()
            let held = reply.hold()
            held.whenOver(client.leave)
            let response = PlainResponse.json(
                answer(text, call, inPlaceOf: id, newID, CheckLimits(call.session.newBudget, client)))
            held.answer { response }
        }
    }

    private static func answer(
        _ text: [UInt8], _ call: AdminCall, inPlaceOf id: StubMapping.ID?, _ newID: StubMapping.ID,
        _ limits: CheckLimits
    ) -> JSONValue {
        let session = call.session
        let redaction = session.redaction
        let check = StubCheck(text, of: call, inPlaceOf: id, newID: newID, limits)
        let answers = session.unanswered(
            that: check.drafts, looked: maxLooked, most: maxAnswers, limits.budget, while: limits.goesOn)
        if !check.drafts.isEmpty { limits.note("the requests that nothing answered") }
        if limits.hasClientLeft { return .null }
        var json: JSONObject = [
            "valid": .bool(check.isValid),
            "problems": redaction.redacted(.array(check.problems.map(\.problemJSON))),
            // The stubs as sent by the caller.
            "stubs": .array(check.stubs.map { $0.json(view: .api) }),
            "newId": .string(newID.lowercasedString),
            "answers": .array(answers.map { answer($0, session) }),
            "hides": .array(check.hidden.map { .object(redaction.redacted($0).json) }),
            "hiddenBy": .array(check.hiding.map { .object(redaction.redacted($0).json) }),
        ]
        json["incomplete"] = limits.text.map { .string($0) }
        addFiles(of: check, call, to: &json)
        json["paste"] = paste(check, inPlaceOf: id, session).map { .string($0) }
        return .object(json)
    }

    /// The stub to edit; nil for new ones.
    private static func edited(_ call: AdminCall) throws(AdminError) -> StubMapping.ID? {
        guard let text = call.query["id"], !text.isEmpty else { return nil }
        guard let id = StubMapping.id(text: text) else {
            throw .invalidParameter("id", found: text, expected: "the id of a stub")
        }
        guard call.session.stub(id) != nil else { throw .notFound }
        return id
    }

    /// The seed for the ids of new stubs.
    private static func newID(_ call: AdminCall) throws(AdminError) -> StubMapping.ID {
        guard let text = call.query["newId"], !text.isEmpty else { return StubMapping().id }
        guard let id = StubMapping.id(text: text) else {
            throw .invalidParameter("newId", found: text, expected: "the newId of an answer before")
        }
        return id
    }

    private static func answer(_ event: ServeEvent, _ session: Session) -> JSONValue {
        [
            "id": .string(session.eventIDs.text(event.sequence)),
            "method": .string(String(decoding: event.request.method, as: UTF8.self)),
            "url": .string(session.redaction.url(of: event.request)),
        ]
    }

    // MARK: Files

    /// Adds the files that a save would write, with their texts before and after.
    private static func addFiles(of check: StubCheck, _ call: AdminCall, to json: inout JSONObject) {
        json["file"] = .null
        guard !check.stubs.isEmpty else { return }
        do throws(StubStoreError) {
            if let obstacle = call.daemon.folderAccess?.obstacle { throw StubStoreError(message: obstacle) }
            var files: [JSONValue] = []
            for stub in check.stubs.prefix(maxFiles) { files.append(try file(of: stub, call)) }
            if check.stubs.count == 1 { json["file"] = files[0] }
            json["files"] = .array(files)
        } catch {
            json["notSaved"] = .string(error.message)
        }
    }

    private static func file(of stub: StubMapping, _ call: AdminCall) throws(StubStoreError) -> JSONValue {
        let redaction = call.session.redaction
        let (write, line) = try call.session.plannedSave(of: stub)
        var json: JSONObject = ["path": .string(redaction.redactedURL(write.file))]
        json["line"] = line.map { number($0) }
        json["before"] = write.before.map { .string(redaction.redacted(file: $0)) } ?? .null
        json["after"] = .string(redaction.redacted(file: write.after))
        return .object(json)
    }

    /// The stubs as text to paste: in place of the replaced one, or into a file.
    private static func paste(_ check: StubCheck, inPlaceOf id: StubMapping.ID?, _ session: Session) -> String? {
        guard let stub = check.stubs.first else { return nil }
        guard let id, check.stubs.count == 1, let place = session.place(of: id),
            let text = StubReplacementText(place.text, line: place.line)
        else { return StubFileText.yaml(check.stubs) }
        return text.text(of: stub, inPlaceOf: place.stub, among: place.stubs.map { $0.id == id ? stub : $0 })
    }
}

extension FileDiagnostic {
    /// The problem without its file name.
    fileprivate var problemJSON: JSONValue {
        guard case .object(var object) = json else { return json }
        for name in ["file", "keyPath"] { object[name] = nil }
        return .object(object)
    }
}
