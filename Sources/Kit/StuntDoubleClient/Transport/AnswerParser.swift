/// Parses HTTP/1.1 responses (RFC 9112) from bytes as they arrive.
struct AnswerParser {
    /// The message about a server that does not speak HTTP.
    struct Malformed: Error {
        let reason: String
    }

    private enum Stage {
        case head
        case body(left: Int)
        case chunkSize
        case chunk(left: Int)
        case chunkEnd
        case trailers
        /// The body extends to the end of the connection.
        case untilEnd
        case done
    }

    /// The answer so far; nil until its head is complete.
    private(set) var answer: ServerAnswer?
    /// Whether the answer has no body whatever its head says, as for `HEAD`.
    var hasNoBody = false
    /// Whether the connection can serve another request after this answer.
    private(set) var keepsAlive = true
    private var stage = Stage.head
    private var line: [UInt8] = []

    private static let longestLine = 256 * 1024

    var isDone: Bool {
        if case .done = stage { true } else { false }
    }

    /// Consumes bytes.
    /// - Parameter onBody: receives the body in chunks; nil collects it in the answer.
    /// - Throws: `Malformed` for anything that is not an HTTP/1.1 response.
    mutating func consume(_ bytes: ArraySlice<UInt8>, onBody: ((ArraySlice<UInt8>) -> Void)?) throws(Malformed) {
        var rest = bytes
        while !rest.isEmpty {
            switch stage {
            case .head: try consumeLine(&rest) { parser, line throws(Malformed) in try parser.headLine(line) }
            case .chunkSize: try consumeLine(&rest) { parser, line throws(Malformed) in try parser.chunkSize(line) }
            case .chunkEnd: try consumeLine(&rest) { parser, _ in parser.stage = .chunkSize }
            case .trailers: try consumeLine(&rest) { parser, line in if line.isEmpty { parser.stage = .done } }
            case .body(let left):
                let count = consumeBody(&rest, left, onBody)
                stage = left == count ? .done : .body(left: left - count)
            case .chunk(let left):
                let count = consumeBody(&rest, left, onBody)
                stage = left == count ? .chunkEnd : .chunk(left: left - count)
            case .untilEnd: _ = consumeBody(&rest, rest.count, onBody)
            case .done: throw Malformed(reason: "it sent more than its answer")
            }
        }
    }

    /// Handles the end of the connection. Returns whether the answer is complete.
    mutating func finish() -> Bool {
        if case .untilEnd = stage { stage = .done }
        keepsAlive = false
        return isDone
    }

    private mutating func consumeBody(
        _ rest: inout ArraySlice<UInt8>, _ left: Int, _ onBody: ((ArraySlice<UInt8>) -> Void)?
    ) -> Int {
        let piece = rest.prefix(left)
        rest = rest.dropFirst(piece.count)
        if let onBody, answer?.status == 200 { onBody(piece) } else { answer?.body += piece }
        return piece.count
    }

    private mutating func consumeLine(
        _ rest: inout ArraySlice<UInt8>, _ use: (inout AnswerParser, [UInt8]) throws(Malformed) -> Void
    ) throws(Malformed) {
        guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else {
            line += rest
            rest = []
            guard line.count <= Self.longestLine else { throw Malformed(reason: "a line of its answer has no end") }
            return
        }
        line += rest[..<end]
        rest = rest[(end + 1)...]
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        let whole = line
        line.removeAll(keepingCapacity: true)
        try use(&self, whole)
    }

    // MARK: Head

    private mutating func headLine(_ line: [UInt8]) throws(Malformed) {
        if line.isEmpty {
            try endHead()
        } else if answer == nil {
            let words = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
            guard words.count >= 2, words[0].starts(with: Array("HTTP/1.".utf8)), words[1].count == 3,
                let status = Int(String(decoding: words[1], as: UTF8.self))
            else { throw Malformed(reason: "its answer begins with \"\(String(decoding: line, as: UTF8.self))\"") }
            answer = ServerAnswer(status: status)
        } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
            let name = String(decoding: line[..<colon], as: UTF8.self)
            let value = line[(colon + 1)...].drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            answer?.headers.append((name, String(decoding: value, as: UTF8.self)))
        }
    }

    private mutating func endHead() throws(Malformed) {
        guard let answer else { return }
        if (100..<200).contains(answer.status) {
            self.answer = nil
            return
        }
        keepsAlive = answer.header("connection")?.lowercased() != "close"
        if hasNoBody || answer.status == 204 || answer.status == 304 {
            stage = .done
        } else if answer.header("transfer-encoding")?.lowercased().contains("chunked") == true {
            stage = .chunkSize
        } else if let text = answer.header("content-length") {
            guard let length = Int(text), length >= 0 else {
                throw Malformed(reason: "its answer has the length \(text)")
            }
            stage = length == 0 ? .done : .body(left: length)
        } else {
            keepsAlive = false
            stage = .untilEnd
        }
    }

    private mutating func chunkSize(_ line: [UInt8]) throws(Malformed) {
        let digits = line.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") }
        guard let size = Int(String(decoding: digits, as: UTF8.self), radix: 16), size >= 0 else {
            throw Malformed(reason: "a chunk of its answer has no size")
        }
        stage = size == 0 ? .trailers : .chunk(left: size)
    }
}
