private import SDCLoading
import SDCommand
import SDHTTPTransport
import SDPlatform
import SDRedis
import SDUpstream
import SDXML

/// A library that is loaded on first use. The commands' only use of `CLoading`.
struct LateLibrary {
    private let part: DoctorOptions.Part
    private let name: String
    /// The name, as in the file's name.
    private let file: String
    private let purpose: String
    /// Loads the library; returns the problem if it cannot be used.
    private let problem: () -> String?

    /// The results for all such libraries on this machine.
    static func checks(_ system: DistributionOfSystem) -> [DoctorCheck] { all.map { $0.check(system) } }

    private static var all: [LateLibrary] {
        [
            LateLibrary(
                part: .https, name: "OpenSSL", file: "libssl",
                purpose: "HTTPS, the local authority, templates that sign",
                problem: { TLSProblem.ofThisProcess?.description }),
            LateLibrary(
                part: .http2, name: "nghttp2", file: "libnghttp2",
                purpose: "clients and other servers that speak HTTP/2",
                problem: { HTTPVersion.http2Problem }),
            LateLibrary(
                part: .xml, name: "libxml2", file: "libxml2",
                purpose: "stubs that look into XML: equalToXml, matchesXPath, xPath in templates",
                problem: { XMLDocument.unavailable }),
            LateLibrary(
                part: .shared, name: "hiredis", file: "libhiredis",
                purpose: "--shared: replicas that are one mock server",
                problem: { RedisConnection.unavailable }),
        ]
    }

    private func check(_ system: DistributionOfSystem) -> DoctorCheck {
        let problem = problem()
        let facts = Self.facts(file)
        guard let problem else {
            let version = facts.version.flatMap(Self.number) ?? facts.path.flatMap(Self.version)
            let found = name + (version.map { " " + $0 } ?? "") + (facts.path.map { ", " + $0 } ?? "")
            return DoctorCheck(
                part: part, state: .fine, found: found, purpose: purpose, version: version, path: facts.path)
        }
        let package = system.package(of: part)
        let advice = package.map { system.installing([$0]) } ?? system.substitute(for: part)
        return DoctorCheck(
            part: part, state: .missing, found: problem, purpose: purpose, advice: advice, package: package,
            path: facts.path)
    }

    /// The first version number in a library's text, such as that of `OpenSSL 3.0.19 1 Sep 2026`.
    private static func number(_ text: String) -> String? {
        text.split { $0 == " " || $0 == "/" }.first { $0.utf8.first.map { (0x30...0x39).contains($0) } ?? false }
            .map { String($0) }
    }

    /// The version in a file's name after following all links, such as `libxml2.so.2.9.14`.
    private static func version(of path: String) -> String? {
        guard let real = try? SystemCalls.resolve(path) else { return nil }
        let numbers = SystemCalls.lastName(of: real).split(separator: ".").drop { $0 != "so" }.dropFirst()
        return numbers.count > 1 ? numbers.joined(separator: ".") : nil
    }

    private static func facts(_ file: String) -> (version: String?, path: String?) {
        var facts = loaded_library_facts()
        guard loaded_library_look(file, &facts) else { return (nil, nil) }
        return (facts.version.map { String(cString: $0) }, facts.path.map { String(cString: $0) })
    }
}
