import SDPlatform
import SDStubModel

/// The values of secrets that are known, as they may stand elsewhere.
package struct KnownSecrets: Sendable {
    /// The shortest value that is found wherever it stands; a shorter one may be a common word.
    package static let shortest = 8
    /// The most values that are known.
    package static let most = 100_000

    private let names: SecretNames
    private(set) var values: Set<[UInt8]> = []

    package init(_ names: SecretNames) {
        self.names = names
    }

    package var isEmpty: Bool { values.isEmpty }

    /// Learns a value as it stands, and without the escapes around it and the scheme before it.
    package mutating func learn(_ value: some Sequence<UInt8>) {
        let value = Array(value)
        learn(plain: value)
        for escape in Escape.allCases {
            var inner = value
            for _ in 0..<2 {
                guard let layer = TextLayer(inner[...], escape) else { break }
                inner = layer.bytes
                learn(plain: inner)
            }
        }
    }

    /// Learns the secrets of a document.
    package mutating func learn(_ places: [SecretPlace], in document: [UInt8]) {
        for place in places where place.kind != .boolean {
            let value = document[place.range]
            if let encoding = place.encoding, let layer = TextLayer(value, encoding) {
                learn(layer.bytes)
            } else {
                learn(value)
            }
        }
    }

    /// Learns the secrets of a header.
    package mutating func learn(header name: String, _ value: String) {
        switch name.lowercased() {
        case "cookie": for pair in value.split(separator: ";") { learn(cookie: pair) }
        case "set-cookie":
            for line in value.split(separator: "\n" as Character) { learn(cookie: line.prefix { $0 != ";" }) }
        default: learn(value.utf8)
        }
    }

    /// Learns the value of a cookie. A single word of a cookie that is not named as a secret may stand anywhere.
    private mutating func learn(cookie pair: Substring) {
        guard let sign = pair.firstIndex(of: "=") else { return }
        let value = pair[pair.index(after: sign)...]
        let isWord = value.utf8.allSatisfy { (0x61...0x7A).contains($0 | 0x20) }
        let name = pair[..<sign].drop { $0 == " " }
        if !isWord || names.contains(name) { learn(value.utf8) }
    }

    private mutating func learn(plain value: [UInt8]) {
        guard value.count >= Self.shortest, values.count < Self.most, !Self.isPlaceholder(value),
            !names.isListed(value)
        else { return }
        guard values.insert(value).inserted else { return }
        // A scheme and what is behind it.
        guard let blank = value.prefix(24).firstIndex(of: 0x20), blank > 2 else { return }
        let rest = Array(value[(blank + 1)...].drop { $0 == 0x20 })
        let scheme = String(decoding: value[..<blank], as: UTF8.self).lowercased()
        guard !rest.contains(0x20), scheme.utf8.allSatisfy({ (0x61...0x7A).contains($0) }) else { return }
        learn(plain: rest)
        guard scheme == "basic", let decoded = try? Base64.decode(String(decoding: rest, as: UTF8.self)) else { return }
        learn(plain: decoded)
        if let colon = decoded.firstIndex(of: UInt8(ascii: ":")) { learn(plain: Array(decoded[(colon + 1)...])) }
    }

    /// Whether a value was hidden before.
    private static func isPlaceholder(_ value: [UInt8]) -> Bool {
        value.starts(with: "REDACTED".utf8) || value.starts(with: "(redacted)".utf8) || value.starts(with: "${".utf8)
    }
}

/// Finds known values in texts, in one pass whatever their number: as they stand, within Base64 of either alphabet, and
/// escaped.
///
/// The last eight bytes of each value are kept in a table of bits. Where the last eight bytes that were read may be among
/// them, what stands before is compared, with values of up to 32 bytes as a whole, and with the last 32 of longer ones.
package struct SecretSearch: Sendable {
    private static let longest = 32
    /// How often escapes are looked through.
    private static let deepest = 3
    /// A prime that spreads the bits of a word.
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
        /// Whether the characters before and behind it hold bits of the value.
        var isOpenBefore = false
        var isOpenBehind = false
    }

    private var bits: [UInt64] = []
    private var shift: UInt64 = 0
    /// The lengths of tails that end with eight bytes, a bit for each.
    private var lengths: [UInt64: UInt32] = [:]
    private var forms: [Tail: [Form]] = [:]
    /// The number of bytes that were compared, for tests.
    package private(set) var formCount = 0

    package init(_ known: KnownSecrets) {
        var words: [UInt64] = []
        for value in known.values {
            for form in Self.forms(of: value) {
                let tail = Tail(form.bytes.suffix(Self.longest))
                let word = Self.word(form.bytes.suffix(8))
                words.append(word)
                lengths[word, default: 0] |= 1 << UInt32(tail.count - 8)
                if forms[tail, default: []].count < 8 { forms[tail, default: []].append(form) }
                formCount += 1
            }
        }
        guard !words.isEmpty else { return }
        var size = 16
        while size < 24, 1 << size < words.count * 32 { size += 1 }
        bits = [UInt64](repeating: 0, count: 1 << (size - 6))
        shift = UInt64(64 - size)
        for word in words {
            let hash = (word &* Self.spread) >> shift
            bits[Int(hash >> 6)] |= 1 << (hash & 63)
        }
    }

    package var isEmpty: Bool { bits.isEmpty }

    private static func word(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 >> 8 | UInt64($1) << 56 }
    }

    /// A value as it stands, and the characters of Base64 that it alone decides, at each of three places.
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
    /// - Parameter contentType: the type of the document, whose charset counts.
    package func places(in document: [UInt8], contentType: String? = nil) -> [SecretPlace] {
        if isEmpty { return [] }
        guard let encoding = WideEncoding(document[...], charset: TypeOfText(contentType).charset),
            let layer = TextLayer(document[...], encoding)
        else { return Self.numbers(layered(document, 0), document).merged() }
        let places = Self.numbers(layered(layer.bytes, 0), layer.bytes)
        return places.map { place in
            var place = place.within(layer)
            place.encoding = encoding
            return place
        }.merged()
    }

    private func layered(_ text: [UInt8], _ depth: Int) -> [SecretPlace] {
        var places = found(in: text)
        guard depth < Self.deepest else { return places }
        for escape in Escape.allCases {
            guard let layer = TextLayer(text[...], escape) else { continue }
            places += layered(layer.bytes, depth + 1).map { $0.within(layer) }
        }
        return places
    }

    private func found(in text: [UInt8]) -> [SecretPlace] {
        var places: [SecretPlace] = []
        var word: UInt64 = 0
        var covered = 0
        for index in text.indices {
            word = word >> 8 | UInt64(text[index]) << 56
            let hash = (word &* Self.spread) >> shift
            guard bits[Int(hash >> 6)] & (1 << (hash & 63)) != 0, index >= 7, let mask = lengths[word],
                let range = range(in: text, endingAt: index + 1, mask, covered)
            else { continue }
            places.append(SecretPlace(range))
            covered = range.upperBound
        }
        return places
    }

    /// The place of the longest value that ends at an index, of those with the lengths of a mask.
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

    /// The places, of which one within a number of JSON takes all of it.
    private static func numbers(_ places: [SecretPlace], _ text: [UInt8]) -> [SecretPlace] {
        places.map { place in
            func isPart(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) || "+-.eE".utf8.contains(byte) }
            guard text[place.range].allSatisfy(isPart) else { return place }
            var (start, end) = (place.range.lowerBound, place.range.upperBound)
            while start > 0, isPart(text[start - 1]) { start -= 1 }
            while end < text.count, isPart(text[end]) { end += 1 }
            let before = text[..<start].last { $0 > 0x20 }
            let behind = text[end...].first { $0 > 0x20 }
            guard let before, ":[,".utf8.contains(before), let behind, ",]}".utf8.contains(behind) else { return place }
            return SecretPlace(start..<end, .number)
        }
    }
}
