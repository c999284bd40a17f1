import SDStubModel

/// The methods that a pattern accepts, as a set for comparisons.
struct MethodScope: Hashable {
    private enum Kind: Hashable {
        case these(Set<[UInt8]>)
        /// All methods except these; any method if the set is empty.
        case allBut(Set<[UInt8]>)
    }

    private let kind: Kind

    init(_ pattern: MethodPattern) {
        switch pattern {
        case .any: kind = .allBut([])
        case .exactly(let name): kind = Self.these([name])
        case .oneOf(let names): kind = Self.these(names)
        case .noneOf(let names): kind = .allBut(Self.expand(names))
        }
    }

    private static func these(_ names: [String]) -> Kind {
        names.contains { $0.utf8.elementsEqual("ANY".utf8) } ? .allBut([]) : .these(expand(names))
    }

    /// The names, with `GET_OR_HEAD`, WireMock's name for two methods, replaced by both.
    private static func expand(_ names: [String]) -> Set<[UInt8]> {
        Set(names.flatMap { $0 == "GET_OR_HEAD" ? ["GET", "HEAD"] : [$0] }.map { Array($0.utf8) })
    }

    /// Whether no method is accepted.
    var isEmpty: Bool { kind == .these([]) }

    /// Whether every method that `other` accepts is also accepted here.
    func covers(_ other: MethodScope) -> Bool {
        switch (kind, other.kind) {
        case (.these(let ours), .these(let theirs)): theirs.isSubset(of: ours)
        case (.these, .allBut): false
        case (.allBut(let refused), .these(let theirs)): refused.isDisjoint(with: theirs)
        case (.allBut(let refused), .allBut(let theirs)): refused.isSubset(of: theirs)
        }
    }
}
