/// A request and a real server's answer, from which a stub is made: from a proxied request, or from an archive.
package struct RecordedExchange: Sendable {
    package typealias Field = (name: String, value: String)

    /// A slice of a body that arrived over some time.
    package struct Chunk: Sendable, Equatable {
        /// The time since the previous slice, or for the first since the head, in nanoseconds.
        package var gap: UInt64
        /// The number of its bytes.
        package var count: Int

        package init(gap: UInt64, count: Int) {
            self.gap = gap
            self.count = count
        }
    }

    package var method: String
    /// The absolute request URL.
    package var url: String
    /// Path and query, without any prefix that was removed for the target; the stub matches these.
    package var target: String
    package var requestHeaders: [Field] = []
    package var requestBody: [UInt8] = []
    /// Whether secrets of the request's body were replaced, so that it is not the original one.
    package var hidesRequest = false
    /// The JSON or XML body in UTF-8, with placeholders that match any value in place of secrets; nil if there is none.
    package var requestPattern: [UInt8]?
    package var status: Int
    package var reason: String = ""
    package var responseHeaders: [Field] = []
    /// The body as received, in its content coding.
    package var responseBody: [UInt8] = []
    /// The trailers.
    package var trailers: [Field] = []
    /// The number of bytes missing at the end of a truncated body; 0 for none.
    package var missingBytes = 0
    /// The number of bytes missing at the end of a truncated request body; 0 for none.
    package var missingRequestBytes = 0
    /// Whether the answer broke off, or has not ended yet.
    package var isBroken = false
    /// Why the server did not answer, so that the client got our answer; nil if it did.
    package var failure: String?
    /// The slices of the body; empty if unknown.
    package var chunks: [Chunk] = []
    /// The time from the request to the head of the answer, and to its end, in nanoseconds; 0 if unknown.
    package var latency: UInt64 = 0
    package var duration: UInt64 = 0
    /// The time of the request, in nanoseconds since 1970.
    package var wallTime: UInt64 = 0

    package init(method: String, url: String, target: String, status: Int) {
        self.method = method
        self.url = url
        self.target = target
        self.status = status
    }
}
