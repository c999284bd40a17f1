/// A JSON document in the form in which it was read: a tree, or the tape of its text.
public enum JSONDocument: Sendable {
    /// Read as a tree of values.
    case tree(JSONValue)
    /// Read as the tape of its text.
    case tape(JSONTape)

    /// The document as a tree, built on each call if it is a tape.
    public var value: JSONValue {
        switch self {
        case .tree(let value): value
        case .tape(let tape): tape.value
        }
    }

    /// Whether the whole document is `null`.
    public var isNull: Bool {
        switch self {
        case .tree(let value): value.isNull
        case .tape(let tape): tape.entries[0].kind == .null
        }
    }
}
