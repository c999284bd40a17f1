import SDBasics

extension MockServer {
    /// Tells the warnings that the server gives with an answer: to the reporter, or else on standard error.
    func tellWarnings(of answer: ServerAnswer) {
        for text in Warnings.texts(answer.header("x-stuntdouble-warning") ?? "") { tell(text) }
    }

    /// Tells a warning: to the reporter, or else on standard error.
    func tell(_ warning: String) {
        if let reporter {
            reporter.warn(warning, at: callSite)
        } else {
            PrintedWarnings.shared.print(warning, at: callSite)
        }
    }
}

/// The header with the server's warnings: texts with ` | ` between them, in which `\u{e9}` stands for what is not ASCII.
enum Warnings {
    static func texts(_ field: String) -> [String] {
        var texts: [String] = [""]
        var rest = field[...]
        while let character = rest.first {
            if rest.hasPrefix(" | ") {
                texts.append("")
                rest = rest.dropFirst(3)
            } else if let (scalar, end) = escaped(rest) {
                texts[texts.count - 1].unicodeScalars.append(scalar)
                rest = rest[end...]
            } else {
                texts[texts.count - 1].append(character)
                rest = rest.dropFirst()
            }
        }
        return texts.filter { !$0.isEmpty }
    }

    /// The character of an escape that a text begins with, and the escape's end; nil if it begins with none.
    private static func escaped(_ text: Substring) -> (scalar: Unicode.Scalar, end: Substring.Index)? {
        guard text.hasPrefix("\\u{"), let close = text.firstIndex(of: "}") else { return nil }
        let digits = text[text.index(text.startIndex, offsetBy: 3)..<close]
        return UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init).map { ($0, text.index(after: close)) }
    }
}

/// The warnings that this process has printed to standard error, each once for a place.
package final class PrintedWarnings: Sendable {
    package static let shared = PrintedWarnings()

    private let printed = Lock<Set<String>>([])

    /// Prints a line in the form of a compiler's warning, which editors lead to its place.
    package func print(_ warning: String, at callSite: CallSite?) {
        let place = callSite.map { "\($0.filePath):\($0.line):\($0.column): " } ?? ""
        let line = "\(place)warning: \(warning)"
        guard printed.withLock({ $0.insert(line).inserted }) else { return }
        SocketCalls.printError(line + "\n")
    }
}
