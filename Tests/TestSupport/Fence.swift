import Foundation
public import Testing

/// One fenced example of the documentation.
public struct Fence: Sendable, CustomTestStringConvertible {
    /// Relative to the package's root.
    public let page: String
    /// Where the opening fence stands.
    public let line: Int
    /// What stands behind the opening fence: `yaml routes`.
    public let info: String
    public let text: String

    public var testDescription: String { "\(page):\(line) \(info)" }

    /// Those of the README and of all pages in `docs/`, in order.
    public static let all: [Fence] = {
        do {
            let pages = try FileManager.default.contentsOfDirectory(atPath: PackageFiles.root + "/docs")
            return try (["README.md"] + pages.filter { $0.hasSuffix(".md") }.sorted().map { "docs/\($0)" })
                .flatMap(fences)
        } catch {
            // No pages would be no examples, and none of them would fail.
            fatalError("the documentation cannot be read: \(error)")
        }
    }()

    /// Those of one kind.
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
