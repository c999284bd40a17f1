package import SDContracts

/// A request without an operation, below the paths of a contract.
package struct UnknownRequest {
    package let seen: ContractRequest
    /// Nil if no contract covers its path.
    package var contract: ServedContract?
    /// The methods of its path; nil if the path is unknown.
    package var allowed: [String]?
    package var nearest: String?

    package init(
        seen: ContractRequest, contract: ServedContract? = nil, allowed: [String]? = nil, nearest: String? = nil
    ) {
        self.seen = seen
        self.contract = contract
        self.allowed = allowed
        self.nearest = nearest
    }

    /// The violation to report.
    package var violation: Violation {
        guard let allowed else {
            return Violation(
                .path, message: "there is no such path" + (nearest.map { ", did you mean \($0)?" } ?? ""),
                expected: nearest, found: seen.path)
        }
        let methods = allowed.joined(separator: ", ")
        return Violation(
            .method, message: "the path has no such method: expected \(methods), found \(seen.method)",
            expected: methods, found: seen.method)
    }
}
