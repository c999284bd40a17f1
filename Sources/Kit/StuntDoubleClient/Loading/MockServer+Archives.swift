import SDJSON
import SDStubModel

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension MockServer {
    /// What became of an archive that was loaded.
    public struct LoadedArchive: Sendable, Hashable {
        /// The ids of the stubs.
        public let stubs: [Stub.ID]
        /// What was left out and why, and what is not as the server sent it, one sentence each, such as
        /// `3 without an answer`.
        public let remarks: [String]
    }

    /// Makes stubs of an HTTP Archive (HAR 1.2), which browsers and proxies such as Charles, Proxyman and mitmproxy write:
    /// each request gets the answer that it had; the same request, asked several times, its answers in turn.
    /// - Parameters:
    ///   - file: a whole path, or one beside the calling file, in a folder above it up to the package's, or in the working
    ///     folder.
    ///   - hosts: the hosts whose answers are wanted, such as `api.example.com` or `*.example.com`; none for all.
    ///   - fileID: the place of the call, to which an error points; leave it out, and the next three.
    ///   - filePath: the calling file.
    ///   - line: see `fileID`.
    ///   - column: see `fileID`.
    /// - Returns: the stubs, and what was left out.
    /// - Throws: `MockServerError` with line, column and what was expected for a file that is no archive, or that cannot
    ///   be read.
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

    /// The requests of the session and what they were answered with, as an HTTP Archive (HAR 1.2), which browsers' tools
    /// open, and of which `load(har:)` makes stubs.
    /// - Throws: `MockServerError` if the server cannot be reached or refuses the call.
    public func har() async throws -> Data {
        Data(try await call("GET", "/requests?format=har").answer.body)
    }
}
