public import SDPlatform

/// A stub file that is open for reading, as a whole or in parts.
public final class OpenStubFile: Sendable {
    /// The path for messages: the folder as the user named it, followed by the file's path in it.
    public let path: String
    /// The path in the folder.
    public let relativePath: String
    /// The file's stamp when it was opened.
    public let identity: FileStamp
    private let file: FileDescriptor

    /// The bytes read at once, few enough to stay in the processor's caches.
    private static let partSize = 128 << 10
    /// The maximum number of incomplete bytes carried over. With longer mappings, reading in parts would save no
    /// memory.
    private static let maxUnused = 16 << 20

    /// Opens a file, named relative to the folder.
    /// - Throws: the failed system call.
    init(_ relativePath: String, in folder: StubFolder) throws(SystemError) {
        let path = join(folder.path, relativePath)
        let file = try SystemCalls.open(path, .read)
        identity = try SystemCalls.status(of: file).identity
        self.file = file
        self.path = path
        self.relativePath = relativePath
    }

    /// The size in bytes when it was opened.
    public var size: Int { Int(identity.size) }

    /// Whether to read it in parts: large, and not too large for a stub file.
    var isLarge: Bool { size >= StubFolder.largeFile && size <= StubFolder.largestFile }

    /// Reads the file as a whole. Works once.
    /// - Throws: the failed system call; EFBIG for a file above `StubFolder.largestFile`.
    func whole() throws(SystemError) -> FolderFile {
        var file = withoutBytes
        file.bytes = try SystemCalls.readAll(
            self.file, expecting: identity.size, limit: StubFolder.largestFile, path: path)
        return file
    }

    /// The file with empty content.
    var withoutBytes: FolderFile {
        FolderFile(path: path, relativePath: relativePath, bytes: [], identity: identity)
    }

    /// Reads a part of the file, up to the size that it had when it was opened.
    /// - Parameters:
    ///   - unused: unused bytes of the previous part, which precede this one. More of them make a larger part.
    ///   - offset: the offset in the file, in bytes.
    /// - Returns: nil at the end of the file, on a read error, and after too many unused bytes.
    public func part(after unused: ArraySlice<UInt8>, at offset: Int) -> [UInt8]? {
        let count = min(max(unused.count, Self.partSize), size - offset)
        guard count > 0, unused.count <= Self.maxUnused else { return nil }
        let bytes = SystemCalls.readPart(file, offset..<offset + count, after: unused)
        return bytes.count > unused.count ? bytes : nil
    }

    /// Reads all bytes again; fewer if the file has been shortened.
    public func allBytes() -> [UInt8] {
        SystemCalls.readPart(file, 0..<size, after: [])
    }
}
