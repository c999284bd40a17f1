import SDJSON
import SDStubModel
import SDTestSupport
import Testing

@Suite struct ResponseFieldTests {
    @Test func everyMemberOfADefinitionIsAField() {
        // A template of a status or delay stands in its field, and faults of our own in that of WireMock's.
        let members = Mirror(reflecting: ResponseDefinition()).children.compactMap(\.label)
            .map { $0 == "boxedOpenapi" ? "openapi" : $0 }
            .filter { !["statusTemplate", "fixedDelayTemplate", "faults"].contains($0) }
        #expect(members.count > 15)
        #expect(members.sorted() == DialectNames.response.sorted())
    }

    @Test(arguments: DialectNames.response)
    func aFieldIsReadAndWritten(name: String) throws {
        let sample = try #require(ResponseSamples.byField[name], "there is no sample of \(name)")
        let response = try StubMapping(json: ["response": .object([name: sample])]).response
        #expect(response != ResponseDefinition())
        var expected: JSONObject = ["status": 200]
        expected[name] = sample
        #expect(response.json == .object(expected))
    }
}
