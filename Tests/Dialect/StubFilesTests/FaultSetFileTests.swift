import SDJSON
import SDStubFiles
import SDStubModel
import Testing

/// Sets of faults in stub files.
@Suite struct FaultSetFileTests {
    private func read(_ text: String) -> ParsedStubFile {
        StubFile.read(Array(text.utf8), format: .yaml, path: "chaos.yaml")
    }

    @Test func setsStandBesideRoutesOrAlone() {
        let alone = read("chaos:\n  slow: [{delay: 1s}]\n")
        #expect(alone.diagnostics.isEmpty && alone.reasonToSkip == nil && alone.stubs.isEmpty)
        #expect(alone.faultSets.map(\.name) == ["slow"])
        let beside = read("GET /x: {}\nchaos:\n  slow: {delay: 1s}\n  cut: [{cutAfter: 1}, {status: 500}]\n")
        #expect(beside.diagnostics.isEmpty && beside.stubs.count == 1)
        #expect(beside.faultSets.map(\.faults.count) == [1, 2])
    }

    @Test func setsHaveFaultsOfConnections() throws {
        let file = read(
            """
            chaos:
              bad-certificate:
                - { tls: expired, serverName: "*.pay.example", first: 2 }
                - { http2: noSettings, probability: 5% }
                - { neverRead: true, route: POST /upload }
                - { cutAfter: nothing, then: { resetStream: REFUSED_STREAM } }
            """)
        #expect(file.diagnostics.isEmpty, "\(file.diagnostics.map(\.description))")
        let faults = try #require(file.faultSets.first).faults
        #expect(faults.map { $0.connection?.kind } == [.tls(.expired), .http2(.noSettings), nil, nil])
        #expect(faults[0].connection?.serverName == "*.pay.example" && faults[0].connection?.conditions.first == 2)
        #expect(faults[1].connection?.conditions.probability == 0.05)
        #expect(faults[2].rule?.neverReads == true)
    }

    @Test func aRouteIsAPattern() throws {
        let file = read("chaos:\n  cut: [{route: 'GET /api/{id}?page=2', cutAfter: 1}]\n")
        let request = try #require(file.faultSets.first?.faults.first).request
        #expect(request.method == .exactly("GET") && request.url == .urlPathTemplate("/api/{id}"))
        #expect(request.queryParameters.map(\.name) == ["page"])
    }

    private static let problems: [(text: String, place: String, message: String)] = [
        ("chaos:\n  slow:\n    - delai: 1s\n", "3:7", #"did you mean "delay"?"#),
        ("chaos:\n  slow:\n    - {route: GET x, cutAfter: 1}\n", "3:15", "GET /x"),
        ("chaos:\n  slow:\n    - {route: GET /x, request: {}, cutAfter: 1}\n", "3:15", "one of the two"),
        ("chaos:\n  old:\n    - {tls: expird}\n", "3:13", #"did you mean "expired"?"#),
        ("chaos:\n  old:\n    - {tls: expired, serverName: a b}\n", "3:34", "not a server name"),
        ("chaos:\n  old:\n    - {tls: expired, route: GET /x}\n", "3:22", "acts before there is a request"),
        ("chaos:\n  old:\n    - {cutAfter: 1, then: {goAway: CALM}}\n", "3:36", "no error code of HTTP/2"),
        ("chaos:\n  slow: []\n", "2:9", "no faults"),
        ("chaos: {}\n", "1:8", "no sets of faults"),
        ("chaos:\n  slow: [{bandwidth: 3}]\n", "2:22", #"did you mean "3B/s"?"#),
    ]

    @Test(arguments: problems)
    func aWrongSetIsNamedWithItsPlace(text: String, place: String, message: String) {
        let file = read(text)
        let found = file.diagnostics.map(\.description)
        #expect(found.contains { $0.contains(":\(place):") && $0.contains(message) }, "\(found)")
        #expect(file.faultSets.isEmpty)
    }

    @Test func aMisspeltKeyOfSetsIsNamed() {
        #expect(read("GET /x: {}\nchoas: {slow: [{delay: 1s}]}\n").diagnostics.contains { $0.suggestion == "chaos" })
    }
}
