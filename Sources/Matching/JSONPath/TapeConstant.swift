import SDJSON

/// A literal to which values of a tape are compared without a tree.
enum TapeConstant {
    case integer(Int)
    case text(String)

    /// Nil for a literal that needs a tree.
    init?(_ literal: JSONValue) {
        switch literal {
        case .string(let text): self = .text(text)
        case .number(let number):
            guard let integer = Int(number.text) else { return nil }
            self = .integer(integer)
        default: return nil
        }
    }

    /// The steps that a comparison takes.
    var steps: Int {
        switch self {
        case .integer: 2
        case .text(let text): 2 + text.utf8.count / 8
        }
    }

    /// Whether a value equals the literal; nil if that needs a tree. `bytes` belong to the value's tape.
    func equals(_ value: JSONTape.Entry, in bytes: Span<UInt8>) -> Bool? {
        switch (self, value.kind) {
        case (.integer(let integer), .number): value.smallInteger(in: bytes).map { $0 == integer }
        case (.text(let text), .string): value.isText(text, in: bytes)
        default: nil
        }
    }
}
