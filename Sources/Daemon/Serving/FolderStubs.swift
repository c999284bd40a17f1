import SDFolders
import SDJSON
import SDMockEngine
import SDPlatform
import SDStubModel
import SDStubs

/// The served folder as the store of persistent stubs.
struct FolderStubs: StubStore {
    let store: StubFileWriter
    /// Told about files written and removed here, so that the watch does not report them.
    let selfWrites: SelfWrites
    let template: StubFileTemplate

    func write(_ stub: StubMapping, file: String?, companions: [StubMapping]) throws(StubStoreError) -> String {
        try Self.check(file)
        do throws(SystemError) {
            let written =
                if let file {
                    try store.rewrite(file, Self.document(companions.isEmpty ? [stub] : companions))
                } else {
                    try store.write(fileName(of: stub), Self.document([stub]))
                }
            selfWrites.accept(written)
            return written.relativePath
        } catch {
            throw StubStoreError(message: error.description)
        }
    }

    func plannedWrite(
        _ stub: StubMapping, file: String?, companions: [StubMapping]
    ) throws(StubStoreError) -> PlannedWrite {
        try Self.check(file)
        let after = Self.document(companions.isEmpty ? [stub] : companions)
        return PlannedWrite(
            file: file ?? store.place(of: fileName(of: stub)), before: file.flatMap(store.text),
            after: String(decoding: after, as: UTF8.self))
    }

    func tryWriting(_ file: String, _ bytes: [UInt8]) throws(StubStoreError) {
        try Self.check(file)
        do throws(SystemError) {
            try store.tryWriting(file, bytes)
        } catch {
            throw StubStoreError(message: error.description)
        }
    }

    func text(of file: String) -> String? { store.text(file) }

    /// - Throws: for a file that this store does not write.
    private static func check(_ file: String?) throws(StubStoreError) {
        guard let file, !file.hasSuffix(".json") else { return }
        throw StubStoreError(message: "the stub is in \(file), which was written by hand in YAML: edit it there")
    }

    func remove(_ file: String) throws(StubStoreError) {
        do throws(SystemError) {
            try store.remove(file)
            selfWrites.acceptRemoval(of: file)
        } catch {
            throw StubStoreError(message: error.description)
        }
    }

    func flush(_ files: [String]) throws(StubStoreError) {
        do throws(SystemError) {
            try store.flush(files)
        } catch {
            throw StubStoreError(message: error.description)
        }
    }

    /// The content of a file with one mapping, or with several under `mappings`.
    private static func document(_ stubs: [StubMapping]) -> [UInt8] {
        let json = stubs.map { $0.json(view: .file) }
        let document: JSONValue = json.count == 1 ? json[0] : ["mappings": .array(json)]
        return document.prettyBytes + Array("\n".utf8)
    }

    private func fileName(of stub: StubMapping) -> String {
        template.fileName({ Self.text($0, of: stub) }, isTaken: store.holds)
    }

    private static func text(_ field: StubFileTemplate.Field, of stub: StubMapping) -> String {
        switch field {
        case .name: stub.name ?? ""
        case .method:
            switch stub.request.method {
            case .any, .noneOf: "any"
            case .exactly(let name): name
            case .oneOf(let names): names.joined(separator: "-")
            }
        case .url:
            switch stub.request.url {
            case .any: "always"
            case .url(let text), .urlPattern(let text), .urlPath(let text), .urlPathPattern(let text),
                .urlPathTemplate(let text):
                text
            }
        case .id: stub.idText
        }
    }
}
