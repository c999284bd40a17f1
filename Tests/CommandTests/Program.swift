import Foundation
import Testing

/// Another program, for tests of what we hand to it.
struct Program {
    struct Result {
        var output: String
        var errors: String
        var status: Int32
    }

    let path: String

    /// The program of this name in the usual folders.
    static func find(_ name: String) -> Program? {
        for folder in ["/usr/bin", "/bin", "/usr/local/bin", "/opt/homebrew/bin"] {
            let path = "\(folder)/\(name)"
            if FileManager.default.isExecutableFile(atPath: path) { return Program(path: path) }
        }
        return nil
    }

    /// A program of this package, which stands beside the tests.
    static func built(_ name: String) -> URL {
        #if os(macOS)
            let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? Bundle.main
            return bundle.bundleURL.deletingLastPathComponent().appendingPathComponent(name)
        #else
            return URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
                .appendingPathComponent(name)
        #endif
    }

    func run(_ arguments: [String], environment: [String: String] = [:], folder: String? = nil) throws -> Result {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
        let output = FileManager.default.temporaryDirectory.appendingPathComponent("out-\(UUID())")
        let errors = FileManager.default.temporaryDirectory.appendingPathComponent("err-\(UUID())")
        // Files rather than pipes: no reader is needed to keep the program going.
        for file in [output, errors] { try Data().write(to: file) }
        defer { for file in [output, errors] { try? FileManager.default.removeItem(at: file) } }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        // A program that hangs fails its test instead of stopping all of them.
        let watchdog = DispatchWorkItem { process.terminate() }
        DispatchQueue.global().asyncAfter(deadline: .now() + 60, execute: watchdog)
        defer { watchdog.cancel() }
        process.waitUntilExit()
        return Result(
            output: try String(contentsOf: output, encoding: .utf8),
            errors: try String(contentsOf: errors, encoding: .utf8), status: process.terminationStatus)
    }
}
