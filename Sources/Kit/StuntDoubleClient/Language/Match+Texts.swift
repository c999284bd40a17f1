import SDJSON
import SDStubModel

/// A string literal as a matcher: the value must equal it.
extension Stub.Match: ExpressibleByStringInterpolation {
    /// Makes a matcher for exactly this text.
    public init(stringLiteral text: String) {
        self.init(.equalTo, text)
    }
}

/// An integer literal as a matcher: the value must equal its text.
extension Stub.Match: ExpressibleByIntegerLiteral {
    /// Makes a matcher for exactly this number's text.
    public init(integerLiteral number: Int) {
        self.init(.equalTo, String(number))
    }
}

/// Matchers of texts.
extension Stub.Match {
    /// Exactly this text.
    public static func equal(_ text: String, ignoringCase: Bool = false) -> Stub.Match {
        Stub.Match(.equalTo, text).option("caseInsensitive", ignoringCase)
    }

    /// Exactly these bytes; only for bodies and parts of them.
    public static func data(_ bytes: some Sequence<UInt8>) -> Stub.Match {
        Stub.Match(.binaryEqualTo, Base64.encode(bytes))
    }

    /// No value.
    public static var absent: Stub.Match { Stub.Match(.absent, operand: true) }

    /// Any value or none.
    public static var anything: Stub.Match { Stub.Match(.anything, "anything") }

    /// Any value.
    public static var present: Stub.Match { Stub.Match(.matches, ".*") }
}

/// Matchers of numbers. Both sides are parsed as doubles; a text that is not a number does not match.
extension Stub.Match {
    init(_ operator: SDStubModel.ValueMatcher.Operator, _ number: Double) {
        // The daemon rejects a number that JSON cannot express.
        self.init(`operator`, operand: .number(kit: number))
    }
}

/// Combinators.
extension Stub.Match {
    /// Matches if all of these match.
    public static func all(_ matchers: Stub.Match...) -> Stub.Match { all(matchers) }

    /// Matches if at least one of these matches.
    public static func either(_ matchers: Stub.Match...) -> Stub.Match { either(matchers) }

    /// Matches if all of these match.
    static func all(_ matchers: [Stub.Match]) -> Stub.Match {
        Stub.Match(.and, operand: .array(matchers.map(\.jsonValue)))
    }

    /// Matches if at least one of these matches.
    static func either(_ matchers: [Stub.Match]) -> Stub.Match {
        Stub.Match(.or, operand: .array(matchers.map(\.jsonValue)))
    }

    /// Matches if this one does not.
    public static func not(_ matcher: Stub.Match) -> Stub.Match {
        Stub.Match(.not, operand: matcher.jsonValue)
    }

    /// A header or parameter with a value for each of these, and possibly more.
    public static func includes(_ matchers: Stub.Match...) -> Stub.Match { includes(matchers) }

    /// A header or parameter with exactly one value for each of these.
    public static func hasExactly(_ matchers: Stub.Match...) -> Stub.Match {
        Stub.Match(.hasExactly, operand: .array(matchers.map(\.jsonValue)))
    }

    static func includes(_ matchers: [Stub.Match]) -> Stub.Match {
        Stub.Match(.includes, operand: .array(matchers.map(\.jsonValue)))
    }

    /// A header or parameter with exactly this many values.
    public static func count(_ count: Int) -> Stub.Match { Stub.Match(.count, operand: .number(JSONNumber(count))) }

    /// A header or parameter with a number of values within a range: `.count(1...3)`, `.count(2...)`, `.count(...3)`.
    public static func count(_ range: some RangeExpression<Int>) -> Stub.Match {
        // Far above the maximum number of values.
        let range = range.relative(to: 0..<1_000_000)
        var operand: JSONObject = ["atLeast": .number(JSONNumber(range.lowerBound))]
        if range.upperBound < 1_000_000 { operand["atMost"] = .number(JSONNumber(range.upperBound - 1)) }
        return Stub.Match(.count, operand: .object(operand))
    }
}
