public import JSON
import Spelling

/// Other files lie beside stub files: `package.json`, settings of editors, data of tests. What holds nothing of a stub file's
/// shape is none, and is left alone; what holds a little of it is one with a mistake.
extension StubDocument {
    /// Why a document cannot be that of a stub file; nil where it can.
    public static func reasonToSkip(_ json: JSONValue) -> String? {
        switch json {
        case .null: return "it is empty"
        case .object(let object): return isLikely(object) ? nil : noShape
        case .array(let elements):
            let mayHoldStubs = elements.isEmpty || elements.contains { $0.objectValue.map(isLikely) ?? false }
            return mayHoldStubs ? nil : noShape
        // A text may be a route whose colon was forgotten.
        default: return nil
        }
    }

    private static let noShape =
        "it holds no route (\"GET /path\"), and neither \"request\", \"response\" nor \"mappings\""

    /// Any of these, or what looks like it, makes a document that of a stub file.
    private static let outerNames = ["mappings", "request", "response", "responses"]

    /// Written a level too high these are a mistake, which is worth telling.
    private static let innerNames: Set = [
        "scenarioName", "requiredScenarioState", "newScenarioState", "method", "url", "urlPath", "urlPattern",
        "urlPathPattern", "urlPathTemplate", "queryParameters", "bodyPatterns", "jsonBody", "base64Body",
        "bodyFileName",
        "status", "fixedDelayMilliseconds",
    ]

    private static func isLikely(_ object: JSONObject) -> Bool {
        // The usual case is decided by names alone.
        if object.members.contains(where: { outerNames.contains($0.key) }) { return true }
        if RouteShorthand.isShorthand(object) { return true }
        let keys = object.keys.filter { $0 != "$schema" && !RouteShorthand.isSharedValue($0) }
        // WireMock takes all that holds nothing but fields of its own.
        if keys.allSatisfy(StubMapping.fieldNames.contains) { return true }
        return keys.contains { key in
            innerNames.contains(key) || nearestName(to: key, among: outerNames) != nil
        }
    }
}

extension StubDocument {
    /// Leaves those stubs alone within which there is no problem.
    /// - Parameter others: places of problems besides its own.
    public mutating func removeBadStubs(besides others: [JSONPointer] = []) {
        let bad = problems.map(\.place.tokens) + others.map(\.tokens)
        guard !bad.isEmpty else { return }
        let good = stubs.indices.filter { index in
            let place = origins[index].place.tokens
            // A problem of a whole list or route is one of all its stubs.
            return !bad.contains { $0.starts(with: place) || place.starts(with: $0) }
        }
        (stubs, origins) = (good.map { stubs[$0] }, good.map { origins[$0] })
    }
}
