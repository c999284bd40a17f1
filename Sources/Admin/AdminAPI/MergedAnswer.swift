import SDHTTPMessages
import SDJSON

extension PlainResponse {
    /// One answer of several servers, which answer alike: numbers are added, lists put together, and what has a name is one.
    /// - Parameter others: documents of the others. What is no document does not count, such as that of one where there is
    ///   nothing to act on.
    func merged(with others: [[UInt8]]) -> PlainResponse {
        let documents = others.compactMap { try? JSONValue(parsing: $0) }.filter { $0.objectValue?["errors"] == nil }
        guard !documents.isEmpty else { return self }
        // This one may have had nothing to act on, where others had.
        guard status < 300, let own = try? JSONValue(parsing: body) else {
            return documents.dropFirst().reduce(documents[0], MergedAnswer.merge).answer
        }
        var response = documents.reduce(own, MergedAnswer.merge).answer
        response.headers += headers.filter { $0.name != "Content-Type" && $0.name != "X-StuntDouble-Warning" }
        return response
    }
}

private enum MergedAnswer {
    /// What is the same for all, and not added.
    private static let common: Set<String> = ["events", "limit", "ageMs", "sequence"]

    static func merge(_ one: JSONValue, _ other: JSONValue) -> JSONValue {
        switch (one, other) {
        case (.object(let one), .object(let other)): .object(merge(one, other))
        case (.array(let one), .array(let other)): .array(merge(one, other))
        case (.bool(let one), .bool(let other)): .bool(one || other)
        case (.null, _): other
        default: one
        }
    }

    private static func merge(_ one: JSONObject, _ other: JSONObject) -> JSONObject {
        var merged = one
        var hasActed = false
        for member in other.members {
            guard let known = merged[member.key] else {
                merged[member.key] = member.value
                continue
            }
            if let a = known.intValue, let b = member.value.intValue, !common.contains(member.key) {
                merged[member.key] = number(a + b)
                hasActed = hasActed || a + b > 0
            } else {
                merged[member.key] = merge(known, member.value)
            }
        }
        // What stands in a list of both is counted once.
        if let total = merged["meta"]?.objectValue?["total"]?.intValue, var meta = merged["meta"]?.objectValue {
            let twice = merged.members.reduce(0) { sum, member in
                guard let list = member.value.arrayValue, let own = one[member.key]?.arrayValue,
                    let others = other[member.key]?.arrayValue
                else { return sum }
                return sum + own.count + others.count - list.count
            }
            meta["total"] = number(max(0, total - twice))
            merged["meta"] = .object(meta)
        }
        // What was said of one at which nobody waits.
        if hasActed { merged["warnings"] = nil }
        return merged
    }

    private static func merge(_ one: [JSONValue], _ other: [JSONValue]) -> [JSONValue] {
        var merged = one
        for element in other {
            let name = element.objectValue?["name"]?.stringValue
            let place = name.flatMap { name in merged.firstIndex { $0.objectValue?["name"]?.stringValue == name } }
            if let place {
                merged[place] = merge(merged[place], element)
            } else if element.objectValue == nil || !merged.contains(element) {
                merged.append(element)
            }
        }
        // Requests stand in the order of their receipt.
        func sequence(_ element: JSONValue) -> Int { element.objectValue?["sequence"]?.intValue ?? 0 }
        guard merged.allSatisfy({ sequence($0) > 0 }) else { return merged }
        return merged.sorted { sequence($0) < sequence($1) }
    }
}

extension JSONValue {
    fileprivate var answer: PlainResponse { PlainResponse.json(self) }
}
