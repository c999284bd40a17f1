import SDBasics
import SDJSON

/// Translates a failure of libyaml into plain words.
///
/// libyaml names the grammar rule that failed. An author needs to know what is there, where the construct started, and
/// what belongs there.
struct YAMLFailure {
    /// libyaml's message, such as `did not find expected key`.
    let problem: String
    /// libyaml's context, such as `while parsing a block mapping`.
    let context: String?
    let place: TextPosition
    /// The position at which the context starts.
    let start: TextPosition?
    /// The range of the quoted text directly before the failure.
    let quoted: (start: TextPosition, end: TextPosition)?
    let bytes: [UInt8]

    /// The failure as a plain error.
    var error: YAMLError {
        if let error = quotes ?? brackets ?? block ?? character ?? property { return error }
        let begun = start.map { ", begun in \($0.words)" } ?? ""
        return says(place, [context, problem].compactMap { $0 }.joined(separator: ", ") + begun)
    }

    /// The error for bytes that are not text.
    static func unreadable(_ problem: String, at place: TextPosition, in bytes: [UInt8]) -> YAMLError {
        guard problem == "control characters are not allowed" else {
            let byte = place.offset < bytes.count ? "the byte \(TextPosition.hex(bytes[place.offset]))" : "the text"
            return YAMLError(position: place, message: "\(byte) is not UTF-8", expected: "the file in UTF-8")
        }
        let character = TextPosition.character(at: place.offset, in: bytes)?.value ?? 0
        let code = String(character, radix: 16, uppercase: true)
        let digits = String(repeating: "0", count: max(0, 4 - code.count)) + code
        return YAMLError(
            position: place, message: "the control character U+\(digits) is not allowed",
            expected: "it as \\u\(digits) within double quotes")
    }

    // MARK: - Quotes

    private var quotes: YAMLError? {
        guard let start, context == "while scanning a quoted scalar" || context == "while parsing a quoted scalar"
        else { return nil }
        let quote = TextPosition.character(at: start.offset, in: bytes).map(String.init) ?? "\""
        switch problem {
        case "found unexpected end of stream", "found unexpected document indicator":
            return says(
                start, "the quote \(quote) that opens here is never closed", expected: "a closing \(quote)",
                found: problem.hasSuffix("stream") ? "the end of the text" : "a new document in line \(place.line)")
        case "found unknown escape character":
            let letter = character(at: place, after: 1) ?? ""
            return says(
                place, "\\\(letter) is not a valid escape in double quotes",
                expected: "\\\\ for a backslash, one of \\\" \\/ \\n \\r \\t \\xXX \\uXXXX, "
                    + "or single quotes, in which a backslash is literal")
        case "did not find expected hexdecimal number":
            return says(
                place, "missing hexadecimal digits in an escape",
                expected: "two of them after \\x, four after \\u, eight after \\U")
        case "found invalid Unicode character escape code":
            return says(
                place, "the escape does not denote a character",
                expected: "a Unicode character; where JSON has two escapes, write one \\U with eight digits")
        default: return nil
        }
    }

    // MARK: - Brackets

    private var brackets: YAMLError? {
        let open: String
        let close: String
        let kind: String
        switch problem {
        case "did not find expected ',' or ']'": (open, close, kind) = ("[", "]", "list")
        case "did not find expected ',' or '}'": (open, close, kind) = ("{", "}", "mapping")
        case "did not find expected node content":
            return says(place, "a value is missing", expected: "a value", found: found)
        default: return nil
        }
        guard let start else { return nil }
        let expected = "\",\" or \"\(close)\""
        if place.offset >= bytes.count {
            return says(
                start, "the \(kind) that \"\(open)\" opens here is never closed", expected: expected, found: found)
        }
        return says(
            place, "the \(kind) that \"\(open)\" opens in \(start.words) is not closed before this place",
            expected: expected, found: found)
    }

    // MARK: - Indentation

    private var block: YAMLError? {
        switch problem {
        case "could not find expected ':'":
            let start = start ?? place
            return says(start, "a key without \":\" after it", expected: "\"key: value\"", found: line(from: start))
        case "mapping values are not allowed in this context":
            if let bracket = unblankedBracket {
                return says(
                    bracket, "missing space after \":\"",
                    expected: "a space between the colon of a key and its value")
            }
            if textBefore(place).contains(text: ": ") {
                return says(
                    place, "a second \": \" in one line", expected: "quotes around a string that contains \": \"")
            }
            return belowValue(firstOfLine(place))
        case "did not find expected key": return behindValue ?? indentation
        case "did not find expected '-' indicator":
            return behindValue
                ?? says(
                    place, "a line without \"- \" among the elements of a list",
                    expected: start.map { "\"- \" as in line \($0.line), or another indentation" }, found: found)
        case "block sequence entries are not allowed in this context":
            return says(
                place, "a list cannot begin on the line of its key",
                expected: "\"- \" on the next line, or the list in brackets: [a, b]")
        case "mapping keys are not allowed in this context":
            return says(place, "\"? \" begins a key, which is not allowed here", expected: "quotes around the string")
        case "found an indentation indicator equal to 0":
            return says(place, "a block cannot be indented by 0", expected: "a digit from 1 to 9, or none")
        case "did not find expected comment or line break" where context == "while scanning a block scalar":
            return says(
                place, "text after the indicator that begins a block", expected: "the text on the lines below it",
                found: found)
        case "did not find expected <document start>":
            return says(
                place, "content after the end of the document", expected: "the end of the text", found: found)
        default: return nil
        }
    }

    /// An opening bracket directly after a colon, before any colon with a space.
    private var unblankedBracket: TextPosition? {
        let line = firstOfLine(place)
        let text = bytes[line.offset..<min(place.offset, bytes.count)]
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")), colon + 1 < text.endIndex,
            [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(text[colon + 1])
        else { return nil }
        let before = String(decoding: text[...colon], as: UTF8.self).count
        return TextPosition(line: line.line, column: line.column + before, offset: colon + 1)
    }

    /// The error for a line whose indentation matches no line around it.
    private var indentation: YAMLError {
        guard let start else { return says(place, "the indentation matches none of the lines above") }
        let outer = "column \(start.column) as in line \(start.line)"
        guard let previous = firstOfPreviousLine else {
            return says(place, "the indentation matches none of the lines above", expected: outer)
        }
        if previous.column == start.column, previous.column < place.column { return belowValue(place) }
        let inner = previous.column == start.column ? "" : "column \(previous.column) as in line \(previous.line), or "
        return says(
            place, "the indentation matches none of the lines above", expected: inner + outer,
            found: "column \(place.column)")
    }

    private func belowValue(_ start: TextPosition) -> YAMLError {
        says(
            start, "a key is indented below a line that has a value already",
            expected: "the column of the keys beside it, or no value in the line above", found: line(from: start))
    }

    /// The error for text that follows a complete value on its line.
    private var behindValue: YAMLError? {
        if let quoted, quoted.end.line == place.line {
            let quote = TextPosition.character(at: quoted.start.offset, in: bytes).map(String.init) ?? "\""
            if quoted.start.line < quoted.end.line {
                return says(
                    quoted.start,
                    "the quote \(quote) that opens here is closed only in \(quoted.end.words), "
                        + "before more text", expected: "a closing \(quote) in its line")
            }
            return says(
                place, "text after the closing \(quote)",
                expected: quote == "'"
                    ? "'' for a quote within single quotes" : "\\\" for a quote within double quotes",
                found: found)
        }
        guard !textBefore(place).allSatisfy({ $0 == " " || $0 == "\t" }) else { return nil }
        return says(place, "content after the end of a value", expected: "the end of the line", found: found)
    }

    // MARK: - Characters

    private var character: YAMLError? {
        switch problem {
        case "found a tab character that violates indentation",
            "found a tab character where an indentation space is expected":
            return tab
        case "found character that cannot start any token":
            let character = character(at: place, after: 0) ?? ""
            if character == "\t" { return tab }
            return says(place, "a string cannot begin with \(character)", expected: "quotes around it")
        case "found unexpected ':'":
            return says(
                place, "a \":\" within a string", expected: "a space after it, or quotes around the string")
        default: return nil
        }
    }

    private var tab: YAMLError {
        says(place, "a tab cannot indent a line", expected: "spaces")
    }

    // MARK: - Anchors, tags, directives

    private var property: YAMLError? {
        let start = start ?? place
        switch context {
        case "while scanning an anchor", "while scanning an alias":
            let (sign, kind) = context == "while scanning an alias" ? ("*", "an alias") : ("&", "an anchor")
            return says(
                start, "\(sign) begins \(kind), but no name follows",
                expected: "a name of letters, digits, - and _, or quotes around a string that begins with \(sign)")
        case "while scanning a tag", "while parsing a tag":
            return says(
                start, "! begins a tag, and this is not one", expected: "quotes around a string that begins with !")
        default: break
        }
        switch problem {
        case "found undefined tag handle":
            return says(
                place, "the prefix of the tag is not defined", expected: "quotes around a string that begins with !")
        case "found incompatible YAML document":
            return says(
                place, "unsupported version of YAML", expected: "%YAML 1.1 or %YAML 1.2, or no such line")
        case _ where context?.hasSuffix("directive") == true:
            return says(
                start, "% at the start of a line begins a directive, and this is not one",
                expected: "quotes around a string that begins with %")
        default: return nil
        }
    }

    // MARK: - Text

    private func says(
        _ position: TextPosition, _ message: String, expected: String? = nil, found: String? = nil
    ) -> YAMLError {
        YAMLError(position: position, message: message, expected: expected, found: found)
    }

    private var found: String { TextPosition.description(of: place.offset, in: bytes) }

    private func character(at position: TextPosition, after distance: Int) -> String? {
        TextPosition.character(at: position.offset + distance, in: bytes).map(String.init)
    }

    /// The part of the line before `position`.
    private func textBefore(_ position: TextPosition) -> Substring {
        let before = bytes.prefix(position.offset)
        let start = before.lastIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }.map { $0 + 1 } ?? 0
        return Substring(decoding: before[start...], as: UTF8.self)
    }

    private func firstOfLine(_ position: TextPosition) -> TextPosition {
        let text = textBefore(position)
        let start = text.prefix { $0 == " " || $0 == "\t" }
        return TextPosition(
            line: position.line, column: start.count + 1,
            offset: position.offset - text.utf8.count + start.utf8.count)
    }

    /// The position of the last non-blank line before `place`.
    private var firstOfPreviousLine: TextPosition? {
        let lines = LineIndex(bytes)
        for number in stride(from: place.line - 1, to: max(0, place.line - 1_000), by: -1) {
            let start = lines.position(line: number, column: 1)
            let rest = bytes[start.offset...]
            let text = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            guard let first = text.first, ![UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "#")].contains(first)
            else { continue }
            return lines.position(of: text.startIndex)
        }
        return nil
    }

    /// The line from `position`, shortened.
    private func line(from position: TextPosition) -> String {
        let rest = bytes.dropFirst(position.offset).prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        let text = String(decoding: rest.prefix(60), as: UTF8.self)
        return JSONValue.string(text).compactText
    }
}
