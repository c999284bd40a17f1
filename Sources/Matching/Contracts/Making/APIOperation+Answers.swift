public import SDOpenAPI

extension APIOperation {
    /// The answer that is given with a status, or without one asked for; nil if there is none.
    public func answer(with status: Int?) -> APIResponse? { ResponseChoice(of: self, status: status)?.response }

    /// The statuses that it declares, in words.
    public var statusNames: String { ResponseChoice.list(of: self) }
}
