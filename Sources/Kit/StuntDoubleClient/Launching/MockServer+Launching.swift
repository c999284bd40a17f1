#if os(macOS) || os(Linux)
    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif

    extension MockServer {
        /// Launches a daemon for this process on a free port, and returns when it is ready, within some milliseconds.
        /// It ends with `end()`, with the last reference to it or to one of its sessions, and with the test process,
        /// even if that is killed.
        ///
        /// The binary is looked up in this order: `STUNTDOUBLE_BIN`; beside the test's own executable, where SwiftPM
        /// puts it for a test target that depends on the product `stuntdouble`; a binary target; `PATH`.
        ///
        /// The journal keeps bodies of up to 64 MiB whole and 256 MiB in total, unless `arguments` say otherwise.
        /// - Parameters:
        ///   - mocks: the folder of stubs and body files: an absolute path, or one relative to the calling file, to a
        ///     folder above it up to the package's, or to the working folder. Nil serves none.
        ///   - arguments: more options for the daemon, such as `["--workers", "2"]`.
        ///   - https: whether to serve HTTPS as well, at `httpsURL`.
        ///   - filePath: the calling file; omit it.
        /// - Throws: `MockServerError` if no binary is found, or with the daemon's log if it does not become ready.
        public static func launch(
            mocks: String? = nil, arguments: [String] = [], https: Bool = false, filePath: String = #filePath
        ) async throws -> MockServer {
            let folder = try mocks.map { name throws(MockServerError) in try MocksFolder.find(name, near: filePath) }
            let daemon = try await KitThreads.run {
                try await LaunchedDaemon(
                    binary: DaemonBinary.find(), mocks: folder,
                    arguments: ServerDefaults.arguments(arguments, https: https))
            }
            guard let url = URL(string: "http://127.0.0.1:\(daemon.port)") else {
                throw MockServerError("the daemon has no port")
            }
            let httpsURL = daemon.httpsPort.flatMap { URL(string: "https://127.0.0.1:\($0)") }
            return MockServer(url: url, httpsURL: httpsURL, arguments: arguments, owner: daemon)
        }
    }
#endif
