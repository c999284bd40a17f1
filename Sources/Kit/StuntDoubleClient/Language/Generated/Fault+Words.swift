// Made by `make dialect` of Sources/Dialect/Table; do not edit.
// swift-format-ignore-file
import SDStubModel

extension Stub.Fault {
    /// The connection closes without a byte of an answer.
    public static var emptyResponse: Stub.Fault { kind(.emptyResponse) }

    /// The connection is reset (TCP RST) without a byte of an answer.
    public static var connectionReset: Stub.Fault { kind(.connectionReset) }

    /// A status of 200 and `Transfer-Encoding: chunked` come, 36 bytes that are not a chunk, then the end.
    public static var malformedChunk: Stub.Fault { kind(.malformedChunk) }

    /// The same 36 bytes come without a status, then the end.
    public static var randomData: Stub.Fault { kind(.randomData) }

    /// Announces the trailers, but never sends them.
    public static var dropTrailers: Stub.Fault { changing(.dropTrailers) }

    /// Sends the body at a rate, such as `3KB/s`; the head is sent at once.
    public static func bandwidth(_ rate: Stub.Rate) -> Stub.Fault { changing(.bandwidth(rate.model)) }

    /// Sends the whole answer, keeps the connection open for that long without answering further requests, then closes
    /// it.
    public static func slowClose(_ duration: Duration) -> Stub.Fault { changing(.slowClose(duration.wholeMilliseconds)) }
}
