import SDJSON
import SDTestSupport
import Testing

/// Stub files that are read in parts: what is wrong in a late part is told as for a small file.
@Suite(.serialized) struct LargeStubFileTests {
    private static let filler = String(repeating: "x", count: 7_000)
    private static let count = 630

    private static func mapping(_ number: Int) -> String {
        let (form, rest) = [("urlPath", ""), ("urlPathPattern", "/[a-z]+"), ("urlPathTemplate", "/{a}")][number % 3]
        let request = #"{"method": "GET", "\#(form)": "/\#(number)\#(rest)"}"#
        let response = #"{"body": "\#(number)", "headers": {"A": "\#(filler)"}}"#
        return "{\"request\": \(request),\n\"response\": \(response)}"
    }

    /// A file of mappings on two lines each; one is replaced.
    private static func file(_ place: Int? = nil, by other: String = "") -> String {
        let mappings = (0..<count).map { $0 == place ? other : mapping($0) }
        return "{\"mappings\": [\n" + mappings.joined(separator: ",\n") + "\n]}\n"
    }

    private static func path(_ number: Int) -> String { "/\(number)" + ["", "/abc", "/b"][number % 3] }

    /// The line of the mapping with this number.
    private static func line(_ number: Int) -> Int { 2 + number * 2 }

    private let folder: TemporaryFolder
    private let scratch: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        scratch = try TemporaryFolder()
    }

    @Test func allOfItsStubsAreServed() throws {
        #expect(Self.file().utf8.count > 4 << 20)
        let daemon = try Daemon(files: ["a.json": Self.file()])
        #expect(daemon.ready["stubs"]?.intValue == Self.count)
        for number in [0, 1, 2, 17, 18, 19, 300, 301, 302, Self.count - 3, Self.count - 2, Self.count - 1] {
            let answer = try daemon.get(Self.path(number))
            #expect(answer.text == String(number))
            #expect(answer.status == 200)
        }
        #expect(try daemon.get("/\(Self.count)").status == 404)
        // A change is read as a whole.
        try daemon.folder.write("a.json", Self.file(500, by: #"{"request": {"url": "/changed"}}"#))
        #expect(try eventually { try daemon.get("/changed").status == 200 ? true : nil } == true)
        #expect(try daemon.get(Self.path(500)).status == 404)
        #expect(try daemon.get(Self.path(499)).text == "499")
    }

    @Test(arguments: [
        (#"{"request": {"urlPathPattern": "/[a-"}}"#, 14, "Illegal character range"),
        (#"{"request": {"url": "/a"}, "respons": {}}"#, 28, "unknown field \"respons\""),
        (#"{"request": {"url": "/a"}, }"#, 28, "not valid JSON"), (#"{"request": {"method": []}}"#, 24, "wrong type"),
        (
            #"{"request": {"url": "/a"}, "response": {"status": "{{x}}", "stream": {"events": [{"data": "x"}]}}}"#, 41,
            "the status of a stream"
        ),
    ])
    func anErrorInALatePartIsPlaced(mapping: String, column: Int, message: String) throws {
        let process = try folder.startDaemon(with: ["a.json": Self.file(550, by: mapping)], outputsIn: scratch)
        #expect(process.wait() == .exited(1))
        #expect(process.errors.contains("/a.json:\(Self.line(550)):\(column): error: "), "\(process.errors)")
        #expect(process.errors.contains(message), "\(process.errors)")
    }

    @Test func anIDThatStandsTwiceIsRefused() throws {
        let id = "8c5db8b0-2db4-4ad7-a99f-38c9b00da3f7"
        let twice = "{\"id\": \"\(id)\", \"request\": {\"url\": \"/a\"}}"
        let process = try folder.startDaemon(
            with: ["a.json": Self.file(500, by: twice), "b.json": twice], outputsIn: scratch)
        #expect(process.wait() == .exited(1))
        #expect(process.errors.contains(id), "\(process.errors)")
    }

    @Test func aWarningAboutAStubInALatePartIsPlaced() throws {
        let mapping = #"{"request": {"url": "/a", "customMatcher": {"name": "none"}}}"#
        let daemon = try Daemon(files: ["a.json": Self.file(550, by: mapping)])
        #expect(daemon.ready["stubs"]?.intValue == Self.count)
        #expect(daemon.says("/a.json:\(Self.line(550)):"))
        #expect(daemon.says("there is no custom matcher of this name"))
    }
}
