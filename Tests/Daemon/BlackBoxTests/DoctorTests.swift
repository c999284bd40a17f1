import Foundation
import SDJSON
import SDTestSupport
import Testing

/// `stuntdouble doctor`: what this machine has, and how to get the rest.
@Suite struct DoctorTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func run(_ arguments: [String], environment: [String: String] = [:]) throws -> EndedCommand {
        try EndedCommand(["doctor"] + arguments, environment: environment, outputsIn: folder)
    }

    private func checks(_ result: EndedCommand) throws -> [String: JSONValue] {
        let document = try JSONValue(parsing: result.output)
        return Dictionary(
            uniqueKeysWithValues: (document["checks"]?.arrayValue ?? []).map { ($0["part"]?.stringValue ?? "", $0) })
    }

    @Test func everyPartIsToldWithItsPurpose() throws {
        let result = try run(["--port", "0", "--json", "--state-dir", folder.path + "/state"])
        #expect(result.errors == "")
        #expect(result.status == 0)
        let document = try JSONValue(parsing: result.output)
        #expect(document["status"]?.stringValue == "ok")
        #expect(document["version"]?.stringValue?.isEmpty == false)
        let checks = try checks(result)
        let parts = [
            "https", "http2", "xml", "shared", "certificates", "authority", "watching", "open-files", "port",
            "random",
        ]
        #expect(checks.keys.sorted() == parts.sorted())
        for part in parts {
            #expect(checks[part]?["purpose"]?.stringValue?.isEmpty == false, "\(part)")
            #expect(checks[part]?["found"]?.stringValue?.isEmpty == false, "\(part)")
        }
        // What the tests of other suites need is here.
        for part in ["https", "http2", "xml", "shared"] {
            #expect(checks[part]?["state"]?.stringValue == "ok", "\(part)")
            #expect(checks[part]?["version"]?.stringValue?.first?.isNumber == true, "\(part)")
            #expect(FileManager.default.fileExists(atPath: checks[part]?["path"]?.stringValue ?? ""), "\(part)")
        }
        #expect(checks["authority"]?["state"]?.stringValue == "note")
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/state"), "looking makes nothing")
    }

    @Test func theSameIsToldToPeople() throws {
        let result = try run(["--port", "0"])
        #expect(result.status == 0)
        #expect(result.output.hasPrefix("stuntdouble "))
        #expect(result.output.contains("\nok       https         OpenSSL 3."))
        #expect(result.output.contains("\nnothing essential is missing"))
    }

    /// A port that another program has is no obstacle, unless it is asked for.
    @Test func aPortThatIsTakenIsToldWithItsHolder() throws {
        let server = try RawServer { _, _ in }
        let port = String(server.port)
        let result = try run(["--json", "--port", port])
        #expect(result.status == 0)
        let check = try checks(result)["port"]
        #expect(check?["state"]?.stringValue == "missing")
        #expect(check?["found"]?.stringValue?.hasPrefix("\(port) is taken") == true)
        #expect(check?["fix"]?.stringValue == "--port 0 takes a free one")

        let asked = try run(["--json", "--port", port, "--require", "port"])
        #expect(asked.status == 1)
        #expect(try checks(asked)["port"]?["state"]?.stringValue == "failed")
        #expect(try JSONValue(parsing: asked.output)["status"]?.stringValue == "failed")
        _ = server
    }

    @Test func aLibraryThatIsMissingIsToldWithItsPackage() throws {
        #if os(Linux)
            // A file of that name that is no library, which the loader finds first, and stops at.
            let shadow = [
                "libxml2.so.2", "libxml2.so.16", "libxml2.so", "libnghttp2.so.14", "libhiredis.so.0.14",
                "libhiredis.so.1.1.0",
            ]
            for name in shadow { try folder.write("shadow/" + name, "none") }
            let environment = ["LD_LIBRARY_PATH": folder.path + "/shadow"]
            let result = try run(["--json", "--port", "0"], environment: environment)
            #expect(result.status == 0)
            let checks = try checks(result)
            let sentences = [
                ("xml", "XML needs libxml2"), ("http2", "HTTP/2 needs nghttp2"), ("shared", "--shared needs hiredis"),
            ]
            for (part, word) in sentences {
                #expect(checks[part]?["state"]?.stringValue == "missing", "\(part)")
                #expect(checks[part]?["found"]?.stringValue?.hasPrefix(word) == true, "\(part)")
                #expect(checks[part]?["fix"]?.stringValue?.contains("install") != false, "\(part)")
            }
            let asked = try run(["--port", "0", "--require", "xml,https"], environment: environment)
            #expect(asked.status == 1)
            #expect(asked.output.contains("\nfailed   xml           XML needs libxml2"))
            #expect(asked.output.contains("\nmissing: xml"))
        #endif
    }

    @Test func anUnknownPartIsAMistake() throws {
        let result = try run(["--require", "htps"])
        #expect(result.status == 2)
        let beginning = #"stuntdouble: --require: did you mean "https"? Expected a list of https, http2, "#
        #expect(result.errors.hasPrefix(beginning))
        #expect(result.errors.contains("found \"htps\""))
        #expect(try run(["mocks"]).status == 2)
    }
}
