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

/// `/__admin/mappings/validate`: what would become of stubs that are not added yet. An addition to WireMock's admin API.
enum ValidationRoutes {
    static let all: [AdminRoute] = [
        AdminRoute("POST", "/mappings/validate", later: validate).matching.own.query("id", "newId")
    ]

    /// The most requests without an answer that are looked at, and the most that are listed.
    private static let mostLooked = 200
    private static let mostAnswers = 50
    /// The most files whose texts are shown.
    private static let mostFiles = 50
    /// The most bytes of a body, which nothing interrupts the reading of.
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
            // Runs beside the loop, which tells if the client leaves meanwhile.
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
            that: check.drafts, looked: mostLooked, most: mostAnswers, limits.budget, while: limits.goesOn)
        if !check.drafts.isEmpty { limits.note("the requests that nothing answered") }
        if limits.hasClientLeft { return .null }
        var json: JSONObject = [
            "valid": .bool(check.isValid),
            "problems": redaction.shown(.array(check.problems.map(\.problemJSON))),
            // What the caller has sent.
            "stubs": .array(check.stubs.map { $0.json(view: .api) }),
            "newId": .string(newID.lowercasedString),
            "answers": .array(answers.map { answer($0, session) }),
            "hides": .array(check.hidden.map { .object(redaction.shown($0).json) }),
            "hiddenBy": .array(check.hiding.map { .object(redaction.shown($0).json) }),
        ]
        json["incomplete"] = limits.text.map { .string($0) }
        addFiles(of: check, call, to: &json)
        json["paste"] = paste(check, inPlaceOf: id, session).map { .string($0) }
        return .object(json)
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

    /// What the ids of new stubs are made of.
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

    /// Adds where a save would write, and the texts of these files before and after it.
    private static func addFiles(of check: StubCheck, _ call: AdminCall, to json: inout JSONObject) {
        json["file"] = .null
        guard !check.stubs.isEmpty else { return }
        do throws(StubStoreError) {
            if let obstacle = call.daemon.folderAccess?.obstacle { throw StubStoreError(message: obstacle) }
            var files: [JSONValue] = []
            for stub in check.stubs.prefix(mostFiles) { files.append(try file(of: stub, call)) }
            if check.stubs.count == 1 { json["file"] = files[0] }
            json["files"] = .array(files)
        } catch {
            json["notSaved"] = .string(error.message)
        }
    }

    private static func file(of stub: StubMapping, _ call: AdminCall) throws(StubStoreError) -> JSONValue {
        let redaction = call.session.redaction
        let (write, line) = try call.session.plannedSave(of: stub)
        var json: JSONObject = ["path": .string(redaction.shownURL(write.file))]
        json["line"] = line.map { number($0) }
        json["before"] = write.before.map { .string(redaction.shown(file: $0)) } ?? .null
        json["after"] = .string(redaction.shown(file: write.after))
        return .object(json)
    }

    /// The stubs as a text to be pasted: in the place of the one that they are to replace, or into a file.
    private static func paste(_ check: StubCheck, inPlaceOf id: StubMapping.ID?, _ session: Session) -> String? {
        guard let stub = check.stubs.first else { return nil }
        guard let id, check.stubs.count == 1, let place = session.place(of: id),
            let text = StubPlaceText(place.text, line: place.line)
        else { return StubFileText.yaml(check.stubs) }
        return text.text(of: stub, inPlaceOf: place.stub, among: place.stubs.map { $0.id == id ? stub : $0 })
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
