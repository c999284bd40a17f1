/// A request as a server's side of a connection gets it, whole.
public struct ReceivedRequest: Sendable, Equatable {
    /// The request line and the fields, as they came.
    public let head: String
    /// The body as it is framed, with its trailers.
    public let rest: String

    /// The method and the target.
    public var call: String { head.prefix { $0 != "\r\n" }.split(separator: " ").prefix(2).joined(separator: " ") }

    /// The values of a field, whose name is in lower case.
    public func values(_ name: String) -> [String] {
        head.split(separator: "\r\n").dropFirst().compactMap { line in
            guard let colon = line.firstIndex(of: ":"), line[..<colon].lowercased() == name else { return nil }
            return String(line[colon...].dropFirst().drop { $0 == " " })
        }
    }
}

extension RawClient {
    /// Receives one request.
    /// - Returns: nil if the connection ends before the request does, or the time is over.
    public func receiveRequest(within milliseconds: Int = 10_000) -> ReceivedRequest? {
        func line() -> String? {
            let text = receive(until: "\r\n", within: milliseconds).text
            return text.hasSuffix("\r\n") ? text : nil
        }
        let head = receive(until: "\r\n\r\n", within: milliseconds).text
        guard head.hasSuffix("\r\n\r\n") else { return nil }
        let request = ReceivedRequest(head: head, rest: "")
        var rest = ""
        if request.values("transfer-encoding").contains("chunked") {
            while true {
                // The end of a line is one character.
                guard let first = line(), let size = Int(first.dropLast(), radix: 16) else { return nil }
                rest += first
                if size == 0 { break }
                let chunk = receive(size + 2, within: milliseconds)
                guard chunk.bytes.count == size + 2 else { return nil }
                rest += chunk.text
            }
            repeat {
                guard let trailer = line() else { return nil }
                rest += trailer
            } while !rest.hasSuffix("\r\n\r\n")
        } else if let length = request.values("content-length").first.flatMap({ Int($0) }) {
            let body = receive(length, within: milliseconds)
            guard body.bytes.count == length else { return nil }
            rest = body.text
        }
        return ReceivedRequest(head: head, rest: rest)
    }
}
