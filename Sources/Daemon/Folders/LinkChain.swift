internal import SDPlatform

/// The names on which a link's target depends: each link in the chain, and the file or folder at its end.
struct LinkChain {
    /// A name in a folder, which need not exist.
    struct Place: Hashable {
        let folder: String
        let name: String
    }

    /// In the order in which the system follows them; empty for a path without links.
    private(set) var places: [Place] = []

    /// The maximum number of links that the system follows.
    private static let maxLinks = 40

    /// Follows a path.
    /// - Parameter base: the folder to which the path is relative; links in the base itself are not followed.
    init(_ path: String, in base: String) {
        var folder = base
        var names = Array(path.split(separator: "/").map(String.init).reversed())
        while let name = names.popLast() {
            if name == "." { continue }
            let next = join(folder, name)
            guard name != "..", let status = try? SystemCalls.status(of: next, followingLinks: false) else {
                if name == ".." {
                    folder = next
                    continue
                }
                // The target of a dangling link, if it existed.
                add(name, in: folder)
                return
            }
            guard status.kind == .link else {
                if names.isEmpty { add(name, in: folder) }
                folder = next
                continue
            }
            guard places.count < Self.maxLinks, let target = try? SystemCalls.linkTarget(of: next) else { return }
            places.append(Place(folder: folder, name: name))
            if target.hasPrefix("/") { folder = "/" }
            names += target.split(separator: "/").map(String.init).reversed()
        }
    }

    private mutating func add(_ name: String, in folder: String) {
        if !places.isEmpty { places.append(Place(folder: folder, name: name)) }
    }
}
