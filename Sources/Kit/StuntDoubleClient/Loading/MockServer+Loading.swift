// On all platforms, `Bundle` is only in full Foundation.
public import Foundation
import SDBasics
import SDJSON
import SDStubModel

extension MockServer {
    /// Loads the stubs and body files of a folder into the session, in the layout that the daemon serves: stub files in
    /// JSON or YAML, mappings or routes; message stubs in `message-mappings`; body files in `__files`.
    ///
    /// Use it for servers of another process, and for tests with their own files. A server of this process can serve
    /// the folder from the start: `MockServer.launch(mocks:)`. Both have the same effect: folder-wide settings, such as
    /// `cors` and fault sets, apply to the session. Loading a folder again replaces its stubs.
    /// - Parameters:
    ///   - folder: an absolute path, or one relative to the calling file, to a folder above it up to the package's, or
    ///     to the working folder.
    ///   - fileID: the call site for errors; omit it and the next three.
    ///   - filePath: the calling file.
    ///   - line: see `fileID`.
    ///   - column: see `fileID`.
    /// - Throws: `MockServerError` with file, line and column for an invalid file; the files before it are loaded. With
    ///   `--keep-going` on the server, errors are warnings and valid stubs are loaded.
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

    /// Loads a folder as part of the session's initial state, which `reset` restores.
    package func begin(with folder: String) async throws {
        try await load(path: folder)
        declarations.folder.withLock { $0 = folder }
    }

    private func loadFiles(_ contents: MocksContents, warns: Bool = true) async throws {
        for path in contents.bodyFiles {
            _ = try await call("PUT", "/files/" + Self.target(path), body: Self.bytes("\(contents.bodyRoot)/\(path)"))
        }
        let stubs = contents.stubFiles.map { ("\(contents.stubRoot)/\($0)", contents.stubPrefix + Self.target($0)) }
        let messages = contents.messageFiles.map {
            ("\(contents.messageRoot)/\($0)", "\(MocksContents.messages)/\(Self.target($0))")
        }
        for (path, name) in stubs + messages {
            let bytes = try Self.bytes(path)
            let answer = try await call("POST", "/mappings/import/\(name)?folder=true", body: bytes).json
            guard warns else { continue }
            for text in answer["warnings"]?.arrayValue?.compactMap(\.stringValue) ?? [] { report(text) }
        }
    }

    /// Reloads the folder of the session's initial state, if there is one.
    func loadBeginning() async throws {
        guard let folder = declarations.folder.withLock({ $0 }) else { return }
        try await KitThreads.run { try await loadFiles(MocksContents(of: folder), warns: false) }
    }

    /// Loads the stubs and body files of a folder in a test's bundle: `try await mock.load(bundle: .module)`.
    /// - Parameters:
    ///   - bundle: the bundle of the test target, usually `.module`.
    ///   - folder: the folder in the bundle, as its resources were copied; empty for all resources.
    ///   - fileID: the call site for errors; omit it and the next three.
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
