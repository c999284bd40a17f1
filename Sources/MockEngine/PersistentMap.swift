/// A key with a hash that is spread over all 64 bits.
protocol PersistentKey: Equatable, Sendable {
    var persistentHash: UInt64 { get }
}

/// A dictionary whose copies share what they have in common.
///
/// A copy costs nothing, and a change to it copies only the nodes on the way to the key, so that a snapshot stays valid for
/// its readers on other threads while the next one is made, whatever the number of keys. A hash array mapped trie: 32-way
/// nodes indexed by five bits of the hash a level, leaves stored in the node itself.
struct PersistentMap<Key: PersistentKey, Value: Sendable>: Sendable {
    private var root = Node()
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    subscript(key: Key) -> Value? {
        value(hash: key.persistentHash) { $0 == key }
    }

    /// The value of the key that has this hash and `isKey`, for callers that hold no `Key`.
    func value(hash: UInt64, isKey: (borrowing Key) -> Bool) -> Value? {
        root.value(hash, 0, isKey)
    }

    /// Changes the value of one key; nil stands for no such key, before and after.
    mutating func update(_ key: Key, _ change: (inout Value?) -> Void) {
        count += root.update(key, key.persistentHash, 0, change)
    }

    /// Every key with its value, in no order that means anything.
    func forEach(_ body: (Key, Value) -> Void) {
        root.forEach(body)
    }
}

extension PersistentMap {
    private struct Leaf: Sendable {
        let hash: UInt64
        let key: Key
        var value: Value
    }

    /// At most one leaf or child a slot; where two hashes are equal to the last bit, all their leaves stand in one node.
    private struct Node: Sendable {
        /// The slots that hold a leaf; not used in a node of equal hashes.
        var leafSlots: UInt32 = 0
        /// The slots that hold a child.
        var childSlots: UInt32 = 0
        var leaves: [Leaf] = []
        var children: [Node] = []

        /// The level whose bits are all used up: leaves there have equal hashes.
        static var deepest: UInt64 { 65 }

        func value(_ hash: UInt64, _ level: UInt64, _ isKey: (borrowing Key) -> Bool) -> Value? {
            if level >= Self.deepest { return leaves.first { isKey($0.key) }?.value }
            let bit = Self.bit(hash, level)
            if childSlots & bit != 0 {
                return children[Self.index(of: bit, in: childSlots)].value(hash, level + 5, isKey)
            }
            guard leafSlots & bit != 0 else { return nil }
            let index = Self.index(of: bit, in: leafSlots)
            guard leaves[index].hash == hash, isKey(leaves[index].key) else { return nil }
            return leaves[index].value
        }

        /// Returns by how much the number of keys grew.
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

        /// A child that is left with one leaf gives it back to this node.
        private mutating func updateChild(
            _ bit: UInt32, _ key: Key, _ hash: UInt64, _ level: UInt64, _ change: (inout Value?) -> Void
        ) -> Int {
            let index = Self.index(of: bit, in: childSlots)
            let growth = children[index].update(key, hash, level + 5, change)
            if growth < 0, children[index].children.isEmpty, children[index].leaves.count <= 1 {
                let last = children.remove(at: index).leaves.first
                childSlots &= ~bit
                if let last {
                    leaves.insert(last, at: Self.index(of: bit, in: leafSlots))
                    leafSlots |= bit
                }
            }
            return growth
        }

        /// Moves the leaf of a slot one level down, where it parts from the new key.
        private mutating func split(
            _ bit: UInt32, _ index: Int, _ key: Key, _ hash: UInt64, _ level: UInt64, _ change: (inout Value?) -> Void
        ) -> Int {
            let resident = leaves[index]
            var child = Node()
            child.leaves = [resident]
            if level + 5 < Self.deepest { child.leafSlots = Self.bit(resident.hash, level + 5) }
            let growth = child.update(key, hash, level + 5, change)
            guard growth > 0 else { return growth }
            leaves.remove(at: index)
            leafSlots &= ~bit
            children.insert(child, at: Self.index(of: bit, in: childSlots))
            childSlots |= bit
            return growth
        }

        func forEach(_ body: (Key, Value) -> Void) {
            for leaf in leaves { body(leaf.key, leaf.value) }
            for child in children { child.forEach(body) }
        }

        private static func bit(_ hash: UInt64, _ level: UInt64) -> UInt32 {
            1 << UInt32(truncatingIfNeeded: hash >> level & 31)
        }

        private static func index(of bit: UInt32, in slots: UInt32) -> Int {
            (slots & (bit &- 1)).nonzeroBitCount
        }
    }
}
