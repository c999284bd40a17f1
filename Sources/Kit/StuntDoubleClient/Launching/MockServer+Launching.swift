#if os(macOS) || os(Linux)
    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif

    extension MockServer {
        /// Launches a daemon of its own for this process, on a free port, and returns when it is ready: some
        /// milliseconds. It ends with `end()`, with the last value that stands for it or for one of its sessions, and
        /// with the test process, even if that is killed.
        ///
        /// The binary is the one that `STUNTDOUBLE_BIN` names; or else the one beside the test's own, where SwiftPM puts it
        /// for a test target that depends on the product `stuntdouble`; or else that of a
        /// binary target; or else the one in `PATH`.
        ///
        /// It keeps bodies of up to 64 MiB whole, in a journal of 256 MiB, unless `arguments` say otherwise.
        /// - Parameters:
        ///   - mocks: the folder of stubs and body files: a whole path, or one beside the calling file, in a folder
        ///     above it up to the package's, or in the working folder. Nil serves none.
        ///   - arguments: further options of the daemon, such as `["--workers", "2"]`.
        ///   - https: whether it serves HTTPS, too, at `httpsURL`.
        ///   - filePath: the calling file; leave it out.
        /// - Throws: `MockServerError` if there is no binary, or with the daemon's log if it does not get ready.
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
