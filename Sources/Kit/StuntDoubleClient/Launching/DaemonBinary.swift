#if os(macOS) || os(Linux)
    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif

    /// Finds the daemon's binary.
    enum DaemonBinary {
        static let name = "stuntdouble"
        static let variable = "STUNTDOUBLE_BIN"

        /// Returns the path in `STUNTDOUBLE_BIN` if set. Otherwise searches beside the test's own executable, where
        /// SwiftPM puts its products, then SwiftPM's unpacked binary targets, then `PATH`.
        /// - Throws: an error with all searched paths, or about the requested one: a wrong path must not select another
        ///   daemon.
        static func find(
            program: String? = ChildCalls.ownProgram,
            environment: [String: String] = ProcessInfo.processInfo.environment
        ) throws(MockServerError) -> String {
            if let path = environment[variable], !path.isEmpty {
                if isProgram(path) { return path }
                throw MockServerError("\(variable) is \"\(path)\", which \(flaw(of: path))")
            }
            var places = (program.map(beside) ?? []) + (program.map(unpacked) ?? [])
            for folder in (environment["PATH"] ?? "").split(separator: ":") { places.append("\(folder)/\(name)") }
            if let found = places.first(where: isProgram) { return found }
            throw MockServerError(
                """
                there is no \(name) to launch. Add .product(name: "\(name)", package: "\(name)"), or the name of your \
                clone's folder as `package`, to the dependencies of the test target, or set \(variable) to its path. Looked for \(places.joined(separator: ", "))
                """)
        }

        /// The executable's folder; on macOS the one around its bundle.
        private static func beside(_ program: String) -> [String] {
            var folder = program[..<(program.lastIndex(of: "/") ?? program.startIndex)]
            var places = ["\(folder)/\(name)"]
            while folder.contains(".xctest"), let end = folder.lastIndex(of: "/") {
                folder = folder[..<end]
                places.append("\(folder)/\(name)")
            }
            return places
        }

        /// Candidate folders of a binary target's bundle: in `artifacts` of SwiftPM's build folder, below the names of
        /// the package and of the target.
        private static func unpacked(_ program: String) -> [String] {
            var folder = program[...]
            while let end = folder.lastIndex(of: "/") {
                folder = folder[..<end]
                let artifacts = folder + "/artifacts"
                guard FileKind(at: String(artifacts)) == .folder else { continue }
                return names(in: artifacts).flatMap { package in
                    names(in: package).map { "\($0)/\(name).artifactbundle/\(machine)/\(name)" }
                }
            }
            return []
        }

        /// The paths in a folder, sorted; empty if it cannot be read.
        private static func names(in folder: some StringProtocol) -> [String] {
            ((try? FileManager.default.contentsOfDirectory(atPath: String(folder))) ?? []).sorted().map {
                "\(folder)/\($0)"
            }
        }

        /// The architecture as named in the archives of `make dist`.
        private static var machine: String {
            #if os(macOS)
                let system = "macos"
            #else
                let system = "linux"
            #endif
            #if arch(arm64)
                return system + "-aarch64"
            #else
                return system + "-x86_64"
            #endif
        }

        /// Why the file at a path is not an executable program.
        private static func flaw(of path: String) -> String {
            switch FileKind(at: path) {
            case .file: "is not executable"
            case .folder: "is a folder"
            case nil: "does not exist"
            }
        }

        private static func isProgram(_ path: String) -> Bool {
            FileKind(at: path) == .file && FileManager.default.isExecutableFile(atPath: path)
        }
    }
#endif
