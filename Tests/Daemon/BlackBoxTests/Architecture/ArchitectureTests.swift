import Foundation
import SDTestSupport
import Testing

/// The imports of the targets, and the links and commands of the pages.
@Suite struct ArchitectureTests {
    // MARK: Targets

    /// From the bottom up: a layer imports only from those before it.
    private static let layers = [
        "Base", "Dialect", "Matching", "Wire", "Templating", "Engine", "Tools", "Admin", "Daemon", "Kit",
    ]

    private static func mayImport(_ layer: String, from other: String) -> Bool {
        if layer == "Wire" { return other == "Base" }
        guard let upper = layers.firstIndex(of: layer), let lower = layers.firstIndex(of: other) else { return false }
        return lower < upper
    }

    @Test func theManifestAllowsExactlyTheImportsOfATarget() throws {
        let declared = try SourceTree.manifest()
        #expect(Set(declared.keys) == Set(SourceTree.targets))
        for (target, names) in declared {
            #expect(try names == SourceTree.imports(of: target), "\(target.name) in Package.swift")
        }
    }

    @Test func aLayerImportsOnlyFromLayersBelowIt() throws {
        var count = 0
        for target in SourceTree.targets {
            for name in try SourceTree.imports(of: target) {
                let imported = try #require(SourceTree.targets.first { $0.name == name })
                if imported.layer == target.layer { continue }
                count += 1
                let isAllowed = Self.mayImport(target.layer, from: imported.layer)
                #expect(isAllowed, "\(target.name) of \(target.layer) imports \(name) of \(imported.layer)")
            }
        }
        #expect(count > 20)
    }

    /// HTTP/1.1 is one of several protocols of a connection: only its own files name its state and functions.
    @Test func noOtherFileNamesTheStateOfHTTP1() throws {
        let files = SourceTree.files(in: "Sources/Wire", "c", "h", "swift")
        let own = files.filter { $0.contains("/CReactor/http1") }
        func names(_ file: String) throws -> [Substring] {
            try SourceTree.words(file).filter { $0.hasPrefix("cr_http1") || $0.hasPrefix("CR_HTTP1") || $0 == "http1" }
        }
        for file in files where !own.contains(file) { #expect(try names(file) == [], "\(file)") }
        #expect(own.count > 3)
        for file in own { #expect(try !names(file).isEmpty, "\(file)") }
    }

    // MARK: Pages

    /// The README of each layer.
    private static let layerPages = SourceTree.files(in: "Sources", "md")

    @Test(arguments: MarkdownPage.all + layerPages) func everyLinkHasATarget(path: String) throws {
        let page = try MarkdownPage(path)
        for link in page.links where !link.isExternal {
            let destination = page.destination(of: link)
            #expect(exists(destination), "\(path): \(link.target)")
            guard let hash = link.target.firstIndex(of: "#"), destination.hasSuffix(".md"), exists(destination)
            else { continue }
            let anchor = String(link.target[hash...].dropFirst())
            #expect(try MarkdownPage(destination).anchors.contains(anchor), "\(path): \(link.target)")
        }
    }

    /// The index is also the navigation of the documentation site.
    @Test func everyPageIsInTheIndex() throws {
        let index = try MarkdownPage("docs/README.md")
        let named = Set(index.links.filter { !$0.isExternal && !$0.target.contains("#") }.map(index.destination))
        for page in MarkdownPage.all where page != index.path {
            #expect(named.contains(page), "docs/README.md does not name \(page)")
        }
    }

    private func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: PackageFiles.root + "/" + path)
    }

    @Test(arguments: ["docs/architecture.md", "CONTRIBUTING.md"] + layerPages)
    func everyCommandExists(path: String) throws {
        let page = try MarkdownPage(path)
        let makefile = try SourceTree.text("Makefile")
        let tests = try SourceTree.files(in: "Tests", "swift").map(SourceTree.text).joined(separator: "\n")
        let names = Set(tests.matches(of: /\b(?:struct|func) (\w+)/).map(\.output.1))
        let suites = SourceTree.folders(in: "Tests").flatMap { SourceTree.folders(in: "Tests/\($0)") }
        for command in page.code + page.commands {
            for match in command.matches(of: /\bmake ([a-z-]+)/) {
                let isThere = makefile.contains("\n\(match.output.1):")
                #expect(isThere, "\(path): \(command)")
            }
            for match in command.matches(of: /--filter '?([\w|]+)/) {
                for name in match.output.1.split(separator: "|") {
                    let isThere = names.contains(name) || suites.contains(String(name))
                    #expect(isThere, "\(path): \(name)")
                }
            }
        }
    }

    /// An application may have types with names of the engine's.
    @Test func theKitExportsNothingOfTheEngine() throws {
        let exported = /^(?:@_exported )?public import SD\w+/.anchorsMatchLineEndings()
        let files = SourceTree.files(in: "Sources/Kit", "swift")
        #expect(files.count > 50)
        for file in files { #expect(try !SourceTree.text(file).contains(exported), "\(file) exports a target") }
    }
}
