import Folders
import JSON
import MockEngine
import Platform
import StubModel

/// `__files` for the engine.
struct FolderBodies: BodyFileSource {
    let files: BodyFiles

    func read(_ path: String) throws(MockEngine.BodyFileError) -> BodyFile {
        do throws(Folders.BodyFileError) {
            let (bytes, identity) = try files.read(path)
            return BodyFile(bytes: bytes, version: UInt64(bitPattern: Int64(identity.hashValue)) | 1)
        } catch {
            throw BodyFileError(path: path, reason: error.description)
        }
    }
}

/// The served folder as the place where persistent stubs are kept.
struct FolderStubs: MockEngine.StubStore {
    let store: Folders.StubStore
    /// Told of each file that was written or removed, so that it is not taken for somebody else's change.
    let written: @Sendable (StubFile) -> Void
    let removed: @Sendable (String) -> Void

    func write(_ stub: StubMapping, file: String?, companions: [StubMapping]) throws(StubStoreError) -> String {
        if let file, !file.hasSuffix(".json") {
            throw StubStoreError(
                message: "the stub stands in \(file), which was written by hand in YAML: edit it there")
        }
        do throws(SystemError) {
            let written: StubFile
            if let file {
                written = try store.rewrite(file, Self.document(companions.isEmpty ? [stub] : companions))
            } else {
                written = try store.write(Self.fileName(of: stub), Self.document([stub]))
            }
            self.written(written)
            return written.relativePath
        } catch {
            throw StubStoreError(message: error.description)
        }
    }

    func remove(_ file: String) throws(StubStoreError) {
        do throws(SystemError) {
            try store.remove(file)
            removed(file)
        } catch {
            throw StubStoreError(message: error.description)
        }
    }

    private static func document(_ stubs: [StubMapping]) -> [UInt8] {
        let json = stubs.map { $0.json(view: .file) }
        let document: JSONValue = json.count == 1 ? json[0] : ["mappings": .array(json)]
        return document.prettyBytes + Array("\n".utf8)
    }

    private static func fileName(of stub: StubMapping) -> String {
        let method: String
        switch stub.request.method {
        case .any, .noneOf: method = "any"
        case .exactly(let name): method = name
        case .oneOf(let names): method = names.joined(separator: "-")
        }
        let url: String?
        switch stub.request.url {
        case .any: url = nil
        case .url(let text), .urlPattern(let text), .urlPath(let text), .urlPathPattern(let text),
            .urlPathTemplate(let text):
            url = text
        }
        return StubFileName.make(name: stub.name, method: method, url: url, id: stub.idText)
    }
}
