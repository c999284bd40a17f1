import SDCReactor

/// A request's body that the loop hands over as it arrives.
final class IncomingBody: BodyStream, @unchecked Sendable {
    // Mutable state is used on the loop's thread only.
    private var stream: OpaquePointer?
    private var onBytes: (@Sendable ([UInt8]) -> Void)?
    private var onEnd: (@Sendable ([(name: String, value: String)]?) -> Void)?
    private let loop: Loop
    private let kept = BodyPrefix()
    var beginning: BodyPrefix? { kept }
    private(set) var count: Int?

    /// Takes over the body of the stream's request. The loop retains it until the body has ended.
    init(of stream: OpaquePointer, _ loop: Loop) {
        self.stream = stream
        self.loop = loop
        let length = cr_stream_accept_body(stream, Unmanaged.passRetained(self).toOpaque())
        count = length == .max ? nil : Int(clamping: length)
    }

    func begin(
        onBytes: @escaping @Sendable ([UInt8]) -> Void,
        onEnd: @escaping @Sendable (_ trailers: [(name: String, value: String)]?) -> Void
    ) {
        perform { body in
            guard let stream = body.stream else {
                onEnd(nil)
                return
            }
            body.onBytes = onBytes
            body.onEnd = onEnd
            cr_stream_set_body_reading(stream, true)
        }
    }

    func setReading(_ reads: Bool) {
        perform { body in
            if let stream = body.stream { cr_stream_set_body_reading(stream, reads) }
        }
    }

    /// Calls `work` on the loop's thread, at once if this is that thread.
    private func perform(_ work: @escaping @Sendable (IncomingBody) -> Void) {
        if loop.isCurrent {
            work(self)
        } else {
            loop.perform { [self] in work(self) }
        }
    }

    func came(_ bytes: UnsafeBufferPointer<UInt8>) {
        kept.add(bytes)
        onBytes?(Array(bytes))
    }

    func ended(_ request: UnsafePointer<cr_request>?) {
        stream = nil
        onBytes = nil
        kept.end()
        let trailers = request.map(Self.trailers)
        onEnd.take()?(trailers)
    }

    private static func trailers(of request: UnsafePointer<cr_request>) -> [(name: String, value: String)] {
        let (request, head) = (request.pointee, request.pointee.head)
        return (request.field_count..<(request.field_count + request.trailer_count)).compactMap { index in
            guard let head, let field = request.fields?[index] else { return nil }
            func text(_ start: UInt32, _ count: UInt32) -> String {
                String(decoding: UnsafeBufferPointer(start: head + Int(start), count: Int(count)), as: UTF8.self)
            }
            return (text(field.name, field.name_length), text(field.value, field.value_length))
        }
    }

    static func at(_ body: UnsafeMutableRawPointer?) -> IncomingBody {
        guard let body else { preconditionFailure("a body without its object") }
        return Unmanaged<IncomingBody>.fromOpaque(body).takeUnretainedValue()
    }

    /// Takes over the reference that the loop held, once the loop is done with it.
    static func take(_ body: UnsafeMutableRawPointer?) -> IncomingBody {
        guard let body else { preconditionFailure("a body without its object") }
        return Unmanaged<IncomingBody>.fromOpaque(body).takeRetainedValue()
    }
}
