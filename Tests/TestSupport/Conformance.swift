import Foundation

/// The conformance suites of other people: beside the package in `../shared/conformance`, or where
/// STUNTDOUBLE_CONFORMANCE says. Tests that need them are skipped where they are not, and fail for it in CI.
public enum Conformance {
    /// The names of the folders, one a suite.
    public static let suites = ["json-parsing", "json-schema", "jsonpath", "wiremock-admin-api"]

    /// What a skipped test says.
    public static let absence = "the conformance suites are not beside the package"

    /// The absolute path of a suite's folder or file, whether it is there or not.
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
