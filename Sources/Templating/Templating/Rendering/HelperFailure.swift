public import SDJSON

/// A helper call that failed during rendering.
public struct HelperFailure: Sendable {
    public let helper: String
    public let message: String
    /// The byte offset in the template.
    let offset: Int
    /// The template, set after rendering.
    private var template: [UInt8]?

    init(helper: String, message: String, offset: Int) {
        self.helper = helper
        self.message = message
        self.offset = offset
    }

    /// Sets the template that was rendered.
    mutating func locate(in template: [UInt8]) {
        if self.template == nil { self.template = template }
    }

    /// The failure as a sentence with its position.
    /// - Parameters:
    ///   - field: the part of the response that contains the template.
    ///   - document: the JSON document of the template; nil for a text template.
    public func text(in field: String, of document: JSONValue?) -> String {
        var place = TemplateError("", at: offset, in: template ?? [])
        if let document { place = place.located(in: document, template ?? []) }
        let name = ([field] + place.path).joined(separator: ".")
        return "the helper `\(helper)` failed at line \(place.line), column \(place.column) of \(name): \(message)"
    }
}
