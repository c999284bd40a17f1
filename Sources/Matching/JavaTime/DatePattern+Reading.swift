extension [PatternElement] {
    /// Parses the elements in order. Returns false if one does not fit; the reader's position is then undefined.
    func read(_ reader: inout TextReader, _ fields: inout ParsedFields) -> Bool {
        for element in self where !element.read(&reader, &fields) { return false }
        return true
    }
}

extension PatternElement {
    fileprivate func read(_ reader: inout TextReader, _ fields: inout ParsedFields) -> Bool {
        switch self {
        case .literal(let text): return reader.accept(text)
        case .number(let shape): return shape.read(&reader, &fields)
        case .fraction(let minimum, let maximum, let point, let isFollower):
            return Self.readFraction(minimum, maximum, point, isFollower, &reader, &fields)
        case .text(let field, let style, _): return Self.readText(field, style, &reader, &fields)
        case .offset(let style):
            guard let offset = style.read(&reader) else { return false }
            return fields.set(offset: offset)
        case .greenwichOffset(let full): return Self.readGreenwichOffset(full, &reader, &fields)
        case .zoneID:
            guard let zone = reader.zoneID(namedByText: nil) else { return false }
            return fields.set(zone: zone)
        case .zoneName(let style):
            guard let zone = reader.zoneID(namedByText: style) else { return false }
            return fields.set(zone: zone)
        case .optional(let section):
            var (there, found) = (reader, fields)
            if section.read(&there, &found) { (reader, fields) = (there, found) }
            return true
        case .padded(let element, let width): return Self.readPadded(element, width, &reader, &fields)
        case .ignoringCase(let ignores):
            reader.ignoresCase = ignores
            return true
        case .strict(let strict):
            reader.isStrict = strict
            return true
        }
    }

    private static func readFraction(
        _ minimum: Int, _ maximum: Int, _ point: Bool, _ isFollower: Bool, _ reader: inout TextReader,
        _ fields: inout ParsedFields
    ) -> Bool {
        let exact = reader.isStrict || isFollower
        let (least, most) = exact ? (minimum, maximum) : (0, 9)
        if point, !reader.accept(".") { return least == 0 }
        var (value, count) = (0, 0)
        while count < most, let digit = reader.digit() {
            (value, count) = (value * 10 + digit, count + 1)
            reader.place += 1
        }
        if count == 0, !point, least == 0 { return true }
        guard count >= least else { return false }
        for _ in count..<9 { value *= 10 }
        return fields.set(.nanosecond, value)
    }

    private static func readText(
        _ field: DateField, _ style: TextStyle, _ reader: inout TextReader, _ fields: inout ParsedFields
    ) -> Bool {
        var found: (value: Int, name: String)?
        // The longest name that fits; among values with the same narrow name, the last.
        for name in EnglishNames.all(field, style)
        where reader.starts(with: name.name) && name.name.utf8.count >= found?.name.utf8.count ?? 0 {
            found = name
        }
        if let found {
            reader.place += found.name.utf8.count
            return fields.set(field, found.value)
        }
        return !reader.isStrict
            && NumberShape(field: field, minimum: 1, maximum: 19, sign: .normal).read(&reader, &fields)
    }

    private static func readGreenwichOffset(
        _ full: Bool, _ reader: inout TextReader, _ fields: inout ParsedFields
    ) -> Bool {
        guard reader.accept("GMT") else { return false }
        guard reader.byte() == UInt8(ascii: "+") || reader.byte() == UInt8(ascii: "-") else {
            return fields.set(offset: 0)
        }
        let style = OffsetStyle(
            hours: full ? .two : .oneOrTwo, minutes: full ? .always : .optional, seconds: .optional, colon: true,
            zero: "Z")
        guard let offset = style.read(&reader) else { return false }
        return fields.set(offset: offset)
    }

    private static func readPadded(
        _ element: PatternElement, _ width: Int, _ reader: inout TextReader, _ fields: inout ParsedFields
    ) -> Bool {
        let end = reader.place + width
        guard end <= reader.text.count else { return false }
        var part = reader
        while part.place < end, part.byte() == UInt8(ascii: " ") { part.place += 1 }
        var inside = TextReader(String(decoding: reader.text[..<end], as: UTF8.self))
        guard inside.text.count == end else { return false }
        (inside.place, inside.isStrict, inside.ignoresCase) = (part.place, part.isStrict, part.ignoresCase)
        guard element.read(&inside, &fields), inside.place == end else { return false }
        reader.place = end
        return true
    }
}

extension NumberShape {
    fileprivate func read(_ reader: inout TextReader, _ fields: inout ParsedFields) -> Bool {
        let strict = reader.isStrict
        let plus = reader.byte() == UInt8(ascii: "+")
        let minus = reader.byte() == UInt8(ascii: "-")
        if plus || minus {
            guard sign.allows(plus: plus, isStrict: strict, isFixedWidth: minimum == maximum) else { return false }
            reader.place += 1
        } else if sign == .always, strict {
            return false
        }
        let exact = strict || isFixedWidth(strict)
        let least = exact ? minimum : 1
        let most = (exact ? maximum : 9) + max(following, 0)
        var count = 0
        while count < most, reader.digit(ahead: count) != nil { count += 1 }
        guard count >= least else { return false }
        if following > 0 { count = min(count, max(least, count - following)) }
        var value = 0
        for index in 0..<count {
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carried) = product.addingReportingOverflow(reader.digit(ahead: index) ?? 0)
            guard !overflow, !carried else { return false }
            value = sum
        }
        reader.place += count
        if minus {
            guard value != 0 || !strict else { return false }
            value = -value
        } else if sign == .exceedsPad, strict {
            guard plus ? count > minimum : count <= minimum else { return false }
        }
        if let base, strict || count == minimum, count == minimum, value >= 0, !minus {
            let range = 100
            value += base - base % range
            if value < base { value += range }
        }
        return fields.set(field, value)
    }
}
