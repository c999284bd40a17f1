import SDPlatform
@_spi(_Unicode) import Swift

/// Names derived from URLs like WireMock's: for stubs, scenarios and body files.
enum RecordedName {
    private static let longest = 200

    /// The name of a stub: `/things/a b` becomes `things_a-b`.
    static func stub(path: String) -> String {
        let decoded = decoded(path).map { $0 == "/" ? "_" : $0.isASCII && $0.isWhitespace ? "-" : $0 }
        let trimmed = cleaned(String(decoded)).drop { $0 == "_" }
        guard let last = trimmed.lastIndex(where: { $0 != "_" }) else { return "" }
        return String(trimmed[...last].prefix(longest))
    }

    /// The path in a scenario's name: `things-1`.
    static func scenario(path: String) -> String {
        decoded(path).split(separator: "/").joined(separator: "-")
    }

    /// The name of a stub's body file.
    static func bodyFile(name: String, method: String, url: String, id: String, extension suffix: String) -> String {
        let stem = name.isEmpty ? "\(method)-\(url)" : name
        // WireMock would make a hidden file for a name such as "..x".
        return String(cleaned("\(stem.prefix(longest))-\(id).\(suffix)").drop { $0 == "." })
    }

    static func decoded(_ path: String) -> String {
        String(decoding: PercentEncoding.decodeLeniently(Array(path.utf8)[...]), as: UTF8.self)
    }

    /// The letters, digits, dashes, underscores and dots of a text, in lower case and without accents.
    private static func cleaned(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text._nfd.compactMap { scalar in
                    switch scalar {
                    case " ": "-"
                    case "A"..."Z": Unicode.Scalar(scalar.value + 32)
                    case "a"..."z", "0"..."9", "_", "-", ".": scalar
                    default: nil
                    }
                }))
    }
}
