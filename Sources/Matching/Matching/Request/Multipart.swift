import SDPlatform

/// A part of a multipart body (RFC 2046, section 5.1).
package final class BodyPart {
    /// The headers in the order of the part; names in lower case.
    package let headers: [(name: [UInt8], value: ArraySlice<UInt8>)]
    package let document: ParsedDocument

    init(headers: [(name: [UInt8], value: ArraySlice<UInt8>)], body: ArraySlice<UInt8>, _ budget: WorkBudget) {
        self.headers = headers
        // WireMock reads every part as UTF-8, whatever charset it declares.
        document = ParsedDocument(body, budget)
    }

    package func forEachHeaderValue(_ name: [UInt8], _ body: (ArraySlice<UInt8>) -> Bool) {
        for header in headers where header.name == name {
            if !body(header.value) { return }
        }
    }

    /// A parameter of the part's Content-Disposition, such as `name` or `filename`.
    package func dispositionParameter(_ name: String) -> ArraySlice<UInt8>? {
        headers.first { $0.name.elementsEqual("content-disposition".utf8) }
            .flatMap { HeaderParameters.value(name, in: $0.value) }
    }
}

/// Splits a multipart body into parts.
enum Multipart {
    /// The most parts. A request with more is refused, because matching compares every pattern with every part.
    static let maxParts = 10_000

    static func isMultipart(_ contentType: ArraySlice<UInt8>?) -> Bool {
        guard let contentType else { return false }
        let start = contentType.drop { $0 == 0x20 || ($0 >= 0x09 && $0 <= 0x0D) }.prefix(10)
        return String(decoding: start, as: UTF8.self).lowercased() == "multipart/"
    }

    /// The parts in order; none if there is no boundary, or the body does not contain it.
    static func parts(
        of body: ArraySlice<UInt8>, contentType: ArraySlice<UInt8>, _ budget: WorkBudget
    ) -> [BodyPart] {
        guard let boundary = HeaderParameters.value("boundary", in: contentType), !boundary.isEmpty else { return [] }
        let delimiter = Array("--".utf8) + boundary
        let work = WorkBudget.Work("multipart body", "of \(body.count) bytes")
        guard var position = lineStart(of: delimiter, in: body, from: body.startIndex, work, budget) else { return [] }
        var parts: [BodyPart] = []
        while true {
            position += delimiter.count
            // Two hyphens after the delimiter end the body.
            if body[position...].starts(with: "--".utf8) { break }
            guard let lineEnd = body[position...].firstIndex(of: 0x0A) else { break }
            let start = lineEnd + 1
            guard let next = lineStart(of: delimiter, in: body, from: start, work, budget) else { break }
            guard parts.count < maxParts else {
                budget.refuse("has more than \(maxParts) parts, the most that are read", for: work)
                break
            }
            parts.append(part(body[start..<max(start, endBefore(next, in: body, from: start))], budget))
            position = next
        }
        return parts
    }

    /// The index of the next line that begins with `delimiter`; nil if there is none, or no budget to find it.
    private static func lineStart(
        of delimiter: [UInt8], in body: ArraySlice<UInt8>, from start: Int, _ work: WorkBudget.Work,
        _ budget: WorkBudget
    ) -> Int? {
        var position = start
        while position < body.endIndex {
            if body.continues(with: delimiter[...], at: position - body.startIndex) { return position }
            guard let end = body[position...].firstIndex(of: 0x0A),
                budget.draw(4 + (end - position) / 16, for: work)
            else { return nil }
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

    private static func part(_ bytes: ArraySlice<UInt8>, _ budget: WorkBudget) -> BodyPart {
        var headers: [(name: [UInt8], value: ArraySlice<UInt8>)] = []
        var rest = bytes
        while let end = rest.firstIndex(of: 0x0A) {
            var line = rest[..<end]
            if line.last == 0x0D { line = line.dropLast() }
            rest = rest[(end + 1)...]
            guard !line.isEmpty else { return BodyPart(headers: headers, body: rest, budget) }
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
            let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
            headers.append((Array(name.utf8), HeaderParameters.trimmed(line[(colon + 1)...])))
        }
        return BodyPart(headers: headers, body: [], budget)
    }
}
