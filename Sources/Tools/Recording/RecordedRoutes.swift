import SDBasics
package import SDCapture
import SDJSON
package import SDSecrets
package import SDStubModel

/// Recorded stubs in the form that people write: as routes, with JSON as JSON, event streams as events, and repeats as
/// sequences.
package struct RecordedRoutes: Sendable {
    package struct Options: Sendable {
        /// Whether latencies and the gaps of event streams are recorded.
        package var keepsTiming = false
        /// The folder below `__files` for bodies.
        package var folder = "recorded"

        package init() {}
    }

    /// The stubs in the order in which they are tried.
    package private(set) var stubs: [StubMapping] = []
    package private(set) var bodyFiles: [RecordedStubs.BodyFile] = []
    /// Warnings about differences from the recorded traffic, as sentences without a full stop.
    package private(set) var warnings: [String] = []

    /// The maximum size of a text that stays in its stub, in bytes.
    private static let longestText = 8 << 10
    private let options: Options
    private var names = RecordedFileNames()

    package init(of exchanges: [RecordedExchange], _ names: SecretNames, _ options: Options) {
        var variants = RecordedVariants()
        self.init(of: exchanges, names, options, &variants)
    }

    /// - Parameters:
    ///   - exchanges: in chronological order, redacted.
    ///   - variants: the variants of other files that are served together with this one.
    package init(
        of exchanges: [RecordedExchange], _ names: SecretNames, _ options: Options, _ variants: inout RecordedVariants
    ) {
        self.options = options
        var spec = RecordSpec()
        spec.bodyMatcher = .auto(ignoreArrayOrder: false, ignoreExtraElements: false)
        spec.persists = false
        var places: [RequestPattern: Int] = [:]
        var answers: [[ResponseDefinition]] = []
        var conditional = 0
        for exchange in exchanges where !exchange.isBroken {
            let exchange = exchange.withOwnPlaces
            if !RecordedCondition.matchers(exchange).isEmpty { conditional += 1 }
            var pattern = variants.apart(
                RecordedRequest(exchange).pattern(spec).readable(exchange), exchange
            ).withoutSecrets(names)
            pattern.expandPath()
            let place = places[pattern] ?? stubs.count
            if place == stubs.count {
                places[pattern] = place
                let id = StubMapping.id(hashing: "route \(pattern.json.compactText)")
                var stub = StubMapping(id: id, request: pattern)
                // The route for the server without a condition may be in another file. Within a file, the order of
                // routes is enough.
                stub.priority = RecordedStubs.priority(
                    isEarly: pattern.host != nil, places: pattern.openPathPlaces)
                takeUpload(out: &stub, exchange)
                stubs.append(stub)
                answers.append([])
            }
            let answer = answer(exchange, number: answers[place].count + 1, of: stubs[place])
            answers[place].append(answer)
        }
        for (index, answers) in answers.enumerated() { stubs[index].answer(in: answers) }
        stubs = Self.sorted(stubs)
        for index in stubs.indices { stubs[index].markUnusual() }
        if let warning = RecordedCondition.warning(conditional) { warnings.append(warning) }
    }

    /// Stubs by path, those with more conditions before others that would shadow them.
    package static func sorted(_ stubs: [StubMapping]) -> [StubMapping] {
        stubs.map { ($0, $0.sortKey) }.sorted { $0.1 < $1.1 }.map(\.0)
    }

    /// The answer of an exchange, number `number` of its stub.
    private mutating func answer(
        _ exchange: RecordedExchange, number: Int, of stub: StubMapping
    ) -> ResponseDefinition {
        var answer = exchange.response
        answer.makeReadable()
        answer.keepOwn(of: exchange)
        if options.keepsTiming { answer.keepTiming(of: exchange) }
        if exchange.isEventStream, let events = RecordedEvents(exchange, keepsTiming: options.keepsTiming) {
            answer.takeEvents(events)
        } else {
            takeBody(out: &answer, exchange, number, stub)
        }
        if answer.looksLikeTemplate { answer.template = false }
        return answer
    }

    /// Moves the request's bytes or long text into a file.
    private mutating func takeUpload(out stub: inout StubMapping, _ exchange: RecordedExchange) {
        guard let matcher = stub.request.bodyPatterns.first, let text = matcher.operand.stringValue else { return }
        let bytes: [UInt8]
        switch matcher.operator {
        case .binaryEqualTo: bytes = (try? Base64.decode(text)) ?? []
        case .equalTo where exchange.requestBody.elementsEqual(text.utf8): bytes = exchange.requestBody
        default: return
        }
        guard bytes.count > Self.longestText else { return }
        let name = file("\(exchange.path)-upload", stub, "bin", 1, bytes)
        stub.request.bodyPatterns = [ValueMatcher(.binaryEqualTo, operand: ["file": .string(name)])]
    }

    /// Moves bytes and long texts into a file.
    private mutating func takeBody(
        out answer: inout ResponseDefinition, _ exchange: RecordedExchange, _ number: Int, _ stub: StubMapping
    ) {
        let isLong =
            answer.base64Body != nil || answer.body.map { $0.utf8.count > Self.longestText } ?? false
            || answer.jsonBody.map { $0.compactBytes.count > Self.longestText } ?? false
        guard isLong else { return }
        let contentType = exchange.responseHeaders.first(named: "Content-Type")
        let bytes = exchange.plainBody.bytes
        let suffix = RecordedType(contentType).fileExtension(path: exchange.path, body: bytes)
        answer.body = nil
        answer.jsonBody = nil
        answer.base64Body = nil
        answer.bodyFileName = file(exchange.path, stub, suffix, number, bytes)
    }

    /// The name of a file with these bytes, created unless it exists.
    private mutating func file(
        _ path: String, _ stub: StubMapping, _ suffix: String, _ number: Int, _ bytes: [UInt8]
    ) -> String {
        let stem = RecordedName.stub(path: path)
        let dotted = stem.hasSuffix("." + suffix) ? String(stem.dropLast(suffix.count + 1)) : stem
        let name =
            "\(options.folder)/" + (dotted.isEmpty ? "root" : dotted) + "-" + stub.idText.prefix(8)
        let (file, isNew) = names.name(name, number: number, "." + suffix, for: bytes)
        if isNew { bodyFiles.append(RecordedStubs.BodyFile(name: file, bytes: bytes)) }
        return file
    }
}

/// Names of body files: one per distinct body of a stub, unique regardless of case.
private struct RecordedFileNames {
    private var bytes: [String: [UInt8]] = [:]
    private var sameBytes: [[UInt8]: [String: String]] = [:]

    /// - Returns: the name, and whether it is new.
    mutating func name(_ stem: String, number: Int, _ suffix: String, for body: [UInt8]) -> (String, Bool) {
        if let known = sameBytes[body]?[stem + suffix] { return (known, false) }
        var number = number
        while true {
            let name = stem + (number > 1 ? "-\(number)" : "") + suffix
            if bytes[name.lowercased()] == nil {
                bytes[name.lowercased()] = body
                sameBytes[body, default: [:]][stem + suffix] = name
                return (name, true)
            }
            number += 1
        }
    }
}

extension StubMapping {
    /// Sets a sequence of answers, or a single one if they are all equal.
    fileprivate mutating func answer(in answers: [ResponseDefinition]) {
        guard let first = answers.first else { return }
        response = first
        if answers.contains(where: { $0 != first }) {
            responses = ResponseSequence(answers.map { ResponseSequence.Entry($0) })
        }
    }

    fileprivate var sortKey: String {
        // Paths with placeholders come after all others.
        let path = if case .urlPath(let text) = request.url { text } else { request.url.isOpen ? "~" : "" }
        let method = if case .exactly(let name) = request.method { name } else { "" }
        return "\(path) \(method) \(String(9_000 - min(request.conditions, 999))) \(request.json.compactText)"
    }
}

extension RequestPattern {
    /// The pattern in the form that people write.
    fileprivate func readable(_ exchange: RecordedExchange) -> RequestPattern {
        var pattern = self
        if case .url(let target) = url {
            // A query that cannot be decoded is compared raw.
            if !target.contains("?") { pattern.url = .urlPath(target) }
        }
        pattern.queryParameters = queryParameters.map { parameter in
            let values = parameter.matcher.operand.arrayValue ?? []
            if values.count == 1, let text = values[0]["equalTo"]?.stringValue {
                return NamedMatcher(parameter.name, ValueMatcher(.equalTo, text))
            }
            return NamedMatcher(parameter.name, ValueMatcher(.includes, operand: .array(values)))
        }
        let contentType = exchange.requestHeaders.first(named: "Content-Type")
        let isForm =
            RecordedType(contentType).mediaType == "application/x-www-form-urlencoded"
            && (bodyPatterns.first?.operator == .equalTo || exchange.hidesRequest)
        if isForm, case let form = RecordedRequest(exchange).form, !form.isEmpty {
            pattern.bodyPatterns = []
            pattern.formParameters = form.map { field in
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

extension ValueMatcher {
    /// The matcher of a body without flags that are off, and with JSON as JSON.
    fileprivate var readable: ValueMatcher {
        switch `operator` {
        case .equalToJson:
            guard let text = operand.stringValue, let json = try? JSONValue(parsing: Array(text.utf8)[...]) else {
                return ValueMatcher(`operator`, operand: operand)
            }
            switch json {
            case .null, .string: return ValueMatcher(`operator`, operand: operand)
            default: return ValueMatcher(`operator`, operand: json.isShallow ? json : operand)
            }
        case .equalToXml where json["enablePlaceholders"] != nil: return self
        case .anything: return self
        default: return ValueMatcher(`operator`, operand: operand)
        }
    }
}

extension ResponseDefinition {
    /// Headers that tell when and by whom, or that belong to the server's connections.
    private static let dropped: Set<String> = [
        "date", "server", "keep-alive", "via", "alt-svc", "nel", "report-to", "x-powered-by", "age",
    ]

    /// Writes a JSON body as JSON, drops headers without information, and puts the type last, as the shorthand has it.
    fileprivate mutating func makeReadable() {
        headers.removeAll { Self.dropped.contains($0.name.lowercased()) }
        guard let place = headers.firstIndex(where: { $0.name.lowercased() == "content-type" }) else { return }
        let type = headers.remove(at: place)
        headers.append(ResponseHeader("Content-Type", type.values))
        guard let text = body, RecordedType(type.values.first).mentions("json") else { return }
        guard let json = try? JSONValue(parsing: Array(text.utf8)[...]), !json.isNull,
            json.compactBytes.count <= text.utf8.count
        else { return }
        // A duplicate key would be lost, and so would an unpaired surrogate.
        guard json.isShallow, !json.isTextLikeJSON, json.hasAsManyKeys(as: text),
            !text.contains(text: "\\u") || text.contains("\u{FFFD}") || !json.compactText.contains("\u{FFFD}")
        else { return }
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
        // Headers that a stream of events adds by itself.
        guard events.stream.items.allSatisfy({ if case .event = $0.content { true } else { false } }) else { return }
        let implied = ["cache-control": "no-cache", "content-type": "text/event-stream"]
        headers.removeAll { implied[$0.name.lowercased()] == $0.values.first?.lowercased() }
    }
}

extension JSONValue {
    /// Whether it is a text that people would take for a document.
    fileprivate var isTextLikeJSON: Bool {
        let first = stringValue?.utf8.first { $0 > 0x20 }
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    }

    /// Whether its nesting is shallow enough for people, and for the file to be read back.
    var isShallow: Bool {
        func isShallow(_ value: JSONValue, _ left: Int) -> Bool {
            switch value {
            case .array(let elements): left > 0 && elements.allSatisfy { isShallow($0, left - 1) }
            case .object(let object): left > 0 && object.members.allSatisfy { isShallow($0.value, left - 1) }
            default: true
            }
        }
        return isShallow(self, 60)
    }

    /// Whether the text has no more keys than this value, that is, no duplicates.
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
