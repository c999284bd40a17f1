/// A document as whoever reads it has it: as a tree, or as the tape of its text.
public enum JSONDocument: Sendable {
    case tree(JSONValue)
    case tape(JSONTape)

    /// Makes a tree of a tape.
    public var value: JSONValue {
        switch self {
        case .tree(let value): value
        case .tape(let tape): tape.value
        }
    }

    public var isNull: Bool {
        switch self {
        case .tree(let value): value.isNull
        case .tape(let tape): tape.entries[0].kind == .null
        }
    }
}
