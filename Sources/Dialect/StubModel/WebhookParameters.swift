import SDBasics
package import SDJSON

extension WebhookParameters {
    package enum Body: Sendable {
        case none
        case text(String)
        case bytes([UInt8])
        // The following cases are not in WireMock.
        case json(JSONValue)
        case file(String)
        case parts([Part])

        /// Whether the body is read from a file or assembled from parts.
        package var isSlow: Bool {
            switch self {
            case .file, .parts: true
            default: false
            }
        }

        fileprivate init(_ text: String?, _ bytes: [UInt8]?, _ json: JSONValue?, _ file: String?) {
            self =
                text.map { .text($0) } ?? bytes.map { .bytes($0) } ?? json.map { .json($0) } ?? file.map { .file($0) }
                ?? .none
        }

        static func readBytes(_ value: JSONValue, _ reader: inout ModelReader) -> [UInt8]? {
            guard let text = value.stringValue else { return nil }
            do throws(Base64.Problem) {
                return try Base64.decode(text)
            } catch {
                reader.report(detail: error.detail, message: "not Base64", expected: "Base64", found: quoted(text))
                return nil
            }
        }
    }

    /// The body; as in WireMock, the first one given wins.
    package var body: Body {
        let body = Body(text, bytes, json, file)
        if case .none = body, let multipart { return .parts(multipart) }
        return body
    }

    /// Reads the parameters of a listener. Reports problems; the `detail` of the first one is WireMock's message when
    /// it would send the webhook. Unknown names are kept for templates.
    package init(_ json: JSONValue?, _ reader: inout ModelReader) {
        self.init()
        guard case .object(let parameters)? = json else {
            let call = "com.github.tomakehurst.wiremock.extension.Parameters.getString(String, String)"
            reader.report(
                detail: "Cannot invoke \"\(call)\" because \"parameters\" is null",
                message: "a webhook without parameters",
                expected: "{\"method\": …, \"url\": …}")
            return
        }
        if parameters["url"]?.isNull != false {
            reader.report(
                detail: "url' not present", message: "\"url\" is missing", expected: "the URL that is called")
        }
        // In WireMock's order, because its first problem is reported.
        for (index, name) in Self.names.enumerated() {
            guard let value = parameters[name], !value.isNull else { continue }
            reader.within(name) { readMember(index, value, &$0) }
        }
    }

    /// As in WireMock, a method that is not a string counts as absent.
    mutating func readMethod(_ value: JSONValue, _: inout ModelReader) {
        method = value.stringValue ?? method
    }

    mutating func readURL(_ value: JSONValue, _ reader: inout ModelReader) {
        url = value.stringValue ?? ""
        guard value.stringValue == nil else { return }
        reader.report(
            detail: "url is not of type String", message: "not a URL", expected: "a text",
            found: value.shortDescription)
    }

    static func readHeaders(_ value: JSONValue, _ reader: inout ModelReader) -> [ResponseHeader] {
        guard case .object(let object) = value else {
            reader.report(
                detail: "headers is not a map", message: "wrong type", expected: "an object of names and values",
                found: value.shortDescription)
            return []
        }
        return object.members.compactMap { member in
            reader.within(member.key) { reader in
                switch member.value {
                case .null: return nil
                case .array(let elements):
                    if elements.isEmpty {
                        reader.report(
                            detail: "No value for \(member.key)", message: "a header without a value",
                            expected: "a text, or a list of texts")
                    }
                    return ResponseHeader(member.key, elements.map(\.asText))
                default: return ResponseHeader(member.key, [member.value.asText])
                }
            }
        }
    }

    static func readParts(_ value: JSONValue, _ reader: inout ModelReader) -> [Part]? {
        guard let elements = value.arrayValue else {
            reader.report(
                detail: nil, message: "wrong type",
                expected: "a list of parts, such as [{\"name\": \"a\", \"body\": \"b\"}]",
                found: value.shortDescription)
            return nil
        }
        return reader.elements(elements, Part.read)
    }

    static func readDelay(_ value: JSONValue, _ reader: inout ModelReader) -> DelayDistribution? {
        if let text = value.stringValue, DurationText.milliseconds(text) != nil {
            return DelayText.read(value, &reader)
        }
        guard case .object(let object) = value else {
            reader.report(
                detail: "delay is not a map", message: "not a delay", expected: DelayText.expected,
                found: value.shortDescription, suggestion: DurationText.meant(by: value))
            return nil
        }
        let isShort = ["uniform", "median", "gaussian", "exponential"].contains { object[$0] != nil }
        if object["type"] == nil, isShort { return DelayText.read(value, &reader) }
        var inner = ModelReader()
        let delay = DelayDistribution.read(value, &inner)
        for var problem in inner.problems {
            problem.detail = problem.detail.map {
                let context = " (for POJO property 'delayDistribution')"
                return ($0.hasSuffix(context) ? String($0.dropLast(context.count)) : $0)
                    + "\n at [Source: UNKNOWN; byte offset: #UNKNOWN]"
            }
            reader.report(
                detail: problem.detail, message: problem.message, expected: problem.expected, found: problem.found,
                suggestion: problem.suggestion)
        }
        return delay
    }
}

extension WebhookParameters.Part {
    package var body: WebhookParameters.Body { WebhookParameters.Body(text, bytes, json, file) }
}

extension WebhookParameters.Retry {
    /// The maximum wait in milliseconds: one hour.
    package static let longestWait = 3_600_000

    /// The wait before an attempt, in milliseconds.
    /// - Parameter attempt: 1 for the first retry.
    package func wait(before attempt: Int) -> Int {
        min(backoff << min(attempt - 1, 30), Self.longestWait)
    }

    static func readTimesOrObject(_ value: JSONValue, _ reader: inout ModelReader) -> Self? {
        value.objectValue == nil ? readTimes(value, &reader).map { Self(times: $0) } : read(value, &reader)
    }

    static func readTimes(_ value: JSONValue, _ reader: inout ModelReader) -> Int? {
        reader.accept(
            value.intValue.flatMap { 0...100 ~= $0 ? $0 : nil }, of: value, "not a number of attempts",
            "an integer from 0 to 100")
    }

    /// A duration with its unit, or a number of milliseconds.
    static func readBackoff(_ value: JSONValue, _ reader: inout ModelReader) -> Int? {
        if let number = value.intValue, (0...Int(Int32.max)).contains(number) { return number }
        return DurationText.read(value, &reader)
    }
}

extension WebhookParameters.Signature {
    static func readAlgorithm(_ value: JSONValue, _ reader: inout ModelReader) -> String? {
        guard let name = value.stringValue else { return nil }
        let plain = name.lowercased().filter { $0 != "-" }
        let known = DialectNames.algorithms
        guard !known.contains(plain) else { return plain }
        reader.report(
            detail: nil, message: "unknown algorithm", expected: "one of \(known.joined(separator: ", "))",
            found: quoted(name), suggestion: nearestName(to: plain, among: known))
        return nil
    }

    static func readFormat(_ value: JSONValue, _ reader: inout ModelReader) -> Bool? {
        value.isNull ? nil : reader.choice(value, ["hex", "base64"]).map { $0 == "base64" }
    }
}

extension JSONValue {
    fileprivate var asText: String { stringValue ?? compactText }
}
