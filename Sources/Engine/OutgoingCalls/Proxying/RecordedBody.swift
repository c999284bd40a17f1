import SDHTTPTransport

/// A streamed body that is also recorded.
final class RecordedBody: BodyStream {
    private let stream: any BodyStream
    private let record: any ExchangeRecord

    init(_ stream: any BodyStream, _ record: any ExchangeRecord) {
        self.stream = stream
        self.record = record
    }

    var count: Int? { stream.count }

    func begin(
        onBytes: @escaping @Sendable ([UInt8]) -> Void,
        onEnd: @escaping @Sendable (_ trailers: [(name: String, value: String)]?) -> Void
    ) {
        stream.begin(
            onBytes: { [record] bytes in
                record.sent(bytes)
                onBytes(bytes)
            }, onEnd: onEnd)
    }

    func setReading(_ reads: Bool) { stream.setReading(reads) }
}
