internal import SDJSON
public import SDRegularExpressions

/// A reason why a request pattern cannot be used.
public struct PatternProblem: Sendable, Hashable {
    public enum Code: Sendable, Hashable {
        /// An operand of the wrong kind.
        case badOperand
        case badRegex(RegexProblem)
        case badTemplate
    }

    public let code: Code
    /// The JSON pointer (RFC 6901) of the cause in the stub mapping, such as `/request/headers/Accept/matches`.
    public let pointer: String
    /// The error in one sentence, without the location.
    public let message: String
    /// WireMock's message; nil if WireMock accepts it or says the same.
    public let wireMockDetail: String?
}

/// All reasons why a request pattern cannot be used, in the order of the pattern's fields. Never empty.
public struct PatternProblems: Error, Sendable, Hashable {
    public let problems: [PatternProblem]
}

extension PatternProblems: CustomStringConvertible {
    public var description: String {
        problems.map { "\($0.pointer): \($0.message)" }.joined(separator: "\n")
    }
}

/// A location in a stub mapping. The JSON pointer is written only for a problem, because most stubs have none.
package struct PatternPlace {
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
