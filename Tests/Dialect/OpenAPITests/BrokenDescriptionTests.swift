import SDJSON
import SDOpenAPI
import SDStubFiles
import SDStubModel
import SDTestData
import Testing

struct BrokenDescriptionTests {
    @Test(arguments: [APIDescriptionTests.pets, OldDescriptionTests.pets, NewDescriptionTests.events])
    func aBrokenDescriptionIsReadAllTheSame(text: String) throws {
        let whole = try JSONValue(parsingYAML: text)
        for seed in 1...100 as ClosedRange<UInt64> {
            var mutation = DocumentMutation(generator: TestGenerator(seed: seed))
            var (json, what) = mutation.mutate(whole)
            if seed.isMultiple(of: 2) {
                let more = mutation.mutate(json)
                (json, what) = (more.json, what + ", then " + more.text)
            }
            let clock = ContinuousClock()
            let start = clock.now
            let read = APIDescription(reading: json, named: "api.yaml") { _ in nil }
            #expect(clock.now - start < .seconds(60), "seed \(seed): \(what)")
            #expect(!read.operations.isEmpty || !read.findings.isEmpty, "seed \(seed): \(what)")
            Self.followEverything(in: read)
        }
    }

    /// What users of a description do with its places: nothing may crash.
    static func followEverything(in read: APIDescription) {
        for operation in read.operations + read.webhooks {
            let contents = (operation.body?.contents ?? []) + operation.responses.flatMap(\.contents)
            for schema in operation.parameters.compactMap(\.schema) + contents.compactMap(\.schema) {
                #expect(read.documents.value(at: schema.place) == schema.json)
                _ = read.documents.target(of: schema.place)
            }
        }
        for finding in read.findings { #expect(read.documents.documents.indices.contains(finding.document)) }
    }

    // MARK: Bounds

    @Test func aShortDocumentThatMeansBillionsIsReadInTime() throws {
        // Each alias stands for ten of the one before.
        var schema: JSONValue = ["type": "string"]
        for _ in 0..<9 { schema = ["allOf": .array(Array(repeating: schema, count: 10))] }
        let read = APIDescription(
            reading: ["openapi": "3.1.0", "paths": [:], "components": ["schemas": ["A": schema]]], named: "api.json"
        ) { _ in nil }
        #expect(read.findings.contains { $0.problem.message == "too many schemas" })
    }

    @Test func aDeepSchemaIsRead() throws {
        var schema: JSONValue = ["type": "string"]
        for _ in 0..<500 { schema = ["not": schema] }
        let read = APIDescription(
            reading: ["openapi": "3.1.0", "paths": [:], "components": ["schemas": ["A": schema]]], named: "api.json"
        ) { _ in nil }
        #expect(read.findings.isEmpty)
    }

    @Test func callbacksThatCallBackEachOtherEnd() throws {
        let refers = JSONObject((0..<20).map { ("c\($0)", ["$ref": "#/components/callbacks/c\($0)"]) })
        let operation: JSONValue = ["callbacks": .object(refers), "responses": ["200": ["description": "x"]]]
        let callbacks = JSONObject((0..<20).map { ("c\($0)", ["/x": ["post": operation]]) })
        let read = APIDescription(
            reading: [
                "openapi": "3.1.0", "paths": ["/a": ["get": operation]],
                "components": ["callbacks": .object(callbacks)],
            ], named: "api.json"
        ) { _ in nil }
        #expect(read.operations.map(\.calls.count) == [20])
        #expect(read.findings.isEmpty)
    }

    @Test func filesThatReferToEverMoreFilesEnd() throws {
        var count = 0
        let read = APIDescription(
            reading: ["openapi": "3.1.0", "paths": [:], "components": ["schemas": ["A": ["$ref": "0.yaml"]]]],
            named: "api.yaml"
        ) { _ in
            count += 1
            return .success(["not": ["$ref": .string("\(count).yaml")]])
        }
        #expect(count <= 1_000)
        #expect(read.findings.contains { $0.problem.message == "too many documents" })
    }

    @Test func manyFindingsAreCut() throws {
        let schemas = JSONObject((0..<3_000).map { ("s\($0)", 5) })
        let read = APIDescription(
            reading: ["openapi": "3.1.0", "paths": [:], "components": ["schemas": .object(schemas)]], named: "api.json"
        ) { _ in nil }
        #expect(read.findings.count == 1_001)
        #expect(read.findings.last?.problem.message == "there is more that is wrong")
    }
}
