import SDJSON

/// An expected document in flat arrays, for the comparison with a `JSONTape`: walking both counts no references and
/// allocates nothing.
struct FlatExpectation: Sendable {
    enum Kind: Sendable {
        case null, `true`, `false`, number, string, array, object, placeholder
    }

    struct Node: Sendable {
        let kind: Kind
        /// Whether the member must be present.
        var isRequired = false
        /// A member's name, as a range of `text`.
        var name: Range<UInt32> = 0..<0
        /// The range of a string or number in `text`, or of the contents of an array or object in `nodes`; for a
        /// placeholder, the range of its number alone.
        var content: Range<UInt32> = 0..<0
        /// The number of members that must be present.
        var requiredCount: UInt32 = 0
        /// The index in `order` of the first of the object's members, if it has too many for a linear search.
        var orderStart: UInt32 = 0
    }

    /// The root first. The contents of an array or object are adjacent.
    private(set) var nodes: ContiguousArray<Node> = []
    private(set) var text: ContiguousArray<UInt8> = []
    private(set) var placeholders: [JSONPlaceholder] = []
    /// Positions of members within their objects, ordered by name.
    private(set) var order: ContiguousArray<UInt32> = []

    static let linearSearchLimit = 8

    init(_ expected: JSONExpectation, nullsEqualMissing: Bool) {
        nodes.append(Node(kind: .null))
        lay(expected, at: 0, nullsEqualMissing)
        // There are many stubs, so the spare capacity from growing is dropped.
        nodes = ContiguousArray(nodes.lazy.map { $0 })
        text = ContiguousArray(text.lazy.map { $0 })
        order = ContiguousArray(order.lazy.map { $0 })
    }

    private mutating func lay(_ expected: JSONExpectation, at place: Int, _ nullsEqualMissing: Bool) {
        let former = nodes[place]
        var node: Node
        switch expected.kind {
        case .null: node = Node(kind: .null)
        case .bool(let value): node = Node(kind: value ? .true : .false)
        case .number(let number, _): node = Node(kind: .number, content: add(number.text))
        case .string(let string): node = Node(kind: .string, content: add(string))
        case .placeholder(let placeholder):
            let number = UInt32(placeholders.count)
            placeholders.append(placeholder)
            node = Node(kind: .placeholder, content: number..<number + 1)
        case .array(let elements):
            node = Node(kind: .array, content: reserve(elements.count))
            for (index, element) in elements.enumerated() {
                lay(element, at: Int(node.content.lowerBound) + index, nullsEqualMissing)
            }
        case .object(let members):
            node = Node(
                kind: .object, content: reserve(members.list.count), requiredCount: UInt32(members.requiredCount))
            for (index, member) in members.list.enumerated() {
                let child = Int(node.content.lowerBound) + index
                nodes[child].name = add(member.key)
                nodes[child].isRequired = !member.value.allowsMissing(nullsEqualMissing: nullsEqualMissing)
                lay(member.value, at: child, nullsEqualMissing)
            }
            if members.list.count > Self.linearSearchLimit {
                node.orderStart = UInt32(order.count)
                let names = members.list.map { Array($0.key.utf8) }
                order.append(
                    contentsOf: names.indices.sorted { names[$0].lexicographicallyPrecedes(names[$1]) }.map(UInt32.init)
                )
            }
        }
        node.name = former.name
        node.isRequired = former.isRequired
        nodes[place] = node
    }

    private mutating func add(_ string: String) -> Range<UInt32> {
        let start = UInt32(text.count)
        text.append(contentsOf: string.utf8)
        return start..<UInt32(text.count)
    }

    private mutating func reserve(_ count: Int) -> Range<UInt32> {
        let start = UInt32(nodes.count)
        nodes.append(contentsOf: repeatElement(Node(kind: .null), count: count))
        return start..<UInt32(nodes.count)
    }
}
