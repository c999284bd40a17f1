internal import SDPlatform

/// Walking the folder from which stubs are read.
extension StubFolder {
    enum Found {
        case file(String)
        case folder(String)
        /// A name that may be a link; what it leads to, if that is used, is reported next.
        case link(String)
        /// A file or folder with a hidden name.
        case hidden(String)
        /// A folder whose names cannot be listed, or a name that cannot be looked up.
        case unreadable(String, SystemError)
        /// A name that is not used.
        case unused(UnusedName)
    }

    /// The folders above the one that is walked.
    private struct Walk {
        /// Those from the start on.
        var ancestors: [FileIdentity] = []
        /// Those above the start; nil until they matter, as they do only for links.
        var outer: [FileIdentity]?
    }

    /// Walks the folder from which stubs are read.
    func visitStubs(_ report: (Found) -> Void) {
        do throws(SystemError) {
            if let root = try stubRoot() { visit(root, report) }
        } catch {
            report(.unreadable("", error))
        }
    }

    /// Walks `start`, a folder relative to `path`, and everything in it. A link to a folder above it, in `path` or not,
    /// is left out.
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
        let identity: FileIdentity
        let entries: [SystemCalls.Entry]
        var foreign: [SystemCalls.Entry] = []
        do throws(SystemError) {
            let status = try SystemCalls.status(of: fullPath)
            identity = status.identity
            guard status.kind == .folder, !walk.ancestors.contains(where: identity.isSameFile) else { return }
            report(.folder(folder))
            entries = try SystemCalls.entries(of: fullPath) { foreign.append($0) }
        } catch {
            // A name that vanished after it was listed is no problem.
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

    /// What is told of a name that cannot be looked up.
    func unusable(_ name: String, _ error: SystemError) -> Found {
        let last = String(SystemCalls.lastName(of: name))
        guard Self.isStubName(last) || !last.utf8.contains(UInt8(ascii: ".")) else { return .hidden(name) }
        if error.isCircle { return .unused(UnusedName(path: name, kind: .circularLink)) }
        // A name that is no link vanished after it was listed.
        guard error.isNotFound else { return .unreadable(name, error) }
        guard let target = try? SystemCalls.linkTarget(of: join(path, name)) else { return .hidden(name) }
        return .unused(UnusedName(path: name, kind: .danglingLink(to: target)))
    }

    /// Whether what a link leads to is a folder in which the link is.
    private func isCircle(_ target: FileIdentity, from start: String, _ walk: inout Walk) -> Bool {
        if walk.ancestors.contains(where: target.isSameFile) { return true }
        let outer = walk.outer ?? folders(above: start)
        walk.outer = outer
        return outer.contains(where: target.isSameFile)
    }

    /// The folders in which `start` is, as the links on the way have it, up to the file system's root.
    private func folders(above start: String) -> [FileIdentity] {
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

extension FileIdentity {
    /// Whether both are of one file or folder, in whatever state.
    fileprivate func isSameFile(_ other: FileIdentity) -> Bool {
        inode == other.inode && device == other.device
    }
}
