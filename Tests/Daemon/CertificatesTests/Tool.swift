import Foundation
import SDTestSupport
import Testing

/// Another program, such as `openssl`, that says what it makes of a certificate.
struct Tool {
    let path: String

    /// Finds a program; nil if it is not there.
    static func find(_ name: String) -> Tool? {
        let folders =
            (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":") + ["/usr/bin", "/usr/sbin"]
        return folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }.map(Tool.init)
    }

    static let openssl = find("openssl")
    static let keytool = find("keytool")

    struct Result {
        var output: String
        var errors: String
        var status: Int32
    }

    /// Runs it in a folder.
    @discardableResult
    func run(_ arguments: [String], in folder: TemporaryFolder) throws -> Result {
        let process = try ChildProcess(path, arguments, folder: folder.path, outputsIn: folder)
        process.closeInput()
        let ending = try #require(process.wait(milliseconds: 60_000), "\(path) does not end")
        let status: Int32 = if case .exited(let status) = ending { status } else { -1 }
        return Result(output: process.output, errors: process.errors, status: status)
    }
}

/// Runs work on several threads at a time, and waits for all.
func inParallel(_ count: Int, _ work: @Sendable (Int) -> Void) {
    DispatchQueue.concurrentPerform(iterations: count, execute: work)
}

extension TemporaryFolder {
    func write(_ name: String, _ bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path + "/" + name))
    }

    func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: path + "/" + name)))
    }
}
