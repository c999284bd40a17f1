/// A block of a file in PEM, from its first line to its last.
struct PEMBlock: Equatable {
    /// The label: `CERTIFICATE`, `PRIVATE KEY` and so on.
    let label: String
    let bytes: [UInt8]

    var isCertificate: Bool { label == "CERTIFICATE" || label == "X509 CERTIFICATE" || label == "TRUSTED CERTIFICATE" }
    var isPrivateKey: Bool { label == "PRIVATE KEY" || label.hasSuffix(" PRIVATE KEY") }
    /// Whether a password is needed to read it.
    var isEncrypted: Bool {
        label == "ENCRYPTED PRIVATE KEY"
            || String(decoding: bytes.prefix(200), as: UTF8.self).split(separator: "\n")
                .contains { $0.hasPrefix("Proc-Type: 4,ENCRYPTED") }
    }

    /// The blocks of a file, in order. Text between blocks is skipped, and so is a block without an end.
    static func all(in bytes: [UInt8]) -> [PEMBlock] {
        var blocks: [PEMBlock] = []
        var open: (label: String, lines: [UInt8])?
        for line in bytes.split(whereSeparator: { $0 == 0x0a || $0 == 0x0d }) {
            if let label = label(of: line, "-----BEGIN ") { open = (label, []) }
            guard open != nil else { continue }
            open?.lines += line + [0x0a]
            guard let (label, lines) = open, Self.label(of: line, "-----END ") == label else { continue }
            // A header, such as that of an old encrypted key, ends with an empty line, which the split has left out.
            blocks.append(PEMBlock(label: label, bytes: withHeaderEnd(lines)))
            open = nil
        }
        return blocks
    }

    /// The label of a BEGIN or END line; nil for any other line.
    private static func label(of line: ArraySlice<UInt8>, _ prefix: String) -> String? {
        var text = line
        while true {
            if let first = text.first, first == 0x20 || first == 0x09 {
                text = text.dropFirst()
            } else if text.starts(with: "\u{feff}".utf8) {
                text = text.dropFirst(3)
            } else {
                break
            }
        }
        while let last = text.last, last == 0x20 || last == 0x09 { text = text.dropLast() }
        guard text.starts(with: prefix.utf8), text.dropFirst(prefix.utf8.count).suffix(5).elementsEqual("-----".utf8)
        else { return nil }
        return String(decoding: text.dropFirst(prefix.utf8.count).dropLast(5), as: UTF8.self)
    }

    private static func withHeaderEnd(_ lines: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var isHeader = false
        for line in lines.split(separator: 0x0a) {
            let hasColon = line.contains(0x3a)
            // A header may continue on lines that start with a space.
            if isHeader, !hasColon, line.first != 0x20 { result.append(0x0a) }
            isHeader = hasColon || isHeader && line.first == 0x20
            result += line + [0x0a]
        }
        return result
    }
}
