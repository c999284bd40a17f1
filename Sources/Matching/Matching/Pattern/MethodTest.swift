import SDPlatform
internal import SDStubModel

/// The methods that a pattern accepts. Methods are case-sensitive.
package struct MethodTest: Sendable {
    /// A superset of the methods that can pass.
    let methods: MethodSet
    /// The rest of the decision, for methods that share a bit; `any` if no such method can pass.
    private let rule: Rule

    private enum Rule: Sendable {
        case any
        case oneOf([[UInt8]])
        case noneOf([[UInt8]])
    }

    init(_ pattern: MethodPattern) {
        switch pattern {
        case .any: (methods, rule) = (.all, .any)
        case .exactly(let name):
            let method = MethodSet(of: name.bytes)
            (methods, rule) = method == .other ? Self.oneOf([name]) : (method, .any)
        case .oneOf(let names): (methods, rule) = Self.oneOf(names)
        case .noneOf(let names):
            let excluded = Self.expand(names)
            let common = excluded.reduce(into: MethodSet()) { $0.formUnion(MethodSet(of: $1[...])) }
            methods = MethodSet.all.subtracting(common.subtracting(.other))
            rule = .noneOf(excluded)
        }
    }

    private static func oneOf(_ names: [String]) -> (MethodSet, Rule) {
        if names.contains("ANY") { return (.all, .any) }
        let expanded = expand(names)
        return (expanded.reduce(into: MethodSet()) { $0.formUnion(MethodSet(of: $1[...])) }, .oneOf(expanded))
    }

    /// The names, with `GET_OR_HEAD`, WireMock's name for two methods, replaced by both.
    private static func expand(_ names: [String]) -> [[UInt8]] {
        names.flatMap { $0 == "GET_OR_HEAD" ? ["GET", "HEAD"] : [$0] }.map { Array($0.utf8) }
    }

    /// Whether methods that share a bit are tested by name.
    var namesMethods: Bool { if case .oneOf = rule { true } else { false } }

    package func passes(_ request: some MatchableRequest, _ bit: MethodSet) -> Bool {
        guard methods.contains(bit) else { return false }
        guard bit == .other else { return true }
        switch rule {
        case .any: return true
        case .oneOf(let names): return names.contains { request.method.equals($0[...]) }
        case .noneOf(let names): return !names.contains { request.method.equals($0[...]) }
        }
    }
}
