import SDJSON
import Testing

@Suite struct JSONDecimalTests {
    @Test(arguments: [
        ["0", "-0", "0.0", "0e5", "-0.00e-7", "0e99999999999999999999"],
        ["1", "1.0", "1e0", "10e-1", "0.1e1", "100E-2"],
        ["-120", "-1.2e2", "-0.0012E+5", "-1200e-1"], ["0.1", "1e-1", "0.10"], ["1e1000000000", "10e999999999"],
    ])
    func spellingsOfOneValueAreEqual(spellings: [String]) throws {
        let values = try spellings.map { JSONDecimal(try #require(JSONNumber(text: $0))) }
        #expect(Set(values).count == 1)
    }

    @Test(arguments: [
        [
            "-1e99", "-9007199254740993", "-9007199254740992", "-1", "-0.1", "-1e-400", "0", "1e-1000000000", "1e-400",
            "0.1",
            "0.1000000000000000000000000000001", "0.11", "0.9", "1", "1.00000000000000000000001", "2", "9", "10", "99",
            "1e2",
            "9007199254740992", "9007199254740993", "1e400", "2e400", "1e1000000000",
        ]
    ])
    func valuesAreOrdered(ascending: [String]) throws {
        let values = try ascending.map { JSONDecimal(try #require(JSONNumber(text: $0))) }
        for (index, value) in values.enumerated() {
            for (otherIndex, other) in values.enumerated() {
                #expect((value < other) == (index < otherIndex), "\(ascending[index]) < \(ascending[otherIndex])")
            }
        }
    }

    @Test(
        arguments: [
            ("0e99999999999999999999", 0), ("-0e-99999999999999999999", 0), ("3.0", 3), ("30e-1", 3), ("-12e2", -1200),
            ("9223372036854775807.0", Int.max), ("-9223372036854775808.0", Int.min),
            ("0.9223372036854775807e19", Int.max),
            ("9223372036854775808.0", nil), ("-9223372036854775809e0", nil), ("1e19", nil),
            ("1e99999999999999999999", nil),
            ("1e-1", nil), ("1.5", nil), ("1e18", 1_000_000_000_000_000_000),
        ] as [(String, Int?)])
    func integersThatFitHaveTheirValue(text: String, expected: Int?) throws {
        let number = try #require(JSONNumber(text: text))
        #expect(JSONDecimal(number).intValue == expected)
        #expect(number.intValue == expected)
    }

    @Test(arguments: [("1", true), ("1.5", false), ("15e-1", false), ("1.5e1", true), ("0.0", true), ("1e-9", false)])
    func integersAreKnownByValue(text: String, isInteger: Bool) throws {
        #expect(JSONDecimal(try #require(JSONNumber(text: text))).isInteger == isInteger)
    }
}
