import Foundation

@testable import StuntDoubleClient

/// An answer as the code under test sees it.
struct PlainAnswer {
    let status: Int
    let body: [UInt8]
    var text: String { String(decoding: body, as: UTF8.self) }
}

/// Sends a request to a mock server, as the code under test does.
func send(
    _ method: String, _ target: String, body: String? = nil, headers: [(name: String, value: String)] = [],
    to mock: MockServer
) async throws -> PlainAnswer {
    let transport = PlainTransports.shared.transport(mock)
    var request = ServerRequest(method: method, target: mock.url.path + target, headers: headers)
    request.body = body.map { Array($0.utf8) }
    request.timeout = .seconds(300)
    request.isLong = true
    let answer = try await transport.send(request)
    return PlainAnswer(status: answer.status, body: answer.body)
}

func get(_ target: String, of mock: MockServer) async throws -> PlainAnswer {
    try await send("GET", target, to: mock)
}

/// Connections apart from those of the mock server itself.
private struct PlainTransports {
    static let shared = PlainTransports()

    func transport(_ mock: MockServer) -> any ServerTransport { ServerLocation(mock.url).transport() }
}
