import SDCReactor

/// A part of a file that scripts send. It is read while it is sent, a window at a time; if the file has been shortened
/// meanwhile, the connection is reset. Shared by any number of scripts and threads.
public final class WireFile: Sendable {
    // Written once, before any other thread sees it.
    nonisolated(unsafe) let place: UnsafePointer<cr_file>
    public let count: Int
    private let descriptor: Int32
    private let offset: Int
    /// Keeps the file open.
    private let owner: any AnyObject & Sendable

    /// Makes a part of an open file.
    /// - Parameters:
    ///   - descriptor: a file that is open for reading as long as `owner` lives.
    ///   - range: the bytes to send, as offsets in the file.
    public init(descriptor: Int32, owner: any AnyObject & Sendable, range: Range<Int>) {
        let place = UnsafeMutablePointer<cr_file>.allocate(capacity: 1)
        place.initialize(to: cr_file(fd: descriptor, offset: UInt64(range.lowerBound), flips: nil, flip_count: 0))
        self.place = UnsafePointer(place)
        count = range.count
        offset = range.lowerBound
        self.descriptor = descriptor
        self.owner = owner
    }

    deinit {
        place.deallocate()
    }

    /// A part of this part.
    /// - Precondition: the range lies within it.
    public subscript(range: Range<Int>) -> WireFile {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "a step must send bytes that there are")
        return WireFile(
            descriptor: descriptor, owner: owner, range: (offset + range.lowerBound)..<(offset + range.upperBound))
    }
}
