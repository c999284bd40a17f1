import Foundation

/// Conformance suites by others, in `../shared/conformance` or where STUNTDOUBLE_CONFORMANCE says. Tests that need a
/// missing suite are skipped, and fail in CI.
public enum Conformance {
    /// The names of the folders, one per suite.
    public static let suites = ["json-parsing", "json-schema", "jsonpath", "wiremock-admin-api"]

    /// The reason given for a skipped test.
    public static let absence = "the conformance suites are not beside the package"

    /// The absolute path of a suite's folder or file, whether it exists or not.
    public static func path(_ name: String) -> String {
        base + "/" + name
    }

    public static func isPresent(_ suite: String) -> Bool {
        FileManager.default.fileExists(atPath: path(suite))
    }

    private static let base =
        ProcessInfo.processInfo.environment["STUNTDOUBLE_CONFORMANCE"]
        ?? PackageFiles.root + "/../shared/conformance"
}
