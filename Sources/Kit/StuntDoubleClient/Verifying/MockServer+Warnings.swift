import SDBasics

extension MockServer {
    /// Passes the warnings of an answer to the reporter, or prints them to standard error.
    func reportWarnings(of answer: ServerAnswer) {
        for text in Warnings.texts(answer.header("x-stuntdouble-warning") ?? "") { report(text) }
    }

    /// Passes a warning to the reporter, or prints it to standard error.
    func report(_ warning: String) {
        if let reporter {
            reporter.warn(warning, at: callSite)
        } else {
            PrintedWarnings.shared.print(warning, at: callSite)
        }
    }
}

/// The header with the server's warnings: texts separated by ` | `, with non-ASCII characters as `\u{e9}`.
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

    /// The character of an escape at the start of a text, and its end; nil without an escape.
    private static func escaped(_ text: Substring) -> (scalar: Unicode.Scalar, end: Substring.Index)? {
        guard text.hasPrefix("\\u{"), let close = text.firstIndex(of: "}") else { return nil }
        let digits = text[text.index(text.startIndex, offsetBy: 3)..<close]
        return UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init).map { ($0, text.index(after: close)) }
    }
}

/// The warnings that this process has printed to standard error, once for each call site.
package final class PrintedWarnings: Sendable {
    package static let shared = PrintedWarnings()

    private let printed = Lock<Set<String>>([])

    /// Prints a line in the format of compiler warnings, so that editors link to its source.
    package func print(_ warning: String, at callSite: CallSite?) {
        let place = callSite.map { "\($0.filePath):\($0.line):\($0.column): " } ?? ""
        let line = "\(place)warning: \(warning)"
        guard printed.withLock({ $0.insert(line).inserted }) else { return }
        SocketCalls.printError(line + "\n")
    }
}
