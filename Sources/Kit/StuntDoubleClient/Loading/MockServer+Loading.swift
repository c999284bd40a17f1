// `Bundle` is in full Foundation on all platforms.
public import Foundation
import SDStubModel

extension MockServer {
    /// Loads the stubs and body files of a folder into the session, in the layout that the daemon serves: stub files in
    /// JSON or YAML, mappings or routes; body files in `__files`.
    ///
    /// For servers that another process started, and for tests with files of their own. A server of this process may
    /// have the folder from the start: `MockServer.launch(mocks:)`. Sets of faults are for that alone. Loading a folder
    /// again replaces its stubs.
    /// - Parameters:
    ///   - folder: a whole path, or one beside the calling file, in a folder above it up to the package's, or in the
    ///     working folder.
    ///   - fileID: the place of the call, to which an error points; leave it out, and the next three.
    ///   - filePath: the calling file.
    ///   - line: see `fileID`.
    ///   - column: see `fileID`.
    /// - Throws: `MockServerError` with file, line and column for a file that cannot be used. Files before it are
    ///   loaded.
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

    private func loadFiles(_ contents: MocksContents) async throws {
        for path in contents.bodyFiles {
            _ = try await call("PUT", "/files/" + Self.target(path), body: Self.bytes("\(contents.bodyRoot)/\(path)"))
        }
        for path in contents.stubFiles {
            let bytes = try Self.bytes("\(contents.stubRoot)/\(path)")
            do {
                _ = try await call("POST", "/mappings/import/" + contents.stubPrefix + Self.target(path), body: bytes)
            } catch let error as MockServerError where error.status == 415 {
                // JSON that is no stub file, which the daemon leaves out of a folder, too.
                continue
            }
        }
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
