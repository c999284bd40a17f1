import SDBasics

/// Finds options that a helper does not have, and option values that mean something else than they seem to.
struct HelperOptions {
    private var found = BoundedFindings()

    static func find(in template: Template) -> BoundedFindings {
        var search = HelperOptions()
        template.nodes.forEachCall { search.look(at: $0) }
        return search.found
    }

    /// The options of helpers with a fixed set of options. Locales are checked elsewhere.
    private static let options: [String: [String]] = [
        "now": ["format", "offset", "timezone", "locale"], "date": ["format", "offset", "timezone", "locale"],
        "parseDate": ["format", "locale"], "dateFormat": ["format", "time", "tz", "locale"],
        "randomValue": ["type", "length", "uppercase"], "randomInt": ["lower", "upper"],
        "randomDecimal": ["lower", "upper"], "pickRandom": ["count"], "jsonPath": ["default"],
        "base64": ["decode", "padding"], "urlEncode": ["decode", "encoding"], "formData": ["urlDecode", "encoding"],
        "systemValue": ["key", "type", "default"], "regexExtract": ["default"], "val": ["assign", "or", "default"],
        "each": ["base"],
    ]

    private mutating func look(at call: TemplateExpression) {
        guard let helper = call.helper else { return }
        if let known = Self.options[helper.name] {
            for (name, _) in call.hash where !known.contains(name) {
                found.add(
                    call.offset, "`\(helper.name)` has no option `\(name)`, which has no effect",
                    expected: known.filter { $0 != "locale" }.joined(separator: ", "),
                    suggestion: nearestName(to: name, among: known))
            }
        }
        if let offset = Self.offset(in: call) {
            found.add(
                call.offset, "`\(helper.name)` calculates by an option, so what stands behind it has no effect",
                expected: "an offset, such as offset='3 days'", suggestion: "\(helper.name) offset='\(offset)'")
        }
        switch helper.name {
        case "now", "date", "parseDate": lookAtFormat(text("format", call), call)
        case "dateFormat":
            var style = text("format", call)
            if call.parameters.count > 1, case .literal(.text(let text)) = call.parameters[1] { style = text }
            lookAtFormat(style, call)
        case "randomValue": lookAtType(text("type", call), call)
        default: break
        }
    }

    /// The offset meant by the parameters of `now + 1 day`; nil for other calls.
    static func offset(in call: TemplateExpression) -> String? {
        let name = call.helper?.name
        guard name == "now" || name == "date", !call.parameters.isEmpty else { return nil }
        let words = call.parameters.map { operand in
            if case .literal(let value) = operand { value.text } else { operand.written }
        }
        return DateHelpers.meantOffset(words.joined())
    }

    private func text(_ option: String, _ call: TemplateExpression) -> String? {
        guard case .literal(.text(let text))? = call.hash.last(where: { $0.name == option })?.value else { return nil }
        return text
    }

    private static let types = [
        "ALPHANUMERIC", "ALPHABETIC", "NUMERIC", "ALPHANUMERIC_AND_SYMBOLS", "UUID", "HEXADECIMAL",
    ]
    private static let otherTypes = [
        "GUID": "UUID", "HEX": "HEXADECIMAL", "NUMBER": "NUMERIC", "INT": "NUMERIC", "INTEGER": "NUMERIC",
        "DIGITS": "NUMERIC", "ALPHA": "ALPHABETIC", "LETTERS": "ALPHABETIC", "STRING": "ALPHANUMERIC",
    ]

    private mutating func lookAtType(_ type: String?, _ call: TemplateExpression) {
        guard let type, !Self.types.contains(type) else { return }
        found.add(
            call.offset, "randomValue has no type \"\(type)\", and takes any letters, digits and signs",
            expected: Self.types.joined(separator: ", "),
            suggestion: Self.meantType(type.uppercased()).map { "type='\($0)'" })
    }

    private static func meantType(_ word: String) -> String? {
        types.contains(word) ? word : otherTypes[word] ?? nearestName(to: word, among: types)
    }

    // MARK: - Date formats

    private mutating func lookAtFormat(_ format: String?, _ call: TemplateExpression) {
        guard let format, let wrong = Self.wrongFields(of: format) else { return }
        found.add(
            call.offset, "\(wrong.reason) in the format \"\(format)\"",
            expected: "letters as in yyyy-MM-dd HH:mm:ss", suggestion: wrong.meant)
    }

    private static let percentFields: [Character: String] = [
        "Y": "yyyy", "y": "yy", "m": "MM", "d": "dd", "e": "d", "j": "DDD", "H": "HH", "I": "hh", "M": "mm", "S": "ss",
        "f": "SSS", "L": "SSS", "p": "a", "B": "MMMM", "b": "MMM", "A": "EEEE", "a": "EEE", "z": "Z", "Z": "z",
        "F": "yyyy-MM-dd", "T": "HH:mm:ss",
    ]

    /// The Java format for a `strftime` format: `yyyy-MM-dd` for `%Y-%m-%d`; nil for one without percent signs.
    private static func meant(byPercents format: String) -> String? {
        var meant = ""
        var letters = ""
        var hasFields = false
        func end() {
            if !letters.isEmpty { meant += "'\(letters)'" }
            letters = ""
        }
        var rest = format[...]
        while let character = rest.popFirst() {
            if character == "%", let field = rest.first.flatMap({ percentFields[$0] }) {
                end()
                meant += field
                hasFields = true
                rest.removeFirst()
            } else if character.isLetter {
                letters.append(character)
            } else {
                end()
                meant.append(character)
            }
        }
        end()
        return hasFields ? meant : nil
    }

    /// The fields of a Java format whose letters mean something else in other tools, such as moment.js.
    private static func wrongFields(of format: String) -> (reason: String, meant: String)? {
        guard !format.utf8.contains(UInt8(ascii: "'")) else { return nil }
        if let meant = meant(byPercents: format) { return ("a percent sign is sent as it stands", meant) }
        var fields: [String] = []
        for character in format {
            if character.isLetter, fields.last?.first == character {
                fields[fields.count - 1].append(character)
            } else {
                fields.append(String(character))
            }
        }
        let isOfWeeks = fields.contains { $0.first == "w" }
        var reasons: [String] = []
        for (index, field) in fields.enumerated() {
            func neighbour(_ distance: Int) -> String {
                fields.indices.contains(index + distance) ? fields[index + distance] : ""
            }
            let beside = [neighbour(-2), neighbour(2)]
            switch field {
            case "YYYY" where !isOfWeeks, "YY" where !isOfWeeks:
                reasons.append("\(field) is the year of the week, and not of the day,")
                fields[index] = field.lowercased()
            case "DD",
                "D" where beside.contains { $0.first == "M" || $0.lowercased().first == "y" }:
                reasons.append("\(field) is the day of the year, and not of the month,")
                fields[index] = field.lowercased()
            case "mm"
            where beside.contains { ["yyyy", "YYYY", "dd", "DD"].contains($0) }
                && !beside.contains { $0.lowercased().first == "h" || $0.first == "s" }:
                reasons.append("mm is the minute, and not the month,")
                fields[index] = "MM"
            case "MM" where neighbour(-2).lowercased().first == "h" && neighbour(-1) == ":":
                reasons.append("MM is the month, and not the minute,")
                fields[index] = "mm"
            case "SS" where neighbour(-2).lowercased() == "mm" && neighbour(-1) == ":":
                reasons.append("SS is the millisecond, and not the second,")
                fields[index] = "ss"
            default: break
            }
        }
        guard !reasons.isEmpty else { return nil }
        var reason = reasons.joined(separator: " ")
        reason.removeLast()
        return (reason, fields.joined())
    }
}
