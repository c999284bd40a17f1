/// The elements of a list. A range of numbers is generated on demand: a short call must not fill the memory with a
/// million elements.
public struct TemplateList: RandomAccessCollection, ExpressibleByArrayLiteral, Sendable {
    private enum Storage: Sendable {
        case values([TemplateValue])
        case numbers(first: Int, step: Int, count: Int)
    }

    private let storage: Storage

    public init(_ values: [TemplateValue]) {
        storage = .values(values)
    }

    public init(arrayLiteral elements: TemplateValue...) {
        self.init(elements)
    }

    /// The numbers from one to another, ascending or descending.
    /// - Precondition: there are fewer than `Int.max`.
    init(from first: Int, through last: Int) {
        storage = .numbers(first: first, step: last < first ? -1 : 1, count: Int((last - first).magnitude) + 1)
    }

    public var startIndex: Int { 0 }

    public var endIndex: Int {
        switch storage {
        case .values(let values): values.count
        case .numbers(_, _, let count): count
        }
    }

    public subscript(index: Int) -> TemplateValue {
        switch storage {
        case .values(let values): values[index]
        case .numbers(let first, let step, _): .int(first + step * index)
        }
    }

    /// Whether it contains only numbers, which hold no other values and have short texts.
    var hasOnlyNumbers: Bool { if case .numbers = storage { true } else { false } }

    /// All elements as an array.
    var array: [TemplateValue] {
        switch storage {
        case .values(let values): values
        case .numbers: Array(self)
        }
    }
}

extension TemplateValue {
    public static func list(_ values: [TemplateValue]) -> TemplateValue { .list(TemplateList(values)) }
}
