import Foundation
import SDTestSupport
import Testing

/// A page of the documentation: its lines outside of fenced examples.
struct MarkdownPage: Sendable, CustomTestStringConvertible {
    /// Relative to the package's root.
    let path: String
    private let lines: [String]

    /// The pages of the repository: those at its root, and those below `docs/`.
    static let all: [String] = {
        do {
            let pages = try FileManager.default.subpathsOfDirectory(atPath: PackageFiles.root + "/docs")
            return ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"]
                + pages.filter { $0.hasSuffix(".md") }.sorted().map { "docs/\($0)" }
        } catch {
            // Without pages there would be no links, and none of them would fail.
            fatalError("the documentation cannot be read: \(error)")
        }
    }()

    /// - Throws: where the page cannot be read.
    init(_ path: String) throws {
        let text = String(decoding: try PackageFiles.data(path), as: UTF8.self)
        var lines: [String] = []
        var isFenced = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                isFenced.toggle()
            } else if !isFenced {
                lines.append(String(line))
            }
        }
        self.path = path
        self.lines = lines
    }

    var testDescription: String { path }

    /// The fragments of links to the page's headings, as GitHub makes them.
    var anchors: Set<String> {
        Set(
            lines.filter { $0.hasPrefix("#") }.map { line in
                let heading = line.drop { $0 == "#" || $0 == " " }.lowercased()
                return String(
                    heading.compactMap { character -> Character? in
                        if character == " " { return "-" }
                        let isKept = character.isLetter || character.isNumber || character == "-" || character == "_"
                        return isKept ? character : nil
                    })
            })
    }

    // MARK: Links

    struct Link: Sendable, Hashable {
        let text: String
        let target: String

        var isExternal: Bool { target.contains("://") || target.hasPrefix("mailto:") }
    }

    /// In the order of the page.
    var links: [Link] { Self.links(in: lines.joined(separator: "\n")) }

    /// The path that a link of this page leads to, from the package's root.
    func destination(of link: Link) -> String {
        let file = link.target.prefix { $0 != "#" }
        if file.isEmpty { return path }
        let folder = path.split(separator: "/").dropLast()
        var names: [Substring] = []
        for name in folder + file.split(separator: "/") {
            if name == "..", !names.isEmpty { names.removeLast() } else if name != "." { names.append(name) }
        }
        return names.joined(separator: "/")
    }

    private static func links(in text: String) -> [Link] {
        // Brackets within code are no link's.
        var masked = ""
        for (index, piece) in text.split(separator: "`", omittingEmptySubsequences: false).enumerated() {
            if index > 0 { masked += "`" }
            masked += index % 2 == 0 ? String(piece) : String(piece.map { "[]()".contains($0) ? "·" : $0 })
        }
        return masked.matches(of: /\[([^\]]*)\]\(([^)\s]+)\)/).map {
            Link(text: String($0.output.1), target: String($0.output.2))
        }
    }

    // MARK: Code

    /// The texts between single backticks, in the order of the page.
    var code: [String] { Self.code(in: lines.joined(separator: "\n")) }

    private static func code(in text: String) -> [String] {
        text.matches(of: /`([^`\n]+)`/).map { String($0.output.1) }
    }

    /// The lines that are indented as code.
    var commands: [String] {
        lines.filter { $0.hasPrefix("    ") && !$0.hasPrefix("     ") }.map { String($0.dropFirst(4)) }
    }

    // MARK: Lists and tables

    /// An element of a list with its continuation lines, or a row of a table.
    struct Item: Sendable {
        let text: String

        var code: [String] { MarkdownPage.code(in: text) }
        var links: [Link] { MarkdownPage.links(in: text) }
        /// Of a row.
        var cells: [String] {
            text.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast().map {
                $0.trimmingCharacters(in: .whitespaces)
            }
        }
    }

    var items: [Item] {
        var items: [[String]] = []
        var isOpen = false
        for line in lines {
            let text = line.drop { $0 == " " }
            if text.hasPrefix("|") || text.hasPrefix("- ") || text.prefixMatch(of: #/\d+\. /#) != nil {
                items.append([line])
                isOpen = !text.hasPrefix("|")
            } else if isOpen, line.hasPrefix(" "), !text.isEmpty {
                items[items.count - 1].append(line)
            } else {
                isOpen = false
            }
        }
        return items.map { Item(text: $0.joined(separator: "\n")) }
    }

    /// The rows of the tables, without those of headings and rules.
    var rows: [Item] {
        let items = items
        return items.indices.filter { index in
            guard items[index].text.hasPrefix("|"), !items[index].isRule else { return false }
            return !(items.indices.contains(index + 1) && items[index + 1].isRule)
        }.map { items[$0] }
    }
}

extension MarkdownPage.Item {
    fileprivate var isRule: Bool { text.hasPrefix("|-") }
}
