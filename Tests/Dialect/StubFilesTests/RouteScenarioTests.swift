import SDJSON
import SDShorthand
import SDStubFiles
import SDStubModel
import Testing

/// Routes that answer in one state of a scenario.
@Suite struct RouteScenarioTests {
    @Test(
        arguments: [
            ("{ name: cart, from: Started, to: full }", ["cart", "Started", "full"]),
            ("{ name: cart, to: full }", ["cart", nil, "full"]), ("{ name: cart, from: full }", ["cart", "full", nil]),
            ("{ name: 7, from: 1, to: true }", ["7", "1", "true"]),
        ] as [(String, [String?])])
    func statesBecomeFields(scenario: String, expected: [String?]) throws {
        let file = parse("GET /cart: { scenario: \(scenario), status: 201 }")
        #expect(file.diagnostics.isEmpty, "\(file.diagnostics)")
        let stub = try #require(file.stubs.first)
        #expect([stub.scenarioName, stub.requiredScenarioState, stub.newScenarioState] == expected)
        #expect(stub.response.status == 201)
    }

    @Test(arguments: [
        ("GET /a: { scenario: cart }", "such as {name: cart, from: Started, to: full}"),
        ("GET /a: { scenario: { from: full } }", "\"name\""), ("GET /a: { scenario: {} }", "\"name\""),
        ("GET /a: { scenario: { name: [a] } }", "a text"), ("GET /a: { scenario: { nam: a } }", "name"),
        ("GET /a: { scenario: { name: a, requiredState: b } }", "\"from\""),
        ("GET /a: { scenario: { name: a, newScenarioState: b } }", "\"to\""),
        ("GET /a: { scenarioName: a }", "\"scenario\""),
        ("GET /a: { sequence: [{ scenario: { name: a, to: b } }] }", "unknown key"),
    ])
    func mistakesAreNamed(text: String, hint: String) {
        let file = parse(text)
        #expect(file.stubs.isEmpty)
        #expect(file.diagnostics.contains { "\($0)".contains(hint) }, "\(file.diagnostics)")
    }

    @Test func aScenarioWithoutStatesIsAWarning() {
        let file = parse("GET /a: { scenario: { name: cart } }")
        #expect(file.stubs.first?.scenarioName == "cart")
        #expect(file.diagnostics.map(\.severity) == [.warning])
    }

    /// Responses after one for a single state are valid; after one for every state they are not.
    @Test func aResponseForOneStateLeavesOtherStatesToTheNextStub() {
        let one = parse("GET /a: [{ scenario: { name: s, from: full }, status: 201 }, { status: 202 }]")
        #expect(one.diagnostics.isEmpty, "\(one.diagnostics)")
        let every = parse("GET /a: [{ scenario: { name: s, to: full }, status: 201 }, { status: 202 }]")
        #expect(every.diagnostics.map(\.severity) == [.warning])
        #expect(every.stubs.count == 2)
    }

    @Test(arguments: [
        ("/scenarioName", "/GET ~1a/scenario/name"), ("/requiredScenarioState", "/GET ~1a/scenario/from"),
        ("/newScenarioState", "/GET ~1a/scenario/to"), ("/responses/1/jsonBody/x", "/GET ~1a/sequence/1/json/x"),
        ("/responses", "/GET ~1a/sequence"), ("/name", "/GET ~1a/name"), ("", "/GET ~1a"),
    ])
    func problemsOfAFieldArePlacedInTheRoute(field: String, place: String) throws {
        let key = try #require(JSONPointer(text: "/GET ~1a"))
        let origin = StubOrigin(place: key, routeKey: key)
        let pointer = try #require(JSONPointer(text: field))
        #expect(origin.place(of: pointer).place.text == place)
    }
}
