/// A request and the answer of a real server, of which a stub is made: from a proxied request, or from an archive.
package struct RecordedExchange: Sendable {
    package typealias Field = (name: String, value: String)

    /// A piece of a body that came over some time.
    package struct Chunk: Sendable, Equatable {
        /// The time since the piece before, for the first since the head, in nanoseconds.
        package var gap: UInt64
        /// The number of its bytes.
        package var count: Int

        package init(gap: UInt64, count: Int) {
            self.gap = gap
            self.count = count
        }
    }

    package var method: String
    /// The absolute URL that was asked for.
    package var url: String
    /// Path and query, without what was cut off for the target; what the stub is to match.
    package var target: String
    package var requestHeaders: [Field] = []
    package var requestBody: [UInt8] = []
    /// Whether secrets of the request's body were replaced, so that it is not the one that came.
    package var hidesRequest = false
    /// The body in JSON or XML with what matches any value in the place of a secret, in UTF-8; nil if there is none.
    package var requestPattern: [UInt8]?
    package var status: Int
    package var reason: String = ""
    package var responseHeaders: [Field] = []
    /// The body as it came, in its content coding.
    package var responseBody: [UInt8] = []
    /// The fields behind the body.
    package var trailers: [Field] = []
    /// The number of bytes that are missing at the end of a body that was too large to be kept; 0 for none.
    package var missingBytes = 0
    /// The same of the request's body.
    package var missingRequestBytes = 0
    /// Whether the answer broke off, or has not ended yet.
    package var isBroken = false
    /// Why no answer of the server's came, and what the client got is ours; nil if one did.
    package var failure: String?
    /// The pieces of the body; empty if they are not known.
    package var chunks: [Chunk] = []
    /// The time from the request to the head of the answer, and to its end, in nanoseconds; 0 if they are not known.
    package var latency: UInt64 = 0
    package var duration: UInt64 = 0
    /// When the request was made, in nanoseconds since 1970.
    package var wallTime: UInt64 = 0

    package init(method: String, url: String, target: String, status: Int) {
        self.method = method
        self.url = url
        self.target = target
        self.status = status
    }
}
