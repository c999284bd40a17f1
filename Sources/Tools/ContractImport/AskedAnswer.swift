import SDBasics
import SDContracts
import SDJSON
import SDStubModel

/// Which of an operation's answers a request asks for by `Prefer` and `Accept`.
struct AskedAnswer: Hashable {
    var status: Int?
    /// The content type.
    var type: String?
    /// The name of an example.
    var example: String?

    /// The conditions of the stub that gives this answer.
    var conditions: [NamedMatcher] {
        let wanted = [status.map { "code=\($0)" }, example.map { "example=\($0)" }].compactMap(\.self)
            .map { ValueMatcher(.contains, $0) }
        var conditions: [NamedMatcher] = []
        if wanted.count == 1 {
            conditions.append(NamedMatcher("Prefer", wanted[0]))
        } else if wanted.count > 1 {
            conditions.append(
                NamedMatcher("Prefer", ValueMatcher(.and, operand: .array(wanted.map { .object($0.json) }))))
        }
        if let type {
            // A client that prefers another type lists that one first.
            conditions.append(NamedMatcher("Accept", ValueMatcher(.matches, Self.escaped(type) + ".*")))
        }
        return conditions
    }

    /// The selection in short; nil for none.
    var words: String? {
        let words = [status.map { String($0) }, example, type].compactMap(\.self)
        return words.isEmpty ? nil : words.joined(separator: " ")
    }

    /// The stubs' order: more specific ones first, and longer names of examples and types before others that may be
    /// their prefix.
    var rank: [Int] {
        let kind =
            switch (status, example, type) {
            case (.some, .some, _): 0
            case (.some, _, .some): 1
            case (_, .some, _): 2
            case (.some, _, _): 3
            case (_, _, .some): 4
            default: 5
            }
        return [kind, -(example?.count ?? 0), -(type?.count ?? 0)]
    }

    /// The headers of a request for this answer.
    var headers: [(name: String, value: String)] { type.map { [(name: "Accept", value: $0)] } ?? [] }

    func apply(to wishes: inout AnswerPreferences) {
        wishes.status = status
        wishes.example = example
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text {
            if ".+*?()[]{}|^$\\".contains(character) { escaped += "\\" }
            escaped.append(character)
        }
        return escaped
    }
}
