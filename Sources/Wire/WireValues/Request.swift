package import SDCReactor
package import SDPlatform

/// A received request. Immutable: head and body were copied once, and everything else is a slice of that copy.
public final class Request: Sendable {
    /// The head (request line, fields, trailer fields), then the body, then the offsets of the fields and the client's
    /// address. One block, since a journal has thousands of requests and its memory is cold.
    @usableFromInline let storage: [UInt8]
    // Next to the storage, because the two are released together, cold.
    /// Parts that only large requests have; nil for most.
    private let extras: Extras?
    private let headLength: UInt32
    private let headerCount, trailerCount: UInt32
    private let peerLength: UInt32
    @usableFromInline let methodPlace, urlPlace: Place
    private let targetPlace, authorityPlace: Place
    @usableFromInline let pathLength: UInt32
    /// The hash of `path`, for looking up stubs.
    public let pathHash: UInt64

    /// The parts that only large requests have.
    private final class Extras: Sendable {
        let charge: MemoryCharge?
        let bodyStream: (any BodyStream)?

        init(_ charge: MemoryCharge?, _ bodyStream: (any BodyStream)? = nil) {
            self.charge = charge
            self.bodyStream = bodyStream
        }
    }

    /// A body that is still arriving, instead of `body`; nil for a complete request, as nearly all are.
    public var bodyStream: (any BodyStream)? { extras?.bodyStream }

    /// The range of a part of the request in `storage`.
    @usableFromInline
    struct Place: Sendable {
        @usableFromInline let start, length: UInt32

        @inlinable
        init(_ start: UInt32, _ length: UInt32) {
            self.start = start
            self.length = length
        }

        @inlinable var range: Range<Int> { Int(start)..<(Int(start) &+ Int(length)) }

        init(_ reader: inout PackedReader) throws(PackedReader.Problem) {
            start = try reader.word()
            length = try reader.word()
        }

        /// Whether it ends within `count` bytes.
        func isWithin(_ count: UInt32) -> Bool { UInt64(start) + UInt64(length) <= UInt64(count) }
    }

    public let version: HTTPVersion
    /// Whether the client wants the connection kept, and the server is not shutting down.
    public let keepAlive: Bool
    /// Whether the request's scheme, by which stubs match, is `https`: that of an absolute target (as sent to a proxy)
    /// or of `:scheme` in HTTP/2, whatever the connection; otherwise the connection's. Clients can forge it.
    public let isSecure: Bool
    /// Whether the request came over TLS, whatever it claims.
    public let isEncrypted: Bool
    /// Whether the request came through an intercepted tunnel: the client meant another server.
    public let isIntercepted: Bool
    /// Whether it has a field `Cookie`, `Baggage` or `X-StuntDouble-Session`, noted by the parser; few requests do.
    public let mayNameSession: Bool
    /// Whether the client asks to switch to WebSocket.
    public let wantsWebSocket: Bool
    /// The listener that accepted the connection.
    public let origin: Origin
    /// The certificate that the client sent when it connected; nil if it sent none.
    public let clientCertificate: ClientCertificate?
    /// The time at which the request was complete, in nanoseconds since 1970.
    public let wallTime: UInt64
    /// The time at which the request was complete, in monotonic nanoseconds.
    public let clockTime: UInt64

    /// Copies the loop's request, which is passed by reference because it is large.
    /// - Parameters:
    ///   - uploads: the ledger for large requests.
    ///   - clientCertificate: the connection's certificate; nil if it is in the loop's request.
    ///   - body: the body that is still arriving; nil if it is in the loop's request.
    package init(
        _ request: UnsafePointer<cr_request>, _ uploads: borrowing MemoryAccount,
        _ clientCertificate: ClientCertificate? = nil, body: (any BodyStream)? = nil
    ) {
        // The loop's limits keep a head far below 4 GiB.
        headLength = UInt32(request.pointee.head_length)
        headerCount = UInt32(request.pointee.field_count)
        trailerCount = UInt32(request.pointee.trailer_count)
        peerLength = UInt32(request.pointee.peer_length)
        let total = cr_request_size(request)
        storage = Self.block(of: request, total)
        pathHash = Self.pathHash(of: request)
        extras =
            total < MemoryCharge.least && body == nil ? nil : Extras(Self.charge(total, uploads), body)
        methodPlace = Place(request.pointee.method, request.pointee.method_length)
        targetPlace = Place(request.pointee.target, request.pointee.target_length)
        urlPlace = Place(request.pointee.url, request.pointee.url_length)
        authorityPlace = Place(request.pointee.authority, request.pointee.authority_length)
        pathLength = request.pointee.path_length
        version = HTTPVersion(major: request.pointee.version_major, minor: request.pointee.version_minor)
        keepAlive = request.pointee.keep_alive
        isEncrypted = request.pointee.secure
        isSecure =
            switch cr_scheme(UInt32(request.pointee.scheme)) {
            case CR_SCHEME_HTTP: false
            case CR_SCHEME_HTTPS: true
            default: request.pointee.secure
            }
        isIntercepted = request.pointee.intercepted
        mayNameSession = request.pointee.may_name_session
        wantsWebSocket = request.pointee.wants_websocket
        origin = Origin(request.pointee.origin)
        self.clientCertificate = clientCertificate ?? request.pointee.client.flatMap(ClientCertificate.of)
        wallTime = request.pointee.wall_ns
        clockTime = request.pointee.clock_ns
    }

    /// The hash of the path of a request.
    private static func pathHash(of request: UnsafePointer<cr_request>) -> UInt64 {
        guard request.pointee.path_length > 0 else { return PathHash.value(of: rootPath.span) }
        let start = request.pointee.head + Int(request.pointee.url)
        return PathHash.value(of: UnsafeBufferPointer(start: start, count: Int(request.pointee.path_length)).span)
    }

    /// The size in bytes up to which a request is assembled on the stack, so that its array is made by one copy: each
    /// append to an array costs as much as copying some hundred bytes.
    private static var gatherLimit: Int { 1024 }

    private static func block(of request: UnsafePointer<cr_request>, _ total: Int) -> [UInt8] {
        if total <= gatherLimit {
            return withUnsafeTemporaryAllocation(byteCount: gatherLimit, alignment: 8) { room in
                cr_request_copy(request, room.baseAddress)
                return Array(UnsafeRawBufferPointer(rebasing: room[..<total]))
            }
        }
        return Array(unsafeUninitializedCapacity: total) { room, count in
            cr_request_copy(request, room.baseAddress)
            count = total
        }
    }

    /// Not in `init`, which would retain the account for small requests too.
    @inline(never)
    private static func charge(_ bytes: Int, _ uploads: borrowing MemoryAccount) -> MemoryCharge? {
        bytes < MemoryCharge.least ? nil : MemoryCharge(bytes, to: copy uploads)
    }

    /// A copy of the request with only the start of its body, in a block of its own.
    public func cut(bodyTo limit: Int) -> Request {
        Request(self, bodyLimit: limit)
    }

    /// The request with a body that arrived later, or its start.
    public func with(body: [UInt8]) -> Request { Request(self, body: body[...]) }

    private convenience init(_ whole: Request, bodyLimit: Int) {
        self.init(whole, body: whole.body.prefix(max(bodyLimit, 0)))
    }

    private convenience init(_ whole: Request, body: ArraySlice<UInt8>) {
        let head = whole.storage[..<Int(whole.headLength)]
        let fields = whole.storage[whole.fieldsStart...]
        var block: [UInt8] = []
        block.reserveCapacity(head.count + body.count + fields.count)
        block += head
        block += body
        block += fields
        self.init(whole, storage: block, nil, droppingFromPath: 0)
    }

    /// The request without the first `count` bytes of its path, such as a prefix that selected the session: `url` and
    /// `path` start later, while `target` stays as sent. If nothing is left, `path` is `/`. Copies no bytes.
    /// - Parameter count: the number of bytes; if it is negative or the path is shorter, the request is returned
    ///   unchanged.
    public func droppingPathPrefix(_ count: Int) -> Request {
        guard count > 0, count <= Int(pathLength) else { return self }
        return Request(self, storage: storage, extras, droppingFromPath: UInt32(count))
    }

    /// Ends its charge among the uploads, because the caller charges it.
    public func isCountedElsewhere() {
        extras?.charge?.end()
    }

    /// Makes the request without the first bytes of its path.
    /// - Precondition: the path has `count` bytes.
    private init(_ whole: Request, storage: [UInt8], _ extras: Extras?, droppingFromPath count: UInt32) {
        self.storage = storage
        self.extras = extras
        headLength = whole.headLength
        headerCount = whole.headerCount
        trailerCount = whole.trailerCount
        peerLength = whole.peerLength
        methodPlace = whole.methodPlace
        targetPlace = whole.targetPlace
        urlPlace = Place(whole.urlPlace.start &+ count, whole.urlPlace.length &- count)
        authorityPlace = whole.authorityPlace
        pathLength = whole.pathLength &- count
        pathHash = count == 0 ? whole.pathHash : Self.pathHash(of: storage, urlPlace.start, pathLength)
        version = whole.version
        keepAlive = whole.keepAlive
        isSecure = whole.isSecure
        isEncrypted = whole.isEncrypted
        isIntercepted = whole.isIntercepted
        mayNameSession = whole.mayNameSession
        wantsWebSocket = whole.wantsWebSocket
        origin = whole.origin
        clientCertificate = whole.clientCertificate
        wallTime = whole.wallTime
        clockTime = whole.clockTime
    }

    /// Makes an internal request while another one is answered: with its connection, host and time, and without fields
    /// except `Host` and `Content-Type`.
    package convenience init(within outer: Request, method: String, url: String, contentType: String?, body: [UInt8]) {
        var fields: [(name: String, value: String)] = []
        if let host = outer.header(Array("host".utf8)) {
            fields.append(("Host", String(decoding: host, as: UTF8.self)))
        }
        if let contentType { fields.append(("Content-Type", contentType)) }
        let circumstances = Circumstances(
            authority: Array(outer.authority ?? []), peer: outer.storage.suffix(Int(outer.peerLength)),
            isSecure: outer.isSecure, isEncrypted: outer.isEncrypted, origin: outer.origin, wallTime: outer.wallTime,
            clockTime: outer.clockTime)
        self.init(method: method, url: url, fields: fields, body: body, circumstances)
    }

    /// Facts about a request besides its text.
    package struct Circumstances: Sendable {
        fileprivate var authority: [UInt8] = []
        fileprivate var peer: ArraySlice<UInt8> = []
        fileprivate var isSecure: Bool
        fileprivate var isEncrypted: Bool
        fileprivate var origin: Origin
        fileprivate let wallTime: UInt64
        fileprivate let clockTime: UInt64

        fileprivate init(
            authority: [UInt8], peer: ArraySlice<UInt8>, isSecure: Bool, isEncrypted: Bool, origin: Origin,
            wallTime: UInt64, clockTime: UInt64
        ) {
            (self.authority, self.peer, self.isSecure, self.isEncrypted) = (authority, peer, isSecure, isEncrypted)
            (self.origin, self.wallTime, self.clockTime) = (origin, wallTime, clockTime)
        }

        /// The facts of a request that did not come over a connection of this process.
        /// - Parameters:
        ///   - wallTime: nanoseconds since 1970.
        ///   - clockTime: monotonic nanoseconds.
        package init(isSecure: Bool, wallTime: UInt64, clockTime: UInt64) {
            self.init(
                authority: [], peer: [], isSecure: isSecure, isEncrypted: isSecure, origin: Origin(tag: 0, port: 0),
                wallTime: wallTime, clockTime: clockTime)
        }
    }

    /// Makes a request that did not come over the wire.
    package init(
        method: String, url: String, fields texts: [(name: String, value: String)], body: [UInt8],
        _ circumstances: Circumstances
    ) {
        var storage: [UInt8] = []
        func add(_ bytes: some Collection<UInt8>) -> Place {
            storage += bytes
            return Place(UInt32(storage.count - bytes.count), UInt32(bytes.count))
        }
        methodPlace = add(method.utf8)
        targetPlace = add(url.utf8)
        urlPlace = targetPlace
        authorityPlace = add(circumstances.authority)
        let fields = texts.map { (name: add($0.name.utf8), value: add($0.value.utf8)) }
        headLength = UInt32(storage.count)
        headerCount = UInt32(fields.count)
        trailerCount = 0
        storage += body
        for (name, value) in fields {
            let field = cr_field(
                name: name.start, name_length: name.length, value: value.start, value_length: value.length)
            withUnsafeBytes(of: field) { storage += $0 }
        }
        storage += circumstances.peer
        peerLength = UInt32(circumstances.peer.count)
        self.storage = storage
        extras = nil
        pathLength = UInt32(url.utf8.prefix { $0 != UInt8(ascii: "?") }.count)
        pathHash = Self.pathHash(of: storage, urlPlace.start, pathLength)
        version = .http11
        keepAlive = true
        isSecure = circumstances.isSecure
        isEncrypted = circumstances.isEncrypted
        isIntercepted = false
        mayNameSession = false
        wantsWebSocket = false
        origin = circumstances.origin
        clientCertificate = nil
        wallTime = circumstances.wallTime
        clockTime = circumstances.clockTime
    }

    // MARK: Packing

    /// Writes the request for another process, with the received part of its body.
    package func pack(to writer: inout PackedWriter) {
        writer.add(UInt64(headLength))
        writer.add(UInt64(headerCount))
        writer.add(UInt64(trailerCount))
        writer.add(UInt64(peerLength))
        for place in [methodPlace, targetPlace, urlPlace, authorityPlace] {
            writer.add(UInt64(place.start))
            writer.add(UInt64(place.length))
        }
        writer.add(UInt64(pathLength))
        writer.add(byte: version.rawValue)
        writer.add(byte: flags)
        origin.pack(to: &writer)
        if let clientCertificate { clientCertificate.pack(to: &writer) }
        writer.add(wallTime)
        writer.add(storage)
    }

    private var flags: UInt8 {
        let flags = [
            keepAlive, isSecure, isEncrypted, isIntercepted, mayNameSession, wantsWebSocket, clientCertificate != nil,
        ]
        return flags.reversed().reduce(0) { $0 << 1 | ($1 ? 1 : 0) }
    }

    /// Reads another process's request.
    /// - Parameter clock: converts nanoseconds since 1970 to this process's monotonic clock.
    package init(_ reader: inout PackedReader, clock: (UInt64) -> UInt64) throws(PackedReader.Problem) {
        headLength = try reader.word()
        headerCount = try reader.word()
        trailerCount = try reader.word()
        peerLength = try reader.word()
        methodPlace = try Place(&reader)
        targetPlace = try Place(&reader)
        urlPlace = try Place(&reader)
        authorityPlace = try Place(&reader)
        pathLength = try reader.word()
        guard let version = HTTPVersion(rawValue: try reader.byte()) else { throw .init("it has an unknown version") }
        self.version = version
        let flags = try reader.byte()
        guard flags < 0x80 else { throw .init("a request has unknown flags") }
        func isSet(_ bit: UInt8) -> Bool { flags & 1 << bit != 0 }
        keepAlive = isSet(0)
        isSecure = isSet(1)
        isEncrypted = isSet(2)
        isIntercepted = isSet(3)
        mayNameSession = isSet(4)
        wantsWebSocket = isSet(5)
        origin = try Origin(&reader)
        clientCertificate = isSet(6) ? try ClientCertificate(&reader) : nil
        wallTime = try reader.number()
        clockTime = clock(wallTime)
        let storage = try reader.array()
        self.storage = storage
        extras = nil
        // All numbers have 32 bits, so no sum overflows.
        let fieldSize = MemoryLayout<cr_field>.stride
        let fieldCount = Int(headerCount) + Int(trailerCount)
        let fieldsStart = storage.count - Int(peerLength) - fieldCount * fieldSize
        guard fieldsStart >= Int(headLength) else { throw .init("a request is shorter than its parts") }
        let (places, length) = ([methodPlace, targetPlace, urlPlace, authorityPlace], headLength)
        guard places.allSatisfy({ $0.isWithin(length) }), pathLength <= urlPlace.length else {
            throw .init("a part of a request lies outside of it")
        }
        for index in 0..<fieldCount {
            let field = storage.withUnsafeBytes {
                $0.loadUnaligned(fromByteOffset: fieldsStart + index * fieldSize, as: cr_field.self)
            }
            guard Place(field.name, field.name_length).isWithin(headLength),
                Place(field.value, field.value_length).isWithin(headLength)
            else { throw .init("a field of a request lies outside of it") }
        }
        pathHash = Self.pathHash(of: storage, urlPlace.start, pathLength)
    }

    private static func pathHash(of storage: [UInt8], _ start: UInt32, _ length: UInt32) -> UInt64 {
        PathHash.value(of: (length == 0 ? rootPath : storage[Place(start, length).range]).span)
    }

    // Inlined, since each is used several times per request, and passing a slice retains it.
    @inlinable public var method: ArraySlice<UInt8> { storage[methodPlace.range] }
    /// The bytes of a method of up to eight letters as one big-endian number; 0 for a longer one. Costs no reference
    /// count.
    public var methodWord: UInt64 {
        var word: UInt64 = 0
        guard methodPlace.length <= 8 else { return 0 }
        for place in methodPlace.range { word = word << 8 | UInt64(storage[place]) }
        return word
    }

    /// Whether it is a CONNECT.
    public var isConnect: Bool { methodWord == 0x43_4F_4E_4E_45_43_54 }

    /// The request target as sent.
    public var target: ArraySlice<UInt8> { storage[targetPlace.range] }
    /// The path and query as sent: no scheme, authority or fragment; `/a?` becomes `/a`, and an empty path `/`, also
    /// before a query.
    @inlinable public var url: ArraySlice<UInt8> { pathLength == 0 ? urlFromRoot : storage[urlPlace.range] }
    /// `url` up to the first `?`.
    @inlinable public var path: ArraySlice<UInt8> {
        pathLength == 0 ? rootPath : storage[Place(urlPlace.start, pathLength).range]
    }
    /// The number of bytes of `path`, without a reference count.
    @inlinable public var pathCount: Int { pathLength == 0 ? rootPath.count : Int(pathLength) }
    /// Whether the path starts with `/_` and continues, as the server's own paths do and hardly any other: one
    /// comparison, without a slice.
    public var hasReservedPath: Bool { pathLength > 2 && storage[Int(urlPlace.start) &+ 1] == UInt8(ascii: "_") }
    /// `url` for an empty path: the bytes as sent lack the slash, so they are copied if a query follows.
    @usableFromInline var urlFromRoot: ArraySlice<UInt8> {
        urlPlace.length == 0 ? rootPath : rootPath + storage[urlPlace.range]
    }
    /// The part of `url` after the first `?`; nil if there is none.
    public var query: ArraySlice<UInt8>? {
        pathLength < urlPlace.length ? storage[urlPlace.range].dropFirst(Int(pathLength) + 1) : nil
    }
    /// The host and port of an absolute-form or CONNECT target; nil for other forms.
    public var authority: ArraySlice<UInt8>? { authorityPlace.length == 0 ? nil : storage[authorityPlace.range] }
    /// Whether the client treats the server as a proxy: its target is absolute, or it came through an intercepted
    /// tunnel.
    public var isForProxy: Bool { isIntercepted || authorityPlace.length > 0 && version != .http2 }
    /// The body; chunks are decoded.
    public var body: ArraySlice<UInt8> { storage[Int(headLength)..<fieldsStart] }
    /// The number of bytes of `body`, without a reference count.
    public var bodyCount: Int { fieldsStart &- Int(headLength) }
    /// Whether the body starts like gzip, without making a slice.
    public var hasGzipBody: Bool {
        let start = Int(headLength)
        return fieldsStart &- start > 1 && storage[start] == 0x1F && storage[start &+ 1] == 0x8B
    }
    /// The client's numeric address; "unix" for a Unix socket.
    public var peer: String { String(decoding: storage.suffix(Int(peerLength)), as: UTF8.self) }
    /// The approximate size in memory, in bytes.
    public var byteCount: Int { storage.count + 192 }

    /// Calls `body` with the value of each header of that name, in order, until it returns false.
    /// - Parameter name: the name in lower-case ASCII.
    public func forEachHeaderValue(_ name: [UInt8], _ body: (ArraySlice<UInt8>) -> Bool) {
        for index in 0..<Int(headerCount) {
            let field = field(index)
            if isNamed(field, name), !body(storage[Place(field.value, field.value_length).range]) { return }
        }
    }

    /// The value of the first header of that name.
    /// - Parameter name: the name in lower-case ASCII.
    public func header(_ name: [UInt8]) -> ArraySlice<UInt8>? {
        var first: ArraySlice<UInt8>?
        forEachHeaderValue(name) { value in
            first = value
            return false
        }
        return first
    }

    /// All header fields, in order and case as sent.
    public var headers: [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)] {
        (0..<Int(headerCount)).map(slices)
    }

    /// The fields after a chunked body.
    public var trailers: [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)] {
        (Int(headerCount)..<Int(headerCount + trailerCount)).map(slices)
    }

    private var fieldsStart: Int {
        storage.count &- Int(peerLength) &- Int(headerCount &+ trailerCount) &* MemoryLayout<cr_field>.stride
    }

    private func field(_ index: Int) -> cr_field {
        let offset = fieldsStart &+ index &* MemoryLayout<cr_field>.stride
        return storage.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: cr_field.self) }
    }

    private func slices(_ index: Int) -> (name: ArraySlice<UInt8>, value: ArraySlice<UInt8>) {
        let field = field(index)
        return (
            storage[Place(field.name, field.name_length).range], storage[Place(field.value, field.value_length).range]
        )
    }

    /// Compares names ignoring case; the length decides most comparisons.
    private func isNamed(_ field: cr_field, _ name: [UInt8]) -> Bool {
        guard Int(field.name_length) == name.count else { return false }
        let start = Int(field.name)
        for offset in 0..<name.count where lowercase(storage[start &+ offset]) != name[offset] {
            return false
        }
        return true
    }
}

@usableFromInline let rootPath: ArraySlice<UInt8> = [0x2f]

private func lowercase(_ byte: UInt8) -> UInt8 {
    byte &- 0x41 < 26 ? byte | 0x20 : byte
}
