// Re-exports the client: importing the server gives the whole kit.
@_exported public import StuntDoubleClient

extension MockServer {
    /// Starts a server in this process: the daemon's engine and loops on their own threads. It behaves like a launched
    /// one, and needs neither a process nor a port file.
    ///
    /// It leaves the process untouched: no signal handlers, no output, no changed limits. Several may run at the same
    /// time. It ends with `end()`, or with the last reference to it or to one of its sessions.
    ///
    /// The journal keeps bodies of up to 64 MiB whole and 256 MiB in total, unless `arguments` say otherwise.
    ///
    /// ```swift
    /// let mock = try await MockServer.embedded(mocks: "Fixtures")
    /// ```
    ///
    /// - Parameters:
    ///   - mocks: the folder of stubs and body files: an absolute path, or one relative to the working folder, or else
    ///     to a folder above the calling file. Nil serves none.
    ///   - arguments: options of `stuntdouble serve`, such as `["--seed", "7"]`. Process options such as `--port-file`
    ///     have no effect.
    ///   - https: whether to serve HTTPS as well, at `httpsURL`.
    ///   - filePath: the calling file; omit it.
    /// - Returns: the server's default session.
    /// - Throws: `MockServerError` for an unknown argument, a missing folder, an invalid stub file, or a port in use.
    public static func embedded(
        mocks: String? = nil, arguments: [String] = [], https: Bool = false, filePath: String = #filePath
    ) async throws -> MockServer {
        let folder = try mocks.map { name throws(MockServerError) in try MocksFolder.find(name, near: filePath) }
        let service = try await KitThreads.run {
            try EmbeddedService(mocks: folder, arguments: ServerDefaults.arguments(arguments, https: https))
        }
        return MockServer(url: service.url, httpsURL: service.httpsURL, arguments: arguments, owner: service)
    }
}
