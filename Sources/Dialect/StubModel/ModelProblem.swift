import SDBasics
public import SDJSON

/// A problem of a stub: in WireMock's words for clients of the admin API, and in our own for authors of files.
public struct ModelProblem: Error, Sendable, Hashable {
    /// WireMock's error code; 10 for all JSON problems.
    public var code: Int
    /// WireMock's title.
    public var title: String
    /// The pointer that WireMock reports. It ends at a matcher object even if `place` is inside it.
    public var pointer: JSONPointer
    /// WireMock's message; nil if it has none.
    public var detail: String?

    /// The exact pointer.
    public var place: JSONPointer
    /// Whether the problem is in the member's name rather than its value.
    public var isAboutName: Bool
    /// The message: a sentence without a full stop.
    public var message: String
    /// What is valid there.
    public var expected: String?
    /// What was found there.
    public var found: String?
    /// The valid name nearest to the one found.
    public var suggestion: String?
    /// The stable code of the check that found it; nil for problems found while reading.
    package var check: String?

    /// Makes a problem. `place` is `pointer` unless it is given.
    public init(
        code: Int = 10, title: String = "Error parsing JSON", pointer: JSONPointer, detail: String? = nil,
        place: JSONPointer? = nil, isAboutName: Bool = false, message: String, expected: String? = nil,
        found: String? = nil, suggestion: String? = nil
    ) {
        self.code = code
        self.title = title
        self.pointer = pointer
        self.detail = detail
        self.place = place ?? pointer
        self.isAboutName = isAboutName
        self.message = message
        self.expected = expected
        // Redact the user of a URL, whichever check found it.
        self.found = found?.withoutPassword
        self.suggestion = suggestion?.withoutPassword
    }
}

extension ModelProblem: CustomStringConvertible {
    public var description: String { text(naming: expected) }

    /// The description; it lists the valid values only without a suggestion.
    public var shortDescription: String { text(naming: suggestion == nil ? expected : nil) }

    private func text(naming expected: String?) -> String {
        (place.tokens.isEmpty ? message : "\(place.keyPath): \(message)")
            + expecting(expected, found: found, meaning: suggestion)
    }
}

/// All problems of a document, in document order. Never empty.
public struct ModelProblems: Error, Sendable, Hashable {
    /// The problems in document order.
    public var problems: [ModelProblem]

    /// Makes an error from problems.
    public init(_ problems: [ModelProblem]) {
        self.problems = problems
    }
}

extension ModelProblems: CustomStringConvertible {
    public var description: String {
        problems.map(\.description).joined(separator: "\n")
    }
}
