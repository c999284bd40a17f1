import SDJSON
public import SDStubModel

/// A text in place of a matcher: the value must equal it.
extension ValueMatcher: ExpressibleByStringInterpolation {
    /// Makes a matcher of exactly this text.
    public init(stringLiteral text: String) {
        self.init(.equalTo, text)
    }
}

/// A number in place of a matcher: the value must be its text.
extension ValueMatcher: ExpressibleByIntegerLiteral {
    /// Makes a matcher of exactly this number's text.
    public init(integerLiteral number: Int) {
        self.init(.equalTo, String(number))
    }
}

/// Matchers of texts.
extension ValueMatcher {
    /// Exactly this text.
    public static func equal(_ text: String, ignoringCase: Bool = false) -> ValueMatcher {
        ValueMatcher(.equalTo, text).option("caseInsensitive", ignoringCase)
    }

    /// A text that contains this one.
    public static func contains(_ text: String) -> ValueMatcher { ValueMatcher(.contains, text) }

    /// A text that does not contain this one, or none.
    public static func doesNotContain(_ text: String) -> ValueMatcher { ValueMatcher(.doesNotContain, text) }

    /// A text that begins with this one.
    public static func startsWith(_ text: String) -> ValueMatcher { ValueMatcher(.startsWith, text) }

    /// A text that ends with this one.
    public static func endsWith(_ text: String) -> ValueMatcher { ValueMatcher(.endsWith, text) }

    /// A regular expression of Java for the whole text.
    public static func matching(_ regex: String) -> ValueMatcher { ValueMatcher(.matches, regex) }

    /// A text that a regular expression of Java does not match as a whole, or none.
    public static func notMatching(_ regex: String) -> ValueMatcher { ValueMatcher(.doesNotMatch, regex) }

    /// A glob for the whole text, such as `img/*.{png,jpg}`.
    public static func glob(_ glob: String) -> ValueMatcher { ValueMatcher(.glob, glob) }

    /// A template of a path, such as `/users/{id}`.
    public static func pathTemplate(_ template: String) -> ValueMatcher { ValueMatcher(.matchesPathTemplate, template) }

    /// Exactly these bytes; only for bodies and parts of them.
    public static func data(_ bytes: some Sequence<UInt8>) -> ValueMatcher {
        ValueMatcher(.binaryEqualTo, Base64.encode(bytes))
    }

    /// No value.
    public static var absent: ValueMatcher { ValueMatcher(.absent, operand: true) }

    /// Any value, or none.
    public static var anything: ValueMatcher { ValueMatcher(.anything, "anything") }

    /// Any value, but one.
    public static var present: ValueMatcher { ValueMatcher(.matches, ".*") }
}

/// Matchers of numbers. Both sides are read as doubles; a text that is no number does not match.
extension ValueMatcher {
    /// A number equal to this one.
    public static func number(_ number: Double) -> ValueMatcher { ValueMatcher(.equalToNumber, number) }

    /// A number greater than this one.
    public static func greaterThan(_ number: Double) -> ValueMatcher { ValueMatcher(.greaterThanNumber, number) }

    /// A number of at least this one.
    public static func atLeast(_ number: Double) -> ValueMatcher { ValueMatcher(.greaterThanEqualNumber, number) }

    /// A number less than this one.
    public static func lessThan(_ number: Double) -> ValueMatcher { ValueMatcher(.lessThanNumber, number) }

    /// A number of at most this one.
    public static func atMost(_ number: Double) -> ValueMatcher { ValueMatcher(.lessThanEqualNumber, number) }

    private init(_ operator: Operator, _ number: Double) {
        // A number that JSON cannot express is refused by the daemon as it stands.
        self.init(`operator`, operand: .number(kit: number))
    }
}

/// Matchers of matchers.
extension ValueMatcher {
    /// A value that all of these match.
    public static func all(_ matchers: ValueMatcher...) -> ValueMatcher { all(matchers) }

    /// A value that at least one of these matches.
    public static func either(_ matchers: ValueMatcher...) -> ValueMatcher { either(matchers) }

    /// A value that all of these match.
    public static func all(_ matchers: [ValueMatcher]) -> ValueMatcher {
        ValueMatcher(.and, operand: .array(matchers.map(\.jsonValue)))
    }

    /// A value that at least one of these matches.
    public static func either(_ matchers: [ValueMatcher]) -> ValueMatcher {
        ValueMatcher(.or, operand: .array(matchers.map(\.jsonValue)))
    }

    /// A value that this does not match.
    public static func not(_ matcher: ValueMatcher) -> ValueMatcher {
        ValueMatcher(.not, operand: matcher.jsonValue)
    }

    /// A header or parameter with a value for each of these, and perhaps more.
    public static func includes(_ matchers: ValueMatcher...) -> ValueMatcher { includes(matchers) }

    /// A header or parameter with as many values as these, and one for each.
    public static func hasExactly(_ matchers: ValueMatcher...) -> ValueMatcher {
        ValueMatcher(.hasExactly, operand: .array(matchers.map(\.jsonValue)))
    }

    static func includes(_ matchers: [ValueMatcher]) -> ValueMatcher {
        ValueMatcher(.includes, operand: .array(matchers.map(\.jsonValue)))
    }

    /// A header or parameter with this many values.
    public static func count(_ count: Int) -> ValueMatcher { ValueMatcher(.count, operand: .number(JSONNumber(count))) }

    /// A header or parameter with a number of values within a range: `.count(1...3)`, `.count(2...)`, `.count(...3)`.
    public static func count(_ range: some RangeExpression<Int>) -> ValueMatcher {
        // The largest number of values is far below this.
        let range = range.relative(to: 0..<1_000_000)
        var operand: JSONObject = ["atLeast": .number(JSONNumber(range.lowerBound))]
        if range.upperBound < 1_000_000 { operand["atMost"] = .number(JSONNumber(range.upperBound - 1)) }
        return ValueMatcher(.count, operand: .object(operand))
    }
}

extension ValueMatcher {
    /// The matcher with an option; false, nil and empty lists stand for none.
    func option(_ name: String, _ value: JSONValue?) -> ValueMatcher {
        guard let value else { return self }
        var json = json
        json[name] = value
        return ValueMatcher(`operator`, json: json)
    }

    func option(_ name: String, _ isOn: Bool) -> ValueMatcher { option(name, isOn ? .bool(true) : nil) }

    func option(_ name: String, _ text: String?) -> ValueMatcher { option(name, text.map(JSONValue.string)) }
}

extension JSONValue {
    /// A number as the kit writes it: a whole one without a fraction.
    static func number(kit value: Double) -> JSONValue {
        if let whole = Int(exactly: value) { return .number(JSONNumber(whole)) }
        return JSONNumber(value).map(JSONValue.number) ?? .string("\(value)")
    }
}
