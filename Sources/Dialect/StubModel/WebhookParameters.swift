import SDBasics
package import SDJSON

/// What a webhook sends: the parameters of WireMock's listener `webhook`, and some of ours. Its texts are templates.
package struct WebhookParameters: Sendable {
    package enum Body: Sendable {
        case none
        case text(String)
        case bytes([UInt8])
        // The others are not in WireMock.
        case json(JSONValue)
        case file(String)
        case parts([Part])

        /// Whether the body is read from a file, or put together of parts.
        package var isSlow: Bool {
            switch self {
            case .file, .parts: true
            default: false
            }
        }
    }

    /// A part of a body in `multipart/form-data`.
    package struct Part: Sendable {
        package var name: String
        package var fileName: String?
        package var contentType: String?
        package var body: Body
    }

    /// How often a webhook that failed is sent again.
    package struct Retry: Sendable, Hashable {
        /// The most attempts after the first one.
        package var times: Int
        /// The wait before the first of them, in milliseconds; each later one is twice as long.
        package var backoff = 1_000

        /// The longest wait, in milliseconds.
        package static let longestWait = 3_600_000

        package init(times: Int) {
            self.times = times
        }

        /// The wait before an attempt, in milliseconds.
        /// - Parameter attempt: 1 for the first one after a failure.
        package func wait(before attempt: Int) -> Int {
            min(backoff << min(attempt - 1, 30), Self.longestWait)
        }
    }

    /// A header that signs the body.
    package struct Signature: Sendable, Hashable {
        package var secret: String
        package var algorithm = "sha256"
        package var header = "X-Signature"
        /// Whether it is written in Base64 and not in hexadecimal digits.
        package var isBase64 = false
        /// What stands before it, such as `sha256=`.
        package var prefix = ""
    }

    package var method = "GET"
    package var url = ""
    package var headers: [ResponseHeader] = []
    package var body = Body.none
    package var delay: DelayDistribution?
    package var retry: Retry?
    package var signature: Signature?

    /// The names of the parameters. Any other one is for templates alone.
    package static let names = [
        "method", "url", "headers", "body", "base64Body", "jsonBody", "bodyFileName", "multipart", "delay", "retry",
        "hmac",
    ]
    /// Those that give the body. WireMock takes the first of them that there is, and knows only the first two.
    package static let bodyNames = ["body", "base64Body", "jsonBody", "bodyFileName", "multipart"]
    package static let algorithms = DialectNames.algorithms
    package static let retryNames = DialectNames.retry
    package static let signatureNames = DialectNames.hmac
    package static let partNames = DialectNames.webhookPart
}

extension WebhookParameters {
    /// Reads the parameters of a listener. What is wrong is reported; the `detail` of the first problem is what WireMock
    /// says when it would send the webhook.
    package init(_ json: JSONValue?, _ reader: inout ModelReader) {
        guard case .object(let parameters)? = json else {
            let call = "com.github.tomakehurst.wiremock.extension.Parameters.getString(String, String)"
            reader.report(
                detail: "Cannot invoke \"\(call)\" because \"parameters\" is null",
                message: "a webhook without parameters",
                expected: "{\"method\": …, \"url\": …}")
            return
        }
        // As in WireMock, a method that is no text counts as absent.
        method = parameters["method"]?.stringValue ?? "GET"
        readURL(parameters["url"], &reader)
        if let value = parameters["headers"], !value.isNull {
            headers = reader.within("headers") { Self.headers(value, &$0) }
        }
        body = Self.body(parameters, &reader)
        if let multipart = parameters["multipart"], !multipart.isNull, case .none = body {
            body = .parts(reader.within("multipart") { Self.parts(multipart, &$0) })
        }
        if let value = parameters["delay"], !value.isNull {
            delay = reader.within("delay") { Self.delay(value, &$0) }
        }
        if let value = parameters["retry"], !value.isNull {
            retry = reader.within("retry") { Self.retry(value, &$0) }
        }
        if let value = parameters["hmac"], !value.isNull {
            signature = reader.within("hmac") { Self.signature(value, &$0) }
        }
    }

    private mutating func readURL(_ value: JSONValue?, _ reader: inout ModelReader) {
        switch value {
        case nil, .null?:
            reader.report(
                detail: "url' not present", message: "\"url\" is missing", expected: "the URL that is called")
        case .string(let text)?: url = text
        case .some(let other):
            reader.within("url") {
                $0.report(
                    detail: "url is not of type String", message: "not a URL", expected: "a text",
                    found: other.shortDescription)
            }
        }
    }

    private static func headers(_ value: JSONValue, _ reader: inout ModelReader) -> [ResponseHeader] {
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
                    return ResponseHeader(member.key, elements.map { text($0) })
                default: return ResponseHeader(member.key, [text(member.value)])
                }
            }
        }
    }

    private static func text(_ value: JSONValue) -> String { value.stringValue ?? value.compactText }

    private static func body(_ parameters: JSONObject, _ reader: inout ModelReader) -> Body {
        if let text = parameters["body"]?.stringValue { return .text(text) }
        if let text = parameters["base64Body"]?.stringValue {
            do throws(Base64.Problem) {
                return .bytes(try Base64.decode(text))
            } catch {
                reader.within("base64Body") {
                    $0.report(detail: error.detail, message: "not Base64", expected: "Base64", found: quoted(text))
                }
                return .none
            }
        }
        if let json = parameters["jsonBody"], !json.isNull { return .json(json) }
        if let name = parameters["bodyFileName"]?.stringValue { return .file(name) }
        return .none
    }

    private static func parts(_ value: JSONValue, _ reader: inout ModelReader) -> [Part] {
        guard let elements = value.arrayValue else {
            reader.report(
                detail: nil, message: "wrong type",
                expected: "a list of parts, such as [{\"name\": \"a\", \"body\": \"b\"}]",
                found: value.shortDescription)
            return []
        }
        var parts: [Part] = []
        for (index, element) in elements.enumerated() {
            reader.within(String(index)) { reader in
                guard case .object(let object) = element, let name = object["name"]?.stringValue else {
                    reader.report(
                        detail: nil, message: "a part without a name", expected: "{\"name\": \"a\", \"body\": \"b\"}",
                        found: element.shortDescription)
                    return
                }
                for key in object.keys where !partNames.contains(key) {
                    reader.reportUnknownKey(key, valid: partNames)
                }
                parts.append(
                    Part(
                        name: name, fileName: object["fileName"]?.stringValue,
                        contentType: object["contentType"]?.stringValue, body: body(object, &reader)))
            }
        }
        return parts
    }

    private static func delay(_ value: JSONValue, _ reader: inout ModelReader) -> DelayDistribution? {
        if let text = value.stringValue, WrittenDuration.milliseconds(text) != nil {
            return WrittenDelay.read(value, &reader)
        }
        guard case .object(let object) = value else {
            reader.report(
                detail: "delay is not a map", message: "not a delay", expected: WrittenDelay.expected,
                found: value.shortDescription, suggestion: WrittenDuration.meant(by: value))
            return nil
        }
        let isShort = ["uniform", "median", "gaussian", "exponential"].contains { object[$0] != nil }
        if object["type"] == nil, isShort { return WrittenDelay.read(value, &reader) }
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

    private static func retry(_ value: JSONValue, _ reader: inout ModelReader) -> Retry? {
        let range = 0...100
        func times(_ value: JSONValue?, _ reader: inout ModelReader) -> Int? {
            if let times = value?.intValue, range.contains(times) { return times }
            reader.report(
                detail: nil, message: "not a number of attempts", expected: "an integer from 0 to 100",
                found: value?.shortDescription)
            return nil
        }
        guard case .object(let object) = value else { return times(value, &reader).map { Retry(times: $0) } }
        for key in object.keys where !retryNames.contains(key) { reader.reportUnknownKey(key, valid: retryNames) }
        let count = object["times"] == nil ? 3 : reader.within("times") { times(object["times"], &$0) }
        guard var retry = count.map({ Retry(times: $0) }) else { return nil }
        if let backoff = object["backoff"] {
            guard let milliseconds = reader.within("backoff", { duration(backoff, &$0) }) else { return nil }
            retry.backoff = milliseconds
        }
        return retry
    }

    /// A duration with its unit, or a number of milliseconds.
    private static func duration(_ value: JSONValue, _ reader: inout ModelReader) -> Int? {
        if let number = value.intValue, (0...Int(Int32.max)).contains(number) { return number }
        return WrittenDuration.read(value, &reader)
    }

    private static func signature(_ value: JSONValue, _ reader: inout ModelReader) -> Signature? {
        guard case .object(let object) = value, let secret = object["secret"]?.stringValue else {
            reader.report(
                detail: nil, message: "a signature without a secret", expected: "{\"secret\": …, \"header\": …}",
                found: value.shortDescription)
            return nil
        }
        for key in object.keys where !signatureNames.contains(key) {
            reader.reportUnknownKey(key, valid: signatureNames)
        }
        var signature = Signature(secret: secret)
        if let header = object["header"]?.stringValue { signature.header = header }
        if let prefix = object["prefix"]?.stringValue { signature.prefix = prefix }
        if let name = object["algorithm"]?.stringValue {
            let plain = name.lowercased().filter { $0 != "-" }
            if !algorithms.contains(plain) {
                reader.within("algorithm") {
                    $0.report(
                        detail: nil, message: "unknown algorithm",
                        expected: "one of \(algorithms.joined(separator: ", "))",
                        found: quoted(name), suggestion: nearestName(to: plain, among: algorithms))
                }
            }
            signature.algorithm = plain
        }
        switch object["format"]?.stringValue {
        case nil, "hex"?: break
        case "base64"?: signature.isBase64 = true
        case let name?:
            reader.within("format") {
                $0.report(
                    detail: nil, message: "unknown format", expected: "hex or base64", found: quoted(name),
                    suggestion: nearestName(to: name, among: ["hex", "base64"]))
            }
        }
        return signature
    }
}
