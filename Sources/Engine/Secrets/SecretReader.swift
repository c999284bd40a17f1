/// Finds secrets in documents by their names: JSON, forms, URLs, multipart bodies, XML, event streams, and texts that
/// contain any of these, also nested and escaped. Invalid documents are searched for names with values.
package struct SecretReader: Sendable {
    package let names: SecretNames

    package init(_ names: SecretNames) {
        self.names = names
    }

    /// The secrets of a document, in order, without nesting.
    /// - Parameter contentType: its type, whose charset and boundary are used; nil if unknown.
    package func places(in document: [UInt8], contentType: String? = nil) -> [SecretLocation] {
        SecretReading(names).places(in: document, contentType: contentType)
    }
}

/// Reads several documents in turn, and caches the judgement of names.
package final class SecretReading {
    /// The deepest nesting of documents.
    private static let deepest = 12
    /// The number of bytes that decide whether a document is text.
    private static let sample = 4_096
    private static let maxKnown = 16_384

    package let names: SecretNames
    /// The number of bytes read so far, counting repetitions.
    package private(set) var work = 0
    /// The number of bytes of nested escapes that may still be read: each escape may contain the whole text again.
    private var left = 0
    /// Cached results for names, because documents repeat them.
    private var known: [ArraySlice<UInt8>: Bool] = [:]

    package init(_ names: SecretNames) {
        self.names = names
    }

    /// The secrets of a document, in order, without nesting.
    /// - Parameter contentType: its type, whose charset and boundary are used; nil if unknown.
    package func places(in document: [UInt8], contentType: String? = nil) -> [SecretLocation] {
        guard Self.mayHaveNames(document[...]) else { return [] }
        left = document.count.multipliedReportingOverflow(by: 8).partialValue + 64 << 10
        return self.document(document, TypeOfText(contentType)).merged()
    }

    /// The secrets of a header's value: all of it, the value of a set cookie, or the secrets within it.
    package func places(inHeader name: String, _ value: [UInt8]) -> [SecretLocation] {
        guard isSecret(name) else { return places(in: value) }
        guard name.lowercased() == "set-cookie" else {
            return [SecretLocation(value.indices)].filter { !$0.range.isEmpty }
        }
        // HTTP Archives join several in one text, one per line.
        return value.indices.split { value[$0] == 0x0A }.compactMap { line in
            let pair = line.prefix { value[$0] != UInt8(ascii: ";") }
            guard let sign = pair.first(where: { value[$0] == UInt8(ascii: "=") }), sign + 1 < pair.endIndex else {
                return nil
            }
            return SecretLocation((sign + 1)..<pair.endIndex)
        }
    }

    /// Whether a name is a secret's.
    package func isSecret(_ name: String) -> Bool { isSecret(Array(name.utf8)[...]) }

    private func isSecret(_ name: ArraySlice<UInt8>) -> Bool {
        guard name.count <= 128 else { return false }
        if let answer = known[name] { return answer }
        let answer = names.contains(utf8: name)
        if known.count < Self.maxKnown { known[ArraySlice(Array(name))] = answer }
        return answer
    }

    private func document(_ bytes: [UInt8], _ type: TypeOfText, _ depth: Int = 0) -> [SecretLocation] {
        guard let encoding = WideEncoding(bytes[...], charset: type.charset),
            let layer = TextLayer(bytes[...], encoding)
        else { return text(bytes, type, depth) }
        let wide = text(layer.bytes, type, depth + 1).map { place in
            var place = place.within(layer)
            place.encoding = encoding
            return place
        }
        return wide.joined(withBytes: text(bytes, type, depth + 1), in: bytes)
    }

    /// Whether the beginning of a document is mostly not ASCII or UTF-8 text.
    static func isBinary(_ document: [UInt8]) -> Bool {
        let sample = document.prefix(Self.sample)
        var odd = 0
        var (index, end) = (sample.startIndex, sample.endIndex)
        while index < end {
            let byte = sample[index]
            index += 1
            switch byte {
            case 0x09, 0x0A, 0x0D, 0x20..<0x7F: break
            case 0xC2..<0xF5:
                let count = byte < 0xE0 ? 1 : byte < 0xF0 ? 2 : 3
                let rest = sample[index..<min(index + count, end)]
                if rest.allSatisfy({ $0 & 0xC0 == 0x80 }) { index += rest.count } else { odd += 1 }
            default: odd += 1
            }
        }
        return odd * 3 > sample.count
    }

    private func count(_ bytes: Int) {
        left -= bytes
        work += bytes
    }

    private func text(_ text: [UInt8], _ type: TypeOfText, _ depth: Int) -> [SecretLocation] {
        guard depth < Self.deepest, left > 0, Self.mayHaveNames(text[...]) else { return [] }
        count(text.count)
        if depth < 2, Self.isBinary(text) { return pairs(text, .bytes) }
        let start = text.firstIndex { $0 > 0x20 && $0 != 0xEF && $0 != 0xBB && $0 != 0xBF } ?? text.count
        guard start < text.count else { return [] }
        if "{[\"".utf8.contains(text[start]) {
            let json = self.json(text, depth)
            count(json.ahead)
            if json.end >= text.count { return json.places }
            return json.places
                + part(text, json.end..<text.count) { self.anything($0, depth, type.style, mayBeCut: true) }
        }
        if type.style == .code { return anything(text, depth, .code) }
        if let boundary = type.boundary ?? MultipartPart.boundary(text) {
            let parts = MultipartPart.parts(of: text, boundary)
            if !parts.isEmpty { return parts.flatMap { self.places(of: $0, text, depth) } }
        }
        if type.isEventStream || EventRanges.isStream(text[start...]) {
            return eventStream(text, depth)
        }
        // Clients such as curl send any data as a form by default, including XML and lines of text.
        if type.isForm, text[start] == UInt8(ascii: "<") { return anything(text, depth, .plain) }
        if type.isForm {
            let fields = form(text, text.indices, depth, isTyped: true)
            return Self.hasBlanks(text) ? fields + anything(text, depth, .plain) : fields
        }
        if text.allSatisfy({ $0 > 0x20 && !"\"<>{}".utf8.contains($0) }) {
            if text[0] == UInt8(ascii: "/") || isURL(text) { return url(text, depth) }
            let head = text.prefix { $0 != UInt8(ascii: "=") }
            if head.count < text.count, head.allSatisfy(PairSecrets.isName) {
                return form(text, text.indices, depth, isTyped: false)
            }
        }
        return anything(text, depth, type.style)
    }

    /// Searches a text only for names with values.
    private func pairs(_ text: [UInt8], _ style: PairSecrets.Style = .plain, mayBeCut: Bool = true) -> [SecretLocation]
    {
        let pairs = PairSecrets(text, style, mayBeCut: mayBeCut, isSecret: isSecret)
        count(pairs.work)
        return pairs.places
    }

    /// Whether there is any sign between a name and a value, an escape, or a list.
    private static func mayHaveNames(_ text: ArraySlice<UInt8>) -> Bool {
        text.contains { byte in
            switch byte {
            case 0x3A, 0x3D, 0x3C, 0x25, 0x26, 0x40, 0x5B: true
            default: false
            }
        }
    }

    private func part(_ text: [UInt8], _ range: Range<Int>, _ read: ([UInt8]) -> [SecretLocation]) -> [SecretLocation] {
        read(Array(text[range])).map { $0.moved(by: range.lowerBound) }
    }

    // MARK: Kinds

    private func json(
        _ text: [UInt8], from start: Int? = nil, isWhole: Bool = false, _ depth: Int
    ) -> JSONSecrets {
        JSONSecrets(text, from: start, isWhole: isWhole, isSecret: isSecret, isListed: names.isListed) { range in
            guard Self.mayHaveNames(text[range]) else { return [] }
            if let layer = TextLayer(text[range], .backslash) {
                return self.text(layer.bytes, TypeOfText(nil), depth + 1).map { $0.within(layer) }
            }
            return self.part(text, range) { self.text($0, TypeOfText(nil), depth + 1) }
        }
    }

    /// The valid JSON documents in a text, such as a line of a log.
    private func documents(in text: [UInt8], _ depth: Int) -> [(range: Range<Int>, places: [SecretLocation])] {
        var found: [(range: Range<Int>, places: [SecretLocation])] = []
        var index = 0
        while left > 0,
            let start = text[index...].firstIndex(where: { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "[") })
        {
            index = start + 1
            guard let next = text[index...].first(where: { $0 > 0x20 }), "\"{[".utf8.contains(next) else { continue }
            let json = json(text, from: start, depth)
            count(json.index - start + json.ahead)
            guard json.end > start else { continue }
            found.append((start..<json.end, json.places))
            index = json.end
        }
        return found
    }

    /// Searches a text of unknown kind, or an invalid one, including escaped text in it.
    /// - Parameters:
    ///   - mayBeCut: whether lists and objects may be cut off at its end, even in escaped text.
    ///   - isLayer: whether it was unescaped from backslashes, so that its quotes may be unbalanced.
    private func anything(
        _ text: [UInt8], _ depth: Int, _ style: PairSecrets.Style, mayBeCut: Bool = false, isLayer: Bool = false
    ) -> [SecretLocation] {
        if text.first(where: { $0 > 0x20 && $0 < 0x80 }) == UInt8(ascii: "<"), text.contains(UInt8(ascii: ">")) {
            return markup(text, depth)
        }
        var places = pairs(text, style, mayBeCut: mayBeCut || !isLayer)
        if text.contains(UInt8(ascii: "<")) {
            count(text.count)
            places += MarkupSecrets(text, isMarkup: false, isSecret: isSecret).places
        }
        guard depth + 1 < Self.deepest, left > 0,
            text.contains(where: { "\\%&".utf8.contains($0) }) || Self.hasListOfLists(text)
        else {
            return places
        }
        // Escaped text within a document belongs to that alone.
        var start = 0
        for (range, inner) in documents(in: text, depth) + [(text.count..<text.count, [])] {
            places += inner
            places += escaped(text[start..<range.lowerBound], depth, style, mayBeCut)
            start = range.upperBound
        }
        return places
    }

    /// Whether a list of lists starts anywhere; its pairs have no sign between name and value.
    private static func hasListOfLists(_ text: [UInt8]) -> Bool {
        var isOpen = false
        for byte in text where byte > 0x20 {
            let opens = byte == UInt8(ascii: "[")
            if opens, isOpen { return true }
            isOpen = opens
        }
        return false
    }

    /// Searches the escaped text in a text.
    private func escaped(
        _ text: ArraySlice<UInt8>, _ depth: Int, _ style: PairSecrets.Style, _ mayBeCut: Bool
    ) -> [SecretLocation] {
        var places: [SecretLocation] = []
        for escape in Escape.allCases where left > 0 {
            // A plus alone is no escape.
            guard escape != .percent || text.contains(UInt8(ascii: "%")) else { continue }
            guard let layer = TextLayer(text, escape) else { continue }
            places += anything(
                layer.bytes, depth + 1, style, mayBeCut: mayBeCut, isLayer: escape == .backslash
            ).map { $0.within(layer) }
        }
        return places
    }

    /// Searches XML or HTML, and each text and attribute in it.
    private func markup(_ text: [UInt8], _ depth: Int) -> [SecretLocation] {
        count(text.count)
        let markup = MarkupSecrets(text, isMarkup: true, isSecret: isSecret)
        var places = markup.places
        for tag in markup.tags where Self.mayHaveNames(text[tag]) { places += part(text, tag) { pairs($0) } }
        var type = TypeOfText(nil)
        type.style = .code
        for range in markup.codes { places += part(text, range) { self.text($0, type, depth + 1) } }
        type.style = .prose
        for range in markup.texts where Self.mayHaveNames(text[range]) {
            if let layer = TextLayer(text[range], .entity) {
                places += self.text(layer.bytes, type, depth + 1).map { $0.within(layer) }
            } else {
                places += part(text, range) { self.text($0, type, depth + 1) }
            }
        }
        return places
    }

    private func isURL(_ text: [UInt8]) -> Bool {
        let scheme = text.prefix(32).prefix { (0x61...0x7A).contains($0 | 0x20) || "+.-".utf8.contains($0) }
        return !scheme.isEmpty && text[scheme.endIndex...].starts(with: "://".utf8)
    }

    /// Parses a URL or a request target: the parameters of its query, and any in its path and fragment.
    private func url(_ text: [UInt8], _ depth: Int) -> [SecretLocation] {
        let fragment = text.firstIndex(of: UInt8(ascii: "#")) ?? text.count
        let query = text[..<fragment].firstIndex(of: UInt8(ascii: "?")) ?? fragment
        var places = part(text, 0..<query) { anything($0, depth, .plain) }
        if query < fragment { places += form(text, (query + 1)..<fragment, depth, isTyped: false) }
        if fragment < text.count {
            places += part(text, (fragment + 1)..<text.count) { self.text($0, TypeOfText(nil), depth + 1) }
        }
        return places
    }

    /// Parses the fields of a form or query.
    /// - Parameter isTyped: whether it is known to be a form, in which semicolons are not separators.
    private func form(_ text: [UInt8], _ range: Range<Int>, _ depth: Int, isTyped: Bool) -> [SecretLocation] {
        var places: [SecretLocation] = []
        var start = range.lowerBound
        while start < range.upperBound {
            let end = fieldEnd(text, start..<range.upperBound, isTyped)
            let sign = text[start..<end].firstIndex(of: UInt8(ascii: "=")) ?? end
            if sign < end {
                let value = (sign + 1)..<end
                if isSecret(text[start..<sign]) {
                    places.append(SecretLocation(value))
                } else if let layer = TextLayer(text[value], .percent) {
                    places += self.text(layer.bytes, TypeOfText(nil), depth + 1).map { $0.within(layer) }
                } else {
                    places += part(text, value) { self.text($0, TypeOfText(nil), depth + 1) }
                }
            }
            start = end + 1
        }
        return places
    }

    /// Whether a text has white space, which a form encodes.
    private static func hasBlanks(_ text: [UInt8]) -> Bool { text.contains { $0 <= 0x20 } }

    private func fieldEnd(_ text: [UInt8], _ range: Range<Int>, _ isTyped: Bool) -> Int {
        var index = range.lowerBound
        while index < range.upperBound, text[index] != UInt8(ascii: "&") {
            if text[index] == UInt8(ascii: ";"), !isTyped {
                let next = text[(index + 1)..<range.upperBound].prefix(128).prefix { !"&;#".utf8.contains($0) }
                if next.contains(UInt8(ascii: "=")) { break }
            }
            index += 1
        }
        return index
    }

    private func places(of part: MultipartPart, _ text: [UInt8], _ depth: Int) -> [SecretLocation] {
        var places = self.part(text, part.head) { pairs($0) }
        guard !part.body.isEmpty else { return places }
        guard let name = part.name, isSecret(name[...]) else {
            return places
                + self.part(text, part.body) { self.document($0, TypeOfText(part.contentType), depth + 1) }
        }
        let body = Array(text[part.body])
        let json = json(body, isWhole: true, depth + 1)
        let isDocument = json.end == body.count && body.contains { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "[") }
        places += isDocument ? json.places.map { $0.moved(by: part.body.lowerBound) } : [SecretLocation(part.body)]
        return places
    }

    private func eventStream(_ text: [UInt8], _ depth: Int) -> [SecretLocation] {
        var places: [SecretLocation] = []
        for event in EventRanges.events(text) {
            if !event.data.isEmpty {
                let layer = TextLayer(text, pieces: event.data)
                places += self.text(layer.bytes, TypeOfText(nil), depth + 1).map { $0.within(layer) }
            }
            for line in event.others { places += part(text, line) { anything($0, depth, .plain) } }
        }
        return places
    }
}
