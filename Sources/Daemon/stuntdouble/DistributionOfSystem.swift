import SDCommand
import SDPlatform

/// The Linux distribution, as far as package names depend on it.
struct DistributionOfSystem {
    enum Manager {
        case apt, dnf, apk, zypper, pacman, brew, unknown
    }

    let name: String
    let manager: Manager
    /// Whether the distribution has OpenSSL 3.
    private let isCurrent: Bool
    /// Whether library packages have `t64` in their names: Debian since 13, Ubuntu since 24.04. Nil if unknown.
    private let hasLongTimes: Bool?

    static let current: DistributionOfSystem = {
        for path in ["/etc/os-release", "/usr/lib/os-release"] {
            guard let file = try? SystemCalls.open(path, .read),
                let bytes = try? SystemCalls.readAll(file, limit: 1 << 16, path: path)
            else { continue }
            return DistributionOfSystem(release: String(decoding: bytes, as: UTF8.self))
        }
        return DistributionOfSystem(release: nil)
    }()

    /// - Parameter release: the content of `/etc/os-release`; nil if there is none.
    init(release: String?) {
        guard let release else {
            #if os(macOS)
                self.init(name: "macOS", manager: .brew)
            #else
                self.init(name: "an unknown system", manager: .unknown)
            #endif
            return
        }
        var values: [Substring: String] = [:]
        for line in release.split(separator: "\n") {
            guard let equals = line.firstIndex(of: "=") else { continue }
            values[line[..<equals]] = String(line[line.index(after: equals)...].filter { $0 != "\"" && $0 != "'" })
        }
        let identifier = values["ID"] ?? ""
        let family = ([identifier] + (values["ID_LIKE"] ?? "").split(separator: " ").map { String($0) })
        let major = (values["VERSION_ID"] ?? "").split(separator: ".").first.flatMap { Int($0) }
        let managers: [(Manager, [String])] = [
            (.apt, ["debian", "ubuntu"]), (.dnf, ["fedora", "rhel", "centos", "amzn"]), (.apk, ["alpine"]),
            (.zypper, ["suse", "opensuse"]), (.pacman, ["arch"]),
        ]
        let manager = managers.first { $0.1.contains(where: family.contains) }?.0 ?? .unknown
        // For each distribution, the first release with OpenSSL 3 and the first with `t64`. A rolling release has no
        // number.
        let firsts: [String: (current: Int, longTimes: Int)] = ["debian": (12, 13), "ubuntu": (22, 24)]
        let rhel = family.contains("rhel") || identifier == "rhel"
        let first = firsts[identifier]
        self.init(
            name: values["PRETTY_NAME"] ?? values["NAME"] ?? identifier, manager: manager,
            isCurrent: major.map { $0 >= first?.current ?? (rhel ? 9 : 0) } ?? true,
            hasLongTimes: first.map { first in major.map { $0 >= first.longTimes } ?? true })
    }

    private init(name: String, manager: Manager, isCurrent: Bool = true, hasLongTimes: Bool? = nil) {
        self.name = name
        self.manager = manager
        self.isCurrent = isCurrent
        self.hasLongTimes = hasLongTimes
    }

    /// The package that provides a part; nil if the distribution has none, or if it is unknown.
    func package(of part: DoctorOptions.Part) -> String? {
        guard part != .https || isCurrent else { return nil }
        let names: [DoctorOptions.Part: String] =
            switch manager {
            case .apt:
                [
                    .https: timed("libssl3"), .http2: "libnghttp2-14", .xml: "libxml2",
                    .shared: hasLongTimes == true ? "libhiredis1.1.0" : "libhiredis0.14",
                    .certificates: "ca-certificates",
                ]
            case .dnf:
                [
                    .https: "openssl-libs", .http2: "libnghttp2", .xml: "libxml2",
                    .shared: "hiredis", .certificates: "ca-certificates",
                ]
            case .apk:
                [
                    .https: "libssl3", .http2: "nghttp2-libs", .xml: "libxml2",
                    .shared: "hiredis", .certificates: "ca-certificates",
                ]
            case .zypper:
                [
                    .https: "libopenssl3", .http2: "libnghttp2-14", .xml: "libxml2-2",
                    .shared: "libhiredis1_1_0", .certificates: "ca-certificates-mozilla",
                ]
            case .pacman:
                [
                    .https: "openssl", .http2: "libnghttp2", .xml: "libxml2",
                    .shared: "hiredis", .certificates: "ca-certificates",
                ]
            case .brew:
                [
                    .https: "openssl@3", .http2: "libnghttp2", .xml: "libxml2",
                    .shared: "hiredis", .certificates: "ca-certificates",
                ]
            case .unknown: [:]
            }
        return names[part]
    }

    private func timed(_ name: String) -> String { hasLongTimes == true ? name + "t64" : name }

    /// The advice when no package provides a part.
    func substitute(for part: DoctorOptions.Part) -> String? {
        guard part == .https, !isCurrent else { return nil }
        return "\(name) has no OpenSSL 3: take a newer release of it, or the container image"
    }

    /// The command that installs packages.
    func installing(_ packages: [String]) -> String {
        let names = packages.joined(separator: " ")
        let start = SystemCalls.isAdministrator ? "" : "sudo "
        return switch manager {
        case .apt: start + "apt-get install " + names
        case .dnf: start + "dnf install " + names
        case .apk: start + "apk add " + names
        case .zypper: start + "zypper install " + names
        case .pacman: start + "pacman -S " + names
        case .brew: "brew install " + names
        case .unknown: "install " + names
        }
    }
}
