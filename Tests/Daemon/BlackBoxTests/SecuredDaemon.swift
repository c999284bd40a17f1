import Foundation
import SDJSON
import SDTestSupport
import Testing

/// A daemon that serves HTTPS, whose authority is its own, and curl, which trusts it.
struct SecuredDaemon {
    let daemon: Daemon
    /// The certificate of the authority, client certificates and their keys.
    let scratch: TemporaryFolder

    /// Starts it.
    /// - Parameters:
    ///   - arguments: those about HTTPS and others; a file of `scratch` is named by `@name`.
    init(
        files: [String: String] = [:], _ arguments: [String] = ["--https-port", "0"],
        in scratch: TemporaryFolder? = nil
    ) throws {
        let scratch = try scratch ?? TemporaryFolder()
        self.scratch = scratch
        let arguments = arguments.map { $0.hasPrefix("@") ? "\(scratch.path)/\($0.dropFirst())" : $0 }
        daemon = try Daemon(files: files, ["--state-dir", scratch.path + "/state"] + arguments)
        if let answer = try? daemon.get("/__admin/certs/wiremock-ca.crt"), answer.status == 200 {
            try scratch.write("trusted.pem", answer.text)
        }
    }

    var httpsPort: Int { get throws { try #require(daemon.ready["httpsPort"]?.intValue) } }
    var https: String { get throws { "https://localhost:\(try httpsPort)" } }

    static let curl = find("curl")
    static let openssl = find("openssl")

    /// Finds a program; nil if it is not there.
    private static func find(_ name: String) -> String? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":") + ["/usr/bin"]
        return folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    struct Outcome {
        var output: String
        var errors: String
        var status: Int32
    }

    /// Calls curl, which trusts the authority, in the folder `scratch`.
    func curl(_ arguments: String...) throws -> Outcome {
        try Self.run(
            #require(Self.curl), ["-sS", "--max-time", "30", "--cacert", "trusted.pem"] + arguments, in: scratch)
    }

    /// The JSON of an answer.
    func json(_ arguments: String...) throws -> JSONValue {
        let outcome = try Self.run(
            #require(Self.curl), ["-sS", "--max-time", "30", "--cacert", "trusted.pem"] + arguments, in: scratch)
        return try #require(try? JSONValue(parsing: outcome.output), "\(outcome.output)\(outcome.errors)")
    }

    static func run(_ path: String, _ arguments: [String], in folder: TemporaryFolder) throws -> Outcome {
        let process = try ChildProcess(path, arguments, folder: folder.path, outputsIn: folder)
        process.closeInput()
        let ending = try #require(process.wait(milliseconds: 60_000), "\(path) does not end")
        let status: Int32 = if case .exited(let status) = ending { status } else { -1 }
        return Outcome(output: process.output, errors: process.errors, status: status)
    }

    /// Makes an authority (`clients.pem`) and a certificate of it (`alice.pem`, `alice.key`).
    static func makeClient(in folder: TemporaryFolder) throws {
        let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
        try folder.write("names", "subjectAltName=DNS:alice.example,email:alice@example.org\n")
        let calls = [
            ["req", "-x509", "-days", "2", "-subj", "/O=Test/CN=Test CA", "-keyout", "ca.key", "-out", "clients.pem"]
                + key,
            ["req", "-subj", "/O=Example/CN=alice", "-keyout", "alice.key", "-out", "alice.csr"] + key,
            [
                "x509", "-req", "-in", "alice.csr", "-CA", "clients.pem", "-CAkey", "ca.key", "-set_serial", "0x1AF",
                "-days", "2", "-extfile", "names", "-out", "alice.pem",
            ],
            ["req", "-x509", "-days", "2", "-subj", "/CN=mallory", "-keyout", "mallory.key", "-out", "mallory.pem"]
                + key,
        ]
        for call in calls {
            let outcome = try run(#require(openssl), call, in: folder)
            try #require(outcome.status == 0, "\(call)\n\(outcome.errors)")
        }
    }
}
