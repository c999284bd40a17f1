import SDBasics
import SDJSON
import SDStubModel

/// A step on a WebSocket: `{ send: [hello, again], to: room }`. It becomes one or more actions.
struct RouteStep {
    /// Actions, and their sources in the document.
    struct Script {
        var actions: [MessageAction] = []
        var sources: [StubOrigin.Source] = []
    }

    private var echoes: JSONPointer?
    private var messages: [(MessageDefinition, place: JSONPointer)] = []
    private var closing: (MessageAction, place: JSONPointer)?
    private var target = ChannelTarget.originating
    private var further: [RouteStep] = []
    /// The target and timing of its messages.
    private var delivery = MessageAction()

    private static let expected = "what is done, such as {send: hello}, or a list of such steps"

    /// Reads a step, or a list of steps, as actions.
    /// - Parameter path: the path of the action list in the stub.
    static func script(_ value: JSONValue, at path: [String], _ reader: inout ModelReader) -> Script {
        Self.script(read(value, &reader), at: path)
    }

    func script(at path: [String]) -> Script { Self.script([self], at: path) }

    private static func script(_ steps: [RouteStep], at path: [String]) -> Script {
        var script = Script()
        for (action, place) in steps.flatMap(\.actions) {
            let pointer = JSONPointer(path + [String(script.actions.count)])
            script.sources.append(StubOrigin.Source(pointer: pointer, place: place, keepsRest: false))
            script.actions.append(action)
        }
        return script
    }

    private static func read(_ value: JSONValue, _ reader: inout ModelReader) -> [RouteStep] {
        if case .array(let elements) = value {
            return reader.elements(elements) { readOne($0, &$1) }
        }
        return readOne(value, &reader).map { [$0] } ?? []
    }

    private static func readOne(_ value: JSONValue, _ reader: inout ModelReader) -> RouteStep? {
        if let text = value.stringValue {
            reader.report(
                detail: nil, message: "wrong type", expected: expected, found: value.shortDescription,
                suggestion: text.isEmpty ? nil : "{ send: \(JSONValue.string(text).inRoutes) }")
            return nil
        }
        guard let object = reader.fields(value, expected) else { return nil }
        var step = RouteStep()
        for member in object.members {
            reader.key(member, of: DialectNames.messageStep, otherNames: DialectNames.messageStepAliases) {
                step.read(member, &$0)
            }
        }
        return step
    }

    /// Reads a member at its path.
    mutating func read(_ member: JSONObject.Member, _ reader: inout ModelReader) {
        let value = member.value
        switch member.key {
        case "send": messages = Self.messages(value, &reader)
        case "echo": if reader.bool(value) == true { echoes = reader.place }
        case "close": closing = Self.closing(value, &reader).map { ($0, reader.place) }
        case "to": target = Self.target(value, &reader)
        case "do": further = Self.read(value, &reader)
        default:
            if let index = MessageAction.names.firstIndex(of: member.key) { delivery.readMember(index, value, &reader) }
        }
    }

    private var actions: [(MessageAction, place: JSONPointer)] {
        var actions: [(MessageAction, place: JSONPointer)] = []
        if let echoes { actions.append((MessageAction(.echo, to: target), echoes)) }
        for (message, place) in messages {
            var action = MessageAction(.send, to: target)
            action.message = message
            actions.append((action, place))
        }
        if var closing {
            closing.0.channelTarget = target
            actions.append(closing)
        }
        for index in actions.indices {
            actions[index].0.delay = index == 0 ? delivery.delay : nil
            actions[index].0.hold = index == 0 ? delivery.hold : nil
            actions[index].0.gap = delivery.gap
            actions[index].0.fault = delivery.fault
        }
        return actions + further.flatMap(\.actions)
    }

    // MARK: Messages

    private static func messages(
        _ value: JSONValue, _ reader: inout ModelReader
    ) -> [(MessageDefinition, place: JSONPointer)] {
        guard case .array(let elements) = value else { return message(value, &reader).map { [$0] } ?? [] }
        if elements.isEmpty {
            reader.report(detail: nil, message: "no message", expected: "a message, or a list of at least one")
        }
        return reader.elements(elements) { message($0, &$1) }
    }

    private static func message(
        _ value: JSONValue, _ reader: inout ModelReader
    ) -> (MessageDefinition, place: JSONPointer)? {
        var definition = MessageDefinition()
        guard case .object(let object) = value else {
            guard !value.isNull, value.arrayValue == nil, let text = reader.text(value) else {
                reader.wantsText(value)
                reader.report(
                    detail: nil, message: "no message",
                    expected: "a text, or an object such as {json: {…}}, {text: …}, {base64: …} or {file: …}",
                    found: value.shortDescription)
                return nil
            }
            definition.body = MessageBody(text: text)
            return (definition, reader.place)
        }
        let names = DialectNames.routeContent
        for member in object.members {
            if !names.contains(member.key), DialectNames.routeContentAliases[member.key] == nil,
                nearestName(to: member.key, among: names) == nil
            {
                reader.reportName(
                    member.key, message: "unknown key \(quoted(member.key)): JSON goes under \"json\"",
                    expected: "one of \(names.joined(separator: ", "))")
                continue
            }
            reader.key(member, of: names, otherNames: DialectNames.routeContentAliases) { reader in
                definition.body = body(member, &reader) ?? definition.body
            }
        }
        let given = object.keys.filter(names.contains)
        if given.count > 1 {
            reader.reportName(
                given[1], message: "a message says one thing", expected: "one of \(names.joined(separator: ", "))",
                found: given.joined(separator: " and "))
        } else if object.isEmpty {
            reader.report(detail: nil, message: "an empty message", expected: "one of \(names.joined(separator: ", "))")
        }
        return (definition, reader.place)
    }

    private static func body(_ member: JSONObject.Member, _ reader: inout ModelReader) -> MessageBody? {
        switch member.key {
        case "text": return reader.text(member.value).map { MessageBody(text: $0) }
        case "json":
            var body = MessageBody(.json(member.value))
            body.format = "json"
            body.isCompact = true
            return body
        case "base64":
            guard let text = reader.text(member.value) else { return nil }
            do throws(Base64.Problem) {
                return MessageBody(.bytes(try Base64.decode(String(text.filter { !$0.isWhitespace }))))
            } catch {
                reader.report(
                    detail: nil, message: "not Base64: \(error.detail)", expected: "Base64",
                    found: member.value.shortDescription)
                return nil
            }
        default:
            guard let name = reader.text(member.value) else { return nil }
            guard !name.isEmpty, !name.hasPrefix("/"), !name.split(separator: "/").contains("..") else {
                reader.report(
                    detail: nil, message: "not a file name", expected: "a path below __files, without ..",
                    found: member.value.shortDescription)
                return nil
            }
            return MessageBody(.file(name))
        }
    }

    // MARK: Closing

    /// Reads the code of a close frame.
    static func code(_ value: JSONValue, _ reader: inout ModelReader) -> Int? {
        guard let code = value.intValue ?? value.stringValue.flatMap({ Int($0) }), (1000...4999).contains(code) else {
            reader.report(
                detail: nil, message: "no code of closing", expected: "an integer from 1000 to 4999, such as 1011",
                found: value.shortDescription)
            return nil
        }
        return code
    }

    private static func closing(_ value: JSONValue, _ reader: inout ModelReader) -> MessageAction? {
        var action = MessageAction(.close)
        switch value {
        case .bool(true): break
        case .bool(false): return nil
        case .object(let object):
            for member in object.members {
                if member.key == "after" {
                    reader.reportName(
                        member.key, message: "a step closes at once",
                        expected: "\"close\" of the route itself, which may have \"after\"")
                    continue
                }
                reader.key(member, of: DialectNames.closing) { reader in
                    if member.key == "code" {
                        action.code = code(member.value, &reader)
                    } else {
                        action.reason = reader.text(member.value)
                    }
                }
            }
        default: action.code = code(value, &reader)
        }
        return action
    }

    // MARK: Targets

    private static let targets = ["sender", "room", "others"]

    private static func target(_ value: JSONValue, _ reader: inout ModelReader) -> ChannelTarget {
        switch value {
        case .string("sender"): return .originating
        case .string("room"): return .room(room: nil, others: nil)
        case .string("others"): return .room(room: nil, others: true)
        case .object(let object):
            var name: String?
            var others: Bool?
            for member in object.members {
                reader.key(member, of: DialectNames.routeRoom) { reader in
                    if member.key == "room" {
                        name = reader.text(member.value)
                    } else {
                        others = reader.bool(member.value)
                    }
                }
            }
            return .room(room: name, others: others)
        default:
            reader.report(
                detail: nil, message: "nobody to send to",
                expected: "one of \(targets.joined(separator: ", ")), or {room: \"{{request.path}}\", others: true}",
                found: value.shortDescription,
                suggestion: value.stringValue.flatMap { nearestName(to: $0, among: targets) })
            return .originating
        }
    }
}

/// The condition on a message: `when: { json: { type: ping } }`.
enum RouteMessageCondition {
    private static let names = DialectNames.whenSaid

    static func read(
        _ value: JSONValue, _ origin: inout MessageOrigin, _ reader: inout ModelReader
    ) -> MessagePattern? {
        guard let object = reader.fields(value, "what the message says, such as {text: ping} or {json: {type: ping}}")
        else { return nil }
        var matchers: [ValueMatcher] = []
        var sources: [(JSONPointer) -> StubOrigin.Source] = []
        for member in object.members {
            if !names.contains(member.key), DialectNames.whenOpened.contains(member.key) {
                reader.reportName(
                    member.key, message: "a message has no \(quoted(member.key))",
                    expected: "it under \"when\" of the route, which is about the request that opens the WebSocket")
                continue
            }
            reader.key(member, of: names, otherNames: DialectNames.whenSaidAliases) { reader in
                for (matcher, source) in read(member, &reader) {
                    matchers.append(matcher)
                    sources.append(source)
                }
            }
        }
        guard let first = matchers.first else { return nil }
        let body = ["trigger", "message", "body"]
        var pattern = MessagePattern()
        if matchers.count == 1 {
            pattern.body = first
            origin.sources.append(sources[0](JSONPointer(body)))
        } else {
            pattern.body = ValueMatcher(.and, operand: .array(matchers.map(\.jsonValue)))
            for (index, source) in sources.enumerated() {
                origin.sources.append(source(JSONPointer(body + ["and", String(index)])))
            }
        }
        return pattern
    }

    private static func read(_ member: JSONObject.Member, _ reader: inout ModelReader) -> [RouteBody.Located] {
        guard member.key == "binary" else {
            let key = member.key == "text" ? "body" : member.key
            return JSONObject([(key, member.value)]).members.flatMap { RouteBody.read($0, &reader) }
        }
        guard let text = reader.text(member.value) else { return [] }
        do throws(Base64.Problem) {
            _ = try Base64.decode(text)
        } catch {
            reader.report(
                detail: nil, message: "not Base64: \(error.detail)", expected: "Base64",
                found: member.value.shortDescription)
            return []
        }
        let place = reader.place
        return [
            (
                ValueMatcher(.binaryEqualTo, text),
                { StubOrigin.Source(pointer: $0, place: place, keepsRest: false) }
            )
        ]
    }
}
