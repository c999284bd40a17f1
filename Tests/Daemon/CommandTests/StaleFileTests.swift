import SDMockEngine
import SDPlatform
import SDStubModel
import Testing

@testable import SDFolders
@testable import SDServing

/// A call may change a file's stubs after the watch has read the file, and before its stubs are served.
@Suite struct StaleFileTests {
    private let temporary: TemporaryFolder
    private let folder: StubFolder
    private let session: Session
    private let loader: StubLoader
    private let selfWrites = SelfWrites()

    init() throws {
        temporary = try TemporaryFolder()
        folder = StubFolder(path: temporary.path)
        let store = FolderStubs(store: StubFileWriter(folder: folder), selfWrites: selfWrites, template: .usual)
        session = Session(store: store)
        loader = StubLoader(
            folder: folder, session: session, selfWrites: selfWrites, log: Log(format: .text, threshold: .error))
        let (_, contents) = loader.loadAll(atOnce: false)
        selfWrites.attach(try FolderWatch(folder, known: contents) { _ in })
    }

    private var bodies: [String?] { session.stubs.map(\.response.body) }

    private func stub(_ body: String) throws -> StubMapping {
        var mapping = StubMapping(
            id: try #require(StubMapping.id(text: "11111111-1111-4111-8111-111111111111")), name: "one")
        mapping.response.body = body
        mapping.persistent = true
        return mapping
    }

    @Test func whatACallHasSavedSinceStays() throws {
        try session.add(try stub("called"))
        let name = try #require(session.fileNames.first)
        let text = String(decoding: try #require(folder.stubFile(name)).bytes, as: UTF8.self)
        try temporary.write(name, text.replacing("called", with: "edited by hand"))
        let edit = FileChange(
            path: temporary.path + "/" + name, relativePath: name,
            kind: .changed(try #require(folder.stubFile(name))))
        loader.applyWatched([edit])
        #expect(bodies == ["edited by hand"])

        #expect(try session.replace(try stub("called again")))
        loader.applyWatched([edit])
        #expect(bodies == ["called again"])

        #expect(try session.remove(try stub("").id))
        loader.applyWatched([edit])
        #expect(bodies.isEmpty)

        try session.add(try stub("called anew"))
        loader.applyWatched([FileChange(path: edit.path, relativePath: name, kind: .removed)])
        #expect(bodies == ["called anew"])
        selfWrites.stopWatching()
    }
}
