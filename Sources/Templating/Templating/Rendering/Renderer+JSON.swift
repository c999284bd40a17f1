import SDJSON

/// Converts values to JSON where a string of a JSON document is a single expression.
extension Renderer {
    /// The JSON that replaces the string; nil for a value that is a text.
    /// - Parameters:
    ///   - helper: the helper that made the value; nil for none.
    ///   - keepsTypes: whether numbers, booleans and null become JSON, too.
    /// - Throws: `RenderError.outOfTime` if the budget does not suffice.
    func jsonForm(
        of value: TemplateValue, madeBy helper: NamedHelper?, keepsTypes: Bool
    ) throws(RenderError) -> JSONValue? {
        switch value {
        case .list, .map, .json(.array), .json(.object): break
        case .object(let object):
            // The path is a list, but prints as a text.
            guard object.members != nil else { return nil }
        case .null, .bool, .int, .decimal, .json: guard keepsTypes else { return nil }
        case .double(let number): guard keepsTypes, number.isFinite else { return nil }
        case .text(let text):
            guard let helper, Self.jsonMakers.contains(helper.name) else { return nil }
            try afford(RenderEnvironment.Cost.treeOfByte * text.utf8.count)
            guard let json = try? JSONValue(parsing: text) else { return nil }
            switch json {
            case .array, .object: return json
            case .null, .bool, .number, .string: return keepsTypes ? json : nil
            }
        case .values, .date: return nil
        }
        guard environment.tryReserveText(of: value) else { throw .outOfTime }
        return value.json
    }

    /// Helpers whose text is JSON.
    private static let jsonMakers: Set = [
        "toJson", "formatJson", "jsonMerge", "jsonRemove", "jsonArrayAdd", "jsonSort",
    ]
}
