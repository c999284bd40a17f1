import SDJSON

/// The text of failures: requests, and how they differ from the expected ones.
enum FailureText {
    /// The maximum length of a value, in characters.
    private static let longestValue = 400

    /// `#3 POST /orders`.
    static func request(_ json: JSONValue) -> String {
        let request = json["request"]
        let line = "\(request?["method"]?.stringValue ?? "") \(short(request?["url"]?.stringValue ?? ""))"
        return json["sequence"]?.intValue.map { "#\($0) \(line)" } ?? line
    }

    /// The nearest requests to a pattern, each with its differences.
    static func nearest(_ misses: [JSONValue]) -> [String] {
        guard !misses.isEmpty else { return ["no other request was received"] }
        return misses.enumerated().flatMap { index, miss in
            ["\(index == 0 ? "nearest" : "then"): \(request(miss))"] + differences(miss).map { "    " + $0 }
        }
    }

    /// A line for each unmet condition; for documents, a line for each difference.
    static func differences(_ miss: JSONValue) -> [String] {
        let conditions = miss["differences"] ?? miss["attributes"]
        return (conditions?.arrayValue ?? []).flatMap { difference -> [String] in
            guard difference["matches"] != true else { return [] }
            let name = name(difference["attribute"]?.stringValue ?? "", difference["name"]?.stringValue)
            if let places = difference["differences"]?.arrayValue, !places.isEmpty {
                return places.compactMap(\.stringValue).map { "\(name) \($0)" }
            }
            return ["\(name): expected \(value(difference["expected"])), received \(value(difference["actual"]))"]
        }
    }

    /// `#1, #2, #5`.
    static func sequences(_ list: [JSONValue]) -> String {
        let shown = list.prefix(10).compactMap { $0.intValue.map { "#\($0)" } }.joined(separator: ", ")
        return list.count > 10 ? shown + ", …" : shown
    }

    /// The name of the condition in the kit.
    static func name(_ attribute: String, _ name: String?) -> String {
        let words = [
            "urlPattern": "url", "urlPath": "path", "urlPathPattern": "path", "urlPathTemplate": "path",
            "headers": "header", "queryParameters": "query", "formParameters": "form", "cookies": "cookie",
            "pathParameters": "path parameter", "multipartPatterns": "part",
        ]
        // The number of a body matcher means nothing if there is only one.
        if attribute == "bodyPatterns" { return name == "0" ? "body" : "body, matcher \(name ?? "")" }
        let word = words[attribute] ?? attribute
        return name.map { "\(word) \($0)" } ?? word
    }

    private static func value(_ json: JSONValue?) -> String {
        guard let json, !json.isNull, json != [] else { return "nothing" }
        if case .object = json { return matcher(json) }
        let text = json.stringValue ?? json.compactText
        return text.isEmpty ? "nothing" : short(text)
    }

    /// A matcher: `contains "json"`, or as JSON if it has options.
    static func matcher(_ json: JSONValue) -> String {
        guard case .object(let object) = json, object.count == 1, let matcher = object.members.first else {
            return short(json.compactText)
        }
        if matcher.key == "absent" { return matcher.value == false ? "present" : "absent" }
        return "\(matcher.key) \(short(matcher.value.compactText))"
    }

    private static func short(_ text: String) -> String {
        let line = String(text.map { $0.isNewline ? " " : $0 }.prefix(longestValue))
        return line.count < text.count ? line + "…" : line
    }
}
