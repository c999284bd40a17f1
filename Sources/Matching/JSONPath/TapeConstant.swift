import SDJSON

/// A literal with which values of a tape are compared, without a tree.
enum TapeConstant {
    case integer(Int)
    case text(String)

    /// Nil for a literal that only trees compare.
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

    /// Whether a value equals the literal; nil where only trees can tell. `bytes` are those of the value's tape.
    func equals(_ value: JSONTape.Entry, in bytes: Span<UInt8>) -> Bool? {
        switch (self, value.kind) {
        case (.integer(let integer), .number): value.smallInteger(in: bytes).map { $0 == integer }
        case (.text(let text), .string): value.isText(text, in: bytes)
        default: nil
        }
    }
}
