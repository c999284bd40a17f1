import SDJSON
import SDJournal
import SDMockEngine
import SDTestSupport
import Testing

/// Files under `/__files/`, and under their own path if no stub matches, with ranges and conditions. Status,
/// `Content-Range` and body are those of WireMock 3.13.2 unless noted otherwise.
@Suite struct FileServingTests {
    private static let modified = "Sun, 13 Sep 2020 12:26:40 GMT"
    private static let before = "Sun, 13 Sep 2020 12:26:39 GMT"
    private static let after = "Sun, 13 Sep 2020 12:26:41 GMT"

    private func get(
        _ path: String, _ headers: [(String, String)] = [], method: String = "GET"
    ) throws -> Exchange {
        let mock = try TestMock(files: ["t.txt": "0123456789", "empty.txt": ""])
        return try Exchange(mock.port, method, path, headers: headers)
    }

    @Test(arguments: ["/__files/t.txt", "/t.txt"])
    func theWholeFileHasItsValidators(path: String) throws {
        let answer = try get(path)
        #expect(answer.status == 200)
        #expect(answer.text == "0123456789")
        #expect(answer.header("Last-Modified") == Self.modified)
        #expect(answer.header("Accept-Ranges") == "bytes")
        #expect(answer.header("Content-Type") == "text/plain")
        #expect(answer.header("ETag")?.hasPrefix("\"") == true)
    }

    @Test(arguments: [
        ("bytes=2-4", "2-4", "234"), ("bytes=7-", "7-9", "789"), ("bytes=-3", "7-9", "789"), ("bytes=0-0", "0-0", "0"),
        ("bytes=9-20", "9-9", "9"), ("bytes=-20", "0-9", "0123456789"), ("bytes= 2-4", "2-4", "234"),
        ("bytes=0-9", "0-9", "0123456789"), ("bytes=0-1,20-30", "0-1", "01"), ("bytes=0-5,3-8", "0-8", "012345678"),
        ("bytes=5-6,0-4", "0-6", "0123456"), ("bytes=2-99999999999999999999", "2-9", "23456789"),
    ])
    func aPartIsA206(range: String, place: String, text: String) throws {
        for (path, method) in [("/__files/t.txt", "GET"), ("/t.txt", "GET"), ("/__files/t.txt", "POST")] {
            let answer = try get(path, [("Range", range)], method: method)
            #expect(answer.status == 206, "\(path)")
            #expect(answer.header("Content-Range") == "bytes \(place)/10")
            #expect(answer.text == text)
        }
        let head = try get("/__files/t.txt", [("Range", range)], method: "HEAD")
        #expect(head.status == 206)
        #expect(head.header("Content-Length") == String(text.utf8.count))
        #expect(head.body.isEmpty)
    }

    @Test(arguments: [
        "bytes=10-", "bytes=20-30", "bytes=4-2", "bytes=-0", "bytes=", "bytes=a-b", "chars=1-2", "BYTES=2-4", "bytes=5",
        "bytes=--1", "bytes=1-2-3",
    ])
    func aMissingRangeIsA416(range: String) throws {
        let answer = try get("/__files/t.txt", [("Range", range)])
        #expect(answer.status == 416)
        #expect(answer.header("Content-Range") == "bytes */10")
        #expect(answer.header("Content-Length") == "0")
    }

    @Test func severalPartsAreAMultipartBody() throws {
        let answer = try get("/__files/t.txt", [("Range", "bytes=1-2,4-5, -1")])
        #expect(answer.status == 206)
        #expect(answer.header("Content-Range") == nil)
        let type = try #require(answer.header("Content-Type"))
        let boundary = try #require(type.split(separator: "boundary=").last.map(String.init))
        #expect(type.hasPrefix("multipart/byteranges; boundary="))
        let parts = [("1-2", "12"), ("4-5", "45"), ("9-9", "9")].map { place, text in
            "--\(boundary)\r\nContent-Type: text/plain\r\nContent-Range: bytes \(place)/10\r\n\r\n\(text)\r\n"
        }
        #expect(answer.text == parts.joined() + "--\(boundary)--\r\n")
    }

    @Test func anEmptyFileHasNoParts() throws {
        #expect(try get("/__files/empty.txt").status == 200)
        for range in ["bytes=0-", "bytes=-1"] {
            #expect(try get("/__files/empty.txt", [("Range", range)]).status == 416)
        }
    }

    @Test(arguments: [
        ("If-Modified-Since", modified, 304), ("If-Modified-Since", before, 200), ("If-Modified-Since", after, 304),
        ("If-Modified-Since", "junk", 200), ("If-Unmodified-Since", modified, 200),
        ("If-Unmodified-Since", before, 412),
        ("If-None-Match", #""x""#, 200),
        // WireMock has no entity tags and ignores these.
        ("If-None-Match", "*", 304), ("If-Match", #""x""#, 412), ("If-Match", "*", 200),
    ])
    func conditionsAreHonored(name: String, value: String, status: Int) throws {
        for path in ["/__files/t.txt", "/t.txt"] {
            let answer = try get(path, [(name, value)])
            #expect(answer.status == status, "\(path)")
            #expect(answer.text == (status == 200 ? "0123456789" : ""))
            #expect((answer.header("Content-Length") == nil) == (status == 304))
        }
    }

    @Test func aKnownTagIsA304() throws {
        let tag = try #require(try get("/t.txt").header("ETag"))
        for list in [tag, "\"a\", \(tag)", "W/\(tag)"] {
            #expect(try get("/t.txt", [("If-None-Match", list)]).status == 304)
            #expect(try get("/t.txt", [("If-Match", list)]).status == 200)
        }
        // A date is ignored beside an entity tag.
        let both = [("If-None-Match", #""x""#), ("If-Modified-Since", Self.after)]
        #expect(try get("/t.txt", both).status == 200)
        for (condition, status) in [(tag, 206), (#""x""#, 200), (Self.modified, 206), (Self.before, 200)] {
            #expect(try get("/t.txt", [("Range", "bytes=0-1"), ("If-Range", condition)]).status == status)
        }
    }

    /// As in WireMock, ranges and conditions do not apply to a stub's response.
    @Test func aBodyFileOfAStubIsAlwaysSentWhole() throws {
        let mock = try TestMock(files: ["t.txt": "0123456789"])
        try mock.add(#"{"request": {"url": "/x"}, "response": {"bodyFileName": "t.txt"}}"#)
        let headers = [("Range", "bytes=2-4"), ("If-Modified-Since", Self.after)]
        let answer = try Exchange(mock.port, "GET", "/x", headers: headers)
        #expect(answer.status == 200)
        #expect(answer.text == "0123456789")
        #expect(answer.header("Last-Modified") == nil)
    }

    @Test func partsAndKnownFilesAreServedRequestsInTheJournal() throws {
        let mock = try TestMock(files: ["t.txt": "0123456789"])
        for headers in [[("Range", "bytes=2-4")], [("Range", "bytes=20-")], [("If-None-Match", "*")]] {
            _ = try Exchange(mock.port, "GET", "/t.txt", headers: headers)
        }
        #expect(mock.session.events.map(\.status) == [304, 416, 206])
        let unmatched = try Exchange(mock.port, "GET", "/__admin/requests/unmatched")
        #expect(unmatched.json?["requests"] == [])
    }
}
