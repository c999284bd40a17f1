public import SDPlatform

/// A stub file that is open for reading, as a whole or in parts.
public final class OpenStubFile: Sendable {
    /// The path for messages: the folder as the user named it, followed by the file's path in it.
    public let path: String
    /// The path in the folder.
    public let relativePath: String
    /// What the file was when it was opened.
    public let identity: FileIdentity
    private let file: FileDescriptor

    /// The bytes that are read at once: they stay in the processor's caches until they are used.
    private static let partSize = 128 << 10
    /// The bytes that may wait for more. A file with longer mappings takes no less memory in parts than as a whole.
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

    /// Whether it is better read in parts, and not too large to be a stub file.
    var isLarge: Bool { size >= StubFolder.largeFile && size <= StubFolder.largestFile }

    /// Reads the file as a whole. Works once.
    /// - Throws: the failed system call; EFBIG for a file above `StubFolder.largestFile`.
    func whole() throws(SystemError) -> FolderFile {
        var file = withoutBytes
        file.bytes = try SystemCalls.readAll(
            self.file, expecting: identity.size, limit: StubFolder.largestFile, path: path)
        return file
    }

    /// The file, as if it were empty.
    var withoutBytes: FolderFile {
        FolderFile(path: path, relativePath: relativePath, bytes: [], identity: identity)
    }

    /// Reads a part of the file, up to the size that it had when it was opened.
    /// - Parameters:
    ///   - unused: the bytes before the part, which it is put after. With more of them, a part is larger.
    ///   - offset: where the part begins.
    /// - Returns: nil at the end of the file, where it cannot be read, and after very many unused bytes.
    public func part(after unused: ArraySlice<UInt8>, at offset: Int) -> [UInt8]? {
        let count = min(max(unused.count, Self.partSize), size - offset)
        guard count > 0, unused.count <= Self.maxUnused else { return nil }
        let bytes = SystemCalls.readPart(file, offset..<offset + count, after: unused)
        return bytes.count > unused.count ? bytes : nil
    }

    /// Reads all bytes once more; fewer if the file has become shorter.
    public func allBytes() -> [UInt8] {
        SystemCalls.readPart(file, 0..<size, after: [])
    }
}
