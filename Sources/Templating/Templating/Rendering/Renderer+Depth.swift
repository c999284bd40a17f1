import SDJSON

/// The limit on nested lists: it is checked where a list is made, so that code which traverses, frees or prints a value
/// needs no limit of its own.
extension Renderer {
    /// The maximum nesting depth of lists and maps, including those of a document inside them.
    static let deepestValue = JSONValue.maximumDepth

    /// A list of values, which may be lists themselves.
    /// - Parameter new: the values that are not in a list yet; nil for all of them.
    /// - Throws: `RenderError` if values are nested too deeply, or the budget is exhausted.
    func list(_ elements: [TemplateValue], adding new: [TemplateValue]? = nil) throws(RenderError) -> TemplateValue {
        for value in new ?? elements {
            guard try fits(value, into: Self.deepestValue - 1) else {
                throw RenderError("values are nested deeper than \(Self.deepestValue)")
            }
        }
        return .list(elements)
    }

    /// Whether a value has at most this many nested levels of lists and maps.
    private func fits(_ value: TemplateValue, into levels: Int) throws(RenderError) -> Bool {
        func fits(_ value: TemplateValue) throws(RenderError) -> Bool { try self.fits(value, into: levels - 1) }
        return switch value {
        case .list(let elements):
            try elements.hasOnlyNumbers ? levels > 0 : all(elements, fit: fits, into: levels)
        case .values(let values): try all(values, fit: fits, into: levels)
        case .map(let map): try all(map.members.lazy.map(\.value), fit: fits, into: levels)
        case .json(let json): try self.fits(json, into: levels)
        default: true
        }
    }

    private func fits(_ json: JSONValue, into levels: Int) throws(RenderError) -> Bool {
        func fits(_ json: JSONValue) throws(RenderError) -> Bool { try self.fits(json, into: levels - 1) }
        return switch json {
        case .array(let elements): try all(elements, fit: fits, into: levels)
        case .object(let object): try all(object.members.lazy.map(\.value), fit: fits, into: levels)
        default: true
        }
    }

    /// Whether all values of a list or map fit into the levels below it.
    private func all<Value>(
        _ values: some Collection<Value>, fit: (Value) throws(RenderError) -> Bool, into levels: Int
    ) throws(RenderError) -> Bool {
        guard levels > 0 else { return false }
        try spend(1 + values.count / 4)
        for value in values { guard try fit(value) else { return false } }
        return true
    }
}
