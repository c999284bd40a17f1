/// Records by position in the order of insertion. Copies share all parts, and a change copies only the path to one
/// position: 32 references on each of a few levels.
struct RecordList: Sendable {
    private var root = Node(records: [])
    /// The number of bits of a position that are used above the leaves.
    private var shift = 0
    /// The position after the last one.
    private(set) var end = 0

    private static let bits = 5
    private static let width = 1 << bits

    /// A node of a tree: either children or records.
    private final class Node: Sendable {
        let children: [Node]
        let records: [Record?]

        init(children: [Node]) {
            self.children = children
            records = []
        }

        init(records: [Record?]) {
            self.records = records
            children = []
        }
    }

    init() {}

    init(_ records: some Sequence<Record>) {
        var nodes: [Node] = []
        var leaf: [Record?] = []
        for record in records {
            leaf.append(record)
            end += 1
            if leaf.count == Self.width {
                nodes.append(Node(records: leaf))
                leaf = []
            }
        }
        if !leaf.isEmpty { nodes.append(Node(records: leaf)) }
        while nodes.count > 1 {
            shift += Self.bits
            nodes = stride(from: 0, to: nodes.count, by: Self.width).map { start in
                Node(children: Array(nodes[start..<min(start + Self.width, nodes.count)]))
            }
        }
        if let first = nodes.first { root = first }
    }

    /// The record at a position; nil if it was removed.
    subscript(position: Int) -> Record? {
        var node = root
        var shift = shift
        while shift > 0 {
            node = node.children[position >> shift & (Self.width - 1)]
            shift -= Self.bits
        }
        return node.records[position & (Self.width - 1)]
    }

    /// Replaces or removes the record at a position below `end`.
    mutating func set(_ position: Int, _ record: Record?) {
        root = Self.setting(position, record, in: root, shift)
    }

    mutating func append(_ record: Record) {
        if end == Self.width << shift {
            root = Node(children: [root])
            shift += Self.bits
        }
        root = Self.setting(end, record, in: root, shift)
        end += 1
    }

    private static func setting(_ position: Int, _ record: Record?, in node: Node?, _ shift: Int) -> Node {
        let place = position >> shift & (width - 1)
        guard shift > 0 else {
            var records = node?.records ?? []
            if place < records.count { records[place] = record } else { records.append(record) }
            return Node(records: records)
        }
        var children = node?.children ?? []
        if place < children.count {
            children[place] = setting(position, record, in: children[place], shift - bits)
        } else {
            children.append(setting(position, record, in: nil, shift - bits))
        }
        return Node(children: children)
    }

    /// Calls `body` with each record in order, until it returns false.
    func visit(_ body: (Record) -> Bool) {
        _ = Self.visit(root, shift, body)
    }

    private static func visit(_ node: Node, _ shift: Int, _ body: (Record) -> Bool) -> Bool {
        if shift == 0 {
            for record in node.records {
                if let record, !body(record) { return false }
            }
        } else {
            for child in node.children where !visit(child, shift - bits, body) { return false }
        }
        return true
    }
}
