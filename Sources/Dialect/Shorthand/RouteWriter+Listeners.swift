import SDJSON
import SDStubModel

/// Writes the webhooks and the captured values of a route.
extension RouteWriter {
    /// Adds the listeners of a stub.
    /// - Returns: false if the shorthand cannot express one of them.
    static func addListeners(of stub: StubMapping, to object: inout JSONObject) -> Bool {
        guard stub.postServeActions == nil else { return false }
        guard let listeners = stub.serveEventListeners?.arrayValue else { return stub.serveEventListeners == nil }
        var webhooks: [JSONValue] = []
        var captured = JSONObject()
        for listener in listeners {
            guard let members = listener.objectValue, members.count == 2,
                let parameters = members["parameters"]?.objectValue
            else { return false }
            switch members["name"] {
            case "webhook": webhooks.append(webhook(parameters))
            case "recordState":
                guard let context = parameters["context"]?.stringValue, let state = parameters["state"]?.objectValue
                else { return false }
                if context == RouteCapture.defaultContext {
                    for member in state.members { captured[member.key] = member.value }
                } else {
                    captured[context] = .object(state)
                }
                // A route has one list of webhooks, at the position of its first key.
                if object["capture"] == nil, !webhooks.isEmpty { object["webhooks"] = .null }
                object["capture"] = .object(captured)
            default: return false
            }
        }
        if webhooks.count == 1, object["webhooks"] == nil {
            object["webhook"] = webhooks[0]
        } else if !webhooks.isEmpty {
            object["webhooks"] = .array(webhooks)
        }
        return true
    }

    /// A webhook with routes' keys; only the URL if there is nothing else.
    private static func webhook(_ parameters: JSONObject) -> JSONValue {
        var webhook = JSONObject()
        let hasBody = WebhookParameters.bodyNames.contains { parameters[$0] != nil }
        for member in parameters.members {
            if member.key == "method", hasBody, member.value == "POST" { continue }
            webhook[RouteWebhook.word(for: member.key)] = member.value
        }
        if webhook.count == 1, let url = webhook["url"], url.stringValue != nil { return url }
        return .object(webhook)
    }
}
