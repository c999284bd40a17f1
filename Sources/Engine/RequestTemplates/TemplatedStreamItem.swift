import SDHTTPTransport
import SDJSON
package import SDStubModel
package import SDTemplating

/// An item of a stream whose texts are templates, rendered when it is sent.
package struct TemplatedStreamItem: Sendable {
    private let event: StreamEvent?
    private let comment, type, id, data: Template?
    private let chunk: Template?

    /// - Returns: nil for an event without expressions.
    /// - Throws: `UnreadableTemplate` for a text with an error.
    package init?(_ event: StreamEvent, at path: [String]) throws(UnreadableTemplate) {
        self.event = event
        chunk = nil
        comment = try Self.template(event.comment, "comment", path)
        type = try Self.template(event.event, "event", path)
        id = try Self.template(event.id, "id", path)
        data = try Self.data(event.data, path)
        if [comment, type, id, data].allSatisfy({ $0?.isPlain ?? true }) { return nil }
    }

    /// - Returns: nil for a chunk without expressions.
    /// - Throws: `UnreadableTemplate` for a text with an error.
    package init?(chunk: String, at path: [String]) throws(UnreadableTemplate) {
        event = nil
        (comment, type, id, data) = (nil, nil, nil, nil)
        self.chunk = try Self.template(chunk, "chunk", path)
        if self.chunk?.isPlain ?? true { return nil }
    }

    private static func template(_ text: String?, _ field: String, _ path: [String]) throws(UnreadableTemplate)
        -> Template?
    {
        guard let text else { return nil }
        do {
            return try Template(text)
        } catch {
            throw UnreadableTemplate(path: path + [field], error: error)
        }
    }

    /// The template of an event's data. JSON values of all types are allowed: WireMock has no streams to be compatible
    /// with.
    private static func data(_ data: JSONValue?, _ path: [String]) throws(UnreadableTemplate) -> Template? {
        guard let data, data.stringValue == nil else { return try template(data?.stringValue, "data", path) }
        do throws(TemplateError) {
            return try Template(json: data, keepsTypes: true)
        } catch {
            throw UnreadableTemplate(path: path + ["data"] + error.path, error: error)
        }
    }

    package var hasID: Bool { id != nil }

    /// The rendered bytes.
    /// - Throws: why it cannot be rendered.
    package func bytes(_ environment: RenderEnvironment) throws(RenderError) -> [UInt8] {
        if let chunk { return try chunk.render(environment) }
        var event = event ?? StreamEvent()
        event.comment = try Self.text(comment, environment)
        event.event = try Self.text(type, environment)
        event.id = try Self.text(id, environment)
        event.data = try Self.text(data, environment).map { .string($0) }
        return event.bytes
    }

    /// The event's id.
    /// - Throws: why it cannot be rendered.
    package func id(_ environment: RenderEnvironment) throws(RenderError) -> String? { try Self.text(id, environment) }

    private static func text(
        _ template: Template?, _ environment: RenderEnvironment
    ) throws(RenderError) -> String? {
        guard let template else { return nil }
        return String(decoding: try template.render(environment), as: UTF8.self)
    }
}

/// The names for templates of a stream: those of a response, and `stream` for the position in the stream.
///
/// `@unchecked Sendable`: used only by the thread that renders the chunk.
package final class StreamModel: TemplateObject, @unchecked Sendable {
    private let response: ResponseModel
    private let place: TemplateValue

    /// Makes the names for one item of a stream.
    ///
    /// - Parameters:
    ///   - index: the number of items before this one, in all rounds.
    ///   - round: the number of rounds before this one.
    package init(_ response: ResponseModel, index: Int, round: Int) {
        self.response = response
        place = .map(TemplateMap([("index", .int(index)), ("round", .int(round))]))
    }

    package func member(_ name: String) -> TemplateValue? { name == "stream" ? place : response.member(name) }

    package func value(atPath names: [String]) -> TemplateValue? { response.value(atPath: names) }

    package var members: [(key: String, value: TemplateValue)]? { (response.members ?? []) + [("stream", place)] }

    package var text: String { response.text }
}
