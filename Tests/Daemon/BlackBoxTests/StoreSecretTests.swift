import Foundation
import SDJSON
import SDTestSupport
import Testing

/// The passwords of key stores are nowhere but where they were given. One test at a time: one reads the arguments of every
/// process, and others give passwords as arguments.
@Suite(
    .serialized,
    .enabled(if: SecuredDaemon.openssl != nil && SecuredDaemon.curl != nil, "openssl or curl is not here"),
    .timeLimit(.minutes(30)))
struct StoreSecretTests {
    private static let secret = "s3cret-of-stores"

    /// A folder with `store.p12`, whose key and authority are alice's.
    private static func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try SecuredDaemon.makeClient(in: folder)
        let packed = try SecuredDaemon.run(
            #require(SecuredDaemon.openssl),
            [
                "pkcs12", "-export", "-in", "alice.pem", "-inkey", "alice.key", "-certfile", "clients.pem", "-out",
                "store.p12", "-passout", "pass:\(secret)",
            ], in: folder)
        try #require(packed.status == 0, "\(packed.errors)")
        return folder
    }

    private static let passwords = ["keystore-password", "truststore-password", "ca-keystore-password"]

    private static func stores(_ folder: TemporaryFolder) -> [String] {
        ["--https-port", "0", "--forward-proxy"]
            + ["--https-keystore", "--https-truststore", "--ca-keystore"].flatMap { [$0, folder.path + "/store.p12"] }
    }

    private static let variables = Dictionary(
        uniqueKeysWithValues: passwords.map {
            ("STUNTDOUBLE_" + $0.uppercased().replacingOccurrences(of: "-", with: "_"), secret)
        })

    private func words(of process: pid_t) -> String {
        let bytes = (try? Data(contentsOf: URL(fileURLWithPath: "/proc/\(process)/cmdline"))) ?? Data()
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whatever the daemon prints and answers, with everything told that it can tell.
    @Test func theDaemonTellsNone() throws {
        let folder = try Self.folder()
        let secured = try SecuredDaemon(
            files: [
                "a.yaml":
                    "GET /a: { template: true, body: \"{{request}} {{systemValue key='STUNTDOUBLE_KEYSTORE_PASSWORD'}}\" }"
            ],
            Self.stores(folder) + Self.passwords.flatMap { ["--" + $0, Self.secret] }
                + ["--verbose", "--print-all-network-traffic"], in: folder)
        let paths = [
            "", "/settings", "/health", "/version", "/requests", "/mappings", "/sessions", "/report",
            "/requests/unmatched", "/docs",
            "/certs/wiremock-ca.crt",
        ]
        var told = ""
        for path in paths { told += try secured.daemon.get("/__admin" + path).text }
        told += try secured.daemon.get("/a").text
        told += try SecuredDaemon.run(
            #require(SecuredDaemon.curl),
            [
                "-sSk", "--cert", "alice.pem", "--key", "alice.key", "\(try secured.https)/a",
            ], in: folder
        ).output
        secured.daemon.process.signal(SIGTERM)
        _ = secured.daemon.process.wait()
        #expect(told.count > 1_000)
        for text in [told, secured.daemon.process.output, secured.daemon.process.errors] {
            #expect(!text.contains(Self.secret), "\(text)")
        }
    }

    /// A password in a variable does not become an argument, which everybody sees: neither of the process nor of one that it
    /// begins.
    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/cmdline"), "there is no /proc"))
    func noProcessShowsThemInItsArguments() throws {
        let folder = try Self.folder()
        try folder.write("mocks/a.yaml", "GET /a: { body: a }")
        let seen = "for p in /proc/[0-9]*/cmdline; do tr '\\0' ' ' < $p; echo; done 2>/dev/null"
        let run = try ChildProcess(
            Daemon.binary,
            ["run", "\(folder.path)/mocks", "--state-dir", folder.path + "/state", "--verbose"] + Self.stores(folder)
                + ["--", "sh", "-c", seen],
            environment: Self.variables.merging(["XDG_RUNTIME_DIR": folder.path + "/r"]) { $1 }, outputsIn: folder)
        #expect(run.wait(milliseconds: 60_000) == .exited(0), "\(run.errors)")
        #expect(run.output.contains("--https-keystore"), "the list of processes")
        #expect(!run.output.contains(Self.secret) && !run.errors.contains(Self.secret))
        // Nor does a file that it leaves.
        let left = try SecuredDaemon.run(
            "/bin/grep", ["-rla", Self.secret, folder.path + "/r", folder.path + "/mocks", folder.path + "/state"],
            in: folder)
        #expect(left.output.isEmpty, "\(left.output)")
    }

    @Test func aCommandThatFailsPrintsNone() throws {
        let folder = try Self.folder()
        try folder.write("mocks/a.yaml", "GET /a: {}")
        for more in [[], ["--json"]] {
            for wrong in [
                ["--elephant"], ["--https-port", "x"], ["--https-keystore", "/nowhere"], ["--keystore-type", "pem"],
            ] {
                let process = try ChildProcess(
                    Daemon.binary,
                    ["serve", "\(folder.path)/mocks", "--port", "0"] + Self.stores(folder)
                        + Self.passwords.flatMap { ["--" + $0, Self.secret] } + wrong + more, outputsIn: folder)
                #expect(process.wait() != .exited(0), "\(wrong)")
                #expect(!(process.errors + process.output).contains(Self.secret), "\(process.errors)\(process.output)")
            }
        }
    }
}
