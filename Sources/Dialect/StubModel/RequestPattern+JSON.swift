import SDBasics
public import SDJSON

extension RequestPattern {
    /// Reads a separate request pattern, as in journal queries.
    /// - Throws: all problems.
    public init(json: JSONValue) throws(ModelProblems) {
        var reader = ModelReader()
        let pattern = Self.read(json, &reader)
        guard reader.problems.isEmpty else { throw ModelProblems(reader.problems) }
        self = pattern
    }

    /// An empty pattern to fill. Making one takes several times as long as copying it.
    private static let unread = RequestPattern()

    package static func read(_ value: JSONValue, _ reader: inout ModelReader) -> RequestPattern {
        var pattern = unread
        guard let object = reader.object(value, .requestPattern) else { return pattern }
        var urls: [(name: String, text: String)] = []
        pattern.readMembers(of: object, urls: &urls, &reader)
        pattern.url = url(urls, &reader)
        if !pattern.pathParameters.isEmpty, !urls.contains(where: { $0.name == "urlPathTemplate" }) {
            reader.warn(
                "\"pathParameters\" is ignored without \"urlPathTemplate\"", name: "pathParameters", isIneffective: true
            )
        }
        return pattern
    }

    /// The URL fields; if several are given, WireMock uses the first in this order.
    private static let urlForms: [(name: String, pattern: @Sendable (String) -> URLPattern)] = [
        ("url", { .url($0) }), ("urlPattern", { .urlPattern($0) }), ("urlPath", { .urlPath($0) }),
        ("urlPathPattern", { .urlPathPattern($0) }), ("urlPathTemplate", { .urlPathTemplate($0) }),
    ]

    private static func url(_ given: [(name: String, text: String)], _ reader: inout ModelReader) -> URLPattern {
        var first: (name: String, pattern: URLPattern)?
        for form in urlForms {
            guard let text = given.first(where: { $0.name == form.name })?.text else { continue }
            if let first {
                reader.warn(
                    "\"\(form.name)\" is ignored beside \"\(first.name)\"", name: form.name, isIneffective: true)
                continue
            }
            first = (form.name, form.pattern(text))
            if !form.name.hasSuffix("Pattern"), !text.hasPrefix("/") {
                reader.within(form.name) {
                    $0.warn(
                        "URLs must start with a /, so this never matches", suggestion: text.pathOfURL ?? "/\(text)",
                        isIneffective: true)
                }
            }
        }
        return first?.pattern ?? .any
    }

    func readURL(
        _ name: String, _ value: JSONValue, _ urls: inout [(name: String, text: String)], _ reader: inout ModelReader
    ) {
        if let text = reader.string(value) { urls.append((name, text)) }
    }

    static func readMatchers(
        _ value: JSONValue, _ position: ValueMatcher.Position, _ reader: inout ModelReader
    ) -> [NamedMatcher] {
        let javaClass: JavaClass = position == .multiValue ? .multiValuePatterns : .valuePatterns
        guard let object = reader.object(value, javaClass) else { return [] }
        var matchers: [NamedMatcher] = []
        for member in object.members where !member.value.isNull {
            reader.within(member.key) { reader in
                guard let matcher = ValueMatcher.read(member.value, position, &reader) else { return }
                matchers.append(NamedMatcher(member.key, matcher))
            }
        }
        return matchers
    }

    /// Reads the matchers of a client certificate.
    /// - Parameter read: reads one matcher.
    package static func readCertificate(
        _ value: JSONValue, _ reader: inout ModelReader,
        by read: (JSONValue, ValueMatcher.Position, inout ModelReader) -> ValueMatcher?
    ) -> [NamedMatcher] {
        if value.isNull { return [] }
        guard case .object(let object) = value else {
            reader.refuse(
                "not a client's certificate", expected: "an object such as {\"subject\": {\"contains\": \"CN=alice\"}}",
                found: value.shortDescription)
            return []
        }
        var matchers: [NamedMatcher] = []
        for member in object.members where !member.value.isNull {
            let otherNames = DialectNames.clientCertificateAliases
            reader.key(member, of: DialectNames.clientCertificate, otherNames: otherNames) { reader in
                // Only alternative names can have several values.
                let isMultiple = member.key == CertificateField.alternativeNames.rawValue
                guard let matcher = read(member.value, isMultiple ? .multiValue : .single, &reader) else { return }
                matchers.append(NamedMatcher(member.key, matcher))
            }
        }
        return matchers
    }

    static func readBodyPatterns(_ value: JSONValue, _ reader: inout ModelReader) -> [ValueMatcher] {
        let elements = reader.array(value, elementOf: JavaClass.contentPattern.name)
        return elements.map { reader.elements($0) { ValueMatcher.read($0, .body, &$1) } } ?? []
    }
}

extension MethodPattern {
    package static func read(_ value: JSONValue, _ reader: inout ModelReader) -> MethodPattern {
        switch value {
        case .null, .string("ANY"): return .any
        case .string(let name): return .exactly(name)
        case .object(let object):
            // WireMock 4 has these two; WireMock 3 rejects any object.
            guard object.count == 1, let member = object.members.first, ["oneOf", "noneOf"].contains(member.key) else {
                reader.report(
                    detail: "Cannot construct instance of `\(JavaClass.requestMethod.name)` (although at least one "
                        + "Creator exists): cannot deserialize from Object value (no delegate- or property-based Creator)",
                    message: "not a method", expected: "a name, {\"oneOf\": […]} or {\"noneOf\": […]}",
                    found: value.compactText)
                return .any
            }
            let names = reader.within(member.key) { reader in
                let names = reader.strings(member.value)
                if member.key == "oneOf", names?.isEmpty != false {
                    reader.report(
                        detail: nil, message: "the list of methods is empty", expected: "a list of at least one name",
                        found: member.value.compactText)
                }
                return names ?? []
            }
            return member.key == "oneOf" ? .oneOf(names) : .noneOf(names)
        default:
            reader.reportMismatch(value, .requestMethod, expected: "a method's name")
            return .any
        }
    }

    var json: JSONValue {
        switch self {
        case .any: "ANY"
        case .exactly(let name): .string(name)
        case .oneOf(let names): ["oneOf": .array(names.map(JSONValue.string))]
        case .noneOf(let names): ["noneOf": .array(names.map(JSONValue.string))]
        }
    }
}

extension BasicAuth {
    package static func read(_ value: JSONValue, _ reader: inout ModelReader) -> BasicAuth? {
        guard let object = reader.object(value, .basicCredentials) else { return nil }
        var user = BasicAuth()
        user.readMembers(of: object, &reader)
        for (name, text) in [("username", user.givenUsername), ("password", user.givenPassword)] where text == nil {
            reader.warn("without \"\(name)\" an empty value is expected")
        }
        return user
    }
}

extension URLPattern {
    /// The text of the pattern if it belongs to the member `name`.
    func json(_ name: String) -> JSONValue? {
        switch (self, name) {
        case (.url(let text), "url"), (.urlPattern(let text), "urlPattern"), (.urlPath(let text), "urlPath"),
            (.urlPathPattern(let text), "urlPathPattern"), (.urlPathTemplate(let text), "urlPathTemplate"):
            text.json
        default: nil
        }
    }
}

extension ValueMatcher {
    package var jsonValue: JSONValue { .object(json) }
}

extension [NamedMatcher] {
    /// The matchers as JSON; nil if there are none.
    var json: JSONValue? {
        isEmpty ? nil : .object(JSONObject(map { ($0.name, $0.matcher.jsonValue) }))
    }
}
