import SDJSON
import SDMatching
import SDStubModel
import SDTestSupport
import Testing

@testable import SDAnswering
@testable import SDJournal
@testable import SDMockEngine
@testable import SDRecords
@testable import SDStubs

@Suite struct StoredMappingTests {
    @Test(arguments: [
        #"{"request":{}, "response":{}}"#,
        #"{"name":"n", "priority":1, "request":{"method":"GET", "url":"/a?b", "headers":{"A":{"equalTo":"1"}}}}"#,
        #"{"request":{"method":"ANY"}, "response":{"status":204, "headers":{"A":["1","2"]}, "body":"x"}}"#,
        #"{"request":{"urlPath":"/a"}, "response":{"jsonBody":{"a":1.0}, "fixedDelayMilliseconds":3}}"#,
        #"{"response":{"fixedDelayMilliseconds":"{{1}}"}}"#,
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

    private static let mappingMembers: [String: @Sendable (inout StubMapping) -> Void] = [
        "id": { $0.id = StubMapping.id(hashing: "x") }, "name": { $0.name = "n" },
        "request": { $0.request.url = .url("/a") },
        "response": { $0.response.body = "b" }, "persistent": { $0.persistent = false },
        "priority": { $0.priority = 1 },
        "scenarioName": { $0.scenarioName = "s" }, "requiredScenarioState": { $0.requiredScenarioState = "s" },
        "newScenarioState": { $0.newScenarioState = "s" }, "postServeActions": { $0.postServeActions = [] },
        "serveEventListeners": { $0.serveEventListeners = [] }, "metadata": { $0.metadata = [:] },
        "insertionIndex": { $0.insertionIndex = 1 }, "times": { $0.times = 1 }, "timesLeft": { $0.timesLeft = 1 },
        "ttlMilliseconds": { $0.ttlMilliseconds = 1 }, "enabled": { $0.enabled = true },
        "responses": { $0.responses = ResponseSequence([]) },
        "boxedResource": { $0.resource = ResourceDefinition(name: "r", path: "/r") },
        "answersHead": { $0.answersHead = true }, "boxedCORS": { $0.cors = CORSPolicy() },
    ]

    private static let requestMembers: [String: @Sendable (inout RequestPattern) -> Void] = [
        "scheme": { $0.scheme = "http" }, "host": { $0.host = matcher }, "port": { $0.port = 1 },
        "clientIp": { $0.clientIp = matcher }, "url": { $0.url = .urlPath("/a") }, "method": { $0.method = .oneOf([]) },
        "headers": { $0.headers = named }, "queryParameters": { $0.queryParameters = named },
        "formParameters": { $0.formParameters = named }, "pathParameters": { $0.pathParameters = named },
        "cookies": { $0.cookies = named }, "basicAuth": { $0.basicAuth = BasicAuth(username: nil, password: nil) },
        "bodyPatterns": { $0.bodyPatterns = [matcher] },
        "multipartPatterns": { $0.multipartPatterns = [MultipartPattern(name: nil)] },
        "customMatcher": { $0.customMatcher = CustomMatcher(name: nil) },
        "clientCertificate": { $0.clientCertificate = named },
    ]

    private static let matcher = ValueMatcher(.equalTo, "x")
    private static let named = [NamedMatcher("n", matcher)]

    /// A member that is forgotten where a mapping is found short would be lost.
    @Test func eachMemberIsKept() throws {
        func members(of value: Any) -> Set<String> { Set(Mirror(reflecting: value).children.compactMap(\.label)) }
        #expect(members(of: StubMapping()) == Set(Self.mappingMembers.keys))
        #expect(members(of: RequestPattern()) == Set(Self.requestMembers.keys))
        // A template of a status or delay stands in its field, and faults of our own in that of WireMock's.
        let response = members(of: ResponseDefinition()).subtracting(["statusTemplate", "fixedDelayTemplate", "faults"])
        #expect(response.count == DialectNames.response.count)
        let broken = try StubMapping(json: ["response": ["fault": ["cutAfter": 1]]])
        #expect(broken.response.faults != nil && StoredMapping(broken).mapping == broken)
        let empty = StubMapping()
        for (name, set) in Self.mappingMembers {
            var mapping = empty
            set(&mapping)
            #expect(mapping != empty && StoredMapping(mapping).mapping == mapping, "\(name)")
        }
        for (name, set) in Self.requestMembers {
            var mapping = empty
            set(&mapping.request)
            #expect(mapping != empty && StoredMapping(mapping).mapping == mapping, "\(name)")
        }
    }

    @Test(arguments: DialectNames.response)
    func aFieldOfAResponseIsKeptAndServed(field: String) throws {
        let sample = try #require(ResponseSamples.byField[field])
        let mapping = try StubMapping(json: ["response": .object([field: sample])])
        #expect(StoredMapping(mapping).mapping == mapping)
        #expect(StoredMapping(mapping).response.json[field] == sample)
        let problems = Session.problems(of: mapping)
        #expect(problems.isEmpty, "\(problems.map(\.pointer.text))")
    }
}
