/// Splits a multipart body into parts (RFC 2046, section 5.1).
public enum MultipartText {
    /// A part of a body.
    public struct Part: Sendable {
        /// The headers in order; names in lower case.
        public var headers: [(name: [UInt8], value: ArraySlice<UInt8>)]
        public var body: ArraySlice<UInt8>

        /// The first value of a header with a lower-case name; nil without one.
        public func header(_ name: String) -> ArraySlice<UInt8>? {
            headers.first { $0.name.elementsEqual(name.utf8) }?.value
        }

        /// A parameter of `Content-Disposition`, such as `name` or `filename`; nil without one.
        public func dispositionParameter(_ name: String) -> ArraySlice<UInt8>? {
            header("content-disposition").flatMap { HeaderParameters.value(name, in: $0) }
        }
    }

    /// The parts of a body, and whether all were read.
    public struct Reading: Sendable {
        public internal(set) var parts: [Part] = []
        /// Whether the boundary occurs in the body.
        public internal(set) var hasBoundary = false
        /// Whether it has more than `most` parts; the rest is not read.
        public internal(set) var hasMore = false
    }

    /// The maximum number of parts that are read.
    public static let most = 10_000

    /// Reads the parts in order. Text after the last boundary is ignored.
    /// - Parameter draw: spends budget for the bytes of a line; false stops reading.
    public static func parts(
        of body: ArraySlice<UInt8>, boundary: some Collection<UInt8>, draw: (Int) -> Bool = { _ in true }
    ) -> Reading {
        var reading = Reading()
        let delimiter = Array("--".utf8) + boundary
        guard var position = lineStart(of: delimiter, in: body, from: body.startIndex, draw) else { return reading }
        reading.hasBoundary = true
        while true {
            position += delimiter.count
            // Two hyphens after the delimiter end the body.
            if body[position...].starts(with: "--".utf8) { break }
            guard let lineEnd = body[position...].firstIndex(of: 0x0A) else { break }
            let start = lineEnd + 1
            guard let next = lineStart(of: delimiter, in: body, from: start, draw) else { break }
            guard reading.parts.count < most else {
                reading.hasMore = true
                break
            }
            reading.parts.append(part(body[start..<max(start, endBefore(next, in: body, from: start))]))
            position = next
        }
        return reading
    }

    /// The index of the next line that begins with `delimiter`; nil if there is none, or the budget is spent.
    private static func lineStart(
        of delimiter: [UInt8], in body: ArraySlice<UInt8>, from start: Int, _ draw: (Int) -> Bool
    ) -> Int? {
        var position = start
        while position < body.endIndex {
            if body[position...].starts(with: delimiter) { return position }
            guard let end = body[position...].firstIndex(of: 0x0A), draw(end - position) else { return nil }
            position = end + 1
        }
        return nil
    }

    /// The end of the part before a delimiter. The line end before a delimiter belongs to the delimiter.
    private static func endBefore(_ delimiter: Int, in body: ArraySlice<UInt8>, from start: Int) -> Int {
        var end = delimiter
        if end > start, body[end - 1] == 0x0A { end -= 1 }
        if end > start, body[end - 1] == 0x0D { end -= 1 }
        return end
    }

    private static func part(_ bytes: ArraySlice<UInt8>) -> Part {
        var headers: [(name: [UInt8], value: ArraySlice<UInt8>)] = []
        var rest = bytes
        while let end = rest.firstIndex(of: 0x0A) {
            var line = rest[..<end]
            if line.last == 0x0D { line = line.dropLast() }
            rest = rest[(end + 1)...]
            guard !line.isEmpty else { return Part(headers: headers, body: rest) }
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
            let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
            headers.append((Array(name.utf8), HeaderParameters.trimmed(line[(colon + 1)...])))
        }
        return Part(headers: headers, body: [])
    }
}
