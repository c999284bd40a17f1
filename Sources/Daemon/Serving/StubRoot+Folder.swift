package import SDCommand
import SDContracts
package import SDFolders
import SDJSON
import SDPlatform
package import SDStubFiles

extension NeighbourFiles {
    /// - Parameter remote: reads the documents at URLs; nil if references to URLs are off.
    init(_ remote: RemoteDocuments?, read: @escaping @Sendable (String) -> [UInt8]?) {
        self.init(read: read)
        callbackBodies = { description in
            let contract = Contract(description)
            return { contract.requestBody(of: $0) }
        }
        if let remote { self.remote = { remote.document($0) } }
    }
}

extension StubFolder {
    /// The files beside a stub file to which it may refer.
    /// - Parameter remote: reads the documents at URLs; nil if references to URLs are off.
    package func neighbours(of file: String, _ remote: RemoteDocuments? = nil) -> NeighbourFiles {
        NeighbourFiles(remote) { self.neighbour($0, of: file) }
    }

    package init(_ root: StubRoot) {
        switch root.layout {
        case .free: self.init(path: root.path)
        case .mappingsOnly, .wireMock: self.init(path: root.path, isMappingsOnly: true)
        case .file(let name): self.init(path: root.path, onlyFile: name)
        }
    }
}

extension StubRoot {
    /// Where stubs were searched, and why there are none, such as `searched mocks (no such folder) and mappings (no
    /// such folder)`.
    /// - Parameter files: the number of stub files.
    package func emptiness(files: Int) -> String {
        // Without a named folder, the usual one was tried first.
        if case .file = layout { return "\(name) has none" }
        let places = (self == .fallback ? [StubRoot.usual.path] : []) + StubFolder(self).placesOfStubs
        let looked = places.map { place in
            guard SystemCalls.isFolder(place) else { return "\(place) (no such folder)" }
            return files == 0
                ? "\(place) (no stub files)" : "\(place) (no stubs in \(files ==  1 ? "1 file" : "\(files) files"))"
        }
        let searched = "searched " + looked.joined(separator: " and ")
        guard files == 0, let place = StubFolder(self).placesOfStubs.first else { return searched }
        return searched + " for names that end in .json, .yaml or .yml; a first file could be \(place)/hello.yaml "
            + "with the line \"GET /hello: {body: Hello}\""
    }
}

extension StubRoot {
    /// The warning if a folder has both `mocks` and WireMock's `mappings`, of which one is served; nil otherwise.
    package var passedOver: String? {
        if self == .usual {
            guard StubFolder(.fallback).hasStubFiles else { return nil }
            return
                "the stubs in mappings are not served, as there is a folder mocks: --root-dir . serves those in its place"
        }
        let folder = StubFolder(self)
        guard folder.onlyFile == nil, folder.placesOfStubs != [folder.path] else { return nil }
        let usual = folder.path + "/" + StubRoot.usual.path
        guard StubFolder(path: usual).hasStubFiles else { return nil }
        return
            "the stubs in \(usual) are not served, as those in \(folder.placesOfStubs.joined()) are: name \(usual) to serve "
            + "them in their place"
    }
}

extension [FolderFile] {
    /// The warning that stub files beside the folder `mappings` are not read; nil if there are none.
    package func passedOver(in folder: StubFolder) -> String? {
        let names = filter { file in
            guard let format = StubFile.Format(path: file.relativePath) else { return false }
            return !StubFile.read(file.bytes, format: format, path: file.path, keepsGood: true).stubs.isEmpty
        }.map(\.relativePath)
        guard let first = names.first else { return nil }
        let others = names.count == 1 ? "" : names.count == 2 ? " and \(names[1])" : " and \(names.count - 1) more"
        let places = folder.placesOfStubs.joined(separator: " and ")
        return "\(first)\(others) in \(folder.path) \(names.count == 1 ? "is" : "are") not read: "
            + "stubs are read from the folder mappings if there is one (\(places))"
    }
}
