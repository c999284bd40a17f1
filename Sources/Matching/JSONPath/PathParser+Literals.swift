import SDJSON
import SDRegularExpressions

extension PathParser {
    /// Reads a text, number, `true`, `false` or `null`, and in WireMock's dialect also a list or an object. Nil, with
    /// nothing consumed, for anything else.
    /// - Throws: if it is malformed.
    mutating func literal() throws(JSONPathProblem) -> JSONValue? {
        switch current {
        case "'", "\"": return .string(try quotedText())
        case "-": return .number(try number())
        case .some(let scalar) where isDigit(scalar): return .number(try number())
        case "[" where !isStrict, "{" where !isStrict: return try structure()
        default:
            for (word, value) in [("true", JSONValue.bool(true)), ("false", .bool(false)), ("null", .null)] {
                let end = next(after: word.utf8.count)
                guard end.map({ !isLowercaseLetter($0) && !isDigit($0) && $0 != "_" }) ?? true else { continue }
                if consume(word: word) { return value }
            }
            return nil
        }
    }

    private mutating func number() throws(JSONPathProblem) -> JSONNumber {
        let start = index
        let isNegative = consume("-")
        if !isStrict {
            while current == "0", let second = next(), isDigit(second) { index += 1 }
        }
        var text: String.UnicodeScalarView = isNegative ? "-".unicodeScalars : "".unicodeScalars
        while let scalar = current, isDigit(scalar) || scalar == "." || scalar == "e" || scalar == "E" {
            text.append(scalar)
            index += 1
            if scalar == "e" || scalar == "E", let sign = current, sign == "-" || sign == "+" {
                text.append(sign)
                index += 1
            }
        }
        guard let number = JSONNumber(text: String(text)) else {
            throw problem("a number", found: "`\(String(text))`", at: start)
        }
        return number
    }

    /// Reads a quoted text (RFC 9535, section 2.3.1.1). WireMock's dialect accepts control characters, and takes an
    /// unknown escape for the character itself.
    /// - Throws: if the text does not end, or the dialect rejects a part of it.
    mutating func quotedText() throws(JSONPathProblem) -> String {
        let start = index
        let quote = scalars[index]
        index += 1
        var content = String.UnicodeScalarView()
        while let scalar = current {
            if scalar == quote {
                index += 1
                return String(content)
            }
            if scalar == "\\" {
                content.append(try escape(quote))
                continue
            }
            guard !isStrict || scalar.value >= 0x20 else { throw problem("a character or an escape") }
            content.append(scalar)
            index += 1
        }
        throw problem("a string that ends with `\(quote)`", found: "one without end", at: start)
    }

    private mutating func escape(_ quote: Unicode.Scalar) throws(JSONPathProblem) -> Unicode.Scalar {
        let start = index
        index += 1
        guard let letter = current else { throw problem("an escaped character") }
        index += 1
        switch letter {
        case "b": return "\u{8}"
        case "f": return "\u{C}"
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "u": return try unicodeEscape(start)
        case "/", "\\", quote: return letter
        default:
            guard !isStrict else {
                throw problem("one of the escapes \\\(quote) \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX", at: start)
            }
            return letter
        }
    }

    private mutating func unicodeEscape(_ start: Int) throws(JSONPathProblem) -> Unicode.Scalar {
        let first = try fourHexDigits(start)
        if let scalar = Unicode.Scalar(first) { return scalar }
        let secondStart = index
        if first < 0xDC00, consume("\\"), consume("u") {
            let second = try fourHexDigits(start)
            if (0xDC00...0xDFFF).contains(second),
                let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
            {
                return scalar
            }
        }
        guard !isStrict else { throw problem("both halves of a surrogate pair", at: start) }
        index = secondStart
        return "\u{FFFD}"
    }

    private mutating func fourHexDigits(_ start: Int) throws(JSONPathProblem) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let scalar = current, let digit = Character(scalar).hexDigitValue, scalar.isASCII else {
                throw problem("four hexadecimal digits after \\u", at: start)
            }
            value = value << 4 | UInt32(digit)
            index += 1
        }
        return value
    }

    /// Reads a list or an object in a filter, in Jayway's loose JSON.
    /// - Throws: if it does not end or is malformed.
    private mutating func structure() throws(JSONPathProblem) -> JSONValue {
        let start = index
        var open = 0
        var quote: Unicode.Scalar?
        while let scalar = current {
            index += 1
            if let awaited = quote {
                if scalar == "\\" { index += 1 }
                if scalar == awaited { quote = nil }
                continue
            }
            switch scalar {
            case "'", "\"": quote = scalar
            case "[", "{": open += 1
            case "]", "}": open -= 1
            default: break
            }
            if open == 0 { break }
        }
        index = min(index, scalars.count)
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars[start..<index])
        guard open == 0, let value = LenientJSON.parse(Array(String(text).utf8)[...]) else {
            throw problem("a list or an object that ends", at: start)
        }
        return value
    }

    /// Reads `/expression/flags` with the flags of Java's Pattern that WireMock knows.
    /// - Throws: if it does not end, has an unknown flag, or does not compile.
    mutating func regexLiteral() throws(JSONPathProblem) -> JavaRegex {
        let start = index
        index += 1
        var pattern = String.UnicodeScalarView()
        while let scalar = current, scalar != "/" {
            pattern.append(scalar)
            index += 1
            if scalar == "\\", let escaped = current {
                pattern.append(escaped)
                index += 1
            }
        }
        guard consume("/") else {
            throw problem("a regular expression that ends with `/`", found: "one without end", at: start)
        }
        var options: JavaRegex.Options = .dotStopsAtLineEnds
        var inline = ""
        while let scalar = current, "idmsuxU".unicodeScalars.contains(scalar) {
            switch scalar {
            case "i": options.insert(.ignoringCase)
            case "s": options.remove(.dotStopsAtLineEnds)
            default: inline.unicodeScalars.append(scalar)
            }
            index += 1
        }
        let prefix = inline.isEmpty ? "" : "(?\(inline))"
        do throws(RegexProblem) {
            return try JavaRegex(prefix + String(pattern), options)
        } catch {
            let inside = max(0, error.offset - prefix.unicodeScalars.count)
            throw problem(
                "a regular expression", found: "an invalid one (\(error.reason))",
                at: min(start + 1 + inside, index))
        }
    }
}
