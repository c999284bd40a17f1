extension JSONValue {
    /// The value after a merge patch (RFC 7396): members of the patch replace those of the value, objects are merged,
    /// and null removes.
    public func merged(with patch: JSONValue) -> JSONValue {
        guard case .object(let patch) = patch else { return patch }
        var object = objectValue ?? JSONObject()
        for member in patch.members {
            if member.value.isNull {
                object[member.key] = nil
            } else {
                object[member.key] = (object[member.key] ?? .null).merged(with: member.value)
            }
        }
        return .object(object)
    }
}
