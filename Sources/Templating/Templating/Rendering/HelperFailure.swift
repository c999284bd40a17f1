public import SDJSON

/// A call of a helper that failed while its template was rendered.
public struct HelperFailure: Sendable {
    public let helper: String
    public let message: String
    /// The place in the template, in bytes.
    let offset: Int
    /// The template, once its rendering has ended.
    private var template: [UInt8]?

    init(helper: String, message: String, offset: Int) {
        self.helper = helper
        self.message = message
        self.offset = offset
    }

    /// Notes the template that was rendered.
    mutating func locate(in template: [UInt8]) {
        if self.template == nil { self.template = template }
    }

    /// The failure as a sentence, with its place.
    /// - Parameters:
    ///   - field: the part of the response that the template is for.
    ///   - document: the JSON document that the template was read from; nil for a text.
    public func text(in field: String, of document: JSONValue?) -> String {
        var place = TemplateError("", at: offset, in: template ?? [])
        if let document { place = place.located(in: document, template ?? []) }
        let name = ([field] + place.path).joined(separator: ".")
        return "the helper `\(helper)` failed at line \(place.line), column \(place.column) of \(name): \(message)"
    }
}
