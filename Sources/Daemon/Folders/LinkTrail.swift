internal import SDPlatform

/// The places that decide where a link leads: each link on its way, and the file or folder at its end.
struct LinkTrail {
    /// A name in a folder, by the folder's path, which need not exist.
    struct Place: Hashable {
        let folder: String
        let name: String
    }

    /// In the order in which the system follows them; empty for a path without a link.
    private(set) var places: [Place] = []

    /// The most links that the system follows.
    private static let maxLinks = 40

    /// Follows a path.
    /// - Parameter base: the folder to which the path is relative, whose own links are not followed.
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
                // Where it would lead if it existed.
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
