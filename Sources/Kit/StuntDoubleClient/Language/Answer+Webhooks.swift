import SDJSON
import SDStubModel

/// Calls to others once the answer was sent.
extension Stub.Answer {
    /// Calls somebody back once the answer was sent. All texts are templates, which see the request as
    /// `{{originalRequest…}}`, the answer as `{{response…}}`, and `more` as `{{parameters…}}`. What several calls of this
    /// method say is done in their order.
    /// - Parameters:
    ///   - url: the absolute URL that is called, `http` or `https`.
    ///   - method: nil for POST where there is a body, otherwise GET.
    ///   - headers: the fields that are sent.
    ///   - body: the body as text; it is sent with POST, PUT and PATCH.
    ///   - json: the body as JSON, in place of `body`.
    ///   - delay: the time from the end of the answer.
    ///   - retries: how often it is tried again where it fails.
    ///   - backoff: the time before the first of these; each later one is twice as long.
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
