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
        /// The index in `objects` of an object.
        var object: UInt32 = 0
        /// A member's name, a part of `text`.
        var name = PreparedText.empty
        /// The range of a scalar in `text`, or of the contents of an array or object in `nodes`; for a placeholder, the
        /// range of its number alone.
        var content: Range<UInt32> = 0..<0
        /// The `PreparedText` of a scalar, packed.
        var short: UInt64 = 0

        /// The `PreparedText` of a string, number, boolean or null.
        var scalar: PreparedText { PreparedText(short: short, content) }
    }

    struct Object: Sendable {
        /// The number of members that must be present.
        var requiredCount: UInt32
        /// The index in `order` of the first member, if there are too many for a linear search.
        var orderStart: UInt32 = 0
    }

    /// The root comes first. The contents of an array or object are adjacent.
    private(set) var nodes: ContiguousArray<Node> = []
    private(set) var text: ContiguousArray<UInt8> = []
    private(set) var objects: ContiguousArray<Object> = []
    private(set) var placeholders: [JSONPlaceholder] = []
    /// Whether all names and strings need no escapes in JSON, and there is no placeholder.
    private(set) var isPlain = true
    /// The number of tape entries of an equal document.
    private(set) var entryCount = 1
    /// Positions of members within their objects, ordered by name.
    private(set) var order: ContiguousArray<UInt32> = []

    static let linearSearchLimit = 8

    init(_ expected: JSONExpectation, nullsEqualMissing: Bool) {
        nodes.append(Node(kind: .null))
        lay(expected, at: 0, nullsEqualMissing)
        // There are many stubs, so the spare capacity from growing is dropped.
        nodes = ContiguousArray(nodes.lazy.map { $0 })
        text = ContiguousArray(text.lazy.map { $0 })
        objects = ContiguousArray(objects.lazy.map { $0 })
        order = ContiguousArray(order.lazy.map { $0 })
    }

    private mutating func lay(_ expected: JSONExpectation, at place: Int, _ nullsEqualMissing: Bool) {
        let former = nodes[place]
        var node: Node
        switch expected.kind {
        case .null: node = scalar(.null, "null")
        case .bool(let value): node = value ? scalar(.true, "true") : scalar(.false, "false")
        case .number(let number, _): node = scalar(.number, number.text)
        case .string(let string): node = scalar(.string, string)
        case .placeholder(let placeholder):
            isPlain = false
            let number = UInt32(placeholders.count)
            placeholders.append(placeholder)
            node = Node(kind: .placeholder, content: number..<number + 1)
        case .array(let elements):
            node = Node(kind: .array, content: reserve(elements.count))
            entryCount += elements.count
            for (index, element) in elements.enumerated() {
                lay(element, at: Int(node.content.lowerBound) + index, nullsEqualMissing)
            }
        case .object(let members):
            node = Node(kind: .object, object: UInt32(objects.count), content: reserve(members.list.count))
            objects.append(Object(requiredCount: UInt32(members.requiredCount)))
            entryCount += 2 * members.list.count
            for (index, member) in members.list.enumerated() {
                let child = Int(node.content.lowerBound) + index
                nodes[child].name = add(member.key)
                nodes[child].isRequired = !member.value.allowsMissing(nullsEqualMissing: nullsEqualMissing)
                lay(member.value, at: child, nullsEqualMissing)
            }
            if members.list.count > Self.linearSearchLimit {
                objects[Int(node.object)].orderStart = UInt32(order.count)
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

    private mutating func scalar(_ kind: Kind, _ string: String) -> Node {
        let added = add(string)
        return Node(kind: kind, content: added.place, short: added.short)
    }

    private mutating func add(_ string: String) -> PreparedText {
        let start = UInt32(text.count)
        text.append(contentsOf: string.utf8)
        if !string.utf8.allSatisfy(\.isPlain) { isPlain = false }
        return PreparedText(start..<UInt32(text.count), of: text.span)
    }

    private mutating func reserve(_ count: Int) -> Range<UInt32> {
        let start = UInt32(nodes.count)
        nodes.append(contentsOf: repeatElement(Node(kind: .null), count: count))
        return start..<UInt32(nodes.count)
    }
}

extension UInt8 {
    /// Whether a JSON string can contain the byte without an escape.
    fileprivate var isPlain: Bool { self >= 0x20 && self != UInt8(ascii: "\"") && self != UInt8(ascii: "\\") }
}
