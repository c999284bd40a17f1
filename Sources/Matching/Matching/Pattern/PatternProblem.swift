internal import JSON
public import RegularExpressions

/// One reason why a request pattern cannot be served.
public struct PatternProblem: Sendable, Hashable {
    public enum Code: Sendable, Hashable {
        /// An operand of the wrong kind.
        case badOperand
        case badRegex(RegexProblem)
        case badTemplate
    }

    public let code: Code
    /// JSON pointer (RFC 6901) of the culprit in the stub mapping, such as `/request/headers/Accept/matches`.
    public let pointer: String
    /// What is wrong, in one sentence without the place.
    public let message: String
    /// What WireMock says of it; nil where it takes it, or says it otherwise.
    public let wireMockDetail: String?
}

/// All reasons why a request pattern cannot be served, in the order of the pattern's fields. Never empty.
public struct PatternProblems: Error, Sendable, Hashable {
    public let problems: [PatternProblem]
}

extension PatternProblems: CustomStringConvertible {
    public var description: String {
        problems.map { "\($0.pointer): \($0.message)" }.joined(separator: "\n")
    }
}

/// A place in a stub mapping. Written as a JSON pointer only when there is a problem to place: most stubs have none.
struct PatternPlace {
    private let root: String
    private var path: [String] = []

    init(pointer: String) {
        root = pointer
    }

    var pointer: String { root + JSONPointer(path).text }

    func member(_ name: String) -> PatternPlace {
        var place = self
        place.path.append(name)
        return place
    }

    func element(_ index: Int) -> PatternPlace {
        member(String(index))
    }
}
