import JSON
import StubModel
import TestSupport
import Testing

@testable import MockEngine

@Suite struct StoredMappingTests {
    @Test(arguments: [
        #"{"request":{}, "response":{}}"#,
        #"{"name":"n", "priority":1, "request":{"method":"GET", "url":"/a?b", "headers":{"A":{"equalTo":"1"}}}}"#,
        #"{"request":{"method":"ANY"}, "response":{"status":204, "headers":{"A":["1","2"]}, "body":"x"}}"#,
        #"{"request":{"urlPath":"/a"}, "response":{"jsonBody":{"a":1.0}, "fixedDelayMilliseconds":3}}"#,
        #"{"request":{"urlPathTemplate":"/{a}", "pathParameters":{"a":{"contains":"x"}}}, "metadata":{"k":[]}}"#,
        #"{"request":{"cookies":{"c":{"absent":true}}}, "response":{"statusMessage":"Fine"}, "persistent":true}"#,
        #"{"request":{}, "response":{"base64Body":"YQ==", "fault":"EMPTY_RESPONSE"}, "scenarioName":"s"}"#,
    ])
    func aMappingIsReturnedUnchanged(text: String) throws {
        let mapping = try StubMapping(json: JSONValue(parsing: text))
        let stored = StoredMapping(mapping)
        #expect(stored.mapping == mapping)
        #expect(stored.response == mapping.response)
        #expect(stored.id == mapping.id)
        #expect(stored.name == mapping.name)
    }

    @Test(arguments: ResponseField.all)
    func aFieldOfAResponseIsKeptAndEitherServedOrRefused(field: ResponseField) throws {
        let sample = try #require(ResponseSamples.byField[field.name])
        let mapping = try StubMapping(json: ["response": .object([field.name: sample])])
        #expect(StoredMapping(mapping).mapping == mapping)
        #expect(StoredMapping(mapping).response.json[field.name] == sample)
        let problems = Session.problems(of: mapping)
        #expect(problems.map(\.pointer.text) == (field.isServed ? [] : ["/response/\(field.name)"]))
    }
}
