import SDJSON

extension JSONValue {
    /// A copy of an object with another value of a member; nil removes it.
    func replacing(_ key: String, by value: JSONValue?) -> JSONValue {
        guard case .object(var object) = self else { return self }
        object[key] = value
        return .object(object)
    }
}
