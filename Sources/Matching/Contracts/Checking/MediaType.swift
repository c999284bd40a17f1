/// The kind of a content type.
struct MediaType {
    /// Without parameters, in small letters.
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
    /// Whether its parts are fields, which have names.
    var isFormData: Bool { essence == "multipart/form-data" }
    var isText: Bool { essence.hasPrefix("text/") && !isXML && !isJSON }
    var isEventStream: Bool { essence == "text/event-stream" }
    /// One JSON value a line.
    var isJSONLines: Bool {
        ["application/jsonl", "application/x-ndjson", "application/ndjson", "application/json-lines", "text/jsonl"]
            .contains(essence)
    }
    /// JSON values after the sign RS (RFC 7464).
    var isJSONSequence: Bool { essence == "application/json-seq" || essence.hasSuffix("+json-seq") }

    /// The value of a parameter such as `boundary`; nil without one.
    func parameter(_ name: String) -> String? {
        MediaRange(text[...])?.parameters.first { $0.name == name }?.value
    }

    /// The content whose type fits best: the very same, then without parameters, then a range; nil if none does.
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
                // Only the parameters differ, which hardly any client means.
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
