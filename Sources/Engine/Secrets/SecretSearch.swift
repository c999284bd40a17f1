import SDStubModel

/// Finds known values in texts, in one pass whatever their number: as written, in Base64 of either alphabet, and
/// escaped.
///
/// A bit table holds the last eight bytes of each value. On a hit, the preceding bytes are compared: with values of up
/// to 32 bytes as a whole, and with the last 32 bytes of longer ones.
package struct SecretSearch: Sendable {
    private static let longest = 32
    /// The deepest nesting of escapes that is searched.
    private static let deepest = 3
    /// A multiplier that spreads the bits of a word.
    private static let spread: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// The last bytes of a value, at most 32.
    private struct Tail: Hashable, Sendable {
        var words: SIMD4<UInt64> = .zero
        let count: Int

        init(_ bytes: ArraySlice<UInt8>) {
            count = bytes.count
            var (index, shift) = (0, UInt64(0))
            for byte in bytes {
                words[index] |= UInt64(byte) << shift
                shift += 8
                if shift == 64 { (index, shift) = (index + 1, 0) }
            }
        }
    }

    /// A value with that tail.
    private struct Form: Sendable {
        let bytes: [UInt8]
        /// Whether the adjacent characters contain bits of the value.
        var isOpenBefore = false
        var isOpenBehind = false
    }

    private var bits: [UInt64] = []
    private var shift: UInt64 = 0
    /// The lengths of tails with the same last eight bytes, as a bit mask.
    private var lengths: [UInt64: UInt32] = [:]
    private var forms: [Tail: [Form]] = [:]
    /// The number of values added so far.
    private var count = 0

    package init(_ known: KnownSecrets) {
        add(known)
    }

    /// Adds the values that became known since the last call.
    package mutating func add(_ known: KnownSecrets) {
        for value in known.values[count...] {
            for form in Self.forms(of: value) {
                let tail = Tail(form.bytes.suffix(Self.longest))
                let word = Self.word(form.bytes.suffix(8))
                lengths[word, default: 0] |= 1 << UInt32(tail.count - 8)
                if forms[tail, default: []].count < 8 { forms[tail, default: []].append(form) }
                if !bits.isEmpty { mark(word) }
            }
        }
        count = known.values.count
        guard count > 0, bits.isEmpty || lengths.count > bits.count * 4, bits.count < 1 << 18 else { return }
        var size = 16
        while size < 24, 1 << size < lengths.count * 32 { size += 1 }
        bits = [UInt64](repeating: 0, count: 1 << (size - 6))
        shift = UInt64(64 - size)
        for word in lengths.keys { mark(word) }
    }

    private mutating func mark(_ word: UInt64) {
        let hash = (word &* Self.spread) >> shift
        bits[Int(hash >> 6)] |= 1 << (hash & 63)
    }

    package var isEmpty: Bool { bits.isEmpty }

    private static func word(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 >> 8 | UInt64($1) << 56 }
    }

    /// A value as written, and the Base64 characters that depend on it alone, at each of the three alignments.
    private static func forms(of value: [UInt8]) -> [Form] {
        var forms = [Form(bytes: value)]
        for offset in 0..<3 {
            let whole = Array(Base64.encode([UInt8](repeating: 0, count: offset) + value).utf8)
            let start = [0, 2, 3][offset]
            let bitCount = (value.count + offset) * 8
            let inner = Array(whole[start..<(bitCount / 6)])
            let form = Form(bytes: inner, isOpenBefore: offset > 0, isOpenBehind: bitCount % 6 > 0)
            forms.append(form)
            let other = inner.map {
                $0 == UInt8(ascii: "+") ? UInt8(ascii: "-") : $0 == UInt8(ascii: "/") ? UInt8(ascii: "_") : $0
            }
            if other != inner {
                forms.append(Form(bytes: other, isOpenBefore: form.isOpenBefore, isOpenBehind: form.isOpenBehind))
            }
        }
        return forms
    }

    /// The places of known values, in order.
    /// - Parameter contentType: the type of the document, whose charset is used.
    package func places(in document: [UInt8], contentType: String? = nil) -> [SecretLocation] {
        if isEmpty { return [] }
        let plain = places(plain: document)
        guard let encoding = WideEncoding(document[...], charset: TypeOfText(contentType).charset),
            let layer = TextLayer(document[...], encoding)
        else { return plain.merged() }
        let wide = places(plain: layer.bytes).map { place in
            var place = place.within(layer)
            place.encoding = encoding
            return place
        }
        return wide.joined(withBytes: plain, in: document).merged()
    }

    private func places(plain text: [UInt8]) -> [SecretLocation] {
        var left = text.count.multipliedReportingOverflow(by: 8).partialValue + 64 << 10
        let depth = SecretReading.isBinary(text) ? Self.deepest : 0
        return Self.numbers(layered(text, depth, &left), text)
    }

    private func layered(_ text: [UInt8], _ depth: Int, _ left: inout Int) -> [SecretLocation] {
        left -= text.count
        var places = found(in: text)
        guard depth < Self.deepest else { return places }
        for escape in Escape.allCases {
            guard left > 0, let layer = TextLayer(text[...], escape) else { continue }
            places += layered(layer.bytes, depth + 1, &left).map { $0.within(layer) }
        }
        return places
    }

    private func found(in text: [UInt8]) -> [SecretLocation] {
        var places: [SecretLocation] = []
        var word: UInt64 = 0
        var covered = 0
        for (index, byte) in text.enumerated() {
            word = word >> 8 | UInt64(byte) << 56
            let hash = (word &* Self.spread) >> shift
            guard bits[Int(hash >> 6)] & (1 << (hash & 63)) != 0, index >= 7, let mask = lengths[word],
                let range = range(in: text, endingAt: index + 1, mask, covered)
            else { continue }
            places.append(SecretLocation(range))
            covered = range.upperBound
        }
        return places
    }

    /// The range of the longest value that ends at an index, among those with lengths in a mask.
    private func range(in text: [UInt8], endingAt end: Int, _ mask: UInt32, _ covered: Int) -> Range<Int>? {
        for count in stride(from: Self.longest, through: 8, by: -1)
        where mask & 1 << UInt32(count - 8) != 0 && count <= end {
            guard let forms = forms[Tail(text[(end - count)..<end])] else { continue }
            var start = end - count
            var last = end
            for form in forms {
                var place = end - count
                var index = form.bytes.count - count
                while index > 0, place > covered, text[place - 1] == form.bytes[index - 1] {
                    place -= 1
                    index -= 1
                }
                if form.isOpenBefore, index == 0, place > 0, Self.isBase64(text[place - 1]) { place -= 1 }
                start = min(start, place)
                if form.isOpenBehind, end < text.count, Self.isBase64(text[end]) { last = end + 1 }
            }
            return start..<last
        }
        return nil
    }

    private static func isBase64(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2F, 0x2D, 0x5F: true
        default: false
        }
    }

    /// The places, each extended to the whole JSON number that contains it.
    private static func numbers(_ places: [SecretLocation], _ text: [UInt8]) -> [SecretLocation] {
        places.map { place in
            func isPart(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) || "+-.eE".utf8.contains(byte) }
            guard text[place.range].allSatisfy(isPart) else { return place }
            var (start, end) = (place.range.lowerBound, place.range.upperBound)
            while start > 0, isPart(text[start - 1]) { start -= 1 }
            while end < text.count, isPart(text[end]) { end += 1 }
            let before = text[..<start].last { $0 > 0x20 }
            let behind = text[end...].first { $0 > 0x20 }
            guard let before, ":[,".utf8.contains(before), let behind, ",]}".utf8.contains(behind) else { return place }
            return SecretLocation(start..<end, .number)
        }
    }
}
