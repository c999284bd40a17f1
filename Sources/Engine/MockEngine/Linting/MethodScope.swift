import StubModel

/// The methods that a pattern takes, as a set that can be compared with another's.
struct MethodScope: Hashable {
    private enum Kind: Hashable {
        case these(Set<[UInt8]>)
        /// None of them, and all others; empty for any method.
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

    /// `GET_OR_HEAD` is WireMock's name for two methods.
    private static func expand(_ names: [String]) -> Set<[UInt8]> {
        Set(names.flatMap { $0 == "GET_OR_HEAD" ? ["GET", "HEAD"] : [$0] }.map { Array($0.utf8) })
    }

    /// No method is taken.
    var isEmpty: Bool { kind == .these([]) }

    /// Whether every method that `other` takes is taken here too.
    func covers(_ other: MethodScope) -> Bool {
        switch (kind, other.kind) {
        case (.these(let ours), .these(let theirs)): theirs.isSubset(of: ours)
        case (.these, .allBut): false
        case (.allBut(let refused), .these(let theirs)): refused.isDisjoint(with: theirs)
        case (.allBut(let refused), .allBut(let theirs)): refused.isSubset(of: theirs)
        }
    }
}
