import SDJSON
import SDStubModel

/// Webhooks.
extension Stub.Answer {
    /// Calls a URL after the answer was sent. All texts are templates: they see the request as `{{originalRequest…}}`,
    /// the answer as `{{response…}}`, and `more` as `{{parameters…}}`. Several webhooks are called in order.
    /// - Parameters:
    ///   - url: an absolute `http` or `https` URL.
    ///   - method: nil for POST with a body, otherwise GET.
    ///   - headers: the header fields to send.
    ///   - body: the body as text, sent with POST, PUT and PATCH.
    ///   - json: the body as JSON, in place of `body`.
    ///   - delay: the time after the end of the answer.
    ///   - retries: how often a failed call is repeated.
    ///   - backoff: the time before the first retry; it doubles for each further one.
    ///   - more: other parameters, such as `hmac`.
    public func webhook(
        _ url: String, method: String? = nil, headers: [String: String] = [:], body: String? = nil,
        json: Stub.JSON? = nil, delay: Duration? = nil, retries: Int = 0, backoff: Duration = .seconds(1),
        _ more: [String: Stub.JSON] = [:]
    ) -> Stub.Answer {
        var parameters: JSONObject = [
            "method": .string(method ?? (body == nil && json == nil ? "GET" : "POST")), "url": .string(url),
        ]
        if !headers.isEmpty {
            let fields = headers.sorted { $0.key < $1.key }.map { ($0.key, JSONValue.string($0.value)) }
            parameters["headers"] = .object(JSONObject(fields))
        }
        parameters["body"] = body.map { .string($0) }
        parameters["jsonBody"] = json?.value
        if let delay {
            parameters["delay"] = ["type": "fixed", "milliseconds": .number(JSONNumber(delay.wholeMilliseconds))]
        }
        if retries > 0 {
            parameters["retry"] = [
                "times": .number(JSONNumber(retries)), "backoff": .number(JSONNumber(backoff.wholeMilliseconds)),
            ]
        }
        for (name, value) in more.sorted(by: { $0.key < $1.key }) { parameters[name] = value.value }
        return listening("webhook", parameters)
    }
}
