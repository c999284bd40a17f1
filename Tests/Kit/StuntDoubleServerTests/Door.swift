import Foundation
import StuntDoubleServer

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The ways to a mock server.
enum Door: String, CaseIterable {
    case launched
    case connected
    case embedded

    /// Opens a server for `body`, and ends it.
    func open<Result: Sendable>(
        mocks: String? = nil, _ arguments: [String] = [], _ body: (MockServer) async throws -> Result
    ) async throws -> Result {
        let server =
            switch self {
            case .embedded: try await MockServer.embedded(mocks: mocks, arguments: arguments)
            case .launched, .connected: try await MockServer.launch(mocks: mocks, arguments: arguments)
            }
        let result: Result
        do {
            result = try await body(self == .connected ? MockServer(url: server.url) : server)
        } catch {
            try await server.end()
            throw error
        }
        try await server.end()
        return result
    }
}

/// What a client sees: `200 application/json {"id":1}`, or `URLError -1005`.
func ask(
    _ method: String, _ path: String, of mock: MockServer, body: String? = nil, headers: [String: String] = [:]
) async throws -> String {
    guard let url = URL(string: mock.url.absoluteString + path) else { throw MockServerError("\(path) is no path") }
    var request = URLRequest(url: url)
    request.httpMethod = method
    request.httpBody = body.map { Data($0.utf8) }
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    do {
        let (data, response) = try await URLSession.shared.data(for: request)
        guard let response = response as? HTTPURLResponse else { return "no HTTP" }
        let type = response.value(forHTTPHeaderField: "Content-Type") ?? "-"
        return "\(response.statusCode) \(type) \(String(decoding: data, as: UTF8.self))"
    } catch let error as URLError {
        return "URLError \(error.code.rawValue)"
    }
}

func ask(_ path: String, of mock: MockServer) async throws -> String {
    try await ask("GET", path, of: mock)
}

/// A folder of files for one test, which goes with this value.
final class ScratchFolder: Sendable {
    let path: String

    init(_ files: [String: String]) throws {
        path = FileManager.default.temporaryDirectory.appending(path: "doors-\(UUID().uuidString)").path
        for (name, text) in files { try write(name, text) }
    }

    func write(_ name: String, _ text: String) throws {
        let file = URL(filePath: path).appending(path: name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    func names(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path + "/" + folder).sorted()
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}
