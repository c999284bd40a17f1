/// The source of the numbers of made-up values.
public struct FakeSource {
    private let random: () -> UInt64
    /// The state of a generator of its own; nil if it has none.
    private var seeded: UInt64?

    /// Makes a source that draws from `random`.
    public init(_ random: @escaping () -> UInt64) {
        self.random = random
    }

    /// Makes a source of a generator of its own.
    public init(seed: UInt64) {
        random = { seed }
        seeded = seed
    }

    /// Draws from a generator of its own from now on.
    public mutating func seed(_ seed: UInt64) { seeded = seed }

    /// The next random number.
    public mutating func next() -> UInt64 {
        guard let state = seeded else { return random() }
        let next = state &+ 0x9E37_79B9_7F4A_7C15
        seeded = next
        var mixed = next
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number of a range.
    public mutating func number(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(next() % UInt64(range.upperBound - range.lowerBound + 1))
    }

    /// A word of a list; empty if that is.
    public mutating func word(_ list: [String]) -> String {
        list.isEmpty ? "" : list[Int(next() % UInt64(list.count))]
    }

    /// A text in which each `#` becomes a digit and each `?` a letter.
    public mutating func filled(_ pattern: String) -> String {
        var text = ""
        for character in pattern {
            switch character {
            case "#": text += String(number(0...9))
            case "?": text.unicodeScalars.append(Unicode.Scalar(UInt8(number(97...122))))
            default: text.append(character)
            }
        }
        return text
    }

    /// Digits to the base of sixteen.
    public mutating func hexadecimal(_ count: Int) -> String {
        (0..<count).map { _ in String(number(0...15), radix: 16) }.joined()
    }
}
