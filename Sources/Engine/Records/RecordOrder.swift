import SDJSON

/// The order of a list: fields, each ascending or descending.
struct RecordOrder: Sendable {
    struct Criterion: Sendable {
        let field: FieldPath
        let isDescending: Bool
    }

    let criteria: [Criterion]

    /// Parses `_sort=views,-author.name` and `_order=desc,asc`.
    /// - Parameters:
    ///   - fields: the values of `_sort`.
    ///   - orders: the values of `_order`.
    init(fields: [String], orders: [String]) {
        let orders = orders.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
        let names = fields.flatMap { $0.split(separator: ",") }
        criteria = names.enumerated().map { index, name in
            let isReversed = name.hasPrefix("-") && name.utf8.count > 1
            let isDescending = index < orders.count && orders[index].lowercased() == "desc"
            return Criterion(
                field: FieldPath(String(isReversed ? name.dropFirst() : name)), isDescending: isDescending != isReversed
            )
        }
    }

    /// A value for comparison: numbers before texts, and missing values last.
    private enum Key: Sendable {
        case bool(Bool)
        case number(Double, JSONNumber)
        case text(String)
        case other(String)
        case missing

        init(_ value: JSONValue?) {
            switch value {
            case .bool(let value): self = .bool(value)
            case .number(let number): self = .number(number.doubleValue, number)
            case .string(let text): self = .text(text)
            case nil, .null: self = .missing
            case .array?, .object?: self = .other(value?.compactText ?? "")
            }
        }

        private var rank: Int {
            switch self {
            case .bool: 0
            case .number: 1
            case .text: 2
            case .other: 3
            case .missing: 4
            }
        }

        /// Negative if this key is less, positive if it is greater, and 0 if they are equal.
        func compare(_ other: Key) -> Int {
            switch (self, other) {
            case (.number(let left, let leftNumber), .number(let right, let rightNumber)):
                if left < right { return -1 }
                if left > right { return 1 }
                if leftNumber == rightNumber { return 0 }
                let (left, right) = (JSONDecimal(leftNumber), JSONDecimal(rightNumber))
                return left == right ? 0 : left < right ? -1 : 1
            case (.text(let left), .text(let right)), (.other(let left), .other(let right)):
                if left.hasSameCodePoints(as: right) { return 0 }
                return left.utf8.lexicographicallyPrecedes(right.utf8) ? -1 : 1
            case (.bool(let left), .bool(let right)): return left == right ? 0 : right ? -1 : 1
            default: return rank - other.rank
            }
        }
    }

    /// The keys of one criterion. Numbers with few digits, which a double represents exactly, compare fastest.
    private enum Column {
        case numbers([Double])
        case mixed([Key])

        init(_ values: [JSONValue?]) {
            var numbers: [Double] = []
            numbers.reserveCapacity(values.count)
            for value in values {
                guard case .number(let number)? = value, Self.isExact(number) else {
                    self = .mixed(values.map { Key($0) })
                    return
                }
                numbers.append(Int(number.text).map { Double($0) } ?? number.doubleValue)
            }
            self = .numbers(numbers)
        }

        /// Whether no other number with as few digits has the same double.
        private static func isExact(_ number: JSONNumber) -> Bool {
            number.text.utf8.count <= 15 && !number.text.utf8.contains { $0 | 0x20 == UInt8(ascii: "e") }
        }

        /// Negative if the left key is less, positive if it is greater, 0 if they are equal.
        func compare(_ left: Int, _ right: Int) -> Int {
            switch self {
            case .numbers(let numbers):
                numbers[left] < numbers[right] ? -1 : numbers[left] > numbers[right] ? 1 : 0
            case .mixed(let keys): keys[left].compare(keys[right])
            }
        }
    }

    /// The number of budget steps for sorting `count` records.
    func cost(of count: Int) -> Int {
        let levels = max(Int.bitWidth - count.leadingZeroBitCount, 1)
        return count * (levels * 4 * criteria.count + criteria.reduce(0) { $0 + 8 + $1.field.cost })
    }

    /// The sorted records; equal ones keep their order.
    func sorted(_ records: [Record]) -> [Record] {
        let columns = criteria.map { criterion in Column(records.map { criterion.field.value(in: $0) }) }
        let places = records.indices.sorted { left, right in
            for index in columns.indices {
                let order = columns[index].compare(left, right)
                if order != 0 { return (order < 0) != criteria[index].isDescending }
            }
            return left < right
        }
        return places.map { records[$0] }
    }
}
