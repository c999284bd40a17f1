import Foundation
import SDTestSupport
import Testing

/// `Examples/WebShop`: tests of a shop as CI runs them, with the reports of the whole run.
@Suite(.serialized, .enabled(if: ClientSuite.python(that: "import wsgiref") != nil, "there is no python3"))
struct WebShopTests {
    private static let folder = PackageFiles.root + "/Examples/WebShop"

    private func python() throws -> String { try #require(ClientSuite.python(that: "import wsgiref")) }

    @Test func theTestsPassAndTheReportsNameThemAndWhatTheyDoNotNotice() throws {
        let scratch = try TemporaryFolder()
        let process = try ChildProcess(
            python(), ["-B", Self.folder + "/run.py", Daemon.binary], folder: scratch.path, outputsIn: scratch)
        #expect(process.wait(milliseconds: 300_000) == .exited(0), "\(process.output)\(process.errors)")
        #expect(
            process.output.contains("web shop: 18 tests in 2 workers passed, 11 of them with a fault"),
            "\(process.output)")
        #expect(process.output.contains("2 mistakes that no test noticed were found"), "\(process.output)")
    }

    /// A mistake of the shop that one of its tests finds.
    struct Mistake: Sendable, CustomTestStringConvertible {
        /// The file, and the place in it.
        let file: String
        let right: String
        let wrong: String
        /// The test that fails.
        let test: String

        init(_ file: String, _ right: String, _ wrong: String, _ test: String) {
            self.file = "shop/" + file
            self.right = right
            self.wrong = wrong
            self.test = test
        }

        var testDescription: String { "\(test): \(wrong)" }
    }

    /// What the tests of the shop assert is asserted: each mistake fails its test. Those of a list are made together, as none
    /// of them has to do with the test of another.
    @Test(arguments: [
        [Mistake("identity.py", "baggage.set(sent)", "baggage.set('')", "test_faults.Faults.test_connection_reset")],
        [
            Mistake(
                "payments.py", "headers[\"Idempotency-Key\"] = key",
                "headers[\"Idempotency-Key\"] = str(random.random())", "test_faults.Faults.test_garbage")
        ],
        [Mistake("payments.py", "except (OSError, ", "except (", "test_faults.Faults.test_connection_reset")],
        [
            Mistake("payments.py", "http.client.HTTPException, ", "", "test_faults.Faults.test_garbage"),
            Mistake("payments.py", "429, 500, 502", "429, 502", "test_faults.Faults.test_error_and_then_fine"),
            Mistake(
                "payments.py", "wait = int(said[\"Retry-After\"])", "pass",
                "test_faults.Faults.test_service_unavailable_with_a_time"),
            Mistake("payments.py", "if status == 401:", "if False:", "test_faults.Faults.test_token_that_has_expired"),
            Mistake(
                "payments.py", "left = until - time.monotonic()", "left = 60",
                "test_faults.Faults.test_body_that_drips"),
            Mistake("payments.py", "range(self.polls)", "range(50)", "test_checkout.Checkout.test_polling_has_a_limit"),
            Mistake(
                "app.py", "if not hmac.compare_digest(expected, signature):", "if False:",
                "test_checkout.Checkout.test_a_call_that_the_provider_has_not_signed_changes_nothing"),
        ],
    ])
    func aMistakeOfTheShopFailsATest(mistakes: [Mistake]) throws {
        let scratch = try TemporaryFolder()
        let shop = scratch.path + "/shop"
        try FileManager.default.copyItem(atPath: Self.folder, toPath: shop)
        for mistake in mistakes {
            let text = try scratch.read("shop/" + mistake.file)
            try #require(text.contains(mistake.right), "\(mistake)")
            try scratch.write("shop/" + mistake.file, text.replacing(mistake.right, with: mistake.wrong))
        }

        let tests = try [python(), "-B", "-m", "tests"] + mistakes.map { "tests." + $0.test }
        let process = try ChildProcess(
            Daemon.binary, ["run", "mocks", "--no-share", "--"] + tests, folder: shop, outputsIn: scratch)

        #expect(process.wait(milliseconds: 120_000) == .exited(1), "\(process.output)\(process.errors)")
        for mistake in mistakes {
            let name = mistake.test.split(separator: ".").last ?? ""
            let failed = ["FAIL: \(name) ", "ERROR: \(name) "].contains { process.output.contains($0) }
            #expect(failed, "\(mistake): \(process.output)")
        }
    }
}
