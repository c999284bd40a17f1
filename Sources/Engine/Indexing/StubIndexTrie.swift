import SDMatching
import SDPlatform

/// Stubs by the shape of their paths: a radix trie over bytes, with a separate branch for "one segment".
///
/// Copies share their common parts. A lookup walks down the path once and reaches every stub whose shape includes it.
struct StubTrie<Stub: IndexedStub>: Sendable {
    typealias Entry = StubEntry<Stub>

    private var root = Node(Place(label: []))

    /// The length in bytes at which literals are cut; the stub's pattern compares the rest. The limit keeps the trie,
    /// and thus its recursion, shallow.
    private static var longestLiteral: Int { 256 }

    mutating func insert(_ entry: Entry, _ shape: PathShape) {
        let (steps, isOpen) = Self.bounded(shape)
        root = root.changed { $0.insert(entry, [], steps[...], isOpen) }
    }

    /// Removes the entry with this order. Returns whether there was one with this shape.
    mutating func remove(_ order: StubOrder, _ shape: PathShape) -> Bool {
        let (steps, isOpen) = Self.bounded(shape)
        var isFound = false
        root = root.changed { isFound = $0.remove(order, [], steps[...], isOpen) }
        return isFound
    }

    /// Tries every stub whose shape includes `path` and that takes precedence over the best so far.
    func search<Request>(
        _ path: ArraySlice<UInt8>, _ search: inout StubSearch<Stub, Request>, _ views: inout RequestViews,
        _ isEligible: (Stub) -> Bool
    ) {
        root.search(path, path.startIndex, &search, &views, isEligible)
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
    /// An immutable node. A class, so that copying its parent retains it once.
    private final class Node: Sendable {
        let place: Place

        init(_ place: Place) {
            self.place = place
        }

        /// A changed copy, which shares the unchanged parts.
        func changed(_ change: (inout Place) -> Void) -> Node {
            var place = place
            change(&place)
            return Node(place)
        }

        func search<Request>(
            _ path: ArraySlice<UInt8>, _ position: Int, _ search: inout StubSearch<Stub, Request>,
            _ views: inout RequestViews, _ isEligible: (Stub) -> Bool
        ) {
            guard let first = place.first, search.wants(first) else { return }
            search.tryStubs(of: place.open, .loosely, &views, isEligible)
            guard position < path.endIndex else {
                return search.tryStubs(of: place.closed, .loosely, &views, isEligible)
            }
            let byte = path[position]
            if let index = place.firstBytes.firstIndex(of: byte) {
                place.children[index].enter(path, position, &search, &views, isEligible)
            }
            if let segment = place.segment, byte != UInt8(ascii: "/") {
                let end = path[position...].firstIndex(of: UInt8(ascii: "/")) ?? path.endIndex
                segment.search(path, end, &search, &views, isEligible)
            }
        }

        /// Continues the search below the label if the path continues with it.
        private func enter<Request>(
            _ path: ArraySlice<UInt8>, _ position: Int, _ search: inout StubSearch<Stub, Request>,
            _ views: inout RequestViews, _ isEligible: (Stub) -> Bool
        ) {
            guard path.continues(with: place.label, at: position) else { return }
            self.search(path, position &+ place.label.count, &search, &views, isEligible)
        }
    }

    /// A position between two bytes of a path.
    private struct Place: Sendable {
        /// The bytes between the parent and here; empty for the root and after a segment.
        var label: [UInt8]
        /// Stubs whose paths end here.
        var closed = StubList<Stub>()
        /// Stubs whose paths end here or continue with anything.
        var open = StubList<Stub>()
        /// The first bytes of the children's labels in ascending order; the children are in the same order.
        var firstBytes: [UInt8] = []
        var children: [Node] = []
        /// The node after one segment, or after the rest of one.
        var segment: Node?
        /// The first order in this node and below.
        var first: StubOrder?

        init(label: [UInt8]) {
            self.label = label
        }

        var isEmpty: Bool {
            closed.isEmpty && open.isEmpty && children.isEmpty && segment == nil
        }

        // MARK: - Changes

        /// Files the entry at `literal` and `steps` below this node.
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
                    let below = segment ?? Node(Place(label: []))
                    segment = below.changed { $0.insert(entry, [], steps.dropFirst(), isOpen) }
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
                children.insert(Node(Place(label: Array(literal))), at: index)
            }
            let common = zip(children[index].place.label, literal).prefix { $0 == $1 }.count
            children[index] = children[index].changed {
                if common < $0.label.count { $0.split(at: common) }
                $0.insert(entry, literal.dropFirst(common), steps, isOpen)
            }
        }

        /// Cuts this node's label and moves its content below the cut.
        private mutating func split(at position: Int) {
            var upper = Place(label: Array(label[..<position]))
            upper.first = first
            upper.firstBytes = [label[position]]
            label = Array(label[position...])
            upper.children = [Node(self)]
            self = upper
        }

        mutating func remove(
            _ order: StubOrder, _ literal: ArraySlice<UInt8>, _ steps: ArraySlice<PathShape.Step>, _ isOpen: Bool
        ) -> Bool {
            var isFound = false
            if let byte = literal.first {
                guard let index = firstBytes.firstIndex(of: byte), literal.starts(with: children[index].place.label)
                else { return false }
                children[index] = children[index].changed {
                    isFound = $0.remove(order, literal.dropFirst($0.label.count), steps, isOpen)
                }
                tidyChild(at: index)
            } else if let step = steps.first {
                switch step {
                case .literal(let next): return remove(order, next[...], steps.dropFirst(), isOpen)
                case .segment:
                    segment = segment?.changed { isFound = $0.remove(order, [], steps.dropFirst(), isOpen) }
                    if segment?.place.isEmpty == true { segment = nil }
                }
            } else if isOpen {
                isFound = open.remove(order)
            } else {
                isFound = closed.remove(order)
            }
            if first == order { findFirst() }
            return isFound
        }

        /// Drops an empty child, and merges a child that only leads to another one into it.
        private mutating func tidyChild(at index: Int) {
            let child = children[index].place
            if child.isEmpty {
                children.remove(at: index)
                firstBytes.remove(at: index)
            } else if child.children.count == 1, child.closed.isEmpty, child.open.isEmpty, child.segment == nil {
                children[index] = child.children[0].changed { $0.label = child.label + $0.label }
            }
        }

        private mutating func findFirst() {
            first = [closed.first, open.first, segment?.place.first].compactMap(\.self).min()
            for child in children {
                if let order = child.place.first { first = first.map { min($0, order) } ?? order }
            }
        }
    }
}

extension ArraySlice<UInt8> {
    /// Whether the bytes of `label` are at this index.
    fileprivate func continues(with label: [UInt8], at position: Int) -> Bool {
        let path = span
        let label = label.span
        let offset = position &- startIndex
        guard offset >= 0, label.count <= path.count &- offset else { return false }
        for index in label.indices where path[offset &+ index] != label[index] { return false }
        return true
    }
}
