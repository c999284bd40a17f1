import Foundation
import SDJSON
import SDTestSupport
import Testing

/// What leads to the page at `/__admin/ui/`, who gets it, and what it may do.
@Suite struct PageTests {
    @Test func theReadyLineTellsProgramsWhereItIs() throws {
        let daemon = try Daemon()
        #expect(daemon.ready["page"]?.stringValue == "http://127.0.0.1:\(daemon.port)/__admin/ui/")
    }

    @Test func theLogTellsPeopleWhereItIs() throws {
        let folder = try TemporaryFolder()
        let process = try ChildProcess(Daemon.binary, [folder.path, "--port", "0"], outputsIn: folder)
        let line = eventually(within: 30_000) {
            process.errors.contains("to look at what comes: ") ? process.errors : nil
        }
        // Of two pipes either may be read first.
        let output = eventually(within: 30_000) { process.output.contains("ready on http://") ? process.output : nil }
        let port = try #require(output?.split(separator: "ready on http://").last?.prefix { $0 != " " })
        #expect(line?.contains("info: to look at what comes: http://\(port)/__admin/ui/\n") == true)
    }

    @Test func itsFilesAreServedWithTheirTypes() throws {
        let daemon = try Daemon()
        let document = try daemon.get("/__admin/ui/")
        #expect(document.status == 200)
        #expect(document.text.lowercased().hasPrefix("<!doctype html>"))
        #expect(document["Content-Type"] == "text/html;charset=UTF-8")
        #expect(document["Content-Security-Policy"]?.contains("script-src 'self'") == true)
        #expect(document["Content-Security-Policy"]?.contains("frame-ancestors 'none'") == true)
        #expect(document["X-Content-Type-Options"] == "nosniff")
        #expect(try daemon.get("/__admin/ui/app.js")["Content-Type"] == "text/javascript;charset=UTF-8")
        #expect(try daemon.get("/__admin/ui/style.css")["Content-Type"] == "text/css;charset=UTF-8")
        #expect(try daemon.get("/__admin/ui/none.js").status == 404)
        #expect(try daemon.get("/__admin/ui")["Location"] == "ui/")
        #expect(try daemon.get("/__admin/recorder/")["Location"] == "../ui/#/record")
    }

    /// What is embedded is a compressed copy of each, made by `make dialect`.
    @Test func eachOfItsFilesIsServed() throws {
        let daemon = try Daemon()
        let folder = "Sources/Admin/CResources/ui"
        let files = try FileManager.default.contentsOfDirectory(atPath: PackageFiles.url(folder).path)
        #expect(files.count > 10)
        for file in files where !file.hasPrefix(".") {
            let isServed = try daemon.get("/__admin/ui/\(file)").body == Array(PackageFiles.data("\(folder)/\(file)"))
            #expect(isServed, "the packed copy of \(file) is older than the file: run `make dialect`, and build again")
        }
        #expect(try daemon.get("/__admin/ui/openapi.json").status == 404)
    }

    @Test func itIsCompressedForWhoeverTakesThat() throws {
        let daemon = try Daemon()
        for _ in 0..<2 {
            let answer = try daemon.request("GET", "/__admin/ui/app.js", headers: ["Accept-Encoding: gzip, br"])
            #expect(answer["Content-Encoding"] == "gzip" && answer.body.starts(with: [0x1f, 0x8b]))
            #expect(try answer.body.count * 2 < daemon.get("/__admin/ui/app.js").body.count)
        }
    }

    @Test func whatIsKnownIsNotSentAgain() throws {
        let daemon = try Daemon()
        let tag = try #require(try daemon.get("/__admin/ui/app.js")["ETag"])
        let again = try daemon.request("GET", "/__admin/ui/app.js", headers: ["If-None-Match: \(tag)"])
        #expect(again.status == 304 && again.body.isEmpty)
    }

    @Test func aBrowserIsLedToIt() throws {
        let daemon = try Daemon()
        let accept = "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
        let answer = try daemon.request("GET", "/<b>?a&b", headers: [accept])
        #expect(answer.status == 404)
        #expect(answer["Content-Type"] == "text/html;charset=UTF-8")
        #expect(answer.text.contains(#"<a href="/__admin/ui/#/requests?q=is:unmatched">"#))
        #expect(!answer.text.contains("<b>"))
        #expect(
            try daemon.request("GET", "/a", headers: ["Accept: */*"])["Content-Type"]?.hasPrefix("text/plain") == true)
    }

    @Test func withCredentialsAPageOfTheMockGetsNothing() throws {
        let page =
            #"GET /page: { body: "<script>fetch('/__admin/mappings')</script>", headers: { Content-Type: text/html } }"#
        let daemon = try Daemon(files: ["a.yaml": page], ["--admin-token", "s3cret"])
        #expect(try daemon.get("/page").status == 200)
        // As a script of that page calls it: with the daemon's own origin, and without the token.
        let own = ["Origin: http://localhost:\(daemon.port)", "Referer: http://localhost:\(daemon.port)/page"]
        #expect(try daemon.request("GET", "/__admin/mappings", headers: own).status == 401)
        #expect(try daemon.request("GET", "/__admin/events", headers: own).status == 401)
        // The page itself holds no data.
        #expect(try daemon.get("/__admin/ui/").status == 200)
    }

    // MARK: --admin-port

    @Test func theAdminAPIMayHaveAPortOfItsOwn() throws {
        let daemon = try Daemon(files: ["a.yaml": "GET /a: { body: a }"], ["--admin-port", "0"])
        let port = try UInt16(#require(daemon.ready["adminPort"]?.intValue))
        func admin(_ target: String, _ headers: String = "") throws -> HTTPAnswer {
            let client = try RawClient(port: port)
            try client.send("GET \(target) HTTP/1.1\r\nHost: localhost:\(port)\r\nConnection: close\r\n\(headers)\r\n")
            return try #require(HTTPAnswer(client.receiveAll(within: 60_000).bytes))
        }
        #expect(try admin("/__admin/mappings").status == 200)
        #expect(try admin("/__admin/ui/").status == 200)
        #expect(try admin("/")["Location"] == "/__admin/ui/")
        #expect(try admin("/a").status == 404)
        #expect(try daemon.get("/a").text == "a")
        let elsewhere = try daemon.get("/__admin/mappings")
        #expect(elsewhere.status == 404 && elsewhere.text.contains("http://127.0.0.1:\(port)"))
        #expect(try daemon.get("/__admin/ui/").status == 404)
        #expect(try daemon.get("/__admin/health").status == 200)
        // A page of the mock is a page of another origin.
        #expect(try admin("/__admin/mappings", "Origin: http://localhost:\(daemon.port)\r\n").status == 403)
    }

    @Test func sessionsBegunThereAreReachedAtTheMock() throws {
        let daemon = try Daemon(["--admin-port", "0"])
        let port = try UInt16(#require(daemon.ready["adminPort"]?.intValue))
        let client = try RawClient(port: port)
        try client.send(
            "POST /__admin/sessions HTTP/1.1\r\nHost: localhost:\(port)\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
        )
        let answer = try #require(HTTPAnswer(client.receiveAll(within: 60_000).bytes))
        #expect(answer.json?["url"]?.stringValue?.hasPrefix("http://localhost:\(daemon.port)/__session/") == true)
    }

    @Test func aPageThatIsSentOnIsWarnedOfOnce() throws {
        let target = try Daemon(files: [
            "a.yaml": #"GET /page: { body: "<p>", headers: { Content-Type: "text/html; charset=utf-8" } }"#
        ])
        let stub = "ANY /**: { proxy: \"http://127.0.0.1:\(target.port)\" }"
        let daemon = try Daemon(files: ["a.yaml": stub])
        for _ in 0..<3 { #expect(try daemon.get("/page").status == 200) }
        let warning = "sends on a page of another server"
        #expect(eventually { daemon.process.errors.contains(warning) ? true : nil } == true)
        #expect(daemon.process.errors.split(separator: "\n").count { $0.contains(warning) } == 1)
        let guarded = try Daemon(files: ["a.yaml": stub], ["--admin-token", "s3cret"])
        #expect(try guarded.get("/page").status == 200)
        #expect(!guarded.process.errors.contains(warning))
    }
}
