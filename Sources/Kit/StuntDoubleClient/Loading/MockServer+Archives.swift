import SDJSON
import SDStubModel

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension MockServer {
    /// The outcome of loading an archive.
    public struct LoadedArchive: Sendable, Hashable {
        /// The ids of the stubs.
        public let stubs: [Stub.ID]
        /// Entries that were skipped, with the reason, and answers that differ from the recording, one sentence each,
        /// such as `3 without an answer`.
        public let remarks: [String]
    }

    /// Makes stubs from an HTTP Archive (HAR 1.2), as written by browsers and proxies such as Charles, Proxyman and
    /// mitmproxy. Each request gets its recorded answer; repeated requests get theirs in turn.
    /// - Parameters:
    ///   - file: an absolute path, or one relative to the calling file, to a folder above it up to the package's, or to
    ///     the working folder.
    ///   - hosts: the hosts to load, such as `api.example.com` or `*.example.com`; empty for all.
    ///   - fileID: the call site for errors; omit it and the next three.
    ///   - filePath: the calling file.
    ///   - line: see `fileID`.
    ///   - column: see `fileID`.
    /// - Returns: the stubs, and remarks about skipped entries.
    /// - Throws: `MockServerError` with line, column and the expected syntax if the file is not an archive; also if it
    ///   cannot be read.
    @discardableResult
    public func load(
        har file: String, hosts: String...,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws -> LoadedArchive {
        try await at(CallSite(fileID: fileID, filePath: filePath, line: line, column: column)) { mock in
            try await mock.loadArchive(file, near: filePath, hosts)
        }
    }

    private func loadArchive(_ file: String, near filePath: String, _ hosts: [String]) async throws -> LoadedArchive {
        let path = try MocksFolder.find(file, near: filePath, .file)
        guard let data = FileManager.default.contents(atPath: path) else {
            throw MockServerError("\(path) cannot be read")
        }
        var name = String(path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...])
        if !name.lowercased().hasSuffix(".har") { name += ".har" }
        let query = hosts.isEmpty ? "" : "?host=" + URLEscaping.component(hosts.joined(separator: ","))
        let answer = try await call(
            "POST", "/mappings/import/\(URLEscaping.component(name))\(query)", body: [UInt8](data)
        ).json
        return LoadedArchive(
            stubs: (answer["mappings"]?.arrayValue ?? []).compactMap {
                $0["id"]?.stringValue.flatMap { SDStubModel.StubMapping.id(text: $0) }
            },
            remarks: (answer["warnings"]?.arrayValue ?? []).compactMap(\.stringValue))
    }

    /// The session's requests and answers as an HTTP Archive (HAR 1.2), for the developer tools of browsers and for
    /// `load(har:)`.
    /// - Throws: `MockServerError` if the server cannot be reached or rejects the call.
    public func har() async throws -> Data {
        Data(try await call("GET", "/requests?format=har").answer.body)
    }
}
