import JSON
import StubFiles
import StubModel
import TestSupport
import Testing

/// Documents made of the dialect's names in wrong places, and mutations of valid texts.
@Suite struct StubFileFuzzTests {
    static let names = [
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
    ]

    static let scalars: [JSONValue] = [
        .null, true, false, 0, -1, 1.5, 99_999_999_999, "", "x", "fixed", "uniform", "lognormal", "120ms", "1e400s",
        "-0s",
        "EMPTY_RESPONSE", "!!", "AQID", "../x", "ANY", "6e5b1f6c-0b8a-4b7e-9f0e-111111111111",
        .number(JSONNumber(validText: "1e400")), .number(JSONNumber(validText: "-9223372036854775809")),
    ]

    private static func value(depth: Int, using generator: inout SeededGenerator) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 10 : 3), using: &generator) {
        case 0..<3: return scalars.randomElement(using: &generator) ?? .null
        case 3..<5:
            let count = Int.random(in: 0..<4, using: &generator)
            return .array((0..<count).map { _ in value(depth: depth - 1, using: &generator) })
        default:
            var object = JSONObject()
            for _ in 0..<Int.random(in: 0..<5, using: &generator) {
                object[names.randomElement(using: &generator) ?? ""] = value(depth: depth - 1, using: &generator)
            }
            return .object(object)
        }
    }

    @Test func randomDocumentsOfKnownNamesNeverCrash() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var generator = SeededGenerator(seed: seed)
        print("randomDocumentsOfKnownNamesNeverCrash: seed \(seed)")
        var readCount = 0
        for round in 0..<6_000 {
            let json = Self.value(depth: round % 6, using: &generator)
            let (stubs, diagnostics) = StubFile.parse(json.prettyBytes, format: .json, path: "fuzz.json")
            let hasErrors = diagnostics.contains { $0.severity == .error }
            #expect(stubs.isEmpty || !hasErrors, "seed \(seed)")
            readCount += stubs.count
            for stub in stubs {
                // A stub that was read is written so that it reads back the same.
                #expect((try? StubMapping(json: stub.json(view: .file))) == stub, "seed \(seed): \(json.compactText)")
            }
            for diagnostic in diagnostics {
                #expect(!diagnostic.description.contains("\n") && diagnostic.line != nil, "seed \(seed)")
            }
            _ = try? GlobalSettings(json: json)
            _ = try? StubImport(json: json)
        }
        print("randomDocumentsOfKnownNamesNeverCrash: \(readCount) stubs read")
        #expect(readCount > 0)
    }

    @Test(arguments: [2_840_052_799_633_471_801, UInt64.random(in: 0...UInt64.max)])
    func mutatedExamplesNeverCrash(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        print("mutatedExamplesNeverCrash: seed \(seed)")
        let fences = Fence.of("routes") + Fence.of("stubs")
        for _ in 0..<1_000 {
            guard let fence = fences.randomElement(using: &generator) else { return }
            var bytes = Array(fence.text.utf8)
            for _ in 0..<Int.random(in: 1...4, using: &generator) where !bytes.isEmpty {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                if Bool.random(using: &generator) {
                    bytes.remove(at: place)
                } else {
                    bytes[place] = Array("{}[]:,\"' \n~?&%|x0".utf8).randomElement(using: &generator) ?? 0
                }
            }
            let format: StubFile.Format = fence.info.hasPrefix("json") ? .json : .yaml
            // Nothing is ignored silently.
            let file = StubFile.read(bytes, format: format, path: "fuzz")
            let isTold = !file.stubs.isEmpty || !file.diagnostics.isEmpty || file.reasonToSkip != nil
            #expect(isTold, "seed \(seed): \(String(decoding: bytes, as: UTF8.self))")
        }
    }
}
