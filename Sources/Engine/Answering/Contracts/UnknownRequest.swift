package import SDContracts

/// A request below the paths of a contract that has no operation for it.
package struct UnknownRequest {
    package let seen: ContractRequest
    /// Nil where no contract has its path.
    package var contract: ServedContract?
    /// The methods of its path; nil if there is no such path.
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

    /// What is wrong with it.
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
