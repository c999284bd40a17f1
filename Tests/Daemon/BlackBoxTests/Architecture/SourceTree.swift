import Foundation
import SDTestSupport

/// The targets of `Sources`, read from their folders and files.
enum SourceTree {
    struct Target: Sendable, Hashable {
        let layer: String
        let name: String

        var folder: String { "Sources/\(layer)/\(name)" }
    }

    /// The targets with code, so without the dialect's table.
    static let targets: [Target] = folders(in: "Sources").flatMap { layer in
        folders(in: "Sources/\(layer)").map { Target(layer: layer, name: $0) }
            .filter { !files(in: $0.folder, "swift", "c", "h").isEmpty }
    }

    /// The names of the folders in a folder.
    static func folders(in folder: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: PackageFiles.root + "/" + folder)) ?? []
        return names.filter { isFolder("\(folder)/\($0)") && !$0.hasPrefix(".") }.sorted()
    }

    static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: PackageFiles.root + "/" + path, isDirectory: &isFolder)
            && isFolder.boolValue
    }

    /// The files below a folder, by their paths from the package's root.
    static func files(in folder: String, _ extensions: String...) -> [String] {
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: PackageFiles.root + "/" + folder)) ?? []
        return names.filter { name in extensions.contains { name.hasSuffix("." + $0) } }.sorted().map {
            "\(folder)/\($0)"
        }
    }

    static func text(_ path: String) throws -> String {
        String(decoding: try PackageFiles.data(path), as: UTF8.self)
    }

    /// The words of a file's code.
    static func words(_ path: String) throws -> Set<Substring> {
        Set(try text(path).split { !$0.isLetter && !$0.isNumber && $0 != "_" })
    }

    // MARK: Imports

    /// The other targets that the files of a target import, in Swift or in C.
    static func imports(of target: Target) throws -> Set<String> {
        try known.get()[target] ?? []
    }

    private static let known = Result {
        try Dictionary(uniqueKeysWithValues: targets.map { ($0, try readImports(of: $0)) })
    }

    /// The prefix of a module's name before the folder's, unless users import it.
    private static let prefix = "SD"

    private static func readImports(of target: Target) throws -> Set<String> {
        var found: Set<String> = []
        for file in files(in: target.folder, "swift") {
            found.formUnion(
                swiftImports(try text(file)).map { $0.hasPrefix(prefix) ? String($0.dropFirst(prefix.count)) : $0 })
        }
        found.formIntersection(targets.map(\.name))
        var included: Set<Header> = []
        for file in files(in: target.folder, "c", "h") { included.formUnion(headers(try text(file))) }
        found.formUnion(included.compactMap { owner(of: $0, includedBy: target) })
        return found.subtracting([target.name])
    }

    static func swiftImports(_ text: String) -> [String] {
        let declaration =
            /^\s*(?:(?:@\w+(?:\([^)]*\))?|public|package|internal|fileprivate|private)\s+)*import\s+(?:(?:struct|class|enum|protocol|typealias|func|var|let)\s+)?(\w+)/
        return text.split(separator: "\n").compactMap { $0.prefixMatch(of: declaration).map { String($0.output.1) } }
    }

    private struct Header: Hashable {
        let name: String
        let isQuoted: Bool
    }

    private static func headers(_ text: String) -> [Header] {
        text.split(separator: "\n").compactMap { line in
            line.prefixMatch(of: /\s*#\s*include\s+(["<])([^">]+)[">]/).map {
                Header(name: String($0.output.2), isQuoted: $0.output.1 == "\"")
            }
        }
    }

    /// The target that owns an included header: the header is its file or, for a C library of the system, named by its shim.
    /// Nil for headers of the C standard library.
    private static func owner(of header: Header, includedBy target: Target) -> String? {
        if header.isQuoted {
            let owners = targets.filter { files(in: $0.folder, "h").contains { $0.hasSuffix("/" + header.name) } }
            return owners.contains(target) ? target.name : owners.first?.name ?? header.name
        }
        if header.name.hasPrefix("sys/") { return nil }
        return targets.first { shimmedHeaders($0).contains(header.name) }?.name
    }

    private static func shimmedHeaders(_ target: Target) -> [String] {
        (try? text(target.folder + "/shim.h")).map { headers($0).map(\.name) } ?? []
    }

    // MARK: The manifest

    /// The imports that `Package.swift` allows each target of `Sources`.
    static func manifest() throws -> [Target: Set<String>] {
        let text = try text("Package.swift")
        var declared: [Target: Set<String>] = [:]
        let declaration = /(library|cLibrary|system)\(\s*"(\w+)", in: \.(\w+)(?:,\s*\[([^\]]*)\])?/
        for match in text.matches(of: declaration) {
            let target = Target(layer: match.output.3.capitalized, name: String(match.output.2))
            declared[target] = names(match.output.4 ?? "")
        }
        let executable = /program\(\s*"(\w+)", at: \w+\.(\w+)\.source\("\w+"\),\s*\[([^\]]*)\]/
        for match in text.matches(of: executable) {
            let target = Target(layer: match.output.2.capitalized, name: String(match.output.1))
            declared[target] = names(match.output.3)
        }
        return declared
    }

    private static func names(_ list: Substring) -> Set<String> {
        Set(list.matches(of: /"(\w+)"/).map { String($0.output.1) })
    }
}
