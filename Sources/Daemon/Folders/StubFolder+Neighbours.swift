public import SDPlatform

/// The files beside a stub file to which it may refer.
extension StubFolder {
    /// The maximum size of such a file in bytes.
    private static let largestNeighbour = 64 << 20

    /// Reads a file in or below a stub file's folder; nil if it is missing, or outside by its path or a link.
    /// - Parameters:
    ///   - path: its path relative to the folder of the stub file.
    ///   - file: the path of the stub file in this folder.
    public func neighbour(_ path: String, of file: String) -> [UInt8]? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard !path.contains("\\"), !path.contains("\0"), !parts.contains(where: { ["", ".", ".."].contains($0) })
        else {
            return nil
        }
        let home = join(self.path, file.lastIndex(of: "/").map { String(file[..<$0]) } ?? "")
        let target = join(home, path)
        do throws(SystemError) {
            let base = try SystemCalls.resolve(home)
            guard BodyFiles.isBeneath(base, try SystemCalls.resolve(target)) else { return nil }
            let status = try SystemCalls.status(of: target)
            guard status.kind == .file, status.identity.size <= Self.largestNeighbour else { return nil }
            let opened = try SystemCalls.open(target, .read)
            return try SystemCalls.readAll(
                opened, expecting: status.identity.size, limit: Self.largestNeighbour, path: target)
        } catch {
            return nil
        }
    }

    /// The stamp of any file of the folder; nil if it is missing.
    public func state(of relativePath: String) -> FileStamp? {
        guard let status = try? SystemCalls.status(of: join(path, relativePath)), status.kind == .file else {
            return nil
        }
        return status.identity
    }

    /// Whether the watch reports changes of a file, by its path in the folder.
    public func watches(_ relativePath: String) -> Bool {
        guard reads(relativePath) else { return false }
        let parts = relativePath.split(separator: "/").map(String.init)
        return !parts.contains { Self.isHidden($0) || Self.isLeftOut($0) } && Self.isStubName(parts.last ?? "")
    }

    /// Rereads a stub file, by its path in the folder; nil if that fails, or it is not a stub file.
    public func stubFile(_ relativePath: String) -> FolderFile? {
        reads(relativePath) ? try? read(relativePath) : nil
    }
}
