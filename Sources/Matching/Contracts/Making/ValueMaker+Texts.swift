import SDBasics
import SDFakeValues
import SDJSON
import SDOpenAPI
import SDPlatform
import SDStubModel

extension ValueMaker {
    /// The maximum length of a text generated because a schema requires that length.
    static let longestText = 200_000

    /// A text of a shape; nil if none was found.
    mutating func text(of shape: Shape, _ spot: ValueLocation) -> String? {
        let least = shape.minLength
        let most = shape.maxLength ?? .max
        guard least <= Self.longestText else {
            note(
                "The schema asks for a text of \(least) characters; the longest that is made has \(Self.longestText)",
                shape.sources.first?.place)
            return nil
        }
        guard least <= most else {
            note("The schema asks for \(least) characters and allows \(most)", shape.sources.first?.place)
            return nil
        }
        let start = spot.seed &+ wishes.seed &+ UInt64(bitPattern: Int64(spot.turn)) &* 0x9E37_79B9
        var source = FakeSource(seed: start)
        let lengths = least...most
        if let made = encoded(shape, spot, &source), fits(made, shape, lengths) { return made }
        if shape.format == "time", !schemas.isOfToday {
            // Before 3.1 `time` was undefined, and most documents mean one without a zone.
            let time = String((FormatText("time", spot)?.usual(&source) ?? "").dropLast())
            if fits(time, shape, lengths), isValid(.string(time), shape) { return time }
        }
        if let format = shape.format, let formatted = FormatText(format, spot) {
            for variant in formatted.variants(lengths, &source) where fits(variant, shape, lengths) { return variant }
        }
        if shape.patterns.isEmpty {
            // An unknown format requires nothing.
            let text = NameTexts.text(for: spot, &source)
            return Self.fitted(text, lengths, &source)
        }
        for text in candidates(spot, &source) where fits(text, shape, lengths) { return text }
        for pattern in shape.patterns {
            guard let generator = PatternText(pattern) else { continue }
            for attempt in 0..<40 {
                guard budget.spend(2_000, for: .init("pattern", pattern)) else { return nil }
                guard let text = generator.text(lengths, attempt: attempt, &source) else { break }
                if fits(text, shape, lengths) { return text }
            }
        }
        note(
            "No text was found that matches \(shape.patterns.map { "`\($0)`" }.joined(separator: " and "))"
                + " and all else that the schema says",
            shape.sources.first?.place)
        return nil
    }

    private mutating func fits(_ text: String, _ shape: Shape, _ lengths: ClosedRange<Int>) -> Bool {
        guard lengths.contains(text.unicodeScalars.count) else { return false }
        return shape.patterns.allSatisfy { matches(text, $0) }
    }

    /// Readable texts that may fit a pattern.
    private func candidates(_ spot: ValueLocation, _ source: inout FakeSource) -> [String] {
        let text = NameTexts.text(for: spot, &source)
        let word = source.word(NameTexts.plainWords)
        let other = source.word(NameTexts.plainWords)
        return [
            text, text.lowercased(), word, word.prefix(1).uppercased() + word.dropFirst(), "\(word)-\(other)",
            "\(word)_\(other)",
            word.uppercased(), "\(word.uppercased())_\(other.uppercased())", "\(word).\(other)",
            "https://example.com/\(word)", "/\(word)/\(other)",
        ]
    }

    /// A text that encodes bytes.
    private mutating func encoded(_ shape: Shape, _ spot: ValueLocation, _ source: inout FakeSource) -> String? {
        guard shape.contentEncoding != nil || shape.contentType != nil else { return nil }
        let text = NameTexts.text(for: spot, &source)
        let isJSON = shape.contentType?.contains(text: "json") == true
        if isJSON, let schema = shape.contentSchema, shape.contentEncoding ?? "base64" == "base64" {
            var inner = spot
            inner.nesting += 1
            if let value = make([schema], inner) {
                return shape.contentEncoding == nil ? value.compactText : Self.base64(value.compactText)
            }
        }
        switch shape.contentEncoding {
        case "base64"?: return Self.base64(isJSON ? "{}" : text)
        case "base64url"?: return Self.base64(text).map { $0 == "+" ? "-" : $0 == "/" ? "_" : String($0) }.joined()
        case "base16"?: return text.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        default: break
        }
        if isJSON {
            return "{\"name\":\(JSONValue.string(text).compactText)}"
        }
        return nil
    }

    static func base64(_ text: String) -> String { Base64.encode(text.utf8) }

    /// A text of a valid length: cut or extended.
    static func fitted(_ text: String, _ lengths: ClosedRange<Int>, _ source: inout FakeSource) -> String {
        var scalars = Array(text.unicodeScalars)
        if scalars.count > lengths.upperBound {
            scalars = Array(scalars.prefix(lengths.upperBound))
            // Trailing spaces are removed, unless the text would be too short.
            while scalars.last == " ", scalars.count > lengths.lowerBound { scalars.removeLast() }
        }
        while scalars.count < lengths.lowerBound {
            if lengths.lowerBound - scalars.count > 3, !scalars.isEmpty { scalars.append(" ") }
            scalars += source.word(NameTexts.plainWords).unicodeScalars.prefix(lengths.lowerBound - scalars.count)
        }
        if scalars.last == " ", let last = scalars.indices.last { scalars[last] = "a" }
        return String(String.UnicodeScalarView(scalars))
    }
}
