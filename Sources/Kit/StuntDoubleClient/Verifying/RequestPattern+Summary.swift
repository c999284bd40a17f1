extension RequestPattern {
    /// The pattern in a few words: method and URL, and that there is more.
    var summary: String {
        let method =
            switch method {
            case .any: "ANY"
            case .exactly(let name): name
            case .oneOf(let names): names.joined(separator: "|")
            case .noneOf(let names): "not " + names.joined(separator: "|")
            }
        let url =
            switch url {
            case .any: "any URL"
            case .url(let text), .urlPath(let text), .urlPathTemplate(let text): text
            case .urlPattern(let text), .urlPathPattern(let text): "matching \(text)"
            }
        return isPlain ? "\(method) \(url)" : "\(method) \(url) with \(conditions)"
    }

    /// Whether method and URL are all.
    private var isPlain: Bool { self == RequestPattern(method: method, url: url) }

    /// What it has beside method and URL, as JSON.
    private var conditions: String {
        var json = json.objectValue ?? JSONObject()
        for key in ["method", "url", "urlPattern", "urlPath", "urlPathPattern", "urlPathTemplate"] { json[key] = nil }
        return JSONValue.object(json).compactText
    }
}
