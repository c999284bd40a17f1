internal import Matching

/// Stubs by the shape of the paths they can match: a radix trie over bytes, with a branch of its own for "one segment".
///
/// Copies share what they have in common. A lookup walks down the path once and meets every stub whose shape takes it in.
struct StubTrie<Stub: IndexedStub>: Sendable {
    typealias Entry = StubEntry<Stub>

    private var root = Node(label: [])

    /// Longer literals are cut here; the stub's pattern compares the rest. The bound keeps the trie shallow.
    private static var longestLiteral: Int { 1024 }

    mutating func insert(_ entry: Entry, _ shape: PathShape) {
        let (steps, isOpen) = Self.bounded(shape)
        root.insert(entry, [], steps[...], isOpen)
    }

    mutating func remove(_ order: StubOrder, _ shape: PathShape) {
        let (steps, isOpen) = Self.bounded(shape)
        root.remove(order, [], steps[...], isOpen)
    }

    /// Hands each list of stubs whose shape takes in `path` to `visit`, as long as a stub in it comes before the limit that
    /// `visit` returned last. `limit` is the first one; nil is none.
    func search(
        _ path: ArraySlice<UInt8>, limit: inout StubOrder?, _ visit: (StubList<Stub>, StubOrder?) -> StubOrder?
    ) {
        root.search(path, path.startIndex, &limit, visit)
    }

    private static func bounded(_ shape: PathShape) -> ([PathShape.Step], isOpen: Bool) {
        var room = longestLiteral
        for (index, step) in shape.steps.enumerated() {
            guard case .literal(let literal) = step else { continue }
            if literal.count > room {
                return (shape.steps[..<index] + [.literal(Array(literal.prefix(room)))], true)
            }
            room -= literal.count
        }
        return (shape.steps, shape.isOpen)
    }
}

extension StubTrie {
    /// A place between two bytes of a path.
    private struct Node: Sendable {
        /// The bytes between the parent and here; empty for the root and behind a segment.
        var label: [UInt8]
        /// Stubs whose paths end here.
        var closed = StubList<Stub>()
        /// Stubs whose paths go on with anything, or end here.
        var open = StubList<Stub>()
        /// The first byte of each child's label, in ascending order; the children stand in the same order.
        var firstBytes: [UInt8] = []
        var children: [Node] = []
        /// What follows one segment, or the rest of one; none or one node.
        var segment: [Node] = []
        /// The first order in this node and below.
        var first: StubOrder?

        init(label: [UInt8]) {
            self.label = label
        }

        private var isEmpty: Bool {
            closed.isEmpty && open.isEmpty && children.isEmpty && segment.isEmpty
        }

        // MARK: - Search

        func search(
            _ path: ArraySlice<UInt8>, _ position: Int, _ limit: inout StubOrder?,
            _ visit: (StubList<Stub>, StubOrder?) -> StubOrder?
        ) {
            guard let first, limit.map({ first < $0 }) ?? true else { return }
            if !open.isEmpty { limit = visit(open, limit) }
            guard position < path.endIndex else {
                if !closed.isEmpty { limit = visit(closed, limit) }
                return
            }
            let byte = path[position]
            if let index = firstBytes.firstIndex(of: byte),
                path.continues(with: children[index].label[...], at: position - path.startIndex)
            {
                children[index].search(path, position + children[index].label.count, &limit, visit)
            }
            if !segment.isEmpty, byte != UInt8(ascii: "/") {
                let end = path[position...].firstIndex(of: UInt8(ascii: "/")) ?? path.endIndex
                segment[0].search(path, end, &limit, visit)
            }
        }

        // MARK: - Changes

        /// Files the entry `literal` and `steps` below this node.
        mutating func insert(
            _ entry: Entry, _ literal: ArraySlice<UInt8>, _ steps: ArraySlice<PathShape.Step>, _ isOpen: Bool
        ) {
            first = first.map { min($0, entry.order) } ?? entry.order
            if let byte = literal.first {
                insertChild(entry, byte, literal, steps, isOpen)
            } else if let step = steps.first {
                switch step {
                case .literal(let next): insert(entry, next[...], steps.dropFirst(), isOpen)
                case .segment:
                    if segment.isEmpty { segment = [Node(label: [])] }
                    segment[0].insert(entry, [], steps.dropFirst(), isOpen)
                }
            } else if isOpen {
                open.insert(entry)
            } else {
                closed.insert(entry)
            }
        }

        private mutating func insertChild(
            _ entry: Entry, _ byte: UInt8, _ literal: ArraySlice<UInt8>, _ steps: ArraySlice<PathShape.Step>,
            _ isOpen: Bool
        ) {
            let index = firstBytes.firstIndex { $0 >= byte } ?? firstBytes.count
            if index == firstBytes.count || firstBytes[index] != byte {
                firstBytes.insert(byte, at: index)
                children.insert(Node(label: Array(literal)), at: index)
            }
            let common = zip(children[index].label, literal).prefix { $0 == $1 }.count
            if common < children[index].label.count { children[index].split(at: common) }
            children[index].insert(entry, literal.dropFirst(common), steps, isOpen)
        }

        /// Cuts this node's label and puts what was here below the cut.
        private mutating func split(at position: Int) {
            var upper = Node(label: Array(label[..<position]))
            upper.first = first
            upper.firstBytes = [label[position]]
            label = Array(label[position...])
            upper.children = [self]
            self = upper
        }

        mutating func remove(
            _ order: StubOrder, _ literal: ArraySlice<UInt8>, _ steps: ArraySlice<PathShape.Step>, _ isOpen: Bool
        ) {
            if let byte = literal.first {
                guard let index = firstBytes.firstIndex(of: byte), literal.starts(with: children[index].label) else {
                    return
                }
                children[index].remove(order, literal.dropFirst(children[index].label.count), steps, isOpen)
                tidyChild(at: index)
            } else if let step = steps.first {
                switch step {
                case .literal(let next): return remove(order, next[...], steps.dropFirst(), isOpen)
                case .segment:
                    guard !segment.isEmpty else { return }
                    segment[0].remove(order, [], steps.dropFirst(), isOpen)
                    if segment[0].isEmpty { segment = [] }
                }
            } else if isOpen {
                open.remove(order)
            } else {
                closed.remove(order)
            }
            if first == order { findFirst() }
        }

        /// Drops a child that holds nothing, and joins one that only leads to another with that other.
        private mutating func tidyChild(at index: Int) {
            if children[index].isEmpty {
                children.remove(at: index)
                firstBytes.remove(at: index)
            } else if children[index].children.count == 1, children[index].closed.isEmpty,
                children[index].open.isEmpty, children[index].segment.isEmpty
            {
                var only = children[index].children[0]
                only.label = children[index].label + only.label
                children[index] = only
            }
        }

        private mutating func findFirst() {
            first = [closed.first, open.first, segment.first?.first].compactMap(\.self).min()
            for child in children {
                if let order = child.first { first = first.map { min($0, order) } ?? order }
            }
        }
    }
}
