/// Names of files for saved stubs, by WireMock's default template:
/// `{{#if name}}{{{name}}}{{else}}{{{method}}}-{{{url}}}{{/if}}-{{{id}}}.json`.
public enum StubFileName {
    /// The part before the id is cut at this many bytes, so that the name stays within the 255 bytes of file systems.
    static let longestStem = 180

    /// - Parameters:
    ///   - name: the stub's name; nil and empty count as none.
    ///   - method: the stub's method, `ANY` included.
    ///   - url: the text of whichever of the five URL fields the stub uses; nil if it uses none.
    ///   - id: the stub's id in lower case.
    public static func make(name: String?, method: String, url: String?, id: String) -> String {
        let stem = name.flatMap { $0.isEmpty ? nil : $0 } ?? "\(method)-\(url ?? "always")"
        // Spaces become dashes, what is no ASCII letter, digit, underscore, dash or dot goes, and the rest is lower case.
        var bytes: [UInt8] = []
        for byte in stem.utf8 {
            switch byte {
            case 0x20: bytes.append(0x2d)
            case 0x41...0x5a: bytes.append(byte + 0x20)
            case 0x30...0x39, 0x61...0x7a, 0x5f, 0x2d, 0x2e: bytes.append(byte)
            default: break
            }
        }
        // WireMock would name a stub called "..x" so that it is hidden; hidden files are not read back.
        let shown = bytes.drop { $0 == 0x2e }.prefix(longestStem)
        return String(decoding: shown, as: UTF8.self) + "-\(id).json"
    }
}
