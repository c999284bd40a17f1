import SDBasics
import SDJSON
import SDShorthand
public import SDStubModel

/// The location of a stub in a handwritten YAML file, for generating its replacement.
public struct StubReplacementText {
    /// The lines of the file up to the one where the stub starts.
    private let lines: [Substring]
    private let line: Substring

    /// - Parameters:
    ///   - file: the text of the file.
    ///   - number: the line on which the stub starts, from 1.
    public init?(_ file: String, line number: Int) {
        let lines = file.split(maxSplits: number, omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        guard number > 0, lines.count >= number else { return nil }
        self.lines = Array(lines.prefix(number - 1))
        line = lines[number - 1]
    }

    /// The replacement for the lines of a stub, with their indentation.
    /// - Parameters:
    ///   - stub: the new stub.
    ///   - original: the current stub.
    ///   - stubs: all stubs that start on the line, in the order in which they are tried, with `stub` instead of the
    ///     original.
    /// - Returns: nil if the new stub cannot be written there.
    public func text(of stub: StubMapping, inPlaceOf original: StubMapping, among stubs: [StubMapping]) -> String? {
        let blanks = line.prefix { $0 == " " }
        var rest = line.dropFirst(blanks.count)
        guard rest.first == "-" else {
            let text = Self.isRoute(rest) ? routes(stubs) : mapping(stub)
            return text.map { Self.indented($0, first: String(blanks), rest: blanks.count) }
        }
        let dash = "-" + String(rest.dropFirst().prefix { $0 == " " })
        rest = rest.dropFirst(dash.count)
        let text =
            if Self.isRoute(rest) {
                routes(stubs)
            } else if parent(ofItemAt: blanks.count).map(Self.isRoute) == true {
                item(stub, original)
            } else {
                mapping(stub)
            }
        return text.map { Self.indented($0, first: String(blanks) + dash, rest: blanks.count + dash.count) }
    }

    /// Stubs as routes; nil if there are several that are not one route.
    private func routes(_ stubs: [StubMapping]) -> String? {
        let isCollection = stubs.contains { $0.resource != nil }
        if isCollection, WrittenRoute(collection: stubs[...]) == nil { return nil }
        return StubFileText.yaml(stubs)
    }

    private func mapping(_ stub: StubMapping) -> String? { stub.json(view: .file).yamlText() }

    /// A list element of a route, whose key holds the method and URL.
    private func item(_ stub: StubMapping, _ original: StubMapping) -> String? {
        guard let route = WrittenRoute(stub), WrittenRoute(original).map({ $0.key == route.key }) ?? true else {
            return nil
        }
        return (route.value.isNull ? [:] : route.value).yamlText()
    }

    /// The line of the key that owns a list item; nil for an item of a top-level list.
    private func parent(ofItemAt indentation: Int) -> Substring? {
        for line in lines.reversed() {
            let text = line.drop { $0 == " " }
            if text.isEmpty || text.first == "#" || text.hasPrefix("---") { continue }
            let place = line.count - text.count
            if text.first == "-" {
                guard place < indentation else { continue }
                return text.dropFirst().drop { $0 == " " }
            }
            if place <= indentation { return text }
        }
        return nil
    }

    /// Whether a line starts with a route key.
    private static func isRoute(_ line: Substring) -> Bool {
        let key = line.first == "\"" || line.first == "'" ? line.dropFirst() : line
        let word = key.prefix { $0.isLetter || $0 == "|" || $0 == "-" }
        let path = key.dropFirst(word.count).drop { $0 == " " }
        return !word.isEmpty
            && (path.first == "/" || path.hasPrefix("~") || path.hasPrefix("=/") || path.hasPrefix("**"))
    }

    private static func indented(_ text: String, first: String, rest: Int) -> String {
        let blanks = String(repeating: " ", count: rest)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let shown = lines.enumerated().map { index, line in
            line.isEmpty ? "" : (index == 0 ? first : blanks) + line
        }
        return shown.joined(separator: "\n")
    }
}
