public import JSON

/// One thing that is wrong with a stub, for a client of the admin API in WireMock's words and for the author of a file in
/// ours.
public struct ModelProblem: Sendable, Hashable {
    /// WireMock's error code; 10 is any problem of reading JSON.
    public var code: Int
    /// WireMock's title.
    public var title: String
    /// The place that WireMock names. It stops at a matcher object where `place` may lead into it.
    public var pointer: JSONPointer
    /// WireMock's wording where WireMock has one; nil where it says nothing.
    public var detail: String?

    /// The exact place.
    public var place: JSONPointer
    /// True if the member's name is wrong, false if its value is.
    public var isAboutName: Bool
    /// One sentence without a full stop, for people.
    public var message: String
    /// What is valid there, in words.
    public var expected: String?
    /// What stands there, in words.
    public var found: String?
    /// The valid name that is most like the one found.
    public var suggestion: String?

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
        self.found = found
        self.suggestion = suggestion
    }
}

extension ModelProblem: CustomStringConvertible {
    public var description: String { text(naming: expected) }

    /// The description, without what is valid where the nearest of it is named.
    public var shortDescription: String { text(naming: suggestion == nil ? expected : nil) }

    private func text(naming expected: String?) -> String {
        var text = place.tokens.isEmpty ? message : "\(place.keyPath): \(message)"
        if let expected { text += "; expected \(expected)" }
        if let found { text += ", found \(found)" }
        if let suggestion { text += "; did you mean \"\(suggestion)\"?" }
        return text
    }
}

/// Everything that is wrong with a document, in the order of the document. Never empty.
public struct ModelProblems: Error, Sendable, Hashable {
    public var problems: [ModelProblem]

    public init(_ problems: [ModelProblem]) {
        self.problems = problems
    }
}

extension ModelProblems: CustomStringConvertible {
    public var description: String {
        problems.map(\.description).joined(separator: "\n")
    }
}
