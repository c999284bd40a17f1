internal import SDPlatform

/// Compares two trees like XMLUnit's difference engine in WireMock's configuration.
struct XMLComparer {
    enum Purpose {
        /// For a match: children are sorted by name, and the first difference ends the comparison.
        case match
        /// For a distance: children keep their order, and every comparison is counted.
        case distance
        /// For a description: like a match, but differences are described in the order of the expected document, up to
        /// `maxDescribed`.
        case description
    }

    static let maxDescribed = 10

    let expected: XMLTree
    let actual: XMLTree
    let options: XMLEquality.Options
    let placeholders: XMLPlaceholders?
    let purpose: Purpose
    private let budget: WorkBudget
    private(set) var comparisons = 0
    private(set) var differences = 0
    private(set) var descriptions: [String] = []
    /// The pairs still to compare.
    private var pairs: [(Int32, Int32)] = []

    init(
        _ expected: XMLTree, _ actual: XMLTree, _ options: XMLEquality.Options, _ placeholders: XMLPlaceholders?,
        _ purpose: Purpose, _ budget: WorkBudget
    ) {
        self.expected = expected
        self.actual = actual
        self.options = options
        self.placeholders = placeholders
        self.purpose = purpose
        self.budget = budget
    }

    /// Compares the trees and returns the number of differences; for a match, 0 or 1.
    mutating func run() -> Int {
        guard !expected.nodes.isEmpty, !actual.nodes.isEmpty else { return 1 }
        pairs.append((0, 0))
        while let (control, test) = pairs.popLast(), !isDecided, spend(10) { compare(control, test) }
        return differences
    }

    private func spend(_ steps: Int) -> Bool {
        budget.spend(steps, for: WorkBudget.Work("comparison", "equalToXml"))
    }

    private var isDecided: Bool {
        switch purpose {
        case .match: differences > 0
        case .distance: false
        case .description: differences > Self.maxDescribed
        }
    }

    /// Counts a comparison unless it is exempted.
    /// - Parameters:
    ///   - control: the expected node that a description names.
    ///   - description: the expectation and the finding.
    private mutating func note(
        _ comparison: XMLComparison, isEqual: Bool, at control: Int32, _ attribute: XMLTree.Name? = nil,
        _ description: (XMLComparer) -> String
    ) {
        guard !isDecided, !options.exemptedComparisons.contains(comparison) else { return }
        comparisons += 1
        guard !isEqual else { return }
        differences += 1
        if purpose == .description, differences <= Self.maxDescribed {
            descriptions.append("\(expected.path(control, attribute)): \(description(self))")
        }
    }

    /// Counts a comparison known to be equal.
    private mutating func note(_ comparison: XMLComparison) {
        if !isDecided, !options.exemptedComparisons.contains(comparison) { comparisons += 1 }
    }

    private mutating func compare(_ control: Int32, _ test: Int32) {
        let (left, right) = (expected[control], actual[test])
        note(.nodeType, isEqual: left.kind == right.kind, at: control) { _ in
            "expected \(left.kind.shown), was \(right.kind.shown)"
        }
        guard spend((left.content.count + right.content.count) / 32) else { return }
        if left.kind == .element, let uri = expected.name(control)?.uri {
            let other = actual.name(test)?.uri
            note(.namespaceURI, isEqual: uri == other, at: control) { _ in
                "expected the namespace \(XMLTree.shown(uri)), was \(XMLTree.shown(other))"
            }
        }
        note(.childCount, isEqual: childCountsAgree(control, test), at: control) {
            "expected \($0.expected.shownChildren(control)), was \($0.actual.shownChildren(test))"
        }
        guard left.kind == right.kind else { return }
        switch left.kind {
        case .text, .cdata:
            note(.textValue, isEqual: textsAgree(control, test), at: left.parent) {
                "expected \($0.expected.shownContent(control)), was \($0.actual.shownContent(test))"
            }
        case .instruction: compareInstructions(control, test)
        case .element:
            note(.elementTagName, isEqual: expected.name(control)?.local == actual.name(test)?.local, at: control) {
                "expected the element \($0.expected.shownName(control)), was \($0.actual.shownName(test))"
            }
            compareAttributes(control, test)
        case .comment, .document:
            break
        }
        if !isDecided { compareChildren(control, test) }
    }

    private mutating func compareInstructions(_ control: Int32, _ test: Int32) {
        let isSameTarget = expected.name(control)?.local == actual.name(test)?.local
        note(.processingInstructionTarget, isEqual: isSameTarget, at: control) {
            "expected the target \($0.expected.shownName(control)), was \($0.actual.shownName(test))"
        }
        let isSameData = expected.content(control) == actual.content(test)
        note(.processingInstructionData, isEqual: isSameData, at: control) {
            "expected \($0.expected.shownContent(control)), was \($0.actual.shownContent(test))"
        }
    }

    private func textsAgree(_ control: Int32, _ test: Int32) -> Bool {
        if expected.content(control) == actual.content(test) { return true }
        return placeholders?.text(control)?.accepts(actual.content(test), budget) ?? false
    }

    private func childCountsAgree(_ control: Int32, _ test: Int32) -> Bool {
        let (left, right) = (expected[control], actual[test])
        if left.childCount == right.childCount { return true }
        // A placeholder may allow the text to be missing.
        guard left.childCount == 1, right.childCount == 0 else { return false }
        return placeholders?.text(left.firstChild)?.accepts(nil, budget) ?? false
    }

    private mutating func compareAttributes(_ control: Int32, _ test: Int32) {
        guard spend(10 * (expected[control].attributes.count + actual[test].attributes.count)) else { return }
        let left = XMLAttributes(expected, control)
        let right = XMLAttributes(actual, test)
        note(.elementAttributeCount, isEqual: attributeCountsAgree(control, left, right), at: control) {
            "expected \($0.expected.shown(left)), was \($0.actual.shown(right))"
        }
        if let location = left.schemaLocation {
            compareLocations(.schemaLocation, control, location, right.schemaLocation)
        }
        if let location = left.noNamespaceSchemaLocation {
            compareLocations(.noNamespaceSchemaLocation, control, location, right.noNamespaceSchemaLocation)
        }
        if let type = left.type {
            // The type is a name whose prefix was resolved when the tree was read.
            compareValues(
                control, XMLAttributes.typeName, type.index, type.attribute.value, right.type?.attribute.value)
        }
        for (index, attribute) in left.plain {
            guard !isDecided else { return }
            let name = expected.names[Int(attribute.name)]
            compareValues(control, name, index, attribute.value, right.value(of: name), isPlain: true)
        }
    }

    private mutating func compareLocations(
        _ comparison: XMLComparison, _ control: Int32, _ location: [UInt8], _ other: [UInt8]?
    ) {
        note(comparison, isEqual: location == other, at: control) { _ in
            "expected the schema's location \(XMLTree.shown(location)), was \(XMLTree.shown(other))"
        }
    }

    /// Compares the values of an attribute.
    /// - Parameter index: the attribute's index in the expected tree.
    private mutating func compareValues(
        _ control: Int32, _ name: XMLTree.Name, _ index: Int, _ wanted: [UInt8], _ value: [UInt8]?,
        isPlain: Bool = false
    ) {
        let placeholder = placeholders?.attribute(index)
        guard let value else {
            return note(.attributeLookup, isEqual: placeholder?.accepts(nil, budget) ?? false, at: control, name) { _ in
                "missing, expected \(XMLTree.shown(wanted))"
            }
        }
        note(.attributeLookup)
        if isPlain {
            note(.nodeType)
            if name.uri != nil { note(.namespaceURI) }
        }
        let isEqual = wanted == value || placeholder?.accepts(value[...], budget) ?? false
        note(.attributeValue, isEqual: isEqual, at: control, name) { _ in
            "expected \(XMLTree.shown(wanted)), was \(XMLTree.shown(value))"
        }
    }

    private func attributeCountsAgree(_ control: Int32, _ left: XMLAttributes, _ right: XMLAttributes) -> Bool {
        if left.plain.count == right.plain.count { return true }
        guard let placeholders else { return false }
        // A placeholder may allow an attribute to be missing.
        var shared = 0
        for (index, attribute) in left.plain {
            if right.value(of: expected.names[Int(attribute.name)]) != nil {
                shared += 1
            } else if placeholders.attribute(index)?.accepts(nil, budget) != true {
                return false
            }
        }
        return shared == right.plain.count
    }

    private mutating func compareChildren(_ control: Int32, _ test: Int32) {
        let start = pairs.count
        // Pairs are taken from the end of the list, so descriptions, which follow the document, need them reversed.
        defer { if purpose == .description { pairs[start...].reverse() } }
        if pairInLockstep(control, test) { return }
        guard spend(20 * (expected[control].childCount + actual[test].childCount)) else { return }
        var left = expected.children(of: control)
        var right = actual.children(of: test)
        if purpose != .distance {
            sort(&left, in: expected)
            sort(&right, in: actual)
        }
        var partners = XMLPartners(right.map { actual[$0].kind })
        for child in left {
            if let position = partners.take(expected[child].kind) {
                pairs.append((child, right[position]))
            } else {
                let isText = expected[child].kind == .text
                let isOptional = isText && placeholders?.text(child)?.accepts(nil, budget) ?? false
                note(.childLookup, isEqual: isOptional, at: child) { _ in "missing" }
            }
        }
    }

    /// Pairs the children without sorting if possible: the same kinds and, for a match, the same names in the same
    /// order. Returns false otherwise.
    private mutating func pairInLockstep(_ control: Int32, _ test: Int32) -> Bool {
        guard expected[control].childCount == actual[test].childCount else { return false }
        if purpose != .distance, options.ignoreOrderOfSameNode, expected[control].childCount > 1 { return false }
        let start = pairs.count
        var (left, right) = (expected[control].firstChild, actual[test].firstChild)
        while left != XMLTree.none, right != XMLTree.none {
            let isSame =
                expected[left].kind == actual[right].kind
                && (purpose == .distance || expected.name(left)?.local == actual.name(right)?.local)
            guard isSame else {
                pairs.removeLast(pairs.count - start)
                return false
            }
            pairs.append((left, right))
            left = expected[left].nextSibling
            right = actual[right].nextSibling
        }
        return true
    }

    /// Sorts by kind, then by local name, then by text if the options require it. Stable.
    private func sort(_ children: inout [Int32], in tree: XMLTree) {
        let byText = options.ignoreOrderOfSameNode
        let ranks = NameRanks(tree, children)
        children = children.enumerated().map { ($0, $1) }.sorted { left, right in
            let (first, second) = (tree[left.1], tree[right.1])
            if first.kind != second.kind { return first.kind.rawValue < second.kind.rawValue }
            let (firstRank, secondRank) = (ranks[first.name], ranks[second.name])
            if firstRank != secondRank { return firstRank < secondRank }
            if byText {
                let (one, other) = (tree.content(left.1), tree.content(right.1))
                if one != other { return one.lexicographicallyPrecedes(other) }
            }
            return left.0 < right.0
        }.map(\.1)
    }
}

/// The ranks of the local names among siblings, so that each name is compared once instead of at every step of a sort.
private struct NameRanks {
    private var ranks: [Int32: Int] = [:]

    init(_ tree: XMLTree, _ children: [Int32]) {
        let names = Set(children.map { tree[$0].name }).filter { $0 != XMLTree.none }
        let sorted = names.sorted {
            tree.names[Int($0)].local.lexicographicallyPrecedes(tree.names[Int($1)].local)
        }
        var rank = 0
        var previous: [UInt8]?
        for name in sorted {
            let local = tree.names[Int(name)].local
            if local != previous { rank += 1 }
            ranks[name] = rank
            previous = local
        }
    }

    subscript(_ name: Int32) -> Int { ranks[name] ?? 0 }
}

/// Finds partners like XMLUnit's default node matcher: the first free sibling of the same kind after the last one used,
/// or else the first free one of all. Each search takes nearly constant time.
struct XMLPartners {
    /// The positions of the nodes of each kind; and for each position, the next that may be free.
    private var positions: [[Int]] = Array(repeating: [], count: 6)
    private var next: [[Int]] = Array(repeating: [], count: 6)
    private var last = -1

    init(_ kinds: [XMLTree.Kind]) {
        for (position, kind) in kinds.enumerated() { positions[Int(kind.rawValue)].append(position) }
        next = positions.map { Array(0...$0.count) }
    }

    mutating func take(_ kind: XMLTree.Kind) -> Int? {
        let kind = Int(kind.rawValue)
        let count = positions[kind].count
        var found = free(kind, firstAfterLast(kind))
        if found == count { found = free(kind, 0) }
        guard found < count else { return nil }
        next[kind][found] = found + 1
        last = positions[kind][found]
        return last
    }

    private func firstAfterLast(_ kind: Int) -> Int {
        var (low, high) = (0, positions[kind].count)
        while low < high {
            let middle = (low + high) / 2
            if positions[kind][middle] > last { high = middle } else { low = middle + 1 }
        }
        return low
    }

    private mutating func free(_ kind: Int, _ start: Int) -> Int {
        var end = start
        while next[kind][end] != end { end = next[kind][end] }
        var index = start
        while index != end {
            let following = next[kind][index]
            next[kind][index] = end
            index = following
        }
        return end
    }
}
