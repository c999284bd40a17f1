import SDBasics
public import SDOpenAPI

extension Contract {
    /// The meaning of a method and a path.
    public enum Found: Sendable {
        /// An operation, its index, and the decoded path values.
        case operation(APIOperation, index: Int, values: [String: String])
        /// The path has other methods only.
        case wrongMethod(allowed: [String])
        /// There is no such path; carries the nearest existing one.
        case nothing(nearest: String?)
    }

    /// The operation of a request. Literal segments take precedence over variables.
    /// - Parameters:
    ///   - path: the path as sent, without the prefix under which the contract is served.
    ///   - underBase: whether the path starts with one of the base paths of the description or the operation.
    public func find(method: String, path: String, underBase: Bool = false) -> Found {
        guard underBase else { return find(method, path) }
        var best: Found?
        let own = Set(description.operations.lazy.compactMap(\.basePaths).joined())
        let bases = own.union(description.basePaths).sorted { $0.utf8.count > $1.utf8.count }
        for base in bases {
            let base = base.hasSuffix("/") ? String(base.dropLast()) : base
            guard path.hasPrefix(base),
                base.isEmpty || path.utf8.count == base.utf8.count
                    || path.utf8.dropFirst(base.utf8.count).first == UInt8(ascii: "/")
            else { continue }
            let found = find(method, String(path.dropFirst(base.count)))
            switch (found, best) {
            case (.operation(let operation, _, _), _):
                if (operation.basePaths ?? description.basePaths).contains(where: { $0 == base || $0 == base + "/" }) {
                    return found
                }
            case (.wrongMethod, nil), (.wrongMethod, .nothing), (.nothing, nil): best = found
            default: break
            }
        }
        return best ?? .nothing(nearest: nil)
    }

    /// The index of a request's operation; nil if there is none. Cheaper than `find`, which also searches for similar
    /// paths.
    public func operation(method: String, path: String) -> Int? {
        router.find(method.uppercased(), PathTemplate.split(Array(path.utf8))).operation
    }

    /// Builds the router in advance, so that no request waits for it.
    public func prepare() { _ = router }

    private func find(_ method: String, _ path: String) -> Found {
        let router = router
        let segments = PathTemplate.split(Array(path.utf8))
        let (index, allowed) = router.find(method.uppercased(), segments)
        if let index {
            let values = router.templates[index].values(in: segments) ?? [:]
            return .operation(
                description.operations[index], index: index, values: values.mapValues(PathTemplate.decoded))
        }
        if !allowed.isEmpty { return .wrongMethod(allowed: allowed.sorted()) }
        return .nothing(nearest: router.nearest(to: segments, description.operations))
    }
}
