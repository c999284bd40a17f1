public import SDJSON

/// A fault of a session: a rule with a request pattern, which acts on whatever is answered; or one of its port or of its
/// connections. An addition to WireMock.
public struct SessionFault: Sendable, Hashable {
    /// The id by which it is removed; the session gives one to a fault without it.
    public var id: StubMapping.ID?
    /// A label.
    public var name: String?
    /// The requests whose answers it changes; all without a pattern.
    public var request = RequestPattern()
    /// The rule by which these answers change; nil for a fault of the port or of connections.
    public var rule: FaultRule?
    /// The fault of the port; nil for another fault.
    public var port: PortFault?
    /// The fault of connections; nil for another fault.
    public var connection: ConnectionFault?
    /// The fault as it was written.
    public private(set) var json = JSONObject()
    /// What was read of `serverName`, for the fault of connections.
    private var serverName: String?

    /// A fault of a session's own port.
    public enum PortFault: Sendable, Hashable {
        /// Resets that many connections as soon as they are made.
        case refuseNext(Int)
        /// The port is closed: connections are refused.
        case down
        /// Connections are made, and what comes on them is not read.
        case acceptAndStall
    }

    package static let portNames = ["refuseNext", "listener"]
    /// The keys that are about what comes before a request, beside which there is no pattern.
    package static let earlyNames = portNames + ConnectionFault.keys
    package static let ownNames = ["id", "name", "request", "serverName"] + earlyNames
    private static let example = "a fault, such as {request: {urlPath: /api}, cutAfter: 10, then: rst}"

    init() {}

    /// Reads one fault, or a list of them.
    /// - Throws: all problems.
    public static func read(json: JSONValue) throws(ModelProblems) -> [SessionFault] {
        var reader = ModelReader()
        let faults = readAll(json, &reader)
        guard reader.problems.isEmpty else { throw ModelProblems(reader.problems) }
        return faults
    }

    package static func readAll(_ json: JSONValue, _ reader: inout ModelReader) -> [SessionFault] {
        guard case .array(let elements) = json else { return read(json, &reader).map { [$0] } ?? [] }
        var faults: [SessionFault] = []
        if elements.isEmpty { reader.report(detail: nil, message: "no faults", expected: example) }
        for (index, element) in elements.enumerated() {
            reader.within(String(index)) { reader in
                if let fault = read(element, &reader) { faults.append(fault) }
            }
        }
        return faults
    }

    private static func read(_ json: JSONValue, _ reader: inout ModelReader) -> SessionFault? {
        guard case .object(let object) = json else {
            reader.report(detail: nil, message: "wrong type", expected: example, found: json.shortDescription)
            return nil
        }
        var fault = SessionFault()
        fault.json = object
        let known = reader.problems.count
        let rule = FaultRule.read(object, isOfStub: false, besides: ownNames, &reader)
        for member in object.members where ownNames.contains(member.key) {
            reader.within(member.key) { fault.read(member.key, member.value, &$0) }
        }
        if let name = object.keys.first(where: portNames.contains) {
            let others = object.keys.filter { $0 != name && $0 != "id" && $0 != "name" }
            for other in others {
                reader.reportName(
                    other, message: "\"\(name)\" is about the port, before there is a request",
                    expected: "a fault of its own for \"\(other)\"")
            }
        } else if fault.connection != nil {
            fault.readConnection(object, rule, &reader)
        } else {
            fault.rule = rule
            if let upload = object.keys.first(where: FaultRule.uploadNames.contains), rule.isAboutUploads {
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

    private mutating func read(_ key: String, _ value: JSONValue, _ reader: inout ModelReader) {
        switch key {
        case "id":
            id = value.stringValue.flatMap { StubMapping.id(text: $0) }
            if id == nil {
                reader.report(detail: nil, message: "not a UUID", expected: "a UUID", found: value.shortDescription)
            }
        case "name": name = reader.string(value)
        case "request": request = RequestPattern.read(value, &reader)
        case "serverName": serverName = ConnectionFault.readServerName(value, &reader)
        case "tls", "http2":
            // Of two the first counts, beside which the other is reported.
            if let kind = ConnectionFault.readKind(key, value, &reader), connection == nil {
                connection = ConnectionFault(kind: kind)
            }
        case "refuseNext":
            if let count = value.intValue, (1...1_000_000).contains(count) {
                port = .refuseNext(count)
            } else {
                reader.report(
                    detail: nil, message: "not valid here", expected: "a number of connections from 1",
                    found: value.shortDescription)
            }
        default:
            switch reader.choice(value, ["down", "acceptAndStall"]) {
            case "down": port = .down
            case "acceptAndStall": port = .acceptAndStall
            default: break
            }
        }
    }

    /// Takes the conditions of a fault of connections, and reports what cannot stand beside it.
    private mutating func readConnection(_ object: JSONObject, _ rule: FaultRule, _ reader: inout ModelReader) {
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
        connection?.serverName = serverName
        connection?.conditions = rule.conditions
    }

    /// Reports what cannot stand beside `readSlowly` or `neverRead`: anything about the answer, and a pattern that looks
    /// at the body, which is not there when its reading begins.
    private func checkUpload(_ name: String, _ object: JSONObject, _ reader: inout ModelReader) {
        for key in object.keys where key != name && !Self.ownNames.contains(key) {
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
    /// The name by which it is switched on and off.
    public var name: String
    /// The faults that are switched on together.
    public var faults: [SessionFault]

    /// Makes a set of faults.
    public init(name: String, faults: [SessionFault]) {
        self.name = name
        self.faults = faults
    }
}
