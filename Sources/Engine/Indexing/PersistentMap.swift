/// A key with a hash that is spread over all 64 bits.
public protocol PersistentKey: Equatable, Sendable {
    var persistentHash: UInt64 { get }
}

/// A dictionary whose copies share their common parts.
///
/// A copy costs nothing, and a change copies only the nodes on the way to the key. A snapshot thus stays valid for
/// readers on other threads while the next one is made, whatever the number of keys. The structure is a hash array
/// mapped trie: 32-way nodes indexed by five bits of the hash per level, with leaves stored in the nodes.
public struct PersistentMap<Key: PersistentKey, Value: Sendable>: Sendable {
    private var root = Node(Slots())
    public private(set) var count = 0

    public init() {}

    public var isEmpty: Bool { count == 0 }

    public subscript(key: Key) -> Value? {
        var found: Value?
        visit(hash: key.persistentHash, where: { $0 == key }, { found = $0 })
        return found
    }

    /// Passes the value of the key with this hash and `isKey` to `body` without a copy, for callers that have no `Key`.
    func visit(hash: UInt64, where isKey: (borrowing Key) -> Bool, _ body: (borrowing Value) -> Void) {
        root.visit(hash, 0, isKey, body)
    }

    /// Changes the value of a key; nil means that there is no such key, before or after.
    public mutating func update(_ key: Key, _ change: (inout Value?) -> Void) {
        var slots = root.slots
        count += slots.update(key, key.persistentHash, 0, change)
        root = Node(slots)
    }

    /// Visits every key with its value, in no particular order.
    public func visitAll(_ body: (Key, Value) -> Void) {
        root.visitAll(body)
    }
}

extension PersistentMap {
    private struct Leaf: Sendable {
        let hash: UInt64
        let key: Key
        var value: Value
    }

    /// An immutable node. A class, so that copying its parent counts one reference for it.
    private final class Node: Sendable {
        let slots: Slots

        init(_ slots: Slots) {
            self.slots = slots
        }

        func visit(
            _ hash: UInt64, _ level: UInt64, _ isKey: (borrowing Key) -> Bool, _ body: (borrowing Value) -> Void
        ) {
            if level >= Slots.deepest {
                for index in slots.leaves.indices where isKey(slots.leaves[index].key) {
                    body(slots.leaves[index].value)
                }
                return
            }
            let bit = Slots.bit(hash, level)
            if slots.childSlots & bit != 0 {
                return slots.children[Slots.index(of: bit, in: slots.childSlots)].visit(hash, level + 5, isKey, body)
            }
            guard slots.leafSlots & bit != 0 else { return }
            let index = Slots.index(of: bit, in: slots.leafSlots)
            guard slots.leaves[index].hash == hash, isKey(slots.leaves[index].key) else { return }
            body(slots.leaves[index].value)
        }

        func visitAll(_ body: (Key, Value) -> Void) {
            for leaf in slots.leaves { body(leaf.key, leaf.value) }
            for child in slots.children { child.visitAll(body) }
        }
    }

    /// The content of a node: at most one leaf or child per slot. Leaves with the same 64-bit hash are all in one node.
    private struct Slots: Sendable {
        /// The slots with a leaf; unused in a node of equal hashes.
        var leafSlots: UInt32 = 0
        /// The slots with a child.
        var childSlots: UInt32 = 0
        var leaves: [Leaf] = []
        var children: [Node] = []

        /// The level at which all bits are used: its leaves have equal hashes.
        static var deepest: UInt64 { 65 }

        /// Updates a key. Returns the change of the number of keys.
        mutating func update(_ key: Key, _ hash: UInt64, _ level: UInt64, _ change: (inout Value?) -> Void) -> Int {
            if level >= Self.deepest {
                return updateLeaf(at: leaves.firstIndex { $0.key == key }, insertAt: 0, key, hash, change)
            }
            let bit = Self.bit(hash, level)
            if childSlots & bit != 0 { return updateChild(bit, key, hash, level, change) }
            let index = Self.index(of: bit, in: leafSlots)
            guard leafSlots & bit != 0 else {
                let growth = updateLeaf(at: nil, insertAt: index, key, hash, change)
                if growth > 0 { leafSlots |= bit }
                return growth
            }
            if leaves[index].hash == hash, leaves[index].key == key {
                let growth = updateLeaf(at: index, insertAt: index, key, hash, change)
                if growth < 0 { leafSlots &= ~bit }
                return growth
            }
            return split(bit, index, key, hash, level, change)
        }

        private mutating func updateLeaf(
            at index: Int?, insertAt place: Int, _ key: Key, _ hash: UInt64, _ change: (inout Value?) -> Void
        ) -> Int {
            var value = index.map { leaves[$0].value }
            change(&value)
            switch (index, value) {
            case (let index?, let value?): leaves[index].value = value
            case (let index?, nil):
                leaves.remove(at: index)
                return -1
            case (nil, let value?):
                leaves.insert(Leaf(hash: hash, key: key, value: value), at: place)
                return 1
            case (nil, nil): break
            }
            return 0
        }

        /// Updates a child. If it is left with one leaf, the leaf moves into this node.
        private mutating func updateChild(
            _ bit: UInt32, _ key: Key, _ hash: UInt64, _ level: UInt64, _ change: (inout Value?) -> Void
        ) -> Int {
            let index = Self.index(of: bit, in: childSlots)
            var child = children[index].slots
            let growth = child.update(key, hash, level + 5, change)
            if growth < 0, child.children.isEmpty, child.leaves.count <= 1 {
                children.remove(at: index)
                childSlots &= ~bit
                if let last = child.leaves.first {
                    leaves.insert(last, at: Self.index(of: bit, in: leafSlots))
                    leafSlots |= bit
                }
            } else {
                children[index] = Node(child)
            }
            return growth
        }

        /// Moves the leaf of a slot down to the level at which it differs from the new key.
        private mutating func split(
            _ bit: UInt32, _ index: Int, _ key: Key, _ hash: UInt64, _ level: UInt64, _ change: (inout Value?) -> Void
        ) -> Int {
            let resident = leaves[index]
            var child = Slots()
            child.leaves = [resident]
            if level + 5 < Self.deepest { child.leafSlots = Self.bit(resident.hash, level + 5) }
            let growth = child.update(key, hash, level + 5, change)
            guard growth > 0 else { return growth }
            leaves.remove(at: index)
            leafSlots &= ~bit
            children.insert(Node(child), at: Self.index(of: bit, in: childSlots))
            childSlots |= bit
            return growth
        }

        static func bit(_ hash: UInt64, _ level: UInt64) -> UInt32 {
            1 << UInt32(truncatingIfNeeded: hash >> level & 31)
        }

        static func index(of bit: UInt32, in slots: UInt32) -> Int {
            (slots & (bit &- 1)).nonzeroBitCount
        }
    }
}
