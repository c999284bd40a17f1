import SDJSON
import SDStubModel

/// `capture` in the route shorthand: values stored in the session's state after the answer,
/// `capture: { name: "{{…}}" }`. An object as a value is a context with its properties:
/// `capture: { "user-{{path.id}}": { name: "{{…}}" } }`.
enum RouteCapture {
    /// The context of names without one.
    static let defaultContext = "session"

    static let expected = "names and values, such as {user: \"{{jsonPath request.body '$.name'}}\"}"

    /// Reads the object into the listeners of the stub.
    /// - Returns: the sources of their members.
    static func read(
        _ value: JSONValue, into stub: inout StubMapping, _ reader: inout ModelReader
    ) -> [StubOrigin.Source] {
        guard case .object(let object) = value, !object.isEmpty else {
            reader.report(
                detail: nil, message: value.objectValue == nil ? "wrong type" : "nothing is captured",
                expected: expected, found: value.shortDescription)
            return []
        }
        var own = JSONObject()
        var contexts: [(name: String, properties: JSONObject)] = []
        for member in object.members {
            reader.within(member.key) { reader in
                if case .object(let properties) = member.value {
                    contexts.append((member.key, Self.properties(properties, &reader)))
                } else if let text = reader.text(member.value) {
                    own[member.key] = .string(text)
                }
            }
        }
        var sources: [StubOrigin.Source] = []
        // Listeners of webhooks, if these come first.
        let before = stub.serveEventListeners?.arrayValue ?? []
        var listeners: [JSONValue] = []
        func add(_ context: String, _ properties: JSONObject, from place: JSONPointer) {
            let parameters = ["serveEventListeners", String(before.count + listeners.count), "parameters"]
            sources.append(
                StubOrigin.Source(pointer: JSONPointer(parameters + ["state"]), place: place, keepsRest: true))
            sources.append(
                StubOrigin.Source(pointer: JSONPointer(parameters + ["context"]), place: place, keepsRest: false))
            listeners.append([
                "name": "recordState",
                "parameters": ["context": .string(context), "state": .object(properties)],
            ])
        }
        if !own.isEmpty { add(defaultContext, own, from: reader.place) }
        for (name, properties) in contexts { add(name, properties, from: reader.place.appending(name)) }
        stub.serveEventListeners = .array(before + listeners)
        return sources
    }

    private static func properties(_ object: JSONObject, _ reader: inout ModelReader) -> JSONObject {
        var properties = JSONObject()
        for member in object.members {
            let text = reader.within(member.key) { $0.text(member.value) }
            if let text { properties[member.key] = .string(text) }
        }
        return properties
    }
}
