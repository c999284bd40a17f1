import SDJSON
import SDPlatform

/// One evaluation: the document, and the work left. Each step is applied to all values found by the previous one, so
/// long expressions cannot exhaust the stack.
struct PathEvaluator {
    /// The reason why an evaluation ended early.
    struct Stop: Error {
        var reason: String
        /// Whether the filter is abandoned for the current element only; it then does not hold.
        var onlyForElement = false
        /// Whether the evaluation must restart on a tree.
        var needsTree = false
    }

    enum Found {
        case nothing
        case one(PathNode)
        case many([PathNode])

        /// The nodelist of RFC 9535.
        var nodes: [PathNode] {
            switch self {
            case .nothing: []
            case .one(let value): [value]
            case .many(let values): values
            }
        }
    }

    let root: PathNode
    /// The document's tape, if nodes refer to one.
    let tape: JSONTape
    let dialect: JSONPath.Dialect
    let budget: WorkBudget
    private let work: WorkBudget.Work
    /// The number of tape entries that may be skipped before a tree is cheaper; unlimited for a tree.
    private var remainingEntries: Int
    /// The maximum number of tape entries turned into a tree: more would need too much memory, and the budget ends
    /// evaluations that skip too many.
    private static let maxOfTree = 2_000_000
    private var memos: [Int: Found] = [:]
    /// The result for a missing member at the end of a path.
    var missing: JSONPath.MissingMembers
    /// Whether all of a list of names must exist, as in WireMock's existence test.
    var wantsAllNames = false

    init(
        _ document: JSONDocument, _ path: JSONPath, missing: JSONPath.MissingMembers = .leftOut, _ budget: WorkBudget
    ) {
        switch document {
        case .tree(let value): (root, tape, remainingEntries) = (.tree(value), .null, .max)
        case .tape(let document):
            let count = document.entries.count
            let skipped = count > Self.maxOfTree ? .max : 1_000 + 16 * count
            (root, tape, remainingEntries) = (.place(0), document, skipped)
        }
        dialect = path.dialect
        self.budget = budget
        work = WorkBudget.Work("JSONPath", path.text)
        self.missing = missing
    }

    var followsWireMock: Bool { dialect == .wireMock }
    var missingIsNull: Bool { missing == .null }

    /// Spends steps for visited values.
    /// - Throws: if the budget is exhausted.
    mutating func visit(_ count: Int) throws(Stop) {
        guard budget.spend(2 * count, for: work) else { throw Stop(reason: "its budget of work is spent") }
    }

    /// Reserves time for uninterruptible work.
    /// - Parameter nanoseconds: the minimum time of the work.
    /// - Throws: if it does not fit into the budget.
    func afford(_ nanoseconds: Int) throws(Stop) {
        guard budget.tryReserve(nanoseconds, for: work) else { throw Stop(reason: "its budget of work is spent") }
    }

    /// Counts skipped entries of the tape.
    /// - Throws: if there are too many, so that a tree is needed.
    mutating func pass(_ count: Int) throws(Stop) {
        try visit(count / 4)
        guard remainingEntries < .max else { return }
        remainingEntries &-= count
        if remainingEntries < 0 { throw Stop(reason: "the tape is passed by too often", needsTree: true) }
    }

    /// Evaluates a query with `value` as the current value. The result of a root query is cached for the next element.
    /// - Throws: if the budget is exhausted, or the expression cannot be evaluated on the document.
    mutating func result(of query: PathQuery, at value: PathNode) throws(Stop) -> Found {
        if let memo = query.memo, let kept = memos[memo] { return kept }
        let start = query.origin == .root ? root : value
        var found: Found
        if query.gathersForFunction, let function = query.function {
            found = .one(.tree(try gathered(by: function, query.segments, from: start)))
        } else {
            found = try walk(query.segments, from: start, endsInLeaf: query.function == nil)
            if let function = query.function {
                switch found {
                case .nothing: break
                case .one(let value): found = .one(.tree(try apply(function, to: value)))
                case .many(let values):
                    var results: [PathNode] = []
                    for value in values { results.append(.tree(try apply(function, to: value))) }
                    found = .many(results)
                }
            }
        }
        if let memo = query.memo { memos[memo] = found }
        return found
    }

    /// Applies the segments in order. With `endsInLeaf` false a function follows: a missing member is then never null,
    /// and names are not combined.
    /// - Throws: like `result(of:at:)`.
    mutating func walk(
        _ segments: [PathSegment], from start: PathNode, endsInLeaf: Bool = true
    ) throws(Stop) -> Found {
        let leaf = endsInLeaf ? segments.count - 1 : segments.count
        var value = start
        var place = 0
        while place < segments.count, let step = segments[place].step {
            try visit(1)
            guard let child = try child(step, of: value, isLeaf: place == leaf) else { return .nothing }
            value = child
            place += 1
        }
        guard place < segments.count else { return .one(value) }
        if followsWireMock {
            if let early = try firstIndefinite(segments[place], isLast: place == leaf, at: value) {
                return early
            }
        }
        var values = [value]
        while place < segments.count {
            let segment = segments[place]
            let isLast = place == leaf
            var next: [PathNode] = []
            for value in values {
                if segment.descends {
                    try descend(segment, isLast, value, into: &next)
                } else {
                    try select(segment, isLast, value, into: &next)
                }
            }
            values = next
            place += 1
        }
        return .many(values)
    }

    /// WireMock's result if the first indefinite step cannot be applied to its value; nil if it can.
    /// - Throws: for a filter of a primitive value, and if the evaluation becomes too expensive.
    private mutating func firstIndefinite(
        _ segment: PathSegment, isLast: Bool, at value: PathNode
    ) throws(Stop) -> Found? {
        guard !segment.descends else { return nil }
        if let names = segment.names {
            guard shape(of: value) == .object else { return .nothing }
            if wantsAllNames, try !hasAll(names, value) { return .nothing }
            return isLast ? .one(try keeping(names, of: value)) : nil
        }
        switch (segment.selectors[0], shape(of: value)) {
        case (.slice, .array), (.index, .array): return nil
        case (.slice, _) where segment.selectors.count == 1: return .nothing
        case (.index, _) where segment.selectors.allSatisfy(\.isIndex): return .nothing
        case (.filter, .array), (.filter, .object): return nil
        case (.filter, _):
            throw Stop(
                reason:
                    "Filter: [?] can not be applied to primitives. Current context is: \(try json(value).shownContext)")
        default: return nil
        }
    }

    /// Applies the selectors to `value` and all its descendants, parents first.
    /// - Throws: if the evaluation becomes too expensive, or a filter fails.
    private mutating func descend(
        _ segment: PathSegment, _ isLast: Bool, _ value: PathNode, into found: inout [PathNode]
    ) throws(Stop) {
        if case .place(let start) = value {
            // On a tape, parents come first.
            for place in start..<tape.next(after: start) where tape.entries[place].isContainer {
                try visit(1 + tape.entries[place].count)
                try selectWithin(segment, isLast, .place(place), into: &found)
            }
            return
        }
        var pending = [value]
        while let value = pending.popLast() {
            guard shape(of: value) != .scalar else { continue }
            try visit(1 + count(of: value))
            try selectWithin(segment, isLast, value, into: &found)
            let start = pending.count
            for child in children(of: value) where shape(of: child) != .scalar { pending.append(child) }
            pending[start...].reverse()
        }
    }

    /// Applies the selectors to one container of a descent. WireMock considers only objects that have all names of a
    /// list, and after `..` a filter must hold for an array itself before its elements are tested.
    /// - Throws: if the evaluation becomes too expensive, or a filter fails.
    private mutating func selectWithin(
        _ segment: PathSegment, _ isLast: Bool, _ value: PathNode, into found: inout [PathNode]
    ) throws(Stop) {
        if followsWireMock {
            if let names = segment.names {
                guard shape(of: value) == .object else { return }
                if !(isLast && missingIsNull), try !hasAll(names, value) { return }
            } else if case .filter(let condition) = segment.selectors[0], segment.selectors.count == 1,
                shape(of: value) == .array
            {
                guard try accepts(condition, at: value) else { return }
            }
        }
        try select(segment, isLast, value, into: &found)
    }

    private mutating func select(
        _ segment: PathSegment, _ isLast: Bool, _ value: PathNode, into found: inout [PathNode]
    ) throws(Stop) {
        if followsWireMock, isLast, let names = segment.names {
            try visit(names.count)
            if shape(of: value) == .object { found.append(try keeping(names, of: value)) }
            return
        }
        for selector in segment.selectors {
            try visit(1)
            try select(selector, isLast, value, into: &found)
        }
    }

    private mutating func select(
        _ selector: PathSelector, _ isLast: Bool, _ value: PathNode, into found: inout [PathNode]
    ) throws(Stop) {
        switch selector {
        case .name, .index:
            if let child = try child(selector, of: value, isLeaf: isLast) { found.append(child) }
        case .wildcard:
            // Each takes as much memory as a number in a tree.
            try visit(count(of: value))
            try afford(30 * count(of: value))
            found.append(contentsOf: children(of: value))
        case .slice(let slice):
            guard shape(of: value) == .array else { return }
            try pass(count(of: value))
            let elements = Array(children(of: value))
            for index in slice.indices(count: elements.count, followsWireMock) {
                try visit(1)
                found.append(elements[index])
            }
        case .filter(let condition):
            if followsWireMock, shape(of: value) == .object {
                if try accepts(condition, at: value) { found.append(value) }
            } else if case .place(let place) = value, shape(of: value) == .array,
                let comparison = MemberComparison(condition)
            {
                try select(comparison, condition, fromArrayAt: place, into: &found)
            } else {
                for child in children(of: value) where try accepts(condition, at: child) { found.append(child) }
            }
        }
    }

    /// Finds the elements of the array at `place` of the tape that pass a comparison.
    /// - Parameter condition: the same filter, for elements that the comparison cannot decide.
    /// - Throws: if the budget is exhausted.
    private mutating func select(
        _ comparison: MemberComparison, _ condition: FilterCondition, fromArrayAt place: Int,
        into found: inout [PathNode]
    ) throws(Stop) {
        let tape = tape
        let entries = tape.entries.span
        let bytes = tape.bytes.span
        var element = place + 1
        for _ in 0..<entries[place].count {
            if entries[element].kind == .object { try pass(1 + entries[element].count) }
            try visit(comparison.steps)
            let isSelected =
                if let told = comparison.selects(element, of: entries, in: bytes) { told } else {
                    try accepts(condition, at: .place(element))
                }
            if isSelected { found.append(.place(element)) }
            element = entries[element].next(after: element)
        }
    }
}

extension PathSelector {
    fileprivate var isIndex: Bool {
        if case .index = self { true } else { false }
    }
}

extension PathSlice {
    /// The selected indices in an array of `count` elements (RFC 9535, section 2.3.4.2.2). WireMock ignores the step
    /// and counts from `start` to `end` without making them positive first, so `[0:-1]` is empty.
    func indices(count: Int, _ followsWireMock: Bool) -> [Int] {
        if followsWireMock, start != nil || end != nil { return wireMockIndices(count) }
        let step = step ?? 1
        guard step != 0, count > 0 else { return [] }
        let start = clamped(start, step < 0 ? count - 1 : 0, count, step)
        let end = clamped(end, step < 0 ? -1 : count, count, step)
        return Array(stride(from: start, to: end, by: step))
    }

    private func clamped(_ bound: Int?, _ otherwise: Int, _ count: Int, _ step: Int) -> Int {
        guard let bound else { return otherwise }
        let absolute = bound < 0 ? count + bound : bound
        return step < 0 ? Swift.min(Swift.max(absolute, -1), count - 1) : Swift.min(Swift.max(absolute, 0), count)
    }

    private func wireMockIndices(_ count: Int) -> [Int] {
        guard let start else {
            let end = end ?? 0
            return Array(0..<Swift.max(0, Swift.min(end < 0 ? count + end : end, count)))
        }
        guard let end else {
            let first = start < 0 ? Swift.max(0, count + start) : Swift.min(start, count)
            return Array(first..<count)
        }
        let first = Swift.max(start, -count)
        let last = Swift.min(end, count)
        guard first < last else { return [] }
        return (first..<last).map { $0 < 0 ? count + $0 : $0 }
    }
}

extension JSONValue {
    var isContainer: Bool {
        switch self {
        case .array, .object: true
        default: false
        }
    }
}

extension [JSONValue] {
    /// The element at an index; a negative index counts from the end.
    func element(at index: Int) -> JSONValue? {
        let place = index < 0 ? count + index : index
        return indices.contains(place) ? self[place] : nil
    }
}
