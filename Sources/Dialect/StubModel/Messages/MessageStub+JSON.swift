public import SDJSON

extension MessageStub {
    /// Reads a message stub. Without an id it gets a random one.
    /// - Throws: all problems, in document order.
    public init(json: JSONValue) throws(ModelProblems) {
        var reader = ModelReader()
        let stub = Self.read(json, &reader)
        guard reader.problems.isEmpty else { throw ModelProblems(reader.problems) }
        self = stub
    }

    package static func read(_ value: JSONValue, _ reader: inout ModelReader) -> MessageStub {
        var stub = MessageStub()
        guard case .object(let object) = value else {
            reader.reportMismatch(value, .messageStub, expected: "a message stub, an object")
            return stub
        }
        stub.readMembers(of: object, &reader)
        if stub.name?.isEmpty == true { stub.name = nil }
        stub.checkScript(&reader)
        if stub.id == StubMapping.noID { stub.id = reader.derivedID ?? StubMapping.randomID() }
        return stub
    }

    /// The id in WireMock's notation.
    public var idText: String { id.lowercasedString }

    /// The channels or requests on which it acts, in route notation: `WS /chat`.
    public var key: String {
        switch trigger {
        case .message(let channel, let message): Self.key(channel, message?.channel)
        case .open(let channel, _, _), .interval(_, let channel): Self.key(channel, nil)
        case .httpStub: "the stub that it is bound to"
        case .httpRequest(let pattern): (pattern ?? RequestPattern()).routeKey
        }
    }

    private static func key(_ channel: ChannelPattern?, _ request: RequestPattern?) -> String {
        if case .fixed(let provider, _)? = channel { return "fixed channels" + (provider.map { " of \($0)" } ?? "") }
        return "WS " + (channel?.request ?? request ?? RequestPattern()).routeKey.drop { $0 != " " }.dropFirst()
    }

    /// Reads metadata. Like WireMock, drops null and an empty object.
    static func readMetadata(_ value: JSONValue, _ reader: inout ModelReader) -> JSONObject? {
        guard let object = reader.object(value, .messageMetadata) else { return nil }
        let kept = withoutNulls(.object(object)).objectValue
        return kept?.isEmpty == false ? kept : nil
    }

    private static func withoutNulls(_ value: JSONValue) -> JSONValue {
        switch value {
        case .object(let object):
            .object(JSONObject(object.members.filter { !$0.value.isNull }.map { ($0.key, withoutNulls($0.value)) }))
        case .array(let elements): .array(elements.map(withoutNulls))
        default: value
        }
    }
}

extension JavaClass {
    fileprivate static let messageMetadata = JavaClass(
        "java.util.LinkedHashMap", generic: "java.util.LinkedHashMap<java.lang.String,java.lang.Object>", isMap: true)
}

extension MessageTrigger {
    package static func read(_ value: JSONValue, _ reader: inout ModelReader) -> MessageTrigger? {
        if value.isNull { return nil }
        guard case .object(let object) = value else {
            reader.reportMismatch(value, .onMessage, expected: "an object such as {\"type\": \"message\"}")
            return nil
        }
        // As in WireMock, any type other than null counts as a message.
        if object["type"]?.isNull == true {
            reader.reportUnknown("type", in: .onMessage, valid: kinds)
            return nil
        }
        let named = object["type"]?.stringValue
        let kind = named.flatMap { kinds.contains($0) ? $0 : nil } ?? kinds[0]
        if let type = object["type"], type.stringValue != kind {
            let meant = named.flatMap { reader.nearest($0, kinds) }
            reader.warn(
                "no trigger has this type: it acts on messages", expected: "one of \(kinds.joined(separator: ", "))",
                suggestion: meant, name: "type")
        }
        let required = ["http-stub": ["stubId"], "http-request": ["requestPattern"]]
        guard reader.requires(required[kind] ?? [], in: object) else { return nil }
        return read(object, kind, &reader)
    }

    func checked(_ reader: inout ModelReader) -> MessageTrigger {
        if case .interval(0, _) = self { reader.within("every") { $0.refuseInterval() } }
        return self
    }
}

extension MessagePattern {
    /// Reads a separate message pattern, as in journal queries.
    /// - Throws: all problems.
    public init(json: JSONValue) throws(ModelProblems) {
        var reader = ModelReader()
        let pattern = Self.read(json, &reader)
        if json.isNull { reader.refuse("the pattern is null", expected: "an object such as {}", found: "null") }
        guard reader.problems.isEmpty else { throw ModelProblems(reader.problems) }
        self = pattern ?? MessagePattern()
    }

    package static func read(_ value: JSONValue, _ reader: inout ModelReader) -> MessagePattern? {
        guard let object = reader.object(value, .messagePattern) else { return nil }
        var pattern = MessagePattern()
        pattern.readMembers(of: object, &reader)
        return pattern
    }
}

extension ChannelPattern {
    package static func read(_ value: JSONValue, _ reader: inout ModelReader) -> ChannelPattern? {
        if value.isNull { return nil }
        let found = reader.kind(
            of: value, among: kinds, .channelPattern, property: "channel", "a pattern of channels")
        return found.flatMap { read($0.object, $0.kind, &reader) }
    }

    func checked(_ reader: inout ModelReader) -> ChannelPattern { self }

    /// The pattern of the opening request of a channel.
    package var request: RequestPattern? {
        if case .websocket(let request) = self { request } else { nil }
    }
}

extension ChannelTarget {
    package static func read(_ value: JSONValue, _ reader: inout ModelReader) -> ChannelTarget? {
        if value.isNull { return nil }
        let found = reader.kind(
            of: value, among: kinds, additions: ["room"], .channelTarget, property: "channelTarget", "a target")
        guard let (object, kind) = found else { return nil }
        if kind == "fixed-channel", !reader.requires(["providerName", "channelName"], in: object) { return nil }
        return read(object, kind, &reader)
    }

    func checked(_ reader: inout ModelReader) -> ChannelTarget { self }
}

extension MessageAction {
    static func readList(_ value: JSONValue, _ reader: inout ModelReader) -> [MessageAction] {
        guard let elements = reader.array(value, elementOf: JavaClass.messageAction.name) else { return [] }
        return reader.elements(elements) { read($0, &$1) }
    }

    private static func read(_ value: JSONValue, _ reader: inout ModelReader) -> MessageAction? {
        let found = reader.kind(
            of: value, among: Kind.allCases.map(\.rawValue), additions: ["close", "echo"], .messageAction,
            property: "actions", "an action")
        guard let (object, name) = found, let kind = Kind(rawValue: name) else { return nil }
        if kind == .send, !reader.requires(["message"], in: object) { return nil }
        var action = MessageAction()
        action.kind = kind
        action.readMembers(of: object, &reader)
        action.checkKind(&reader)
        return action
    }

    static func readParameters(_ value: JSONValue, _ reader: inout ModelReader) -> JSONObject? {
        reader.object(value, .parameters).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Reads a channel type: all channels opened by requests are WebSockets.
    static func readChannelType(_ value: JSONValue, _ reader: inout ModelReader) -> String? {
        guard let type = reader.string(value) else { return nil }
        if type != "websocket" { reader.warn("no channel that requests open has this type", expected: "websocket") }
        return type == "fixed" ? type : "websocket"
    }

    /// The JSON from which it is read.
    public var json: JSONValue {
        var object: JSONObject = ["type": .string(kind.rawValue)]
        for member in members.members { object[member.key] = member.value }
        return .object(object)
    }
}

extension MessageDefinition {
    /// Reads a separate message.
    /// - Throws: all problems.
    public init(json: JSONValue) throws(ModelProblems) {
        var reader = ModelReader()
        let definition = Self.read(json, &reader)
        guard reader.problems.isEmpty else { throw ModelProblems(reader.problems) }
        self = definition ?? MessageDefinition()
    }

    package static func read(_ value: JSONValue, _ reader: inout ModelReader) -> MessageDefinition? {
        var definition = MessageDefinition()
        if let text = value.stringValue {
            definition.body = MessageBody(text: text)
            return definition
        }
        guard let object = reader.object(value, .messageDefinition) else { return nil }
        definition.readMembers(of: object, &reader)
        return definition
    }
}
