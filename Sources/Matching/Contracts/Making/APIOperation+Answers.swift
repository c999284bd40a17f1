public import SDOpenAPI

extension APIOperation {
    /// The response for a status, or the default choice without one; nil if there is none.
    public func answer(with status: Int?) -> APIResponse? { ResponseChoice(of: self, status: status)?.response }

    /// The declared statuses, as text.
    public var statusNames: String { ResponseChoice.list(of: self) }
}
