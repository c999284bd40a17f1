import SDArchives
import SDCapture
import SDJSON
import SDRecording

/// Archives in the habits of the tools that write them.
enum Samples {
    static func archive(_ entries: String..., creator: String = #"{ "name": "Test", "version": "1" }"#) -> String {
        #"{ "log": { "version": "1.2", "creator": \#(creator), "entries": ["# + entries.joined(separator: ",\n")
            + "] } }"
    }

    /// An entry of a GET with an answer in JSON.
    static func entry(
        method: String = "GET", url: String = "https://api.example/a", request: String = "", status: String = "200",
        response: String = "", content: String = #"{ "size": 2, "mimeType": "application/json", "text": "{}" }"#,
        more: String = ""
    ) -> String {
        """
        { "startedDateTime": "2026-01-31T09:30:00.000Z", "time": 12,
          "request": { "method": "\(method)", "url": "\(url)", "httpVersion": "HTTP/1.1", \(request)
            "headersSize": -1 },
          "response": { "status": \(status), "statusText": "OK", \(response) "content": \(content), "bodySize": -1 },
          "timings": { "send": 1, "wait": 10, "receive": 1 }, "cache": {} \(more) }
        """
    }

    static func read(_ text: String, hosts: [String] = []) throws -> HTTPArchive {
        try HTTPArchive(Array(text.utf8), hosts: hosts)
    }

    static func exchange(_ entry: String) throws -> RecordedExchange? {
        try read(archive(entry)).exchanges.first
    }

    /// Chrome: headers of HTTP/2 with pseudo-headers, several cookies in one header, content in Base64.
    static let chrome = archive(
        #"""
        { "_initiator": { "type": "script" }, "_priority": "High", "_resourceType": "fetch", "cache": {}, "connection": "443",
          "request": { "method": "POST", "url": "https://shop.example/api/cart?user=7#top", "httpVersion": "http/2.0",
            "headers": [ { "name": ":authority", "value": "shop.example" }, { "name": ":method", "value": "POST" },
              { "name": ":path", "value": "/api/cart?user=7" }, { "name": ":scheme", "value": "https" },
              { "name": "content-type", "value": "application/json" } ],
            "queryString": [ { "name": "user", "value": "7" } ], "cookies": [], "headersSize": -1, "bodySize": 9,
            "postData": { "mimeType": "application/json", "text": "{\"id\": 1}" } },
          "response": { "status": 201, "statusText": "", "httpVersion": "http/2.0",
            "headers": [ { "name": "content-encoding", "value": "br" }, { "name": "content-length", "value": "21" },
              { "name": "content-type", "value": "image/png" }, { "name": "set-cookie", "value": "a=1; Path=/\nb=2" } ],
            "cookies": [ { "name": "a", "value": "1" } ],
            "content": { "size": 4, "mimeType": "image/png", "text": "iVBORw==", "encoding": "base64" },
            "redirectURL": "", "headersSize": -1, "bodySize": -1, "_transferSize": 60, "_error": null },
          "serverIPAddress": "203.0.113.7", "startedDateTime": "2026-01-31T09:30:00.250Z", "time": 40.5,
          "timings": { "blocked": 2, "dns": -1, "ssl": -1, "connect": -1, "send": 0.5, "wait": 30, "receive": 8, "_blocked_queueing": 1 } }
        """#, creator: #"{ "name": "WebInspector", "version": "537.36" }"#)
}
