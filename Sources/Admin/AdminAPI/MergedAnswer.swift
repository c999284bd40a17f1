import SDHTTPMessages
import SDJSON

extension PlainResponse {
    /// The answers of several replicas merged into one: lists are concatenated, and elements with the same id or name
    /// are merged.
    /// - Parameters:
    ///   - others: the documents of the others. Anything that is not a document is ignored, such as the answer of a
    ///     replica with nothing to act on.
    ///   - sums: the members that are added up.
    ///   - newestFirst: whether messages are sorted newest first.
    func merged(with others: [[UInt8]], adding sums: Set<String>, newestFirst: Bool = false) -> PlainResponse {
        let merger = MergedAnswer(sums: sums, newestFirst: newestFirst)
        let documents = others.compactMap { try? JSONValue(parsing: $0) }.filter { $0.objectValue?["errors"] == nil }
        guard !documents.isEmpty else { return self }
        // This replica may have had nothing to act on while others had.
        guard status < 300, let own = try? JSONValue(parsing: body) else {
            return documents.dropFirst().reduce(documents[0], merger.merge).answer
        }
        var response = documents.reduce(own, merger.merge).answer
        response.headers += headers.filter { $0.name != "Content-Type" && $0.name != "X-StuntDouble-Warning" }
        return response
    }

    /// The merged answer to a call of a route.
    func merged(with others: [[UInt8]], by route: AdminRoute) -> PlainResponse {
        merged(with: others, adding: route.sums, newestFirst: route.isNewestFirst)
    }
}

private struct MergedAnswer {
    let sums: Set<String>
    let newestFirst: Bool

    func merge(_ one: JSONValue, _ other: JSONValue) -> JSONValue {
        switch (one, other) {
        case (.object(let one), .object(let other)): .object(merge(one, other))
        case (.array(let one), .array(let other)): .array(merge(one, other))
        case (.bool(let one), .bool(let other)): .bool(one || other)
        case (.null, _): other
        default: one
        }
    }

    private func merge(_ one: JSONObject, _ other: JSONObject) -> JSONObject {
        var merged = one
        var hasActed = false
        for member in other.members {
            guard let known = merged[member.key] else {
                merged[member.key] = member.value
                continue
            }
            if let a = known.intValue, let b = member.value.intValue {
                let isSum = sums.contains(member.key)
                merged[member.key] = number(isSum ? a + b : max(a, b))
                hasActed = hasActed || isSum && a + b > 0
            } else {
                merged[member.key] = merge(known, member.value)
            }
        }
        // Elements in both lists are counted once.
        if let known = total(one), let more = total(other), var meta = merged["meta"]?.objectValue {
            let twice = merged.members.reduce(0) { sum, member in
                guard let list = member.value.arrayValue, let own = one[member.key]?.arrayValue,
                    let others = other[member.key]?.arrayValue
                else { return sum }
                return sum + own.count + others.count - list.count
            }
            meta["total"] = number(max(0, known + more - twice))
            merged["meta"] = .object(meta)
        }
        // The warning about a gate without waiters does not apply.
        if hasActed { merged["warnings"] = nil }
        return merged
    }

    private func total(_ document: JSONObject) -> Int? { document["meta"]?.objectValue?["total"]?.intValue }

    /// Whether it is a message on a fixed channel: every replica has it as one of its own.
    private static func isOnFixedChannel(_ element: JSONValue) -> Bool {
        element["eventType"] != nil && element["channel"]?["type"] == "fixed"
    }

    private func merge(_ one: [JSONValue], _ other: [JSONValue]) -> [JSONValue] {
        func identity(_ element: JSONValue) -> JSONValue? {
            element.objectValue.flatMap { $0["id"] ?? $0["name"] }
        }
        var merged = one
        for element in other where !Self.isOnFixedChannel(element) {
            if let known = identity(element), let place = merged.firstIndex(where: { identity($0) == known }) {
                merged[place] = merge(merged[place], element)
            } else if !merged.contains(element) {
                merged.append(element)
            }
        }
        // Messages are ordered by time.
        let times = merged.compactMap { $0["eventType"] == nil ? nil : $0["timestamp"]?.stringValue?.dropLast() }
        if !times.isEmpty, times.count == merged.count {
            let places = times.indices.sorted { (times[$0], $0) < (times[$1], $1) }
            return (newestFirst ? places.reversed() : places).map { merged[$0] }
        }
        // Requests are ordered by their receipt.
        func sequence(_ element: JSONValue) -> Int { element.objectValue?["sequence"]?.intValue ?? 0 }
        guard merged.allSatisfy({ sequence($0) > 0 }) else { return merged }
        return merged.sorted { sequence($0) < sequence($1) }
    }
}

extension JSONValue {
    fileprivate var answer: PlainResponse { PlainResponse.json(self) }
}
