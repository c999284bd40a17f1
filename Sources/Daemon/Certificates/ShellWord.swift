/// A word of a command line as a shell reads it, quoted if need be.
struct ShellWord: CustomStringConvertible {
    let description: String

    init(_ text: some StringProtocol) {
        let isPlain =
            !text.isEmpty
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
                    || Array("/._-+:,@%".utf8).contains(byte)
            }
        description =
            isPlain
            ? String(text)
            : "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
