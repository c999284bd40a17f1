public import SDJSON

/// A fault of a session: a rule with a request pattern, which applies to all answers; or a fault of its port or
/// connections. An addition to WireMock.
public struct SessionFault: Sendable, Hashable {
    /// The id for its removal; the session assigns one if it is missing.
    public var id: StubMapping.ID?
    /// A label.
    public var name: String?
    /// The requests whose answers it affects; by default all.
    public var request = RequestPattern()
    /// The rule for these answers; nil for a fault of the port or of connections.
    public var rule: FaultRule?
    /// The fault of the port; nil for other faults.
    public var port: PortFault?
    /// The fault of connections; nil for other faults.
    public var connection: ConnectionFault?
    /// The fault of messages on WebSockets opened by matching requests; nil for other faults.
    public var messages: MessageFault?
    /// The fault as written.
    public private(set) var json = JSONObject()

    /// A fault of a session's own port.
    public enum PortFault: Sendable, Hashable {
        /// Resets that many connections as soon as they are accepted.
        case refuseNext(Int)
        /// The port is closed: connections are refused.
        case down
        /// Connections are accepted and never read.
        case acceptAndStall
    }

    package static let portNames = ["refuseNext", "listener"]
    /// The keys of faults that apply before a request, so that they exclude a pattern.
    package static let earlyNames = FaultDraft.earlyNames
    private static let example = "a fault, such as {request: {urlPath: /api}, cutAfter: 10, then: rst}"

    init() {}

    /// Reads a fault, or a list of faults.
    /// - Throws: all problems.
    public static func read(json: JSONValue) throws(ModelProblems) -> [SessionFault] {
        var reader = ModelReader()
        let faults = readAll(json, &reader)
        guard reader.problems.isEmpty else { throw ModelProblems(reader.problems) }
        return faults
    }

    package static func readAll(_ json: JSONValue, _ reader: inout ModelReader) -> [SessionFault] {
        guard case .array(let elements) = json else { return read(json, &reader).map { [$0] } ?? [] }
        if elements.isEmpty { reader.report(detail: nil, message: "no faults", expected: example) }
        return reader.elements(elements, read)
    }

    private static func read(_ json: JSONValue, _ reader: inout ModelReader) -> SessionFault? {
        guard let object = reader.fields(json, example) else { return nil }
        let known = reader.problems.count
        var draft = FaultDraft()
        let names = DialectNames.sessionFault.filter { $0 != "route" }
        draft.read(object, names, &reader)
        let isOther = object["messages"] != nil || earlyNames.contains { object[$0] != nil }
        let rule = draft.rule(object, mayDoNothing: isOther || reader.problems.count > known, &reader)
        var fault = SessionFault()
        fault.json = object
        fault.id = draft.id
        fault.name = draft.name
        fault.request = draft.request ?? RequestPattern()
        fault.port = draft.listener ?? draft.refuseNext.map { .refuseNext($0) }
        if object["messages"] != nil {
            fault.messages = draft.messages
            checkMessages(object, &reader)
        } else if let name = object.keys.first(where: portNames.contains) {
            let others = object.keys.filter { $0 != name && $0 != "id" && $0 != "name" }
            for other in others {
                reader.reportName(
                    other, message: "\"\(name)\" is about the port, before there is a request",
                    expected: "a fault of its own for \"\(other)\"")
            }
        } else if let kind = draft.tls.map(ConnectionFault.Kind.tls) ?? draft.http2.map(ConnectionFault.Kind.http2) {
            fault.connection = ConnectionFault(
                kind: kind, serverName: draft.serverName, conditions: rule.conditions)
            fault.checkConnection(object, rule, &reader)
        } else {
            fault.rule = rule
            if let upload = object.keys.first(where: FaultDraft.uploadNames.contains), rule.isAboutUploads {
                fault.checkUpload(upload, object, &reader)
            }
            if object["serverName"] != nil {
                reader.reportName(
                    "serverName", message: "\"serverName\" without \"tls\" or \"http2\"",
                    expected: "one of them beside it, or the host in a pattern: request: {host: …}")
            }
        }
        return reader.problems.count == known ? fault : nil
    }

    /// Reports members that exclude a fault of messages.
    private static func checkMessages(_ object: JSONObject, _ reader: inout ModelReader) {
        for other in object.keys where !["id", "name", "request", "messages"].contains(other) {
            let isOfMessages = DialectNames.messageFault.contains(other)
            reader.reportName(
                other, message: "\"messages\" is about messages, and no answer",
                expected: isOfMessages ? "\(other) within messages" : "a fault of its own for \"\(other)\"")
        }
    }

    /// Reports members that exclude a fault of connections.
    private func checkConnection(_ object: JSONObject, _ rule: FaultRule, _ reader: inout ModelReader) {
        guard let name = connection?.key else { return }
        let others = ["id", "name", "serverName", "first", "between", "probability"]
        for other in object.keys where other != name && !others.contains(other) {
            reader.reportName(
                other, message: "\"\(name)\" is about the connection, before there is a request",
                expected: "a fault of its own for \"\(other)\"")
        }
        if rule.conditions.firstPer != nil {
            reader.within("first") {
                $0.reportName(
                    "perHeader", message: "\"\(name)\" is about the connection, before there are headers",
                    expected: "a number of connections")
            }
        }
    }

    /// Reports members that exclude `readSlowly` and `neverRead`: anything about the answer, and a pattern for the
    /// body, which is not yet known when its reading begins.
    private func checkUpload(_ name: String, _ object: JSONObject, _ reader: inout ModelReader) {
        for key in object.keys where key != name && !FaultDraft.ownNames.contains(key) {
            reader.reportName(
                key, message: "\"\(name)\" is decided before there is an answer",
                expected: "a fault of its own for \"\(key)\"")
        }
        let parts: [(String, Bool)] = [
            ("bodyPatterns", !request.bodyPatterns.isEmpty), ("formParameters", !request.formParameters.isEmpty),
            ("multipartPatterns", !request.multipartPatterns.isEmpty),
        ]
        for (part, isUsed) in parts where isUsed {
            reader.within("request") {
                $0.reportName(
                    part, message: "\"\(name)\" is decided before the body is read",
                    expected: "a pattern of the head alone: method, URL, query, headers, cookies")
            }
        }
    }
}

/// A named set of session faults, from a file.
public struct FaultSet: Sendable, Hashable {
    /// The name for switching it on and off.
    public var name: String
    /// The faults of the set.
    public var faults: [SessionFault]

    /// Makes a set of faults.
    public init(name: String, faults: [SessionFault]) {
        self.name = name
        self.faults = faults
    }
}
