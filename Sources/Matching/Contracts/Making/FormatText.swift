import SDBasics
import SDFakeValues

/// Generates texts in the formats that schemas name.
struct FormatText {
    private let format: String
    private let spot: ValueLocation

    /// - Returns: nil for an unknown format.
    init?(_ format: String, _ spot: ValueLocation) {
        let name = format.lowercased()
        guard Self.known.contains(name) else { return nil }
        self.format = name
        self.spot = spot
    }

    private static let known: Set<String> = [
        "date", "time", "date-time", "datetime", "duration", "email", "idn-email", "hostname", "idn-hostname", "ipv4",
        "ipv6",
        "ip", "ip-address", "uri", "url", "iri", "uri-reference", "iri-reference", "uri-template", "json-pointer",
        "relative-json-pointer", "regex", "uuid", "guid", "byte", "base64", "base64url", "binary", "password",
        "decimal",
        "int32", "int64", "integer", "number", "float", "double", "phone", "color", "hex-color", "country-code",
        "currency",
        "currency-code", "locale", "language", "timezone", "semver", "ulid", "objectid", "html", "markdown", "char",
        "alpha",
        "alphanumeric", "unix-time", "http-date", "mac", "cidr",
    ]

    /// Candidate texts of different lengths: usual, short, longer.
    func variants(_ lengths: ClosedRange<Int>, _ source: inout FakeSource) -> [String] {
        let text = usual(&source)
        let count = text.unicodeScalars.count
        if lengths.contains(count) { return [text] }
        let missing = max(0, lengths.lowerBound - count)
        let more = String(repeating: "a", count: missing)
        switch format {
        case "email", "idn-email": return ["a@b.co", more + text]
        case "hostname", "idn-hostname":
            let labels = String(
                (0..<missing).map { $0 % 8 == 7 ? "." : Character("a") } + (missing % 8 == 0 ? ["a"] : []))
            return ["a.co", "a", labels + text, labels + "a" + text]
        case "uri", "url", "iri": return ["http://a.co", "a:b", text + "/" + more.dropFirst()]
        case "uri-reference", "iri-reference", "uri-template": return ["/a", "a", text + more]
        case "json-pointer": return ["", "/a", text + more]
        case "date-time", "datetime":
            let fraction = max(1, missing - 1)
            return [text.dropLast() + "." + String(repeating: "0", count: fraction) + "Z"]
        case "time":
            return ["09:30:00Z", text.dropLast() + "." + String(repeating: "0", count: max(1, missing - 1)) + "Z"]
        case "ipv4", "ip", "ip-address": return ["1.1.1.1", "10.20.30.40", "192.168.100.100"]
        case "ipv6": return ["::1", "2001:db8::1", "2001:0db8:0000:0000:0000:0000:0000:0001"]
        case "byte", "base64", "base64url":
            let groups = (lengths.lowerBound + 3) / 4
            return [String(repeating: "YWJj", count: groups), "YWJj", ""]
        case "duration": return ["P1D", "P1Y2M10DT2H30M"]
        case "decimal", "number", "float", "double", "integer", "int32", "int64":
            return ["1", String(repeating: "1", count: max(1, lengths.lowerBound))]
        case "regex": return ["a", "^a" + more]
        case "uuid", "guid", "date": return [text]
        default: return [ValueMaker.fitted(text, lengths, &source)]
        }
    }

    /// A text of the usual length.
    func usual(_ source: inout FakeSource) -> String {
        func fake(_ name: String, _ source: inout FakeSource) -> String { FakeValues.value(named: name, &source) ?? "" }
        switch format {
        case "date": return day(&source)
        case "time": return clock(&source) + "Z"
        case "date-time", "datetime": return "\(day(&source))T\(clock(&source))Z"
        case "http-date": return Self.httpDate(day: dayNumber(&source), clock(&source))
        case "unix-time": return String(dayNumber(&source) * 86_400)
        case "duration": return "PT\(source.number(1...12))H\(source.number(1...59))M"
        case "email", "idn-email": return fake("Internet.safeEmailAddress", &source)
        case "hostname", "idn-hostname": return "\(source.word(NameTexts.plainWords)).example.com"
        case "ipv4", "ip", "ip-address": return "192.0.2.\(source.number(1...254))"
        case "ipv6": return "2001:db8::\(source.hexadecimal(4)):\(source.hexadecimal(4))"
        case "cidr": return "10.\(source.number(0...255)).0.0/16"
        case "mac": return fake("Internet.macAddress", &source)
        case "uri", "url", "iri":
            let words = NameWords(spot.name)
            let isImage = ["avatar", "image", "photo", "picture", "logo", "thumbnail", "icon"].contains {
                words.contain($0)
            }
            return
                "https://example.com/\(source.word(NameTexts.plainWords))/\(source.number(100...999))"
                + (isImage ? ".png" : "")
        case "uri-reference", "iri-reference":
            return "/\(source.word(NameTexts.plainWords))/\(source.number(100...999))"
        case "uri-template": return "/\(source.word(NameTexts.plainWords))/{id}"
        case "json-pointer": return "/\(source.word(NameTexts.plainWords))/\(source.number(0...9))"
        case "relative-json-pointer": return "\(source.number(0...3))/\(source.word(NameTexts.plainWords))"
        case "regex": return "^[a-z]{\(source.number(2...9))}$"
        case "uuid", "guid": return fake("Internet.uuid", &source)
        case "byte", "base64":
            return ValueMaker.base64("\(source.word(NameTexts.plainWords)) \(source.word(NameTexts.plainWords))")
        case "base64url": return String(ValueMaker.base64(source.word(NameTexts.plainWords)).filter { $0 != "=" })
        case "password": return "\(source.word(NameTexts.plainWords))-\(source.filled("????##"))"
        case "decimal", "number", "float", "double": return fake("Commerce.price", &source)
        case "int32", "int64", "integer": return String(source.number(1...9_999))
        case "phone": return fake("PhoneNumber.phoneNumberInternational", &source)
        case "color", "hex-color": return "#" + source.hexadecimal(6)
        case "country-code": return fake("Address.countryCode", &source)
        case "currency", "currency-code": return fake("Currency.code", &source)
        case "locale", "language": return source.word(["en", "de", "fr", "es", "ja"])
        case "timezone": return fake("Address.timeZone", &source)
        case "semver": return fake("App.version", &source)
        case "ulid": return "01H" + source.hexadecimal(23).uppercased()
        case "objectid": return source.hexadecimal(24)
        case "html": return "<p>\(fake("Lorem.sentence", &source))</p>"
        case "char", "alpha": return format == "char" ? source.filled("?") : source.word(NameTexts.plainWords)
        case "alphanumeric": return source.word(NameTexts.plainWords) + source.filled("##")
        case "binary": return source.word(NameTexts.plainWords)
        default: return fake("Lorem.sentence", &source)
        }
    }

    // MARK: - Days and times

    /// A day: updates come after creations, ends after updates, and birthdays are earlier.
    private func dayNumber(_ source: inout FakeSource) -> Int {
        let words = NameWords(spot.name)
        func has(_ list: String...) -> Bool { list.contains { words.contain($0) } }
        let year =
            has("birth", "birthday", "dob", "born")
            ? 1_960 + source.number(0...40)
            : has("updated", "modified", "changed", "last", "completed", "closed")
                ? 2_025
                : has("expires", "expiry", "expiration", "end", "ends", "due", "until", "to", "deadline")
                    ? 2_030 : 2_024
        let start = CivilDate(year: year, month: 1, day: 1)?.epochDay ?? 19_723
        return start + source.number(0...364)
    }

    private func day(_ source: inout FakeSource) -> String {
        let (year, month, day) = CivilDate.parts(epochDay: dayNumber(&source))
        return "\(year)-\(Self.two(month))-\(Self.two(day))"
    }

    private func clock(_ source: inout FakeSource) -> String {
        "\(Self.two(source.number(7...19))):\(Self.two(source.number(0...59))):\(Self.two(source.number(0...59)))"
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }

    private static func httpDate(day number: Int, _ clock: String) -> String {
        let (year, month, day) = CivilDate.parts(epochDay: number)
        let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        return "\(days[number % 7]), \(two(day)) \(months[month - 1]) \(year) \(clock) GMT"
    }
}
