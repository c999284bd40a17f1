/// A parsed JSON document: a tree, or the tape of its text.
public enum JSONDocument: Sendable {
    /// A tree of values.
    case tree(JSONValue)
    /// The tape of its text.
    case tape(JSONTape)

    /// The document as a tree; a tape builds it on each call.
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
