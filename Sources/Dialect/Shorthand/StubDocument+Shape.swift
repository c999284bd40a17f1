import SDBasics
public import SDJSON
import SDStubModel

/// Distinguishes stub files from other files, such as `package.json`, editor settings and test data. A document without
/// any typical part of a stub file is ignored; with such a part it is a stub file with a mistake.
extension StubDocument {
    /// Why a document is not a stub file; nil if it may be one.
    public static func reasonToSkip(_ json: JSONValue) -> String? {
        switch json {
        case .null: return "it is empty"
        case .object(let object): return isLikely(object) ? nil : noShape
        case .array(let elements):
            let mayHoldStubs = elements.isEmpty || elements.contains { $0.objectValue.map(isLikely) ?? false }
            return mayHoldStubs ? nil : noShape
        // A string may be a route without its colon.
        default: return nil
        }
    }

    private static let noShape =
        "it has no route (\"GET /path\"), and neither \"request\", \"response\" nor \"mappings\""

    /// Names of which any, or a similar one, indicates a stub file.
    private static let outerNames = ["mappings", "request", "response", "responses"]

    /// Names that belong one level deeper: a mistake worth reporting.
    private static let innerNames: Set = [
        "scenarioName", "requiredScenarioState", "newScenarioState", "method", "url", "urlPath", "urlPattern",
        "urlPathPattern", "urlPathTemplate", "queryParameters", "bodyPatterns", "jsonBody", "base64Body",
        "bodyFileName",
        "status", "fixedDelayMilliseconds",
    ]

    private static func isLikely(_ object: JSONObject) -> Bool {
        // Usually the names alone decide.
        if object.members.contains(where: { outerNames.contains($0.key) }) { return true }
        if RouteShorthand.isShorthand(object) { return true }
        let keys = object.keys.filter { $0 != "$schema" && !RouteShorthand.isSharedValue($0) }
        // WireMock accepts any object that has only its own fields.
        if keys.allSatisfy(StubMapping.names.contains) { return true }
        return keys.contains { key in
            innerNames.contains(key) || nearestName(to: key, among: outerNames) != nil
        }
    }
}

extension StubDocument {
    /// Moves the stubs with problems to `badStubs`.
    /// - Parameter others: the paths of further problems.
    public mutating func removeBadStubs(besides others: [JSONPointer] = []) {
        let bad = problems.map(\.place.tokens) + others.map(\.tokens)
        guard !bad.isEmpty else { return }
        let isBad = origins.map { origin in
            let place = origin.place.tokens
            // A problem of a whole list or route affects all its stubs.
            return bad.contains { $0.starts(with: place) || place.starts(with: $0) }
        }
        badStubs = stubs.indices.filter { isBad[$0] }.map { (stubs[$0], origins[$0]) }
        let good = stubs.indices.filter { !isBad[$0] }
        (stubs, origins) = (good.map { stubs[$0] }, good.map { origins[$0] })
        let goodMessages = messageOrigins.indices.filter { index in
            let place = messageOrigins[index].place.tokens
            return !bad.contains { $0.starts(with: place) || place.starts(with: $0) }
        }
        messageStubs = goodMessages.map { messageStubs[$0] }
        messageOrigins = goodMessages.map { messageOrigins[$0] }
    }
}
