import SDPlatform

/// Handlebars' text helpers. Most take the text as first parameter, and return null for an empty one.
enum TextHelpers {
    static let table: [String: Helper] = [
        "capitalizeFirst": onText { text, _ in
            text.unicodeScalars.first.map { String(titleCase($0)) + String(text.unicodeScalars.dropFirst()) } ?? ""
        },
        "capitalize": onText { text, call in capitalized(text, fully: call.isSet("fully")) },
        "lower": onText { text, _ in lowercased(text) },
        "upper": onText { text, _ in text.uppercased() },
        "center": onText { text, call throws(RenderError) in try padded(text, call, .center) },
        "ljust": onText { text, call throws(RenderError) in try padded(text, call, .left) },
        "rjust": onText { text, call throws(RenderError) in try padded(text, call, .right) },
        "cut": { call throws(RenderError) in
            guard call.subject.isTrue else { return .text("") }
            let part = call.parameters.count > 1 ? call.parameter(1).text : " "
            return .text(part.isEmpty ? call.subject.text : try replaced(call.subject.text, part, with: "", call))
        },
        "defaultIfEmpty": { call throws(RenderError) in
            let value = call.subject
            return value.isTrue ? value : call.parameter(1)
        },
        "join": join,
        "substring": onText { text, call throws(RenderError) in try substring(text, call) },
        "slugify": onText { text, _ in slug(text) },
        "stripTags": onText { text, _ in stripTags(text) },
        "abbreviate": onText { text, call throws(RenderError) in try abbreviated(text, call) },
        "wordWrap": onText { text, call throws(RenderError) in try wrapped(text, call) },
        "replace": onText { text, call throws(RenderError) in
            try replaced(text, call.parameter(1).text, with: call.parameter(2).text, call)
        },
        "yesno": yesNo,
        "trim": { call throws(RenderError) in .text(trimmed(try input(call))) },
        "assign": { call throws(RenderError) in
            let name = call.parameter(0).text
            call.renderer.store(.text(trimmed(try call.blockText())), as: name)
            return .null
        },
        "stringFormat": onText { text, call throws(RenderError) in
            try JavaFormatter.text(text, Array(call.parameters.dropFirst()), call.renderer)
        },
    ]

    /// A helper for the text of its first parameter. For a falsy value it returns its second parameter, or null.
    private static func onText(
        _ body: @escaping @Sendable (String, HelperCall) throws(RenderError) -> String
    ) -> Helper {
        { call throws(RenderError) in
            let subject = call.subject
            guard subject.isTrue else { return call.parameter(1) }
            return .text(try body(subject.text, call))
        }
    }

    /// The text of the block, of the first parameter, or of the current value.
    /// - Throws: `RenderError` if the block cannot be rendered.
    static func input(_ call: HelperCall) throws(RenderError) -> String {
        call.isBlock ? try call.blockText() : call.subject.text
    }

    /// Removes white space at both ends, like Java's `trim`.
    static func trimmed(_ text: String) -> String {
        let bytes = Array(text.utf8)
        guard let first = bytes.firstIndex(where: { $0 > 0x20 }), let last = bytes.lastIndex(where: { $0 > 0x20 })
        else {
            return ""
        }
        return String(decoding: bytes[first...last], as: UTF8.self)
    }

    /// The text of UTF-16 units. A lone surrogate becomes a question mark, as in Java.
    static func text(_ units: some Sequence<UInt16>) -> String {
        var decoder = UTF16()
        var iterator = units.makeIterator()
        var text = String.UnicodeScalarView()
        while true {
            switch decoder.decode(&iterator) {
            case .scalarValue(let scalar): text.append(scalar)
            case .error: text.append("?")
            case .emptyInput: return String(text)
            }
        }
    }

    /// Capitalizes the first letter, and each letter after a space.
    private static func capitalized(_ text: String, fully: Bool) -> String {
        var isStart = true
        var result = String.UnicodeScalarView()
        for scalar in (fully ? lowercased(text) : text).unicodeScalars {
            result.append(isStart ? titleCase(scalar) : scalar)
            isStart = scalar == " "
        }
        return String(result)
    }

    /// The letter in upper case, unless that takes several letters: `ß` stays.
    private static func titleCase(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        let upper = scalar.properties.titlecaseMapping.unicodeScalars
        return upper.count == 1 ? upper.first ?? scalar : scalar
    }

    /// Lowercases a text, with the final form of a Greek sigma at the end of a word.
    static func lowercased(_ text: String) -> String {
        guard text.unicodeScalars.contains("\u{3A3}") else { return text.lowercased() }
        let scalars = Array(text.unicodeScalars)
        var result = ""
        for (index, scalar) in scalars.enumerated() {
            guard scalar == "\u{3A3}" else {
                result += scalar.properties.lowercaseMapping
                continue
            }
            let before = scalars[..<index].last { !$0.properties.isCaseIgnorable }
            let after = scalars[(index + 1)...].first { !$0.properties.isCaseIgnorable }
            let isFinal = before?.properties.isCased == true && after?.properties.isCased != true
            result += isFinal ? "\u{3C2}" : "\u{3C3}"
        }
        return result
    }

    private enum Alignment { case left, right, center }

    private static func padded(
        _ text: String, _ call: HelperCall, _ alignment: Alignment
    ) throws(RenderError) -> String {
        guard case .int(let size)? = call.option("size") else {
            throw RenderError("found 'null', expected 'size'")
        }
        let count = text.utf16.count
        guard size > count, size <= 1 << 20 else { return text }
        let missing = size - count
        try call.renderer.afford(10 * missing)
        let pad = Array((call.text("pad") ?? "").utf16)
        func filler(_ count: Int) -> String {
            if pad.isEmpty { return String(repeating: " ", count: count) }
            return String(decoding: (0..<count).map { pad[$0 % pad.count] }, as: UTF16.self)
        }
        switch alignment {
        case .left: return text + filler(missing)
        case .right: return filler(missing) + text
        case .center: return filler(missing / 2) + text + filler(missing - missing / 2)
        }
    }

    /// Joins the elements of a list, or else all parameters except the last, which is the separator.
    private static let join: Helper = { call throws(RenderError) in
        guard call.subject.isTrue else { return .text("") }
        let values = call.subject.elements ?? TemplateList(Array(call.parameters.dropLast()))
        return .text(try joined(values, call.parameters.last?.text ?? "", call) { value in value.text })
    }

    /// Joins the texts of values with a separator, and adds `prefix` and `suffix`.
    /// - Parameter text: makes the text of a value, once the text so far fits the limit.
    /// - Throws: `RenderError` if a text cannot be made, the result is too large, or the budget is exhausted.
    static func joined(
        _ values: TemplateList, _ separator: String, _ call: HelperCall,
        _ text: (TemplateValue) throws(RenderError) -> String
    ) throws(RenderError) -> String {
        var result = call.text("prefix") ?? ""
        for (index, value) in values.enumerated() {
            if index > 0 { result += separator }
            result += try text(value)
            try call.renderer.checkSize(result.utf8.count)
            try call.renderer.spend(1 + separator.utf8.count / 16)
        }
        return result + (call.text("suffix") ?? "")
    }

    private static func substring(_ text: String, _ call: HelperCall) throws(RenderError) -> String {
        guard case .int(let start) = call.parameter(1) else {
            throw RenderError("found '\(call.parameter(1).text)', expected 'start index'")
        }
        let units = Array(text.utf16)
        let end = if case .int(let end) = call.parameter(2) { end } else { units.count }
        guard start >= 0, start <= end, end <= units.count else {
            throw RenderError("begin \(start), end \(end), length \(units.count)")
        }
        return Self.text(units[start..<end])
    }

    /// The letters in lower case, with `-` for white space between them.
    private static func slug(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in trimmed(text).unicodeScalars {
            switch scalar {
            case "a"..."z": result.append(scalar)
            case " ", "\t"..."\r": result.append("-")
            default:
                guard scalar.properties.generalCategory.isLetter else { continue }
                // One letter maps to one letter.
                result.append(scalar.properties.lowercaseMapping.unicodeScalars.first ?? scalar)
            }
        }
        return String(result)
    }

    private static func stripTags(_ text: String) -> String {
        var result: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let open = rest.firstIndex(of: UInt8(ascii: "<")) {
            guard let close = rest[open...].firstIndex(of: UInt8(ascii: ">")) else { break }
            result += rest[..<open]
            rest = rest[(close + 1)...]
        }
        return String(decoding: result + rest, as: UTF8.self)
    }

    // MARK: - Byte-wise search

    /// Whether a text contains another one.
    static func contains(_ text: String, _ part: String) throws(RenderError) -> Bool {
        guard !part.isEmpty else { return true }
        var isThere = false
        try search(Array(text.utf8), for: Array(part.utf8)) { _ throws(RenderError) in
            isThere = true
            return false
        }
        return isThere
    }

    /// Replaces each occurrence of a part; an empty part occurs between all characters.
    /// - Throws: `RenderError` if the result is too large, or the budget is exhausted.
    private static func replaced(
        _ text: String, _ part: String, with other: String, _ call: HelperCall
    ) throws(RenderError) -> String {
        let (bytes, part, other) = (Array(text.utf8), Array(part.utf8), Array(other.utf8))
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        func add(_ bytes: some Collection<UInt8>) throws(RenderError) {
            try call.renderer.spend(1 + bytes.count / 16)
            try call.renderer.checkSize(result.count + bytes.count)
            result += bytes
        }
        if part.isEmpty {
            for character in text {
                try call.renderer.spend(4)
                try add(other)
                try add(character.utf8)
            }
            try add(other)
        } else {
            var start = 0
            try search(bytes, for: part) { end throws(RenderError) in
                try add(bytes[start..<(end - part.count)])
                try add(other)
                start = end
                return true
            }
            try add(bytes[start...])
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Calls a function with the end of each occurrence of a non-empty part, from left to right without overlaps, while
    /// it returns true.
    /// - Throws: what `found` throws.
    private static func search(
        _ text: [UInt8], for part: [UInt8], _ found: (Int) throws(RenderError) -> Bool
    ) throws(RenderError) {
        var search = ByteSearch(for: part)
        for index in text.indices where search.ends(with: text[index]) {
            guard try found(index + 1) else { return }
        }
    }

    private static func abbreviated(_ text: String, _ call: HelperCall) throws(RenderError) -> String {
        guard case .int(let width) = call.parameter(1) else {
            throw RenderError("found '\(call.parameter(1).text)', expected 'width'")
        }
        let units = Array(text.utf16)
        guard units.count > width else { return text }
        guard width >= 4 else { throw RenderError("Minimum abbreviation width is 4") }
        return Self.text(units[..<(width - 3)]) + "..."
    }

    private static func wrapped(_ text: String, _ call: HelperCall) throws(RenderError) -> String {
        guard case .int(let width) = call.parameter(1) else {
            throw RenderError("found '\(call.parameter(1).text)', expected 'length'")
        }
        let (units, space) = (Array(text.utf16), UInt16(0x20))
        let wrap = min(max(width, 1), units.count)
        var lines: [String] = []
        func add(_ range: Range<Int>) { lines.append(Self.text(units[range])) }
        var offset = 0
        while offset < units.count {
            if units[offset] == space {
                offset += 1
                continue
            }
            let spaces = (offset..<min(offset + wrap + 1, units.count)).filter { units[$0] == space }
            if units.count - offset <= wrap { break }
            // A word that is longer than a line is not broken.
            guard let end = spaces.last ?? units[(offset + wrap)...].firstIndex(of: space) else { break }
            add(offset..<end)
            offset = end + 1
        }
        add(min(offset, units.count)..<units.count)
        return lines.joined(separator: "\n")
    }

    private static let yesNo: Helper = { call throws(RenderError) in
        switch call.parameter(0) {
        case .null: return .text(call.text("maybe") ?? "maybe")
        case .bool(true): return .text(call.text("yes") ?? "yes")
        case .bool(false): return .text(call.text("no") ?? "no")
        case let other: throw RenderError("found '\(other.text)', expected 'boolean'")
        }
    }
}

extension Unicode.GeneralCategory {
    fileprivate var isLetter: Bool {
        switch self {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: true
        default: false
        }
    }
}
