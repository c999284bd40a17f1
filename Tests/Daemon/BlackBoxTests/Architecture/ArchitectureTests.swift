import Foundation
import SDTestSupport
import Testing

/// `docs/architecture.md` against the package: a page for newcomers that nothing checks would soon lead them astray.
@Suite struct ArchitectureTests {
    private static let path = "docs/architecture.md"
    private let page: MarkdownPage
    private let picture: RoomPicture

    init() throws {
        page = try MarkdownPage(Self.path)
        let fence = try #require(Fence.all.first { $0.page == Self.path && $0.info == "text picture" })
        picture = try RoomPicture(fence.text)
    }

    /// A row of the table of targets.
    private struct Row {
        let target: SourceTree.Target
        let link: String
        let imports: Set<String>
    }

    private func rows() throws -> [Row] {
        try #require(page.section("## Targets")).rows.map { row in
            let cells = row.cells
            try #require(cells.count == 4, "\(row.text)")
            let link = try #require(row.links.first, "\(row.text)")
            let name = link.text.filter { $0 != "`" }
            let imports = MarkdownPage.Item(text: cells[3]).code
            return Row(
                target: SourceTree.Target(room: cells[0], name: name), link: page.destination(of: link),
                imports: Set(imports))
        }
    }

    // MARK: Targets

    @Test func thePictureShowsEveryTargetInItsRoom() {
        #expect(SourceTree.targets.count > 20)
        let drawn = picture.rooms.flatMap { room in
            room.targets.map { SourceTree.Target(room: room.name, name: $0) }
        }
        #expect(Set(drawn).count == drawn.count, "a target stands twice")
        for target in SourceTree.targets { #expect(drawn.contains(target), "\(target.folder) is not in the picture") }
        for target in drawn { #expect(SourceTree.targets.contains(target), "there is no \(target.folder)") }
    }

    @Test func theTableHasARowForEveryTarget() throws {
        let rows = try rows()
        #expect(rows.count == SourceTree.targets.count)
        for target in SourceTree.targets {
            let row = rows.first { $0.target == target }
            #expect(row?.link == target.folder, "no row for \(target.folder), or its link leads elsewhere")
        }
    }

    @Test(arguments: SourceTree.targets)
    func aTargetImportsExactlyWhatItsRowSays(target: SourceTree.Target) throws {
        let row = try #require(rows().first { $0.target == target })
        let imports = try SourceTree.imports(of: target)
        #expect(imports.subtracting(row.imports) == [], "imported by \(target.name), and not in its row")
        #expect(row.imports.subtracting(imports) == [], "in the row of \(target.name), and not imported")
    }

    @Test func theManifestAllowsExactlyTheImportsOfATarget() throws {
        let declared = try SourceTree.manifest()
        #expect(Set(declared.keys) == Set(SourceTree.targets))
        for (target, names) in declared {
            #expect(try names == SourceTree.imports(of: target), "\(target.name) in Package.swift")
        }
    }

    @Test func aRoomImportsOnlyFromRoomsBelowIt() throws {
        var count = 0
        for target in SourceTree.targets {
            let room = try #require(picture.room(target.room))
            for name in try SourceTree.imports(of: target) {
                let imported = try #require(SourceTree.targets.first { $0.name == name })
                if imported.room == target.room { continue }
                count += 1
                let other = try #require(picture.room(imported.room))
                #expect(room.isAbove(other), "\(target.name) of \(room.name) imports \(name) of \(other.name)")
            }
        }
        #expect(count > 20)
    }

    @Test func noTargetImportsItselfThroughOthers() throws {
        var left = try Dictionary(
            uniqueKeysWithValues: SourceTree.targets.map { ($0.name, try SourceTree.imports(of: $0)) })
        while let free = left.first(where: { $0.value.isDisjoint(with: left.keys) })?.key { left[free] = nil }
        #expect(left.isEmpty, "a cycle: \(left.keys.sorted())")
    }

    /// A connection has protocols, and HTTP/1.1 is one of them: what it keeps and calls is named by its own files alone.
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

    // MARK: Names

    @Test(arguments: MarkdownPage.all) func everyLinkHasATarget(path: String) throws {
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

    /// A page that the index does not name is one that nobody finds; the site's navigation is made of it, too.
    @Test func everyPageIsInTheIndex() throws {
        let index = try MarkdownPage("docs/README.md")
        let named = Set(index.links.filter { !$0.isExternal && !$0.target.contains("#") }.map(index.destination))
        for page in MarkdownPage.all where page != index.path {
            #expect(named.contains(page), "docs/README.md does not name \(page)")
        }
    }

    @Test(arguments: [path, "CONTRIBUTING.md", "CHANGELOG.md"]) func everyPathIsThatOfAFile(path: String) throws {
        let page = try MarkdownPage(path)
        for word in page.code where word.contains("/") && word.wholeMatch(of: /[\w.+-][\w.+\/-]*/) != nil {
            #expect(exists(word), "\(path): \(word)")
        }
        for link in page.links {
            let name = link.text.filter { $0 != "`" }
            guard isFileName(name) else { continue }
            #expect(page.destination(of: link).split(separator: "/").last == Substring(name), "\(path): \(link)")
        }
    }

    /// What an element of a list, or a row, says of the files that it links to stands in one of them.
    @Test func everyNameOccursInTheFilesNextToIt() throws {
        var count = 0
        for item in page.items {
            let files = item.links.filter { !$0.isExternal }.map(page.destination).filter(exists)
            let isOfTargets = files.contains { file in SourceTree.targets.contains { $0.folder == file } }
            guard !files.isEmpty, !isOfTargets else { continue }
            let texts = files.flatMap { file in
                SourceTree.isFolder(file) ? SourceTree.files(in: file, "swift", "c", "h", "py") : [file]
            }
            let words = try texts.reduce(into: Set()) { $0.formUnion(try SourceTree.words($1)) }
            for word in item.code.flatMap(identifiers) {
                count += 1
                let isThere = words.contains(Substring(word))
                #expect(isThere, "\(word) is not in \(files)")
            }
        }
        #expect(count > 50)
    }

    /// The names in a piece of code such as `Session.serve(request:)`; empty for text that names no code.
    private func identifiers(_ code: String) -> [String] {
        guard !isFileName(code), code.wholeMatch(of: /[A-Za-z_]\w*(\.[A-Za-z_]\w*)*(\([\w:]*\))?/) != nil else {
            return []
        }
        return code.prefix { $0 != "(" }.split(separator: ".").map(String.init)
    }

    private func isFileName(_ word: String) -> Bool {
        word.wholeMatch(of: /[\w+-]+\.(swift|c|h|py|md|json|yaml)/) != nil
    }

    private func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: PackageFiles.root + "/" + path)
    }

    @Test(arguments: [path, "CONTRIBUTING.md"]) func everyCommandExists(path: String) throws {
        let page = try MarkdownPage(path)
        let makefile = try SourceTree.text("Makefile")
        let tests = try SourceTree.files(in: "Tests", "swift").map(SourceTree.text).joined(separator: "\n")
        let names = Set(tests.matches(of: /\b(?:struct|func) (\w+)/).map(\.output.1))
        let suites = SourceTree.folders(in: "Tests").flatMap { SourceTree.folders(in: "Tests/\($0)") }
        var count = 0
        for command in page.code + page.commands {
            for match in command.matches(of: /\bmake ([a-z-]+)/) {
                count += 1
                let isThere = makefile.contains("\n\(match.output.1):")
                #expect(isThere, "\(path): \(command)")
            }
            for match in command.matches(of: /--filter '?([\w|]+)/) {
                for name in match.output.1.split(separator: "|") {
                    count += 1
                    let isThere = names.contains(name) || suites.contains(String(name))
                    #expect(isThere, "\(path): \(name)")
                }
            }
        }
        #expect(count > 3)
    }

    /// An application's types of the engine's names are its own.
    @Test func theKitExportsNothingOfTheEngine() throws {
        let exported = /^(?:@_exported )?public import SD\w+/.anchorsMatchLineEndings()
        let files = SourceTree.files(in: "Sources/Kit", "swift")
        #expect(files.count > 50)
        for file in files { #expect(try !SourceTree.text(file).contains(exported), "\(file) exports a target") }
    }

    // MARK: Threads and locks

    @Test func everyThreadIsListed() throws {
        let rows = try #require(page.section("## Threads")).rows
        let listed = Set(rows.flatMap { MarkdownPage.Item(text: $0.cells[0]).code })
        let texts = try SourceTree.files(in: "Sources", "swift").map(SourceTree.text)
        let named = texts.flatMap { text in
            text.matches(of: /\b(?:SystemThread|WorkQueue)\(name: "([^"]+)"/).map { String($0.output.1) }
        }
        #expect(named.count > 5)
        for name in named { #expect(listed.contains(name), "the thread \(name) is not listed") }
        for name in listed where !name.hasPrefix("-") { #expect(named.contains(name), "no thread is named \(name)") }
    }

    /// Who adds a lock says where it stands among the others.
    @Test func everyLockIsListed() throws {
        let listed = Set(try #require(page.section("## Locks")).links.map(page.destination))
        let lock =
            /^ *(?:\w+ )*(?:let|var) \w+(?:: | = )(?:Mutex|Monitor|Lock)[<(]|<pthread_mutex_t>\.allocate|^\s*pthread_mutex_t \w+;/
            .anchorsMatchLineEndings()
        let owners = try SourceTree.files(in: "Sources", "swift", "h").filter {
            try SourceTree.text($0).contains(lock)
        }
        #expect(owners.count > 10)
        // A folder stands for the files in it.
        func stands(_ listed: String, for file: String) -> Bool { file == listed || file.hasPrefix(listed + "/") }
        for file in owners {
            #expect(listed.contains { stands($0, for: file) }, "the lock of \(file) is not listed")
        }
        for place in listed { #expect(owners.contains { stands(place, for: $0) }, "\(place) has no lock") }
    }
}
