import Foundation
import SDTestSupport
import Testing

/// The page at `/__admin/ui/` in Chromium, by the scripts in `Tests/UI`: what each button does is seen through the admin API.
@Suite(
    .serialized,
    .enabled(
        if: FileManager.default.isExecutableFile(atPath: "/usr/bin/chromium"), "there is no chromium: it shows pages"))
struct PageInBrowserTests {
    private static let python = ClientSuite.python(that: "import playwright, axe_playwright_python")

    @Test(arguments: ["page_requests", "page_views"])
    func doesWhatItSays(script: String) throws {
        let python = try #require(Self.python, "`.ci/deps ci` installs what drives the browser")
        let mocks = try TemporaryFolder()
        let copy = mocks.path + "/mocks"
        try FileManager.default.copyItem(atPath: PackageFiles.root + "/mocks", toPath: copy)
        let daemon = try Daemon(serving: copy)
        let process = try ChildProcess(
            python,
            ["-B", PackageFiles.root + "/Tests/UI/\(script).py", "--url", "http://127.0.0.1:\(daemon.port)"]
                + (script == "page_views" ? ["--folder", copy] : ["--binary", Daemon.binary]),
            outputsIn: mocks)
        let ending = process.wait(milliseconds: 600_000)
        // The last line names what failed; the first line of a comment is what every summary repeats.
        let verdict = process.output.split(separator: "\n").last ?? ""
        #expect(
            ending == .exited(0), "\(verdict)\n\(process.output.suffix(4_000))\n\(process.errors.suffix(4_000))")
        #expect(daemon.process.poll() == nil, "\(daemon.process.errors)")
    }
}

/// The path of node; nil where it is not installed.
private let nodePath = ["/usr/bin/node", "/usr/local/bin/node", "/opt/homebrew/bin/node"].first {
    FileManager.default.isExecutableFile(atPath: $0)
}

/// What the page's modules compute, without a browser.
@Suite(.enabled(if: nodePath != nil, "there is no node: it runs the modules' tests"))
struct PageModuleTests {
    @Test func theirTestsPass() throws {
        let folder = try TemporaryFolder()
        let names = try FileManager.default.contentsOfDirectory(atPath: PackageFiles.root + "/Tests/UI")
        let files = names.filter { $0.hasSuffix(".test.mjs") }.sorted().map { PackageFiles.root + "/Tests/UI/" + $0 }
        try #require(!files.isEmpty)
        let process = try ChildProcess(#require(nodePath), ["--test"] + files, outputsIn: folder)
        #expect(process.wait(milliseconds: 120_000) == .exited(0), "\(process.output.suffix(4_000))")
    }
}
