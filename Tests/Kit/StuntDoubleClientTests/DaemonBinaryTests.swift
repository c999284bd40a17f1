#if os(macOS) || os(Linux)
    import Foundation
    import Testing

    @testable import StuntDoubleClient

    /// Where the daemon's binary is looked for, and in which order.
    @Suite final class DaemonBinaryTests {
        private let folder = NSTemporaryDirectory() + "binaries-" + UUID().uuidString

        deinit { try? FileManager.default.removeItem(atPath: folder) }

        /// Makes a program of that name in a folder of its own.
        private func program(_ place: String, isExecutable: Bool = true) throws -> String {
            let path = "\(folder)/\(place)"
            let parent = path.split(separator: "/").dropLast().joined(separator: "/")
            try FileManager.default.createDirectory(atPath: "/" + parent, withIntermediateDirectories: true)
            let attributes: [FileAttributeKey: Any] = [.posixPermissions: isExecutable ? 0o755 : 0o644]
            try #require(FileManager.default.createFile(atPath: path, contents: Data(), attributes: attributes))
            return path
        }

        @Test func theOneThatTheVariableNamesComesBeforeAll() throws {
            let named = try program("named/server")
            let beside = try program("tests/stuntdouble")
            let inPath = try program("bin/stuntdouble")
            let tests = "\(folder)/tests/Some.xctest"
            var environment = ["STUNTDOUBLE_BIN": named, "PATH": "/none:\(folder)/bin"]
            #expect(try DaemonBinary.find(program: tests, environment: environment) == named)
            environment["STUNTDOUBLE_BIN"] = ""
            #expect(try DaemonBinary.find(program: tests, environment: environment) == beside)
            #expect(try DaemonBinary.find(program: "\(folder)/Some.xctest", environment: environment) == inPath)
        }

        /// What SwiftPM has unpacked of a binary target comes before `PATH`, and one for another machine is none.
        @Test func theOneOfABinaryTargetIsFound() throws {
            let inPath = try program("bin/stuntdouble")
            let environment = ["PATH": "\(folder)/bin"]
            let tests = "\(folder)/.build/x86_64/debug/ShopPackageTests.xctest"
            let bundle = ".build/artifacts/shop/server/stuntdouble.artifactbundle"
            _ = try program("\(bundle)/plan9-mips/stuntdouble")
            #expect(try DaemonBinary.find(program: tests, environment: environment) == inPath)
            var found: [String] = []
            for machine in ["linux-x86_64", "linux-aarch64", "macos-x86_64", "macos-aarch64"] {
                found.append(try program("\(bundle)/\(machine)/stuntdouble"))
            }
            let ours = try DaemonBinary.find(program: tests, environment: environment)
            #expect(found.contains(ours))
            let beside = try program(".build/x86_64/debug/stuntdouble")
            #expect(try DaemonBinary.find(program: tests, environment: environment) == beside)
        }

        @Test func aVariableThatNamesNoProgramIsNotPassedOver() throws {
            _ = try program("tests/stuntdouble")
            let text = try program("named/notes.txt", isExecutable: false)
            let flaws = [(text, "is not executable"), ("\(folder)/none", "does not exist"), (folder, "is a folder")]
            for (path, flaw) in flaws {
                let error = #expect(throws: MockServerError.self) {
                    try DaemonBinary.find(
                        program: "\(folder)/tests/Some.xctest", environment: ["STUNTDOUBLE_BIN": path])
                }
                #expect(error?.message == "STUNTDOUBLE_BIN is \"\(path)\", which \(flaw)")
            }
        }
    }
#endif
