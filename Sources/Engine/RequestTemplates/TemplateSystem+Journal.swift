import SDBasics
import SDHTTPTransport
import SDJournal
import SDMatching
import SDStubModel
import SDTemplating

/// The helper that reads earlier requests.
extension TemplateSystem {
    /// `{{journal 'POST /users' '$.name'}}`: a field of the newest earlier request with this method and path, or with
    /// `nth=2` of the one before it; `default` if there is none.
    ///
    /// The field is a path in the request model of templates, such as `headers.Accept`, `path.id` or `body`, or a
    /// JSONPath in its body.
    /// - Throws: `RenderError.outOfTime` if the budget is spent.
    func journalValue(_ call: ServerCall) throws(RenderError) -> TemplateValue {
        let missing = call.option("default") ?? .text("")
        guard call.parameters.count > 1 else {
            return call.error("journal needs a request and a field: journal 'POST /users' '$.name'")
        }
        let field = call.parameter(1).text
        let nth = call.option("nth").map { Int($0.text) ?? 0 } ?? 1
        guard nth > 0 else { return call.error("nth is no number from 1: \(call.text("nth") ?? "")") }
        guard let pattern = Self.pattern(call.parameter(0).text) else {
            return call.error("no method and path such as 'POST /users': \(call.parameter(0).text)")
        }
        var left = nth
        let events = session.events
        try call.spend(events.count / 4)
        for event in events where event.sequence < sequence ?? .max {
            try call.spend(2)
            var views = RequestViews(event.request, budget: call.budget)
            guard pattern.matches(event.request, &views) else { continue }
            left -= 1
            if left > 0 { continue }
            let model = RequestModel(
                event.request, views, pattern, ids: session.eventIDs, sequence: event.sequence, call.budget)
            let found: TemplateValue
            if field.hasPrefix("$") {
                found = try call.value(atJSONPath: field, in: model.member("body")?.text ?? "")
            } else {
                found = call.value(at: field, in: model)
            }
            return found.isNull ? missing : found
        }
        return missing
    }

    /// The pattern of a text such as `POST /users/{id}`; nil if it is not one.
    private static func pattern(_ text: String) -> CompiledPattern? {
        let parts = text.split(separator: " ", maxSplits: 1).map(String.init)
        guard parts.count == 2, parts[1].hasPrefix("/") else { return nil }
        let isTemplate = parts[1].contains("{") || parts[1].contains(text: "**")
        let url: URLPattern = isTemplate ? .urlPathTemplate(parts[1]) : .urlPath(parts[1])
        return try? CompiledPattern(RequestPattern(method: parts[0] == "ANY" ? .any : .exactly(parts[0]), url: url))
    }
}
