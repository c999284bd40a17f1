/// A client that keeps one connection, so that a test with thousands of requests does not open as many sockets. Not for
/// answers to HEAD, nor for those that end with the connection. For one thread at a time.
public final class PersistentConnection {
    private let client: RawClient
    private let port: UInt16
    private var received: [UInt8] = []

    public init(port: UInt16) throws {
        client = try RawClient(port: port)
        self.port = port
    }

    /// Sends a request and reads its whole answer.
    /// - Parameter headers: lines such as `X-Kind: a`. A `Host` among them replaces the default.
    public func request(
        _ method: String, _ target: String, headers: [String] = [], body: String? = nil,
        within milliseconds: Int = 60_000
    ) throws -> HTTPAnswer {
        try request(method, target, headers: headers, bytes: body.map { Array($0.utf8) }, within: milliseconds)
    }

    /// Sends a request with a body of any bytes.
    public func request(
        _ method: String, _ target: String, headers: [String] = [], bytes: [UInt8]?,
        within milliseconds: Int = 60_000
    ) throws -> HTTPAnswer {
        var text = "\(method) \(target) HTTP/1.1\r\n"
        if !headers.contains(where: { $0.lowercased().hasPrefix("host:") }) { text += "Host: localhost:\(port)\r\n" }
        for header in headers { text += header + "\r\n" }
        if bytes != nil || method == "POST" || method == "PUT" { text += "Content-Length: \(bytes?.count ?? 0)\r\n" }
        try client.send(Array((text + "\r\n").utf8) + (bytes ?? []))
        return try answer(within: milliseconds) { "\(method) \(target)" }
    }

    private func answer(within milliseconds: Int, _ asked: () -> String) throws -> HTTPAnswer {
        while true {
            if let length = lengthOfAnswer() {
                defer { received.removeFirst(length) }
                if let answer = HTTPAnswer(Array(received[..<length])) { return answer }
                throw DaemonFailure(description: "no HTTP answer to \(asked()): \(readable(received[..<length]))")
            }
            let some = client.receiveSome(within: milliseconds)
            received += some.bytes
            if some.bytes.isEmpty {
                throw DaemonFailure(description: "\(asked()) got \(readable(received))<\(some.ending)>")
            }
        }
    }

    /// The length of the next answer in the bytes received; nil if more must arrive.
    private func lengthOfAnswer() -> Int? {
        guard let head = end(of: "\r\n\r\n", from: 0) else { return nil }
        let lines = String(decoding: received[..<head], as: UTF8.self).lowercased().split(separator: "\r\n")
        if lines.contains("transfer-encoding: chunked") {
            var place = head
            while let lineEnd = end(of: "\r\n", from: place) {
                let size = Int(String(decoding: received[place..<(lineEnd - 2)], as: UTF8.self), radix: 16) ?? 0
                place = lineEnd + size + 2
                if place > received.count { return nil }
                if size == 0 { return place }
            }
            return nil
        }
        let field = lines.first { $0.hasPrefix("content-length:") }
        let length = field.flatMap { Int($0.dropFirst("content-length:".count).filter { $0 != " " }) } ?? 0
        return head + length <= received.count ? head + length : nil
    }

    private func end(of mark: String, from start: Int) -> Int? {
        let mark = Array(mark.utf8)
        var place = start
        while place + mark.count <= received.count {
            if received[place] == mark[0], received[place..<(place + mark.count)].elementsEqual(mark) {
                return place + mark.count
            }
            place += 1
        }
        return nil
    }
}
