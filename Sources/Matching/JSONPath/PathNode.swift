import SDJSON

/// A value during an evaluation.
enum PathNode: Sendable {
    case tree(JSONValue)
    /// An index in the document's tape.
    case place(Int)

    enum Shape {
        case array, object, scalar
    }
}

/// The contents of an array or object, in order.
struct PathChildren: Sequence, IteratorProtocol {
    private enum Source {
        case elements, members, elementsOfTape, membersOfTape
    }

    // Separate, because copying out of an enum retains and releases at each step.
    private let source: Source
    private var elements: [JSONValue] = []
    private var members: [JSONObject.Member] = []
    private var entries: ContiguousArray<JSONTape.Entry> = []
    private var place: Int
    private var remaining: Int

    init(_ value: JSONValue) {
        place = 0
        switch value {
        case .array(let elements):
            self.elements = elements
            (source, remaining) = (.elements, elements.count)
        case .object(let object):
            members = object.members
            (source, remaining) = (.members, object.count)
        default: (source, remaining) = (.elements, 0)
        }
    }

    init(_ tape: JSONTape, _ place: Int) {
        entries = tape.entries
        source = entries[place].kind == .object ? .membersOfTape : .elementsOfTape
        self.place = place + 1
        remaining = entries[place].count
    }

    mutating func next() -> PathNode? {
        guard remaining > 0 else { return nil }
        remaining -= 1
        let current = place
        switch source {
        case .elements:
            place += 1
            return .tree(elements[current])
        case .members:
            place += 1
            return .tree(members[current].value)
        case .elementsOfTape:
            place = entries[current].next(after: current)
            return .place(current)
        case .membersOfTape:
            place = entries[current + 1].next(after: current + 1)
            return .place(current + 1)
        }
    }
}

extension PathEvaluator {
    func shape(of node: PathNode) -> PathNode.Shape {
        switch node {
        case .tree(.array): .array
        case .tree(.object): .object
        case .tree: .scalar
        case .place(let place):
            switch tape.entries[place].kind {
            case .array: .array
            case .object: .object
            default: .scalar
            }
        }
    }

    /// The number of elements or members; 0 for a scalar.
    func count(of node: PathNode) -> Int {
        switch node {
        case .tree(.array(let elements)): elements.count
        case .tree(.object(let object)): object.count
        case .tree: 0
        case .place(let place): tape.entries[place].count
        }
    }

    func children(of node: PathNode) -> PathChildren {
        switch node {
        case .tree(let value): PathChildren(value)
        case .place(let place): PathChildren(tape, place)
        }
    }

    func member(_ name: String, of node: PathNode) -> PathNode? {
        switch node {
        case .tree(.object(let object)): object[name].map(PathNode.tree)
        case .tree: nil
        case .place(let place): tape.member(name, of: place).map(PathNode.place)
        }
    }

    /// The element at an index; a negative index counts from the end.
    func element(at index: Int, of node: PathNode) -> PathNode? {
        switch node {
        case .tree(.array(let elements)): elements.element(at: index).map(PathNode.tree)
        case .tree: nil
        case .place(let place): tape.element(at: index, of: place).map(PathNode.place)
        }
    }

    func value(_ node: PathNode) -> JSONValue {
        switch node {
        case .tree(let value): value
        case .place(let place): tape.value(at: place)
        }
    }

    /// Whether the simple form of `matchesJsonPath` matches the value.
    func isSomething(_ node: PathNode) -> Bool {
        switch node {
        case .tree(.null): false
        case .place(let place) where tape.entries[place].kind == .null: false
        default: shape(of: node) == .scalar || count(of: node) > 0
        }
    }

    // MARK: - Counted

    /// The cost of a value in a tree, in nanoseconds; too high for half a gigabyte to fit into any budget.
    private static let costOfValue = 80

    /// The value as a tree.
    /// - Throws: if too many values were visited.
    mutating func json(_ node: PathNode) throws(Stop) -> JSONValue {
        if case .place(let place) = node {
            let count = tape.next(after: place) - place
            try pass(count)
            // Some values take more memory than time, and the tests of a result copy it.
            var containers = 0
            for entry in place..<place + count where tape.entries[entry].isContainer { containers += 1 }
            try visit(count)
            try afford(Self.costOfValue * (count + containers))
        }
        return value(node)
    }

    mutating func json(_ nodes: [PathNode]) throws(Stop) -> [JSONValue] {
        try visit(nodes.count)
        var values: [JSONValue] = []
        values.reserveCapacity(nodes.count)
        for node in nodes { values.append(try json(node)) }
        return values
    }

    mutating func child(_ step: PathSelector, of value: PathNode, isLeaf: Bool) throws(Stop) -> PathNode? {
        switch (step, shape(of: value)) {
        case (.name(let name), .object):
            try pass(on: value)
            return member(name, of: value) ?? (isLeaf && missingIsNull ? .tree(.null) : nil)
        case (.index(let index), .array):
            try pass(on: value)
            return element(at: index, of: value)
        default: return nil
        }
    }

    mutating func hasAll(_ names: [String], _ object: PathNode) throws(Stop) -> Bool {
        for name in names {
            try pass(on: object)
            if member(name, of: object) == nil { return false }
        }
        return true
    }

    /// An object of the members with these names, in the order of the names. Missing members are omitted, or null if
    /// the evaluation asks for that.
    /// - Throws: if the budget is exhausted.
    mutating func keeping(_ names: [String], of object: PathNode) throws(Stop) -> PathNode {
        var kept = JSONObject()
        for name in names {
            try pass(on: object)
            if let member = member(name, of: object) {
                kept[name] = try json(member)
            } else if missingIsNull {
                kept[name] = .null
            }
        }
        return .tree(.object(kept))
    }

    /// Counts a lookup, which skips at most the contents of a value on the tape.
    /// - Throws: if too many entries were skipped.
    private mutating func pass(on node: PathNode) throws(Stop) {
        if case .place = node { try pass(1 + count(of: node)) }
    }
}
