import SDBasics
import SDJSON
public import SDPlatform

/// A query for a list, in json-server's parameters: filter, order and page.
public struct RecordQuery: Sendable {
    private var filters: [RecordFilter] = []
    /// The text that any text within a record must contain, in lower case; nil for none.
    private var text: [UInt8]?
    private var order: RecordOrder?
    private var part = Part.all

    private enum Part: Sendable, Hashable {
        case all
        case page(Int, size: Int, isWrapped: Bool)
        case range(start: Int, end: Int?)
    }

    public init() {}

    /// Parses the decoded parameters of a request.
    /// - Throws: the first parameter that cannot be served.
    public init(_ parameters: [(name: String, value: String)]) throws(QueryProblem) {
        var names: [String] = []
        var values: [String: [String]] = [:]
        for (name, value) in parameters where !name.isEmpty {
            if values[name] == nil { names.append(name) }
            values[name, default: []].append(value)
        }
        for name in names {
            let given = values[name] ?? []
            switch name {
            case "q": text = given.first.flatMap { $0.isEmpty ? nil : Array($0.lowercased().utf8) }
            case "_sort": order = RecordOrder(fields: given, orders: values["_order"] ?? [])
            case "_order", "_page", "_limit", "_per_page", "_start", "_end", "callback", "_": break
            // Parameters about related collections; not conditions.
            case "_embed", "_expand", "_dependent": break
            case "_where":
                throw QueryProblem(
                    parameter: name, reason: "not read; a condition has a parameter of its own, such as \"views:gt=10\""
                )
            default: filters.append(try RecordFilter(name, given))
            }
        }
        if let orders = values["_order"] { try Self.check(orders, isSorted: values["_sort"] != nil) }
        for name in ["_page", "_per_page"] { try Self.check(values[name], of: name, least: 1) }
        for name in ["_limit", "_start", "_end"] { try Self.check(values[name], of: name, least: 0) }
        func number(_ name: String) -> Int? { values[name]?.first.flatMap { Self.number($0) } }
        if values["_page"] != nil || values["_per_page"] != nil {
            let isWrapped = values["_per_page"] != nil
            part = .page(
                number("_page") ?? 1, size: max(number(isWrapped ? "_per_page" : "_limit") ?? 10, 1),
                isWrapped: isWrapped)
        } else if values["_start"] != nil || values["_end"] != nil || values["_limit"] != nil {
            let start = number("_start") ?? 0
            let limit = number("_limit").map { start.addingReportingOverflow($0) }
            let end = number("_end") ?? limit.map { $0.overflow ? .max : $0.partialValue }
            part = .range(start: start, end: end)
        }
    }

    /// A non-negative integer, clamped; nil for any other text.
    private static func number(_ text: String) -> Int? {
        let digits = text.drop { $0 == " " || $0 == "+" }
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return Int(digits) ?? .max
    }

    /// Checks a number. An empty text counts as absent.
    /// - Throws: if it is not an integer of at least `least`. json-server takes it for another number, or drops it.
    private static func check(_ texts: [String]?, of name: String, least: Int) throws(QueryProblem) {
        guard let text = texts?.first, !text.isEmpty else { return }
        guard let number = number(text), number >= least else {
            throw QueryProblem(
                parameter: name, reason: "not a whole number of at least \(least), but \"\(text)\"")
        }
    }

    /// Checks the orders of the fields.
    /// - Throws: for an unknown order, or one without a field.
    private static func check(_ orders: [String], isSorted: Bool) throws(QueryProblem) {
        let words = orders.flatMap { $0.split(separator: ",") }.map { String($0) }
        for word in words where !["asc", "desc"].contains(word.lowercased()) {
            let meant = word.lowercased().hasPrefix("d") ? "desc" : "asc"
            throw QueryProblem(
                parameter: "_order", reason: "neither asc nor desc, but \"\(word)\"" + didYouMean(meant))
        }
        if !words.isEmpty, !isSorted {
            throw QueryProblem(parameter: "_order", reason: "without effect: \"_sort\" says what is ordered")
        }
    }

    // MARK: Running

    /// The budget was spent before the list was made.
    public struct Spent: Error {}

    private static let work = WorkBudget.Work("list", "of records")

    /// Runs the query.
    /// - Parameter isMember: whether a record belongs to the list at all; nil if all do.
    /// - Throws: if the budget is spent.
    public func run(
        on records: RecordSet, _ budget: WorkBudget, where isMember: ((Record) -> Bool)? = nil
    ) throws(Spent) -> RecordPage {
        let filters = try applicable(to: records, budget)
        if filters.isEmpty, text == nil, order == nil, isMember == nil { return try page(of: records, budget) }
        var found: [Record] = []
        let cost = filters.reduce(4) { $0 + $1.cost }
        var isSpent = false
        records.visit { record in
            guard budget.spend(cost, for: Self.work) else {
                isSpent = true
                return false
            }
            guard isMember?(record) ?? true, filters.allSatisfy({ $0.passes(record, budget) }) else { return true }
            if let text {
                guard budget.spend(record.bytes.count, for: Self.work) else {
                    isSpent = true
                    return false
                }
                guard record.value.members.contains(where: { Self.contains($0.value, text) }) else { return true }
            }
            found.append(record)
            return true
        }
        if isSpent || budget.isSpent { throw Spent() }
        if let order {
            guard budget.tryReserve(10 * order.cost(of: found.count), for: Self.work) else { throw Spent() }
            found = order.sorted(found)
        }
        return page(found)
    }

    /// The filters without those whose field no record has; json-server ignores them.
    /// - Throws: `Spent` if the budget does not suffice.
    private func applicable(to records: RecordSet, _ budget: WorkBudget) throws(Spent) -> [RecordFilter] {
        var applicable: [RecordFilter] = []
        for filter in filters {
            guard filter.test == .equal else {
                applicable.append(filter)
                continue
            }
            var isKnown = false
            var isSpent = false
            records.visit { record in
                isSpent = !budget.spend(2 + filter.field.cost, for: Self.work)
                isKnown = filter.field.value(in: record) != nil
                return !isKnown && !isSpent
            }
            if isSpent { throw Spent() }
            if isKnown { applicable.append(filter) }
        }
        return applicable
    }

    /// Whether any text within a value contains one in lower case.
    private static func contains(_ value: JSONValue, _ text: [UInt8]) -> Bool {
        switch value {
        case .array(let elements): return elements.contains { contains($0, text) }
        case .object(let object): return object.members.contains { contains($0.value, text) }
        case .null: return false
        default:
            let own = Array(RecordFilter.text(value).lowercased().utf8)
            guard own.count >= text.count else { return false }
            return (0...(own.count - text.count)).contains { start in
                own[start] == text[0] && own[start..<(start + text.count)].elementsEqual(text)
            }
        }
    }

    /// The range of the requested page in `count` records, and its position among the pages.
    private func slice(of count: Int) -> (range: Range<Int>, place: RecordPage.Place?) {
        switch part {
        case .all: return (0..<count, nil)
        case .range(let start, let end):
            let start = min(start, count)
            return (start..<min(max(end ?? .max, start), count), nil)
        case .page(let number, let size, let isWrapped):
            let pages = count == 0 ? 1 : (count - 1) / size + 1
            // json-server 1 clamps to the last page.
            let current = isWrapped ? min(number, pages) : number
            let (offset, isTooLarge) = (current - 1).multipliedReportingOverflow(by: size)
            let start = isTooLarge ? count : min(offset, count)
            let end = count - start > size ? start + size : count
            return (start..<end, RecordPage.Place(current: current, pages: pages, isWrapped: isWrapped))
        }
    }

    private func page(_ found: [Record]) -> RecordPage {
        let (range, place) = slice(of: found.count)
        return RecordPage(records: Array(found[range]), total: found.count, place: place)
    }

    /// A page of a list without conditions, without reading records after it.
    /// - Throws: `Spent` if the budget does not suffice.
    private func page(of records: RecordSet, _ budget: WorkBudget) throws(Spent) -> RecordPage {
        let (range, place) = slice(of: records.count)
        guard budget.spend(range.upperBound, for: Self.work) else { throw Spent() }
        var found: [Record] = []
        found.reserveCapacity(range.count)
        var index = 0
        if !range.isEmpty {
            records.visit { record in
                if index >= range.lowerBound { found.append(record) }
                index += 1
                return index < range.upperBound
            }
        }
        return RecordPage(records: found, total: records.count, place: place)
    }
}

/// The records that a list shows.
public struct RecordPage: Sendable {
    /// The position of a page among the others.
    public struct Place: Sendable, Hashable {
        public let current: Int
        /// The number of pages; at least 1.
        public let pages: Int
        /// Whether the answer states this beside the records, as json-server 1 does for `_per_page`.
        public let isWrapped: Bool

        public var previous: Int? { current > 1 ? current - 1 : nil }
        public var next: Int? { current < pages ? current + 1 : nil }
    }

    public var records: [Record]
    /// The number of records that satisfy the conditions, on all pages.
    public let total: Int
    /// The position among the pages; nil for a list without paging.
    public var place: Place?
}
