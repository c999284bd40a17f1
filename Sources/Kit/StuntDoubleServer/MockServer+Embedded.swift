// Whoever imports the server gets the rest of the kit, too.
@_exported public import StuntDoubleClient

extension MockServer {
    /// Starts a server within this process: the daemon's own engine and loops on threads of their own. It behaves like
    /// one that `launch` starts, and needs neither a process nor a port file.
    ///
    /// It leaves the process as it finds it: no signal is handled, nothing is printed, and no limit is changed. Several
    /// may run at the same time. It ends with `end()`, or with the last value that stands for
    /// it or for one of its sessions.
    ///
    /// It keeps bodies of up to 64 MiB whole, in a journal of 256 MiB, unless `arguments` say otherwise.
    ///
    /// ```swift
    /// let mock = try await MockServer.embedded(mocks: "Fixtures")
    /// ```
    ///
    /// - Parameters:
    ///   - mocks: the folder of stubs and body files: a whole path, or one within the working folder, or else within a
    ///     folder above the calling file. Nil serves none.
    ///   - arguments: options of `stuntdouble serve`, such as `["--seed", "7"]`. Those about a process, such as
    ///     `--port-file`, have no effect.
    ///   - https: whether it serves HTTPS, too, at `httpsURL`.
    ///   - filePath: the calling file; leave it out.
    /// - Returns: the server's default session.
    /// - Throws: `MockServerError` for an argument that is not known, a missing folder, an invalid stub file, or a port
    ///   that is taken.
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
