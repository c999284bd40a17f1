/// The random source of fake values.
public struct FakeSource {
    private let random: () -> UInt64
    /// The state of its own generator; nil if it uses `random`.
    private var seeded: UInt64?

    /// Makes a source of the numbers of `random`.
    public init(_ random: @escaping () -> UInt64) {
        self.random = random
    }

    /// Makes a source with its own generator.
    public init(seed: UInt64) {
        random = { seed }
        seeded = seed
    }

    /// Switches to its own generator with this seed.
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

    /// A random number in a range.
    public mutating func number(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(next() % UInt64(range.upperBound - range.lowerBound + 1))
    }

    /// A random word of a list; empty if the list is empty.
    public mutating func word(_ list: [String]) -> String {
        list.isEmpty ? "" : list[Int(next() % UInt64(list.count))]
    }

    /// The pattern with a random digit for each `#` and a random letter for each `?`.
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

    /// Random hexadecimal digits.
    public mutating func hexadecimal(_ count: Int) -> String {
        (0..<count).map { _ in String(number(0...15), radix: 16) }.joined()
    }
}
