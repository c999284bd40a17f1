import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The system's time zone files, in `TZDIR` or else `/usr/share/zoneinfo`. Each is read once and cached.
final class ZoneFiles: Sendable {
    static let shared = ZoneFiles(
        folder: environment("TZDIR") ?? "/usr/share/zoneinfo", variable: environment("TZ"), link: "/etc/localtime")

    private let folder: String
    /// The names of all regions, as paths below the folder.
    let names: Set<String>
    let systemZone: Zone
    private let regions = Mutex<[String: Zone]>([:])

    /// Regions that Java lacks: it takes them for offsets.
    private static let unknownToJava: Set<String> = ["EST", "MST", "HST", "ROC"]

    init(folder: String, variable: String?, link: String) {
        self.folder = folder
        let names = Self.names(below: folder)
        self.names = names
        systemZone = Self.systemZone(folder: folder, names: names, variable: variable, link: link)
    }

    /// The region's rules; nil if it does not exist or its file cannot be read.
    func region(_ name: String) -> Zone? {
        guard names.contains(name) else { return nil }
        return regions.withLock { regions in
            if let zone = regions[name] { return zone }
            guard let rules = ZoneRules(tzif: Self.contents(of: "\(folder)/\(name)")) else { return nil }
            let zone = Zone.region(name, rules)
            regions[name] = zone
            return zone
        }
    }

    /// The zone that `TZ` names (a region, a file or a POSIX rule), else the one that `/etc/localtime` links to, else
    /// UTC.
    private static func systemZone(folder: String, names: Set<String>, variable: String?, link: String) -> Zone {
        func zone(file: String) -> Zone? {
            ZoneRules(tzif: contents(of: file)).map { rules in
                let path = String(file.dropFirst(folder.count + 1))
                return .region(file.hasPrefix(folder + "/") && names.contains(path) ? path : file, rules)
            }
        }
        if let variable {
            let name = variable.hasPrefix(":") ? String(variable.dropFirst()) : variable
            if name.isEmpty { return .utc }
            if let zone = zone(file: name.hasPrefix("/") ? name : "\(folder)/\(name)") { return zone }
            return ZoneRules(posix: name).map { .region(name, $0) } ?? .utc
        }
        let target = resolved(link)
        for prefix in ["/", "/posix/", "/right/"] where target.hasPrefix(folder + prefix) {
            let name = String(target.dropFirst(folder.count + prefix.count))
            if names.contains(name), let rules = ZoneRules(tzif: contents(of: target)) { return .region(name, rules) }
        }
        return zone(file: link) ?? .utc
    }

    private static func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    private static func resolved(_ path: String) -> String {
        guard let pointer = realpath(path, nil) else { return path }
        defer { free(pointer) }
        return String(cString: pointer)
    }

    /// The file's bytes; empty if it cannot be read. Zone files are far below the limit of 1 MiB.
    private static func contents(of path: String) -> [UInt8] {
        guard let file = fopen(path, "r") else { return [] }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = bytes.withUnsafeMutableBytes { fread($0.baseAddress, 1, $0.count, file) }
        return Array(bytes.prefix(count))
    }

    /// The names of the regions, which start with an upper-case letter; other files in the folder are tables.
    private static func names(below folder: String) -> Set<String> {
        var found: Set<String> = []
        var waiting = [""]
        while let prefix = waiting.popLast() {
            guard let stream = opendir("\(folder)/\(prefix)") else { continue }
            defer { closedir(stream) }
            while let entry = readdir(stream) {
                let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                    String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
                }
                guard let first = name.utf8.first, (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first) else {
                    continue
                }
                if entry.pointee.d_type == UInt8(DT_DIR) {
                    if prefix.utf8.count < 64 { waiting.append("\(prefix)\(name)/") }
                } else if !unknownToJava.contains(prefix + name) {
                    found.insert(prefix + name)
                }
            }
        }
        return found
    }
}
