/// A content type, and what it means for parsing.
struct MediaType {
    /// Without parameters, in lower case.
    let essence: String
    /// The text as it was given.
    let text: String

    init(_ text: String) {
        self.text = text
        essence = text.prefix { $0 != ";" }.trimmed.lowercased()
    }

    var isJSON: Bool {
        essence == "application/json" || essence.hasSuffix("+json") || essence == "text/json"
            || essence == "application/x-json"
    }

    var isXML: Bool { essence == "application/xml" || essence == "text/xml" || essence.hasSuffix("+xml") }
    var isForm: Bool { essence == "application/x-www-form-urlencoded" }
    var isMultipart: Bool { essence.hasPrefix("multipart/") }
    /// Whether its parts are named form fields.
    var isFormData: Bool { essence == "multipart/form-data" }
    var isText: Bool { essence.hasPrefix("text/") && !isXML && !isJSON }
    var isEventStream: Bool { essence == "text/event-stream" }
    /// One JSON value per line.
    var isJSONLines: Bool {
        ["application/jsonl", "application/x-ndjson", "application/ndjson", "application/json-lines", "text/jsonl"]
            .contains(essence)
    }
    /// JSON values, each after the control character RS (RFC 7464).
    var isJSONSequence: Bool { essence == "application/json-seq" || essence.hasSuffix("+json-seq") }

    /// The value of a parameter such as `boundary`; nil without one.
    func parameter(_ name: String) -> String? {
        MediaRange(text[...])?.parameters.first { $0.name == name }?.value
    }

    /// The best matching content: an equal type, then one equal without parameters, then a range; nil if none matches.
    func best<Content>(of contents: [Content], type: (Content) -> String) -> Content? {
        guard let own = MediaRange(text[...]) else { return nil }
        var best: (content: Content, precision: Int)?
        for content in contents {
            let declared = type(content)
            guard let range = MediaRange(declared[...]) else { continue }
            var precision: Int
            if range.meets(own) {
                precision = range.precision * 2 + 1
            } else if range.type == own.type, range.subtype == own.subtype {
                // Only the parameters differ, which clients hardly ever intend.
                precision = 2
            } else {
                continue
            }
            if declared.lowercased() == text.lowercased() { precision = .max }
            if precision > best?.precision ?? -1 { best = (content, precision) }
        }
        return best?.content
    }
}
