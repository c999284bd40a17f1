/// What of the body of an HTTP/1.1 response has arrived, in chunks or as long as its head says.
public struct ReceivedBody: Equatable {
    /// Without its chunks.
    public var bytes: [UInt8] = []
    /// Whether that is all of it.
    public var isComplete = false

    /// - Parameter response: the response from its first byte on, perhaps broken off.
    public init(of response: [UInt8]) {
        guard let end = response.firstRange(of: wire("\r\n\r\n")) else { return }
        let lines = String(decoding: response[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
        let rest = response[end.upperBound...]
        let name = "content-length: "
        if let length = lines.first(where: { $0.lowercased().hasPrefix(name) }) {
            bytes = Array(rest)
            isComplete = Int(length.dropFirst(name.count)) == rest.count
        } else {
            take(chunks: rest)
        }
    }

    public init(_ bytes: [UInt8], isComplete: Bool) {
        self.bytes = bytes
        self.isComplete = isComplete
    }

    private mutating func take(chunks: ArraySlice<UInt8>) {
        let lineEnd = wire("\r\n")
        var rest = chunks
        while let line = rest.firstRange(of: lineEnd) {
            guard let size = Int(String(decoding: rest[..<line.lowerBound], as: UTF8.self), radix: 16) else { return }
            rest = rest[line.upperBound...]
            if size == 0 {
                isComplete = rest.suffix(2).elementsEqual(lineEnd)
                return
            }
            bytes += rest.prefix(size)
            rest = rest.dropFirst(size + 2)
        }
    }
}
