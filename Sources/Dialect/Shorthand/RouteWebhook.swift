import SDJSON
import SDStubModel

/// The webhooks of a route: `webhook: {url: …, json: {…}}`, a list of them as `webhooks`, or only the URL. They have
/// the parameters of WireMock's listener, with routes' keys for bodies.
enum RouteWebhook {
    static let keys = ["webhook", "webhooks"]

    static let expected = "a webhook, such as {url: http://localhost:9000/hook, json: {…}}"

    /// Routes' keys for parameters of the listener.
    private static let words = ["json": "jsonBody", "base64": "base64Body", "file": "bodyFileName"]

    /// Routes' key for a parameter of the listener.
    static func word(for name: String) -> String { words.first { $0.value == name }?.key ?? name }

    /// Adds the listeners to the stub.
    /// - Returns: the source of each.
    static func read(
        _ value: JSONValue, into stub: inout StubMapping, _ reader: inout ModelReader
    ) -> [StubOrigin.Source] {
        guard case .array(let elements) = value else { return [readOne(value, into: &stub, &reader)].compactMap { $0 } }
        return reader.elements(elements) { readOne($0, into: &stub, &$1) }
    }

    private static func readOne(
        _ value: JSONValue, into stub: inout StubMapping, _ reader: inout ModelReader
    ) -> StubOrigin.Source? {
        var parameters = JSONObject()
        switch value {
        case .string: parameters["url"] = value
        case .object(let object):
            for member in object.members {
                let name = words[member.key] ?? member.key
                parameters[name] = reader.within(member.key) { Self.parameter(name, member.value, &$0) }
            }
        default:
            reader.report(detail: nil, message: "wrong type", expected: expected, found: value.shortDescription)
            return nil
        }
        if parameters["method"] == nil, WebhookParameters.bodyNames.contains(where: { parameters[$0] != nil }) {
            parameters["method"] = "POST"
        }
        _ = WebhookParameters(.object(parameters), &reader)
        let listeners = stub.serveEventListeners?.arrayValue ?? []
        let listener: JSONValue = ["name": "webhook", "parameters": .object(parameters)]
        stub.serveEventListeners = .array(listeners + [listener])
        return StubOrigin.Source(
            pointer: JSONPointer(["serveEventListeners", String(listeners.count), "parameters"]), place: reader.place,
            keepsRest: true)
    }

    /// The value of a parameter. Where a string is expected, a scalar is taken literally.
    private static func parameter(_ name: String, _ value: JSONValue, _ reader: inout ModelReader) -> JSONValue? {
        switch name {
        case "url", "method", "body", "base64Body", "bodyFileName": return reader.text(value).map { .string($0) }
        case "headers": return RouteShorthand.readHeaders(value, &reader).json
        default: return value
        }
    }
}
