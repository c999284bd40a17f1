/// The elements of a list. Those of a range of numbers are made when they are asked for: a short call must not fill the
/// memory with a million of them.
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

    /// The numbers from one to another, up or down.
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

    /// Whether it has numbers alone, which hold no other values and take few bytes as a text.
    var hasOnlyNumbers: Bool { if case .numbers = storage { true } else { false } }

    /// All elements, made at once.
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
