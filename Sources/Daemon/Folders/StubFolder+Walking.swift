internal import SDPlatform

/// Walking the stub folder.
extension StubFolder {
    enum Found {
        case file(String)
        case folder(String)
        /// A name that may be a link; its target, if used, is reported next.
        case link(String)
        /// A file or folder with a hidden name.
        case hidden(String)
        /// A folder that cannot be listed, or a name that cannot be looked up.
        case unreadable(String, SystemError)
        /// A name that cannot be used.
        case unused(UnusedName)
    }

    /// The folders above the current one.
    private struct Walk {
        /// Those from the start of the walk on.
        var ancestors: [FileStamp] = []
        /// Those above the start; nil until a link needs them.
        var outer: [FileStamp]?
    }

    /// Walks the folder with the stubs.
    func visitStubs(_ report: (Found) -> Void) {
        do throws(SystemError) {
            if let root = try stubRoot() { visit(root, report) }
            if let root = try messageRoot() { visit(root, report) }
        } catch {
            report(.unreadable("", error))
        }
    }

    /// Walks `start`, a folder relative to `path`, and everything in it. A link to an enclosing folder is left out.
    func visit(_ start: String, _ report: (Found) -> Void) {
        if onlyFile != nil, !start.isEmpty { return }
        var walk = Walk()
        if (try? SystemCalls.status(of: join(path, start), followingLinks: false))?.kind == .link,
            let status = try? SystemCalls.status(of: join(path, start)), !start.isEmpty,
            isCircle(status.identity, from: start, &walk)
        {
            return report(.unused(UnusedName(path: start, kind: .circularLink)))
        }
        visit(start, from: start, &walk, report)
    }

    private func visit(_ folder: String, from start: String, _ walk: inout Walk, _ report: (Found) -> Void) {
        let fullPath = join(path, folder)
        guard walk.ancestors.count < Self.deepestFolder else { return }
        let identity: FileStamp
        let entries: [SystemCalls.Entry]
        var foreign: [SystemCalls.Entry] = []
        do throws(SystemError) {
            let status = try SystemCalls.status(of: fullPath)
            identity = status.identity
            guard status.kind == .folder, !walk.ancestors.contains(where: identity.isSameFile) else { return }
            report(.folder(folder))
            entries = try SystemCalls.entries(of: fullPath) { foreign.append($0) }
        } catch {
            // A name that vanished after the listing is not a problem.
            if !error.isNotFound { report(.unreadable(folder, error)) }
            return
        }
        walk.ancestors.append(identity)
        defer { walk.ancestors.removeLast() }
        for entry in foreign where onlyFile == nil && !Self.isHidden(entry.name) {
            let isFolder = entry.kind == .folder
            if isFolder || Self.isStubName(entry.name) {
                let kind: UnusedName.Kind = isFolder ? .stubFolder : .stubFile
                report(.unused(UnusedName(path: join(folder, entry.name), kind: kind)))
            }
        }
        for entry in entries where reads(entry.name) {
            let child = join(folder, entry.name)
            if Self.isHidden(entry.name) {
                report(.hidden(child))
                continue
            }
            if Self.isLeftOut(entry.name) { continue }
            if entry.kind == nil { report(.link(child)) }
            do throws(SystemError) {
                let target = entry.kind == nil ? try SystemCalls.status(of: join(path, child)) : nil
                switch entry.kind ?? target?.kind {
                case .folder:
                    if let target, isCircle(target.identity, from: start, &walk) {
                        report(.unused(UnusedName(path: child, kind: .circularLink)))
                    } else {
                        visit(child, from: start, &walk, report)
                    }
                case .file: if Self.isStubName(entry.name) { report(.file(child)) }
                default: if Self.isStubName(entry.name) { report(.unused(UnusedName(path: child, kind: .noFile))) }
                }
            } catch {
                report(unusable(child, error))
            }
        }
    }

    /// The report for a name that cannot be looked up.
    func unusable(_ name: String, _ error: SystemError) -> Found {
        let last = String(SystemCalls.lastName(of: name))
        guard Self.isStubName(last) || !last.utf8.contains(UInt8(ascii: ".")) else { return .hidden(name) }
        if error.isCircle { return .unused(UnusedName(path: name, kind: .circularLink)) }
        // A name that is not a link vanished after the listing.
        guard error.isNotFound else { return .unreadable(name, error) }
        guard let target = try? SystemCalls.linkTarget(of: join(path, name)) else { return .hidden(name) }
        return .unused(UnusedName(path: name, kind: .danglingLink(to: target)))
    }

    /// Whether a link's target is a folder that contains the link.
    private func isCircle(_ target: FileStamp, from start: String, _ walk: inout Walk) -> Bool {
        if walk.ancestors.contains(where: target.isSameFile) { return true }
        let outer = walk.outer ?? folders(above: start)
        walk.outer = outer
        return outer.contains(where: target.isSameFile)
    }

    /// The folders above `start`, through the links in its path, up to the root of the file system.
    private func folders(above start: String) -> [FileStamp] {
        var paths: [String] = []
        if !start.isEmpty {
            paths.append(path)
            for index in start.indices where start[index] == "/" { paths.append(join(path, String(start[..<index]))) }
        }
        let root = (try? SystemCalls.resolve(path)) ?? path
        for index in root.indices where root[index] == "/" {
            paths.append(index == root.startIndex ? "/" : String(root[..<index]))
        }
        return paths.compactMap { (try? SystemCalls.status(of: $0))?.identity }
    }
}

extension FileStamp {
    /// Whether both stamps are of the same file or folder, whatever its state.
    fileprivate func isSameFile(_ other: FileStamp) -> Bool {
        inode == other.inode && device == other.device
    }
}
