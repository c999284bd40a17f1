public import SDJSON

/// Documents made of the dialect's names in wrong places.
public enum RandomDocument {
    public static let names = [
        "request", "response", "mappings", "id", "uuid", "name", "priority", "persistent", "metadata", "url", "urlPath",
        "urlPathTemplate", "method", "headers", "queryParameters", "cookies", "bodyPatterns", "multipartPatterns",
        "basicAuth", "customMatcher", "equalTo", "contains", "absent", "and", "or", "not", "hasExactly", "includes",
        "matchesJsonPath", "expression", "binaryEqualTo", "status", "body", "jsonBody", "base64Body", "fault",
        "delayDistribution", "type", "lower", "upper", "median", "sigma", "maxValue", "chunkedDribbleDelay",
        "numberOfChunks", "totalDuration", "fixedDelayMilliseconds", "serveEventListeners", "postServeActions",
        "requestPhases", "oneOf", "GET /a", "GET /a/{b}?c={d}", "ANY ~/x.*", "GET /{", "/a", "get /a", "when", "query",
        "json", "file", "base64", "delay", "dribble", "uniform", "max", "chunks", "over", "$schema", "",
        "scheme", "host", "port", "clientIp", "form", "path", "xml", "xPath", "jsonPath", "jsonSchema", "multipart",
        "graphql", "jwt", "custom", "claims", "header", "operationName", "variables", "every", "count", "atLeast",
        "exactly", "glob", "startsWith", "matchesJwt", "matchesGraphql", "before", "expectedOffset",
        "expectedOffsetUnit",
        "truncateActual", "equalToJson", "equalToXml", "exemptedComparisons", "matchesXPath", "xPathNamespaces",
        "formParameters", "pathParameters", "fileName", "matchingType", "parameters", "username", "password",
        "cutAfter", "then", "corrupt", "rate", "wrongLength", "duplicateHeader", "garbagePrefix", "bandwidth", "slice",
        "size", "gap", "stall", "after", "for", "slowClose", "neverAnswer", "probability", "first", "perHeader",
        "between", "quota", "limit", "per", "concurrency", "gaussian", "exponential", "delays", "firstByte", "perChunk",
        "chaos", "route", "readSlowly", "listener", "refuseNext",
        "doesNotContain", "matches", "doesNotMatch", "matchesJsonSchema", "equalToDateTime", "equalToNumber",
        "greaterThanNumber", "greaterThanEqualNumber", "lessThanNumber", "lessThanEqualNumber", "anything",
        "matchesPathTemplate", "endsWith",
    ]

    public static let scalars: [JSONValue] = [
        .null, true, false, 0, -1, 1.5, 99_999_999_999, "", "x", "fixed", "uniform", "lognormal", "120ms", "1e400s",
        "-0s", "50%", "3KB/s", "forever", "headers", "rst",
        "EMPTY_RESPONSE", "!!", "AQID", "../x", "ANY", "6e5b1f6c-0b8a-4b7e-9f0e-111111111111",
        .number(JSONNumber(validText: "1e400")), .number(JSONNumber(validText: "-9223372036854775809")),
    ]

    /// A value of some of the names and scalars, at most `depth` containers deep.
    public static func value(
        depth: Int, names: [String] = names, using generator: inout TestGenerator
    ) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 10 : 3), using: &generator) {
        case 0..<3: return scalars.randomElement(using: &generator) ?? .null
        case 3..<5:
            let count = Int.random(in: 0..<4, using: &generator)
            return .array((0..<count).map { _ in value(depth: depth - 1, names: names, using: &generator) })
        default:
            var object = JSONObject()
            for _ in 0..<Int.random(in: 0..<5, using: &generator) {
                object[names.randomElement(using: &generator) ?? ""] = value(
                    depth: depth - 1, names: names, using: &generator)
            }
            return .object(object)
        }
    }
}
