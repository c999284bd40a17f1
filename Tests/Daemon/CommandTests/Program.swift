import Foundation
import SDTestSupport
import Testing

/// Another program, for tests of files and output meant for it.
struct Program {
    struct Result {
        var output: String
        var errors: String
        var status: Int32
    }

    let path: String

    /// Finds a program in the usual folders; nil if it is not there.
    static func find(_ name: String) -> Program? {
        for folder in ["/usr/bin", "/bin", "/usr/local/bin", "/opt/homebrew/bin"] {
            let path = "\(folder)/\(name)"
            if FileManager.default.isExecutableFile(atPath: path) { return Program(path: path) }
        }
        return nil
    }

    /// A program of this package.
    static func built(_ name: String) -> Program { Program(path: Daemon.built(name)) }

    func run(_ arguments: [String], environment: [String: String] = [:], folder: String? = nil) throws -> Result {
        let scratch = try SDTestSupport.TemporaryFolder()
        let process = try ChildProcess(
            path, arguments, environment: environment, folder: folder, outputsIn: scratch)
        process.closeInput()
        // A program that hangs fails its own test instead of stopping all of them.
        let ending = try #require(process.wait(milliseconds: 60_000), "\(path) does not end")
        let status =
            switch ending {
            case .exited(let status): status
            case .signalled(let number): number
            }
        return Result(output: process.output, errors: process.errors, status: status)
    }
}
