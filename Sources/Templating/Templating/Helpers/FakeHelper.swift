/// `{{random 'Name.firstName'}}`: made-up names, addresses and so on, in the names of WireMock's faker extension, from
/// own word lists. With `seed=` the same seed gives the same value; otherwise they come from the session's generator.
enum FakeHelper {
    static let helper: Helper = { call throws(RenderError) in
        let name = call.parameter(0).text
        let key = Self.key(name)
        guard let make = FakeValues.all[key] else { return call.error("Unable to evaluate the expression \(name)") }
        let environment = call.renderer.environment
        var source = FakeSource(system: environment.system)
        if let seed = call.option("seed") { source.seeded = UInt64(bitPattern: Int64(seed.text.javaHashCode)) &+ 1 }
        return .text(make(&source))
    }

    /// All names, as they are written in documents.
    static var names: [String] { FakeValues.all.keys.sorted() }

    /// A name without regard to letter case and underscores: `Name.first_name` is `name.firstname`.
    static func key(_ name: String) -> String {
        String(
            String.UnicodeScalarView(name.unicodeScalars.filter { $0 != "_" && $0 != " " })
        ).lowercased()
    }
}

/// The source of the numbers of made-up values.
struct FakeSource {
    let system: any RenderSystem
    /// The state of a generator of the call's own; nil for the session's.
    var seeded: UInt64?

    /// The next random number.
    mutating func next() -> UInt64 {
        guard let state = seeded else { return system.random() }
        let next = state &+ 0x9E37_79B9_7F4A_7C15
        seeded = next
        var mixed = next
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func number(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(next() % UInt64(range.upperBound - range.lowerBound + 1))
    }

    mutating func word(_ list: [String]) -> String {
        list.isEmpty ? "" : list[Int(next() % UInt64(list.count))]
    }

    /// A text in which each `#` becomes a digit and each `?` a letter.
    mutating func filled(_ pattern: String) -> String {
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

    mutating func hexadecimal(_ count: Int) -> String {
        (0..<count).map { _ in String(number(0...15), radix: 16) }.joined()
    }
}
