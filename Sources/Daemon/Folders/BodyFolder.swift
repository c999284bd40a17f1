import SDPlatform

/// The folder `__files`, listed from disk.
struct BodyFolder {
    /// The path; the folder may be missing.
    let path: String

    enum Found {
        /// A file, by its path in the folder.
        case file(String)
        /// A name that is not UTF-8, by its path in the folder.
        case unused(UnusedName)
    }

    /// Reports the files in the folder and its subfolders, without links that lead out of it and unfinished files.
    /// - Throws: if a folder cannot be read.
    func visit(_ report: (Found) -> Void) throws(SystemError) {
        guard let base = try? SystemCalls.resolve(path) else { return }
        var ancestors: [FileStamp] = []
        try visit("", base: base, ancestors: &ancestors, report)
    }

    private func visit(
        _ folder: String, base: String, ancestors: inout [FileStamp], _ report: (Found) -> Void
    ) throws(SystemError) {
        let fullPath = join(path, folder)
        guard let status = try? SystemCalls.status(of: fullPath), ancestors.count < StubFolder.deepestFolder else {
            return
        }
        // A link to an enclosing folder would be followed without end.
        let isCircle = ancestors.contains {
            $0.inode == status.identity.inode && $0.device == status.identity.device
        }
        guard !isCircle else { return }
        ancestors.append(status.identity)
        defer { ancestors.removeLast() }
        var foreign: [SystemCalls.Entry] = []
        let entries = try SystemCalls.entries(of: fullPath) { foreign.append($0) }
        for entry in foreign where !StubFolder.isHidden(entry.name) {
            let kind: UnusedName.Kind = entry.kind == .folder ? .bodyFolder : .bodyFile
            report(.unused(UnusedName(path: join(folder, entry.name), kind: kind)))
        }
        for entry in entries where !StubFileWriter.isLeftover(entry.name) {
            let name = join(folder, entry.name)
            var kind = entry.kind
            if kind == nil {
                let target = join(path, name)
                guard let resolved = try? SystemCalls.resolve(target), BodyFiles.isBeneath(base, resolved) else {
                    continue
                }
                kind = BodyFiles.kind(of: target)
            }
            switch kind {
            case .file: report(.file(name))
            case .folder: try visit(name, base: base, ancestors: &ancestors, report)
            default: break
            }
        }
    }
}
