// `Bundle` is in full Foundation on all platforms.
public import Foundation
import SDBasics
import SDJSON
import SDStubModel

extension MockServer {
    /// Loads the stubs and body files of a folder into the session, in the layout that the daemon serves: stub files in
    /// JSON or YAML, mappings or routes; body files in `__files`.
    ///
    /// For servers that another process started, and for tests with files of their own. A server of this process may
    /// have the folder from the start: `MockServer.launch(mocks:)`. It is the same either way: what files state for their
    /// folder, `cors` and sets of faults, holds in the session. Loading a folder again replaces its stubs.
    /// - Parameters:
    ///   - folder: a whole path, or one beside the calling file, in a folder above it up to the package's, or in the
    ///     working folder.
    ///   - fileID: the place of the call, to which an error points; leave it out, and the next three.
    ///   - filePath: the calling file.
    ///   - line: see `fileID`.
    ///   - column: see `fileID`.
    /// - Throws: `MockServerError` with file, line and column for a file that cannot be used, unless the server was started
    ///   with `--keep-going`: then its valid stubs are loaded, and the errors are warnings. Files before it are loaded.
    public func load(
        folder: String,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws {
        try await at(CallSite(fileID: fileID, filePath: filePath, line: line, column: column)) { mock in
            try await mock.load(path: MocksFolder.find(folder, near: filePath))
        }
    }

    func load(path: String) async throws {
        try await KitThreads.run { try await loadFiles(MocksContents(of: path)) }
    }

    /// Loads a folder that belongs to the session's beginning, to which `reset` goes back.
    package func begin(with folder: String) async throws {
        try await load(path: folder)
        declarations.folder.withLock { $0 = folder }
    }

    private func loadFiles(_ contents: MocksContents, warns: Bool = true) async throws {
        for path in contents.bodyFiles {
            _ = try await call("PUT", "/files/" + Self.target(path), body: Self.bytes("\(contents.bodyRoot)/\(path)"))
        }
        for path in contents.stubFiles {
            let bytes = try Self.bytes("\(contents.stubRoot)/\(path)")
            let target = "/mappings/import/\(contents.stubPrefix)\(Self.target(path))?folder=true"
            let answer = try await call("POST", target, body: bytes).json
            guard warns else { continue }
            for text in answer["warnings"]?.arrayValue?.compactMap(\.stringValue) ?? [] { tell(text) }
        }
    }

    /// Loads the folder of the session's beginning once more, if it has one.
    func loadBeginning() async throws {
        guard let folder = declarations.folder.withLock({ $0 }) else { return }
        try await KitThreads.run { try await loadFiles(MocksContents(of: folder), warns: false) }
    }

    /// Loads the stubs and body files of a folder in a test's bundle: `try await mock.load(bundle: .module)`.
    /// - Parameters:
    ///   - bundle: the bundle of the test target, usually `.module`.
    ///   - folder: the folder in the bundle, as its resources were copied; an empty text for all resources.
    ///   - fileID: the place of the call, to which an error points; leave it out, and the next three.
    ///   - filePath: see `fileID`.
    ///   - line: see `fileID`.
    ///   - column: see `fileID`.
    /// - Throws: like `load(folder:)`.
    public func load(
        bundle: Bundle, folder: String = "mocks",
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws {
        try await at(CallSite(fileID: fileID, filePath: filePath, line: line, column: column)) { mock in
            try await mock.load(path: Self.path(of: folder, in: bundle))
        }
    }

    private static func path(of folder: String, in bundle: Bundle) throws(MockServerError) -> String {
        guard let resources = bundle.resourcePath else {
            throw MockServerError("the bundle \(bundle.bundlePath) has no resources")
        }
        let path = folder.isEmpty ? resources : "\(resources)/\(folder)"
        guard FileKind(at: path) == .folder else {
            throw MockServerError(
                """
                there is no folder \(folder) among the resources of the bundle \(bundle.bundlePath); in Package.swift the \
                test target needs resources: [.copy("\(folder)")]
                """)
        }
        return path
    }

    private static func target(_ path: String) -> String {
        path.split(separator: "/").map { URLEscaping.component(String($0)) }.joined(separator: "/")
    }

    private static func bytes(_ path: String) throws(MockServerError) -> [UInt8] {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw MockServerError("\(path) cannot be read")
        }
        return [UInt8](data)
    }
}
