import Foundation
import StuntDoubleServer

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

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
