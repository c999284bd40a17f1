import SDHTTPMessages
import SDJSON
import SDJournal
import SDLinting
import SDMatching
import SDMockEngine
import SDStubModel

/// `/__admin/faults`: a session's faults, and the fault sets of files. An addition to WireMock's admin API.
enum FaultRoutes {
    static let all: [AdminRoute] = [
        AdminRoute("GET", "/faults", list).ofAll(adding: "acted"),
        AdminRoute("POST", "/faults", later: add),
        AdminRoute("DELETE", "/faults", later: removeAll).changingJournal,
        AdminRoute("GET", "/faults/{id}", get).ofAll(adding: "acted"),
        AdminRoute("DELETE", "/faults/{id}", later: remove).changingJournal,
        AdminRoute("PUT", "/faults/sets/{name}", later: switchOn).changingJournal,
        AdminRoute("DELETE", "/faults/sets/{name}", later: switchOff).changingJournal,
    ]

    private static func list(_ call: AdminCall) -> PlainResponse {
        let (faults, redaction) = (call.session.faults, call.session.redaction)
        let isOn = Set(faults.compactMap(\.fault.set))
        return .json([
            "faults": .array(faults.map { redaction.redacted($0.fault.json(acted: $0.acted)) }),
            "sets": .array(
                call.session.faultSets.map { set, file in
                    ["name": .string(set.name), "file": .string(file), "isOn": .bool(isOn.contains(set.name))]
                }),
            "meta": ["total": number(faults.count)],
        ])
    }

    private static func get(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        let id = try call.id()
        guard let found = call.session.faults.first(where: { $0.fault.id == id }) else { throw .notFound }
        return .json(call.session.redaction.redacted(found.fault.json(acted: found.acted)))
    }

    // MARK: Adding

    private static func add(_ call: AdminCall) throws(AdminError) -> AdminAnswer {
        let json = try call.json()
        if case .object(let object) = json, object.count == 1, let name = object["chaos"]?.stringValue {
            return try add(try set(name, call).faults, of: name, call, status: 201)
        }
        let isList = json.arrayValue != nil
        var reader = ModelReader(warns: true, rejectsIneffective: true)
        let faults = SessionFault.readAll(json, &reader)
        var warnings = CallWarnings(reader.warnings)
        for (index, fault) in faults.enumerated() where reader.problems.isEmpty {
            let path = (isList ? [String(index)] : []) + ["request"]
            for finding in PatternLint.findings(in: fault.request, at: path) {
                if finding.code.isNeverMeant { reader.report(finding.problem) } else { warnings.add([finding.problem]) }
            }
        }
        guard reader.problems.isEmpty else { throw AdminError(422, ErrorDocument(ModelProblems(reader.problems))) }
        return try add(faults, of: nil, call, isList: isList, status: 201, warnings)
    }

    private static func switchOn(_ call: AdminCall) throws(AdminError) -> AdminAnswer {
        let name = call.parameters["name"] ?? ""
        return try add(try set(name, call).faults, of: name, call, status: 200)
    }

    private static func set(_ name: String, _ call: AdminCall) throws(AdminError) -> FaultSet {
        let sets = call.session.faultSets.map(\.set)
        if let set = sets.first(where: { $0.name == name }) { return set }
        let names = sets.isEmpty ? "there are none" : "there are \(sets.map(\.name).joined(separator: ", "))"
        throw AdminError(404, ErrorDocument(code: 10, title: "There is no set of faults `\(name)`; \(names)"))
    }

    private static func add(
        _ faults: [SessionFault], of set: String?, _ call: AdminCall, isList: Bool = true, status: Int,
        _ warnings: CallWarnings = CallWarnings()
    ) throws(AdminError) -> AdminAnswer {
        let session = call.session
        if !session.hasPort, let index = faults.firstIndex(where: { $0.port != nil }) {
            let title = "The session has no port of its own, which this fault is about"
            throw AdminError(
                422, ErrorDocument(code: 10, pointer: isList ? "/\(index)" : "/", title: title))
        }
        let added: [ActiveFault]
        do throws(FaultRefusal) {
            added = try session.addFaults(faults, set: set)
        } catch {
            throw AdminError(error, isList: isList)
        }
        var warnings = warnings
        warnings.add(vain(faults, call, isList: isList))
        call.log(warnings)
        let redaction = session.redaction
        let json: JSONValue = ["faults": .array(added.map { redaction.redacted($0.json(acted: 0)) })]
        return answer(call, PlainResponse.json(json, status: status).adding(warnings.headers))
    }

    /// Warnings about TLS faults that no client can trigger.
    private static func vain(_ faults: [SessionFault], _ call: AdminCall, isList: Bool) -> [ModelProblem] {
        guard !call.options.servesHTTPS, !call.session.hasSecuredPort else { return [] }
        return faults.enumerated().compactMap { index, fault in
            guard case .tls? = fault.connection?.kind else { return nil }
            return ModelProblem(
                pointer: JSONPointer((isList ? [String(index)] : []) + ["tls"]),
                message: "there is no port for HTTPS, so this has no effect",
                expected: "a daemon with --https-port or --tls auto, or a session with an httpsPort")
        }
    }

    // MARK: Removing

    private static func removeAll(_ call: AdminCall) -> AdminAnswer {
        answer(call, removed: call.session.removeFaults { _ in true })
    }

    private static func remove(_ call: AdminCall) throws(AdminError) -> AdminAnswer {
        let id = try call.id()
        let removed = call.session.removeFaults { $0.id == id }
        guard !removed.isEmpty else { throw .notFound }
        return answer(call, removed: removed)
    }

    private static func switchOff(_ call: AdminCall) -> AdminAnswer {
        let name = call.parameters["name"]
        return answer(call, removed: call.session.removeFaults { $0.set == name })
    }

    private static func answer(_ call: AdminCall, removed: [ActiveFault]) -> AdminAnswer {
        answer(call, .json(["removed": number(removed.count)]))
    }

    /// Answers once the session's port reflects its faults.
    private static func answer(_ call: AdminCall, _ response: PlainResponse) -> AdminAnswer {
        guard call.session.hasPort else { return .now(response) }
        return .later { reply in
            let owed = OneShotReply(reply)
            call.session.applyPortFaults { problem in
                owed.answer(problem.map { AdminError($0).response } ?? response)
            }
        }
    }
}

extension ActiveFault {
    /// The fault as written, with its id, its set, and how often it was applied.
    func json(acted: Int) -> JSONValue {
        var json = JSONObject()
        json["id"] = .string(id.lowercasedString)
        for member in fault.json.members where member.key != "id" { json[member.key] = member.value }
        json["set"] = set.map { .string($0) }
        json["acted"] = number(acted)
        return .object(json)
    }
}

extension AppliedFault {
    /// The fault in a serve event.
    var json: JSONValue {
        var json: JSONObject = ["fault": .string(name)]
        json["rule"] = label.map { .string($0) }
        json["then"] = then.map { .string($0) }
        if !offsets.isEmpty { json["at"] = .array(offsets.map { number($0) }) }
        if count > offsets.count, !offsets.isEmpty { json["count"] = number(count) }
        return .object(json)
    }
}

extension AdminError {
    fileprivate init(_ refusal: FaultRefusal, isList: Bool) {
        switch refusal {
        case .unserved(let index, let problems):
            self.init(.unserved(StubMapping.noID, problems), below: JSONPointer(isList ? [String(index)] : []))
        case .duplicateID(let id):
            let title = "There is a fault with the id \(id.lowercasedString) already"
            self.init(422, ErrorDocument(code: 109, pointer: "/id", title: title))
        case .tooMany(let most):
            self.init(422, ErrorDocument(code: 10, title: "A session has \(most) faults at most"))
        }
    }

    fileprivate init(_ problem: PortProblem) {
        let title = "The session's port could not be opened again"
        self.init(409, ErrorDocument(code: 50, title: title, detail: problem.message))
    }
}
