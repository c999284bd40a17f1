import SDJSON

extension JSONValue {
    /// A copy of an object with one member replaced; nil removes it.
    func replacing(_ key: String, by value: JSONValue?) -> JSONValue {
        guard case .object(var object) = self else { return self }
        object[key] = value
        return .object(object)
    }
}
