import SDTestSupport
import Testing

/// Templates read only the variables of the environment that `--permitted-system-keys` names.
@Suite struct PermittedKeysTests {
    private static let denied = "Access to"

    private func value(_ key: String, property: Bool = false, _ arguments: [String]) throws -> String {
        let type = property ? " type='PROPERTY'" : ""
        let stub = #"""
            {"request": {"url": "/x"}, "response": {"body": "<{{systemValue key='\#(key)'\#(type)}}>",
            "transformers": ["response-template"]}}
            """#
        let daemon = try Daemon(
            files: ["mappings/a.json": stub], arguments, environment: ["SD_OPEN": "open", "SD_SECRET": "secret"])
        return try daemon.get("/x").text
    }

    @Test func aNamedVariableIsRead() throws {
        #expect(try value("SD_OPEN", ["--permitted-system-keys", "SD_O.*"]) == "<open>")
        #expect(try value("SD_OPEN", ["--permitted-system-keys", "sd_open"]) == "<open>")
    }

    @Test(arguments: ["SD_SECRET", "SD_OPEN_", "X_SD_OPEN", "wiremock.x"])
    func anyOtherNameIsDenied(key: String) throws {
        let text = try value(key, ["--permitted-system-keys", "SD_OPEN"])
        #expect(text.contains("\(Self.denied) \(key) is denied"), "\(text)")
    }

    @Test func withoutTheOptionNoVariableIsRead() throws {
        let text = try value("SD_OPEN", [])
        #expect(text.contains("\(Self.denied) SD_OPEN is denied"), "\(text)")
        #expect(try value("wiremock.x", []) == "<>")
    }

    @Test func anExpressionThatIsNoneIsRefusedAtTheStart() throws {
        let scratch = try TemporaryFolder()
        let arguments = [
            scratch.path, "--port", "0", "--permitted-system-keys", "SD_A", "--permitted-system-keys", "((",
        ]
        let process = try ChildProcess(Daemon.binary, arguments, outputsIn: scratch)
        #expect(process.wait() == .exited(2))
        let text = process.errors
        #expect(text.contains("--permitted-system-keys: expected a regular expression ("), "\(text)")
        #expect(text.contains("), found \"((\""), "\(text)")
    }

    @Test func aPropertyIsNoVariable() throws {
        #expect(try value("SD_OPEN", property: true, ["--permitted-system-keys", "SD_OPEN"]) == "<>")
    }
}
