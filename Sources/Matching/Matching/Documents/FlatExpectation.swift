import JSON

/// An expected document in two arrays, for the comparison with a `JSONTape`: a walk along both counts no references and
/// allocates nothing.
struct FlatExpectation: Sendable {
    enum Kind: Sendable {
        case null, `true`, `false`, number, string, array, object, placeholder
    }

    struct Node: Sendable {
        let kind: Kind
        /// The member must be there.
        var isRequired = false
        /// Of a member; its bytes in `text`.
        var name: Range<UInt32> = 0..<0
        /// A string's or number's bytes in `text`, the nodes that an array or object holds, or a placeholder's number and
        /// the one behind it.
        var content: Range<UInt32> = 0..<0
        /// How many members must be there.
        var requiredCount: UInt32 = 0
        /// Where the places of the members stand in `order`, if the object has more than a linear search likes.
        var orderStart: UInt32 = 0
    }

    /// The root first. What one value holds stands in a row.
    private(set) var nodes: ContiguousArray<Node> = []
    private(set) var text: ContiguousArray<UInt8> = []
    private(set) var placeholders: [JSONPlaceholder] = []
    /// Places of members within their objects, ordered by name.
    private(set) var order: ContiguousArray<UInt32> = []

    static let linearSearchLimit = 8

    init(_ expected: JSONExpectation, nullsEqualMissing: Bool) {
        nodes.append(Node(kind: .null))
        lay(expected, at: 0, nullsEqualMissing)
        // Stubs are many: none keeps the room that growing leaves.
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
