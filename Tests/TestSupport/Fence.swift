import Foundation
public import Testing

/// A fenced example of the documentation.
public struct Fence: Sendable, CustomTestStringConvertible {
    /// The page's path from the package's root.
    public let page: String
    /// The line of the opening fence.
    public let line: Int
    /// The text after the opening fence: `yaml routes`.
    public let info: String
    public let text: String

    public var testDescription: String { "\(page):\(line) \(info)" }

    /// All examples of the README and of the pages below `docs/`, in order.
    public static let all: [Fence] = {
        do {
            let pages = try FileManager.default.subpathsOfDirectory(atPath: PackageFiles.root + "/docs")
            return try (["README.md"] + pages.filter { $0.hasSuffix(".md") }.sorted().map { "docs/\($0)" })
                .flatMap(fences)
        } catch {
            // Without pages there would be no examples, and none of them would fail.
            fatalError("the documentation cannot be read: \(error)")
        }
    }()

    /// All examples of these kinds.
    public static func of(_ kinds: String...) -> [Fence] {
        all.filter { kinds.contains($0.info) }
    }

    private static func fences(of page: String) throws -> [Fence] {
        let text = try TemporaryFolder.read(PackageFiles.root + "/" + page)
        var fences: [Fence] = []
        var opening: (line: Int, info: String)?
        var content = ""
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            guard line.hasPrefix("```") else {
                content += line + "\n"
                continue
            }
            if let (line, info) = opening {
                fences.append(Fence(page: page, line: line, info: info, text: content))
                opening = nil
            } else {
                opening = (index + 1, String(line.dropFirst(3)))
                content = ""
            }
        }
        return fences
    }
}
