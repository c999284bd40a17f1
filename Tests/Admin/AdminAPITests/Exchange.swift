import SDJSON
import SDTestSupport

/// A request and its answer on a separate connection.
struct Exchange: CustomStringConvertible {
    let status: Int
    let headers: [(name: String, value: String)]
    let body: [UInt8]
    /// All bytes received.
    let received: RawClient.Received

    /// Sends a request and reads its answer.
    /// - Parameter headers: headers besides Host, Content-Length and `Connection: close`. A Host among them replaces
    ///   the default.
    init(
        _ port: UInt16, _ method: String, _ path: String, headers: [(String, String)] = [], body: String = ""
    ) throws {
        var head = "\(method) \(path) HTTP/1.1\r\n"
        if !headers.contains(where: { $0.0.lowercased() == "host" }) { head += "Host: localhost\r\n" }
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        head += "Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n"
        let client = try RawClient(port: port)
        try client.send(Array((head + body).utf8))
        try self.init(client.receiveAll(within: 20_000), isHead: method == "HEAD")
    }

    init(_ received: RawClient.Received, isHead: Bool) throws {
        self.received = received
        let bytes = received.bytes
        let end = bytes.indices.first { bytes[$0...].starts(with: wire("\r\n\r\n")) }
        guard let end else { throw ExchangeProblem(description: "no head in \(received)") }
        let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
        status = lines.first.flatMap { Int($0.split(separator: " ")[1]) } ?? 0
        headers = lines.dropFirst().map { line in
            let colon = line.firstIndex(of: ":") ?? line.endIndex
            return (String(line[..<colon]), String(line[colon...].dropFirst().drop { $0 == " " }))
        }
        let rest = bytes[(end + 4)...]
        let isChunked = !isHead && headers.contains { $0.name.lowercased() == "transfer-encoding" }
        body = isChunked ? try unchunked(rest) : Array(rest)
    }

    func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    var text: String { String(decoding: body, as: UTF8.self) }
    /// The body as JSON; nil if it is not JSON.
    var json: JSONValue? { try? JSONValue(parsing: body) }
    var description: String { "\(status) \(headers) \(text)" }
}

struct ExchangeProblem: Error, CustomStringConvertible {
    let description: String
}

private func unchunked(_ bytes: ArraySlice<UInt8>) throws -> [UInt8] {
    var rest = bytes
    var body: [UInt8] = []
    while let lineEnd = rest.firstIndex(of: 0x0d) {
        let size = Int(String(decoding: rest[..<lineEnd], as: UTF8.self), radix: 16)
        guard let size, rest.count >= lineEnd - rest.startIndex + 4 + size else { break }
        if size == 0 { return body }
        body += rest[(lineEnd + 2)..<(lineEnd + 2 + size)]
        rest = rest[(lineEnd + 4 + size)...]
    }
    throw ExchangeProblem(description: "broken chunks: \(readable(bytes))")
}
