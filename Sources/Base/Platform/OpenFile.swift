#if canImport(Glibc)
    @preconcurrency import Glibc
#elseif canImport(Musl)
    @preconcurrency import Musl
#else
    @preconcurrency import Darwin
#endif

/// A file open for reading, shared by any number of readers with positions of their own. Closed with the last
/// reference.
public final class OpenFile: Sendable {
    private let descriptor: FileDescriptor
    /// The size in bytes when it was opened.
    public let size: Int

    public init(_ descriptor: consuming FileDescriptor, size: Int) {
        self.descriptor = descriptor
        self.size = size
    }

    /// The file descriptor, valid as long as this object lives.
    public var number: Int32 { descriptor.number }

    /// The bytes of a range; fewer if the file is now shorter or cannot be read.
    public func read(_ range: Range<Int>) -> [UInt8] { SystemCalls.readPart(descriptor.number, range) }
}

extension SystemCalls {
    /// The bytes of a range of an open file; fewer if the file is now shorter or cannot be read. Neither uses nor
    /// changes the file position.
    public static func readPart(_ number: Int32, _ range: Range<Int>) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < range.count {
            let place = range.lowerBound + bytes.count
            var count = 0
            let piece = [UInt8](unsafeUninitializedCapacity: min(range.upperBound - place, 1 << 20)) { buffer, filled in
                count = retrying { pread(number, buffer.baseAddress, buffer.count, off_t(place)) }
                filled = max(count, 0)
            }
            guard count > 0 else { break }
            bytes += piece
        }
        return bytes
    }
}
