import SDBasics
import SDJSON
package import SDStubModel

/// Recorded stubs as people write them: for routes, with JSON as JSON, event streams as events, and repeats as sequences.
package struct RecordedRoutes: Sendable {
    package struct Options: Sendable {
        /// Whether latencies, and the gaps of event streams, are kept.
        package var keepsTiming = false
        /// The folder below `__files` for bodies.
        package var folder = "recorded"

        package init() {}
    }

    /// The stubs in the order in which they are to be tried.
    package private(set) var stubs: [StubMapping] = []
    package private(set) var bodyFiles: [RecordedStubs.BodyFile] = []

    /// The most bytes of a text that stays in its stub.
    private static let longestText = 8 << 10

    /// - Parameter exchanges: in the order in which they were made, without secrets.
    package init(of exchanges: [RecordedExchange], _ names: SecretNames, _ options: Options) {
        var spec = RecordSpec()
        spec.bodyMatcher = .auto(ignoreArrayOrder: false, ignoreExtraElements: false)
        spec.persists = false
        var places: [RequestPattern: Int] = [:]
        for exchange in exchanges where !exchange.isBroken {
            let request = RecordedRequest(exchange)
            let pattern = request.pattern(spec).readable(exchange, names)
            var stub = StubMapping(
                id: StubMapping.id(hashing: "route \(pattern.json.compactText)"), request: pattern,
                response: exchange.response)
            stub.response.makeReadable()
            if options.keepsTiming { stub.response.keepTiming(of: exchange) }
            if exchange.isEventStream, let events = RecordedEvents(exchange, keepsTiming: options.keepsTiming) {
                stub.response.takeEvents(events)
            }
            let number = (places[pattern].map { stubs[$0].responses?.entries.count ?? 1 } ?? 0) + 1
            takeBody(out: &stub, exchange, number, options)
            if let place = places[pattern] {
                add(stub.response, to: place)
            } else {
                places[pattern] = stubs.count
                stubs.append(stub)
            }
        }
        for index in stubs.indices { stubs[index].dropRepeats() }
        stubs = Self.sorted(stubs)
    }

    /// Stubs by path, and those with more conditions before others, which would answer in their place.
    package static func sorted(_ stubs: [StubMapping]) -> [StubMapping] {
        stubs.map { ($0, $0.sortKey) }.sorted { $0.1 < $1.1 }.map(\.0)
    }

    /// Makes a response the next of a stub.
    private mutating func add(_ response: ResponseDefinition, to place: Int) {
        var sequence = stubs[place].responses ?? ResponseSequence([.init(stubs[place].response)])
        sequence.entries.append(.init(response))
        stubs[place].responses = sequence
    }

    /// Puts bytes, and long texts, into a file.
    private mutating func takeBody(
        out stub: inout StubMapping, _ exchange: RecordedExchange, _ number: Int, _ options: Options
    ) {
        guard stub.response.stream == nil else { return }
        let isLong =
            stub.response.base64Body != nil || stub.response.body.map { $0.utf8.count > Self.longestText } ?? false
            || stub.response.jsonBody.map { $0.compactBytes.count > Self.longestText } ?? false
        guard isLong else { return }
        let contentType = exchange.responseHeaders.first(named: "Content-Type")
        let bytes = exchange.plainBody.bytes
        let suffix = RecordedType(contentType).fileExtension(path: exchange.path, body: bytes)
        let stem = RecordedName.stub(path: exchange.path)
        let short = String(stub.idText.prefix(8))
        let dotted = stem.hasSuffix("." + suffix) ? String(stem.dropLast(suffix.count + 1)) : stem
        let name =
            "\(options.folder)/" + (dotted.isEmpty ? "root" : dotted) + "-\(short)"
            + (number > 1 ? "-\(number)" : "") + ".\(suffix)"
        bodyFiles.append(RecordedStubs.BodyFile(name: name, bytes: bytes))
        stub.response.body = nil
        stub.response.jsonBody = nil
        stub.response.base64Body = nil
        stub.response.bodyFileName = name
    }
}

extension StubMapping {
    /// Takes several equal responses for one.
    fileprivate mutating func dropRepeats() {
        guard let entries = responses?.entries, let first = entries.first,
            entries.allSatisfy({ $0.response == first.response })
        else { return }
        responses = nil
        response = first.response
    }

    fileprivate var sortKey: String {
        let path = if case .urlPath(let text) = request.url { text } else { "" }
        let method = if case .exactly(let name) = request.method { name } else { "" }
        let conditions = request.queryParameters.count + request.bodyPatterns.count + request.formParameters.count
        return "\(path) \(method) \(String(900 - min(conditions, 99))) \(request.json.compactText)"
    }
}

extension RequestPattern {
    /// The pattern as people write it, with any value in the place of a secret.
    fileprivate func readable(_ exchange: RecordedExchange, _ names: SecretNames) -> RequestPattern {
        var pattern = self
        if case .url(let target) = url {
            pattern.url = .urlPath(target.hasSuffix("?") ? String(target.dropLast()) : target)
        }
        pattern.queryParameters = queryParameters.map { parameter in
            let values = parameter.matcher.operand.arrayValue ?? []
            if names.contains(parameter.name) || values.contains(where: \.isRedacted) {
                return NamedMatcher(parameter.name, ValueMatcher(.matches, ".*"))
            }
            if values.count == 1, let text = values[0]["equalTo"]?.stringValue {
                return NamedMatcher(parameter.name, ValueMatcher(.equalTo, text))
            }
            return NamedMatcher(parameter.name, ValueMatcher(.includes, operand: .array(values)))
        }
        let contentType = exchange.requestHeaders.first(named: "Content-Type")
        if RecordedType(contentType).mediaType == "application/x-www-form-urlencoded", !bodyPatterns.isEmpty {
            pattern.bodyPatterns = []
            pattern.formParameters = RecordedRequest(exchange).form.map { field in
                let isSecret =
                    names.contains(field.name) || field.values.contains(RedactedExchanges.placeholder)
                if isSecret { return NamedMatcher(field.name, ValueMatcher(.matches, ".*")) }
                if field.values.count == 1 { return NamedMatcher(field.name, ValueMatcher(.equalTo, field.values[0])) }
                let values = field.values.map { JSONValue.object(["equalTo": .string($0)]) }
                return NamedMatcher(field.name, ValueMatcher(.includes, operand: .array(values)))
            }
        } else {
            pattern.bodyPatterns = bodyPatterns.map(\.readable)
        }
        return pattern
    }
}

extension JSONValue {
    fileprivate var isRedacted: Bool { self["equalTo"]?.stringValue == RedactedExchanges.placeholder }
}

extension ValueMatcher {
    /// A matcher of a body without flags that are off, with JSON as JSON.
    fileprivate var readable: ValueMatcher {
        switch `operator` {
        case .equalToJson:
            guard let text = operand.stringValue, let json = try? JSONValue(parsing: Array(text.utf8)[...]) else {
                return ValueMatcher(`operator`, operand: operand)
            }
            switch json {
            case .null, .string: return ValueMatcher(`operator`, operand: operand)
            default: return ValueMatcher(`operator`, operand: json)
            }
        case .equalTo where operand.stringValue?.contains(text: RedactedExchanges.placeholder) == true:
            return ValueMatcher(.matches, "[\\s\\S]*")
        case .anything: return ValueMatcher(.matches, "[\\s\\S]*")
        default: return ValueMatcher(`operator`, operand: operand)
        }
    }
}

extension ResponseDefinition {
    /// The fields that say when and by whom, or that belong to the server's connections.
    private static let dropped: Set<String> = [
        "date", "server", "keep-alive", "via", "alt-svc", "nel", "report-to", "x-powered-by", "age",
    ]

    /// Makes JSON of a body in JSON, drops fields that tell nothing, and puts the type at the end, where the shorthand
    /// has it.
    fileprivate mutating func makeReadable() {
        headers.removeAll { Self.dropped.contains($0.name.lowercased()) }
        guard let place = headers.firstIndex(where: { $0.name.lowercased() == "content-type" }) else { return }
        let type = headers.remove(at: place)
        headers.append(ResponseHeader("Content-Type", type.values))
        guard let text = body, RecordedType(type.values.first).mentions("json") else { return }
        guard let json = try? JSONValue(parsing: Array(text.utf8)[...]), !json.isNull,
            json.compactBytes.count <= text.utf8.count
        else { return }
        // A key that is there twice would be lost.
        guard json.hasAsManyKeys(as: text) else { return }
        body = nil
        jsonBody = json
    }

    fileprivate mutating func keepTiming(of exchange: RecordedExchange) {
        let milliseconds = Int(exchange.latency / 1_000_000)
        if milliseconds > 0 { fixedDelayMilliseconds = milliseconds }
    }

    fileprivate mutating func takeEvents(_ events: RecordedEvents) {
        body = nil
        base64Body = nil
        jsonBody = nil
        stream = events.stream
        let implied = ["cache-control": "no-cache", "content-type": "text/event-stream"]
        headers.removeAll { implied[$0.name.lowercased()] == $0.values.first?.lowercased() }
    }
}

extension JSONValue {
    /// Whether a text that reads as this value has no further keys, which were repeated.
    fileprivate func hasAsManyKeys(as text: String) -> Bool {
        func count(_ value: JSONValue) -> Int {
            switch value {
            case .array(let elements): elements.reduce(0) { $0 + count($1) }
            case .object(let object): object.members.reduce(object.count) { $0 + count($1.value) }
            default: 0
            }
        }
        var (colons, isInText, isEscaped) = (0, false, false)
        for byte in text.utf8 {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = isInText
            } else if byte == UInt8(ascii: "\"") {
                isInText.toggle()
            } else if byte == UInt8(ascii: ":"), !isInText {
                colons += 1
            }
        }
        return colons == count(self)
    }
}
