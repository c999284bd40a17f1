/// One reason why a request pattern cannot be served.
public struct PatternProblem: Sendable, Hashable {
    public enum Code: Sendable, Hashable {
        /// A field or operator of the dialect that is not served; `message` names it.
        case notServed
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

/// A place in a stub mapping, written as a JSON pointer.
struct PatternPlace {
    let pointer: String

    func member(_ name: String) -> PatternPlace {
        var escaped = ""
        for character in name.unicodeScalars {
            switch character {
            case "~": escaped += "~0"
            case "/": escaped += "~1"
            default: escaped.unicodeScalars.append(character)
            }
        }
        return PatternPlace(pointer: pointer + "/" + escaped)
    }

    func element(_ index: Int) -> PatternPlace {
        PatternPlace(pointer: "\(pointer)/\(index)")
    }
}
