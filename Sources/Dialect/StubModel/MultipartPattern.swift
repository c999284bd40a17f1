public import SDJSON

extension MultipartPattern {
    /// Whether the file name is compared. WireMock does so only beside `headers` or `bodyPatterns`, even empty ones.
    public var comparesFileName: Bool {
        fileName != nil && (hasConditions || !headers.isEmpty || !bodyPatterns.isEmpty)
    }

}

/// Two patterns are equal if they have the same conditions.
extension MultipartPattern: Hashable {
    public static func == (left: MultipartPattern, right: MultipartPattern) -> Bool {
        left.name == right.name && left.fileName == right.fileName && left.matchingType == right.matchingType
            && left.headers == right.headers && left.bodyPatterns == right.bodyPatterns
            && left.comparesFileName == right.comparesFileName
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(fileName)
        hasher.combine(headers)
        hasher.combine(bodyPatterns)
    }
}

extension MultipartPattern {
    package static func readList(_ value: JSONValue, _ reader: inout ModelReader) -> [MultipartPattern] {
        reader.elements(reader.array(value, elementOf: JavaClass.multipartPattern.name) ?? [], read)
    }

    private static func read(_ value: JSONValue, _ reader: inout ModelReader) -> MultipartPattern? {
        if value.isNull {
            reader.report(detail: nil, message: "no pattern", expected: "an object", found: "null")
            return nil
        }
        guard let object = reader.object(value, .multipartPattern) else { return nil }
        var pattern = MultipartPattern()
        pattern.readMembers(of: object, &reader)
        pattern.hasConditions = ["headers", "bodyPatterns"].contains { object[$0].map { !$0.isNull } ?? false }
        if pattern.fileName != nil, !pattern.comparesFileName {
            reader.warn(
                "\"fileName\" is ignored without \"headers\" or \"bodyPatterns\"", name: "fileName", isIneffective: true
            )
        }
        if pattern.name != nil, !pattern.looksAtDisposition {
            reader.warn(
                "\"name\" is only a label, and no part is compared with it",
                expected: "\"headers\" with a matcher of Content-Disposition", name: "name", isIneffective: true)
        }
        return pattern
    }

    static func readMatchingType(_ value: JSONValue, _ reader: inout ModelReader) -> MatchingType? {
        reader.constant(value, javaType: JavaClass.multipartPattern.name + "$MatchingType", order: ["ALL", "ANY"])
    }

    /// The JSON in WireMock's order, without absent members and insignificant empty ones.
    public var json: JSONValue {
        var object = members
        if comparesFileName, bodyPatterns.isEmpty, headers.isEmpty { object["headers"] = [:] }
        return .object(object)
    }
}

extension MultipartPattern {
    /// Whether a matcher concerns the name and the file name.
    fileprivate var looksAtDisposition: Bool {
        headers.contains { $0.name.lowercased() == "content-disposition" }
    }

    /// Adds a `Content-Disposition` matcher for the name and the file name, as WireMock's Java client does: a name
    /// alone does not restrict. A pattern that has such a matcher stays unchanged.
    package mutating func requireDisposition() {
        var wanted: [JSONValue] = []
        if let name { wanted.append(["contains": .string("name=\"\(name)\"")]) }
        if let fileName { wanted.append(["contains": .string("filename=\"\(fileName)\"")]) }
        guard !looksAtDisposition, let first = wanted.first?.objectValue else { return }
        let matcher =
            wanted.count == 1
            ? ValueMatcher(.contains, json: first) : ValueMatcher(.and, operand: .array(wanted))
        headers.append(NamedMatcher("Content-Disposition", matcher))
    }
}
