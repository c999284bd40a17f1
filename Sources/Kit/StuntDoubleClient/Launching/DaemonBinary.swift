#if os(macOS) || os(Linux)
    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif

    /// The place of the daemon's binary.
    enum DaemonBinary {
        static let name = "stuntdouble"
        static let variable = "STUNTDOUBLE_BIN"

        /// Takes the one of `STUNTDOUBLE_BIN` if that is set; otherwise looks beside the test's own program, where SwiftPM
        /// puts what it has built, then among the binary targets that it has unpacked, then in `PATH`.
        /// - Throws: an error with all of the places, or about the one that was asked for: a path that is wrong must not
        ///   lead to another daemon.
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

        /// The program's own folder; on macOS that of the bundle around it.
        private static func beside(_ program: String) -> [String] {
            var folder = program[..<(program.lastIndex(of: "/") ?? program.startIndex)]
            var places = ["\(folder)/\(name)"]
            while folder.contains(".xctest"), let end = folder.lastIndex(of: "/") {
                folder = folder[..<end]
                places.append("\(folder)/\(name)")
            }
            return places
        }

        /// Where a binary target's bundle may lie: in the folder `artifacts` of the one that SwiftPM builds in, below the names of
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

        /// The paths in a folder, sorted; none if it cannot be read.
        private static func names(in folder: some StringProtocol) -> [String] {
            ((try? FileManager.default.contentsOfDirectory(atPath: String(folder))) ?? []).sorted().map {
                "\(folder)/\($0)"
            }
        }

        /// As in the names of the archives that `make dist` makes.
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

        /// What keeps a path from being a program.
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
