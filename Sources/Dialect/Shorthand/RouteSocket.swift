import SDBasics
import SDJSON
import SDStubModel

/// A WebSocket in the route shorthand: `WS /chat: { onOpen: { send: hi }, on: [ { echo: true } ] }`. It becomes message
/// stubs: one for its opening, one for each answer and one for each interval. With a status or a proxy it becomes an
/// HTTP stub for upgrade requests.
enum RouteSocket {
    static let keys = DialectNames.webSocket

    /// The keys that apply only to an opened WebSocket.
    private static let ownKeys = ["protocol", "onOpen", "on", "every", "close"]

    /// Returns HTTP stubs; appends message stubs, in document order, to `messages`.
    static func read(
        _ value: JSONValue, _ key: RouteKey, _ defaults: RouteDefaults, _ messages: inout [LocatedMessage],
        _ reader: inout ModelReader
    ) -> [LocatedStub] {
        let routeKey = reader.place
        guard case .array(let elements) = value else {
            return readOne(value, key, defaults, routeKey, &messages, &reader)
        }
        guard !elements.isEmpty else {
            reader.report(detail: nil, message: "a route without a WebSocket", expected: "at least one")
            return []
        }
        var stubs: [LocatedStub] = []
        var isAlwaysOpened = false
        for (index, element) in elements.enumerated() {
            reader.within(String(index)) { reader in
                if isAlwaysOpened, element["priority"] == nil {
                    reader.warn("this is never reached: one above it has no \"when\", so it always counts")
                }
                stubs += readOne(element, key, defaults, routeKey, &messages, &reader)
                if element["when"] == nil, element["priority"] == nil { isAlwaysOpened = true }
            }
        }
        return stubs
    }

    private static func readOne(
        _ value: JSONValue, _ key: RouteKey, _ defaults: RouteDefaults, _ routeKey: JSONPointer,
        _ messages: inout [LocatedMessage], _ reader: inout ModelReader
    ) -> [LocatedStub] {
        guard let object = value.isNull ? JSONObject() : value.objectValue else {
            reader.report(
                detail: nil, message: "wrong type",
                expected: "a WebSocket, such as {on: [{echo: true}]}, or a list of them",
                found: value.shortDescription)
            return []
        }
        if object["status"] != nil || object["proxy"] != nil {
            let refusal = readRefusal(object, key, defaults, routeKey, &reader)
            for index in messages.indices { messages[index].stub.precedes.insert(refusal.stub.id) }
            return [refusal]
        }
        readOpened(object, key, routeKey, &messages, &reader)
        return []
    }

    // MARK: Rejected upgrades

    /// Reads a response in place of a WebSocket, or a proxy.
    private static func readRefusal(
        _ object: JSONObject, _ key: RouteKey, _ defaults: RouteDefaults, _ routeKey: JSONPointer,
        _ reader: inout ModelReader
    ) -> LocatedStub {
        var object = object
        let word = object["status"] != nil ? "status" : "proxy"
        for name in ownKeys where object[name] != nil {
            reader.reportName(
                name, message: "a WebSocket with \(quoted(word)) is not opened here, and says nothing",
                expected: "a list of two, each with its \"when\", or one of both")
            object[name] = nil
        }
        if let status = object["status"]?.intValue, status < 300 {
            reader.within("status") { reader in
                reader.report(
                    detail: nil, message: "no status that refuses a WebSocket",
                    expected: "a status from 300 on, such as 401; without \"status\" it is opened",
                    found: String(status))
            }
        }
        if let proxy = object["proxy"] { object["proxy"] = overHTTP(proxy) }
        var origin = StubOrigin(place: reader.place, routeKey: routeKey)
        var stub = RouteShorthand.readResponse(.object(object), key.ofUpgrade, defaults, &origin, &reader)
        stub.answersHead = false
        stub.request.headers.append(NamedMatcher("Sec-WebSocket-Version", ValueMatcher(.absent, operand: false)))
        origin.sources += defaults.sources(in: stub)
        return LocatedStub(stub: stub, origin: origin)
    }

    /// The proxy with `http` and `https` in place of `ws` and `wss`.
    private static func overHTTP(_ proxy: JSONValue) -> JSONValue {
        switch proxy {
        case .string(let text):
            for (scheme, other) in [("wss://", "https://"), ("ws://", "http://")]
            where text.lowercased().hasPrefix(scheme) {
                return .string(other + text.dropFirst(scheme.count))
            }
            return proxy
        case .object(var object):
            for member in object.members where DialectNames.proxyAliases[member.key] ?? member.key == "to" {
                object[member.key] = overHTTP(member.value)
            }
            return .object(object)
        default: return proxy
        }
    }

    // MARK: Opened WebSockets

    private static func readOpened(
        _ object: JSONObject, _ key: RouteKey, _ routeKey: JSONPointer, _ messages: inout [LocatedMessage],
        _ reader: inout ModelReader
    ) {
        var request = RequestPattern(method: .any, url: key.url)
        request.queryParameters = key.query
        var origin = StubOrigin(place: reader.place, routeKey: routeKey)
        if let when = object["when"] {
            reader.within("when") { reader in
                var conditions = RouteConditions(request: request, keys: DialectNames.whenOpened)
                conditions.read(when, &reader)
                request = conditions.request
                origin.sources = conditions.sources
            }
        }
        var shared = MessageStub()
        var opening = MessageStub()
        opening.id = reader.derivedID ?? StubMapping.randomID()
        var openingOrigin = MessageOrigin(place: reader.place, route: origin)
        let channel = ChannelPattern.websocket(initiatingRequestPattern: request)
        var protocols: [String] = []
        var close: ChannelClose?
        var answers: [LocatedMessage] = []
        for member in object.members {
            if !keys.contains(member.key), RouteShorthand.responseKeys.contains(member.key) {
                reader.reportName(
                    member.key, message: "a WebSocket that is opened has no \(quoted(member.key))",
                    expected: "\"status\" beside it, to refuse it; messages stand under \"onOpen\" and \"on\"")
                continue
            }
            if member.key == "send" || member.key == "echo" {
                reader.reportName(
                    member.key, message: "when is not said", expected: "it under \"onOpen\", \"on\" or \"every\"",
                    suggestion: member.key == "echo" ? "on: { echo: true }" : nil)
                continue
            }
            reader.key(member, of: keys, otherNames: DialectNames.webSocketAliases) { reader in
                switch member.key {
                case "name": shared.name = reader.text(member.value)
                case "priority", "metadata":
                    if let index = MessageStub.names.firstIndex(of: member.key) {
                        shared.readMember(index, member.value, &reader)
                    }
                case "protocol": protocols = readProtocols(member.value, &reader)
                case "onOpen":
                    let script = RouteStep.script(member.value, at: ["actions"], &reader)
                    opening.actions = script.actions
                    openingOrigin.sources += script.sources
                case "on": answers += readAnswers(member.value, channel, origin, &reader)
                case "every": answers += readIntervals(member.value, channel, origin, &reader)
                case "close": close = readClose(member.value, &reader)
                default: break
                }
            }
        }
        opening.trigger = .open(channel: channel, protocols: protocols, closeAfter: close)
        for var located in [LocatedMessage(stub: opening, origin: openingOrigin)] + answers {
            located.stub.name = located.stub.name ?? shared.name
            located.stub.priority = located.stub.priority ?? shared.priority
            located.stub.metadata = shared.metadata
            messages.append(located)
        }
    }

    private static func readProtocols(_ value: JSONValue, _ reader: inout ModelReader) -> [String] {
        let elements = value.arrayValue ?? [value]
        guard !elements.isEmpty else {
            reader.report(detail: nil, message: "no sub-protocol", expected: "a name, or a list of names")
            return []
        }
        func read(_ value: JSONValue, _ reader: inout ModelReader) -> String? {
            guard let text = reader.text(value) else { return nil }
            if HTTPToken.isToken(text) { return text }
            reader.report(
                detail: nil, message: "no sub-protocol has such a name",
                expected: "a token, such as graphql-transport-ws", found: quoted(text))
            return nil
        }
        guard value.arrayValue != nil else { return read(value, &reader).map { [$0] } ?? [] }
        return reader.elements(elements) { read($0, &$1) }
    }

    private static func readAnswers(
        _ value: JSONValue, _ channel: ChannelPattern, _ route: StubOrigin, _ reader: inout ModelReader
    ) -> [LocatedMessage] {
        guard case .array(let elements) = value else {
            return readAnswer(value, channel, route, &reader).map { [$0] } ?? []
        }
        var isAlwaysAnswered = false
        return reader.elements(elements) { element, reader in
            if isAlwaysAnswered, element["priority"] == nil {
                reader.warn("this is never done: one above it has no \"when\", so it always answers")
            }
            let mayStop = element["scenario"]?["from"] != nil || element["onEnd"] == "stop"
            if element["when"] == nil, element["priority"] == nil, !mayStop { isAlwaysAnswered = true }
            return readAnswer(element, channel, route, &reader)
        }
    }

    private static func readAnswer(
        _ value: JSONValue, _ channel: ChannelPattern, _ route: StubOrigin, _ reader: inout ModelReader
    ) -> LocatedMessage? {
        guard
            let object = reader.fields(value, "an answer, such as {when: {text: ping}, send: pong}, or a list of them")
        else { return nil }
        var stub = MessageStub()
        stub.id = reader.derivedID ?? StubMapping.randomID()
        var origin = MessageOrigin(place: reader.place, route: route)
        var pattern: MessagePattern?
        var step = RouteStep()
        for member in object.members {
            reader.key(member, of: DialectNames.messageAnswer, otherNames: DialectNames.messageAnswerAliases) {
                reader in
                switch member.key {
                case "when": pattern = RouteMessageCondition.read(member.value, &origin, &reader)
                case "name": stub.name = reader.text(member.value)
                case "priority", "onEnd", "per":
                    if let index = MessageStub.names.firstIndex(of: member.key) {
                        stub.readMember(index, member.value, &reader)
                    }
                case "sequence": stub.sequence = readSequence(member.value, &origin, &reader)
                case "scenario":
                    guard let scenario = RouteScenario.read(member.value, &reader) else { return }
                    stub.scenarioName = scenario.name
                    stub.requiredScenarioState = scenario.from
                    stub.newScenarioState = scenario.to
                default: step.read(member, &reader)
                }
            }
        }
        for name in ["onEnd", "per"] where object[name] != nil && object["sequence"] == nil {
            reader.reportName(name, message: "there is no sequence", expected: "\"sequence\" beside it")
        }
        if object["sequence"] != nil {
            for name in DialectNames.messageStep where object[name] != nil {
                reader.reportName(
                    name, message: "an answer is one, or a sequence of them",
                    expected: "\(quoted(name)) in the sequence")
            }
        } else {
            let script = step.script(at: ["actions"])
            stub.actions = script.actions
            origin.sources += script.sources
        }
        stub.trigger = .message(channel: channel, message: pattern)
        return LocatedMessage(stub: stub, origin: origin)
    }

    private static func readSequence(
        _ value: JSONValue, _ origin: inout MessageOrigin, _ reader: inout ModelReader
    ) -> [[MessageAction]] {
        guard case .array(let elements) = value, !elements.isEmpty else {
            reader.report(
                detail: nil, message: "no sequence", expected: "a list of at least one answer, such as [{send: one}]",
                found: value.shortDescription)
            return []
        }
        var sequence: [[MessageAction]] = []
        for (index, element) in elements.enumerated() {
            let script = reader.within(String(index)) {
                RouteStep.script(element, at: ["sequence", String(index)], &$0)
            }
            sequence.append(script.actions)
            origin.sources += script.sources
        }
        return sequence
    }

    private static func readIntervals(
        _ value: JSONValue, _ channel: ChannelPattern, _ route: StubOrigin, _ reader: inout ModelReader
    ) -> [LocatedMessage] {
        guard
            let object = reader.fields(
                value, "an object of times and what is done, such as {5s: {send: tick}}", isEmpty: false)
        else { return [] }
        return object.members.compactMap { member in
            guard let time = DurationText.milliseconds(member.key), time > 0 else {
                reader.reportName(
                    member.key, message: "no time between", expected: DurationText.expected,
                    suggestion: DurationText.milliseconds(member.key) == nil
                        ? DurationText.meant(by: .string(member.key)) : nil)
                return nil
            }
            return reader.within(member.key) { reader in
                var stub = MessageStub()
                stub.id = reader.derivedID ?? StubMapping.randomID()
                var origin = MessageOrigin(place: reader.place, route: route)
                let script = RouteStep.script(member.value, at: ["actions"], &reader)
                stub.actions = script.actions
                origin.sources = script.sources
                stub.trigger = .interval(every: time, channel: channel)
                return LocatedMessage(stub: stub, origin: origin)
            }
        }
    }

    private static func readClose(_ value: JSONValue, _ reader: inout ModelReader) -> ChannelClose? {
        let expected = "when and how, such as {after: 10, code: 1011}, or {after: 30s}"
        guard let object = reader.fields(value, expected) else { return nil }
        var close = ChannelClose()
        for member in object.members {
            reader.key(member, of: DialectNames.closeAfter, otherNames: DialectNames.closeAfterAliases) { reader in
                switch member.key {
                case "after":
                    if let count = member.value.intValue ?? member.value.stringValue.flatMap({ Int($0) }), count > 0 {
                        close.messages = count
                    } else if let text = member.value.stringValue, let time = DurationText.milliseconds(text) {
                        close.time = time
                    } else {
                        reader.report(
                            detail: nil, message: "neither a number of messages nor a time",
                            expected: "such as 10, or 30s", found: member.value.shortDescription,
                            suggestion: member.value.intValue == nil ? DurationText.meant(by: member.value) : nil)
                    }
                case "code": close.code = RouteStep.code(member.value, &reader)
                default: close.reason = reader.text(member.value)
                }
            }
        }
        if object["after"] == nil {
            reader.report(
                detail: nil, message: "\"after\" is missing",
                expected: "the number of messages, or the time, after which it is closed")
        }
        return close
    }
}
