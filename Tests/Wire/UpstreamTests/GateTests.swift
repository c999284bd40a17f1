import SDHTTPTransport
import SDPlatform
import SDTestSupport
import Testing

@testable import SDUpstream

/// The gate of all calls to other servers: how a target is written makes no difference.
@Suite struct GateTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var allowed: [String] = []
        var denied: [String] = []
        /// As in a URL, without the port.
        let hosts: [String]
        /// What is connected to; nothing if the target is denied.
        let admitted: [String]

        var testDescription: String { "allow \(allowed), deny \(denied): \(hosts)" }
    }

    /// What names mean here.
    private static let names: [String: [String]] = [
        "ten.example": ["10.0.0.1"], "mapped.example": ["::ffff:10.0.0.1"], "nat64.example": ["64:ff9b::a00:1"],
        "both.example": ["192.0.2.1", "10.0.0.1"], "good.example": ["192.0.2.1"], "evil.example": ["192.0.2.9"],
        "xn--bcher-kva.example": ["192.0.2.1"], "xn--strae-oqa.example": ["192.0.2.1"], "six.example": ["2001:db8::1"],
        "zone.example": ["fe80::1%eth0"], "here.example": ["127.0.0.1"], "evil.example.good.example": ["192.0.2.1"],
    ]

    /// Spellings of 10.0.0.1.
    private static let ten = [
        "10.0.0.1", "10.0.0.1.", "10.1", "10.0.1", "167772161", "0xa000001", "0XA000001", "0x0a.0.0.1", "0xA.1",
        "012.0.0.1", "012.1", "01200000001", "0012.0x0.0.1", "10.0.0.01", "[::ffff:10.0.0.1]", "[::ffff:a00:1]",
        "[::FFFF:0A00:0001]", "[0:0:0:0:0:ffff:10.0.0.1]", "ten.example", "TEN.example.", "mapped.example",
        "10\u{3002}0\u{FF0E}0\u{FF61}1",
    ]
    /// Addresses that lead to it by a translator.
    private static let translated = [
        "[64:ff9b::10.0.0.1]", "[64:ff9b::a00:1]", "[::10.0.0.1]", "[::a00:1]", "[::ffff:0:10.0.0.1]",
        "nat64.example",
    ]
    /// Addresses that lead to it by a tunnel.
    private static let tunnelled = [
        "[2002:a00:1::]", "[2002:a00:1:1::99]", "[2001:0:a00:1::]", "[2001:0:4136:e378:8000:63bf:f5ff:fffe]",
        "[fe80::5efe:a00:1]", "[2001:db8::200:5efe:10.0.0.1]", "[64:ff9b:1::10.0.0.1]",
    ]
    /// Spellings of this machine.
    private static let here = [
        "127.0.0.1", "127.1", "2130706433", "0x7f.1", "0x7f000001", "0177.0.0.1", "017700000001", "127.0.0.1.",
        "0.0.0.0", "0", "0x0", "[::ffff:127.0.0.1]", "[::ffff:0:0]", "[64:ff9b::7f00:1]", "localhost", "LOCALHOST",
        "localhost.", "a.localhost", "A.LocalHost.", "here.example",
    ]
    private static let hereAsIPv6 = ["[::1]", "[0::0:1]", "[::]"]
    /// Spellings of one name.
    private static let evil = ["evil.example", "EVIL.example", "Evil.Example.", "evil\u{3002}example", "evil.EXAMPLE"]
    private static let books = [
        "b\u{FC}cher.example", "B\u{DC}CHER.example.", "xn--bcher-kva.example", "XN--BCHER-KVA.Example",
    ]

    private static let cases: [Case] = [
        // Denied addresses, however they are written.
        Case(denied: ["10.0.0.1"], hosts: ten + translated + tunnelled + ["both.example"], admitted: []),
        Case(denied: ["10.0.0.0-10.0.0.9"], hosts: ten + translated + tunnelled, admitted: []),
        Case(denied: ["10.0.0.0/8"], hosts: ten + translated + tunnelled, admitted: []),
        Case(denied: ["167772161"], hosts: ten, admitted: []),
        Case(denied: ["0xa.1"], hosts: ten, admitted: []),
        Case(denied: ["::ffff:10.0.0.1"], hosts: ten + translated, admitted: []),
        Case(denied: ["[::ffff:a00:1]"], hosts: ten + translated, admitted: []),
        Case(denied: ["::ffff:10.0.0.0-::ffff:10.0.0.9"], hosts: ten + translated, admitted: []),
        Case(denied: ["::ffff:0:0/96"], hosts: ten + translated, admitted: []),
        Case(denied: ["64:ff9b::a00:0/120"], hosts: ten + translated, admitted: []),
        Case(denied: ["10.*"], hosts: ten + translated + tunnelled, admitted: []),
        Case(denied: ["127.0.0.1"], hosts: here + hereAsIPv6, admitted: []),
        Case(denied: ["127.0.0.0/8"], hosts: here + hereAsIPv6 + ["127.9"], admitted: []),
        Case(denied: ["localhost"], hosts: here + hereAsIPv6, admitted: []),
        Case(denied: ["127.*"], hosts: here + hereAsIPv6, admitted: []),
        Case(denied: ["127.0.0.2"], hosts: ["[::1]"], admitted: ["::1"]),
        Case(denied: ["::1"], hosts: ["[::1]", "[0:0:0:0:0:0:0:1]", "[::0001]", "[::]", "localhost"], admitted: []),
        Case(denied: ["2001:db8::/32"], hosts: ["[2001:db8::1]", "[2001:0DB8:0::1]", "six.example"], admitted: []),
        Case(denied: ["fe80::1"], hosts: ["zone.example"], admitted: []),
        Case(denied: ["fe80:*"], hosts: ["zone.example", "[FE80::2]"], admitted: []),
        // Denied names, and a rule that cannot be read.
        Case(denied: ["evil.example"], hosts: evil, admitted: []),
        Case(denied: ["EVIL.Example."], hosts: evil, admitted: []),
        Case(denied: ["*.example"], hosts: evil + books + ten.filter { $0.hasSuffix("example") }, admitted: []),
        Case(denied: ["b\u{FC}cher.example"], hosts: books, admitted: []),
        Case(denied: ["bu\u{308}cher.example"], hosts: books, admitted: []),
        Case(denied: ["xn--bcher-kva.example"], hosts: books, admitted: []),
        Case(denied: ["b\u{FC}*.example"], hosts: books, admitted: []),
        Case(denied: ["xn--*"], hosts: books, admitted: []),
        Case(denied: ["http://evil.example/"], hosts: ["good.example", "192.0.2.1", "[2001:db8::1]"], admitted: []),
        // What is no host of a URL at all.
        Case(
            hosts: [
                "", ".", "evil%2eexample", "%65vil.example", "127.0.0.1%20", "[::1%25lo]", "[fe80::1%eth0]", "::1",
                "[127.0.0.1]", "256.0.0.1", "10.0.0.0.1", "4294967296", "08.1", "0x", "1.2.3.0x1g.5", "a..example",
                ".example", "..", "evil.example..", "\u{FF45}vil.example", "\u{24DB}ocalhost", "evil\u{AD}.example",
                "evil .example", "evil@example", "e\u{200D}vil.example", "evil\\.example", "[::1", "::1]", "10.0.0.1\0",
            ], admitted: []),
        // Allowed ones.
        Case(
            denied: ["10.0.0.2", "11.0.0.0/8", "evil.*"], hosts: ten.filter { !$0.hasPrefix("mapped") },
            admitted: ["10.0.0.1"]),
        Case(allowed: ["10.0.0.1"], hosts: ten.filter { !$0.hasPrefix("mapped") }, admitted: ["10.0.0.1"]),
        Case(allowed: ["nonsense/8"], hosts: ["good.example", "192.0.2.1"], admitted: []),
        Case(allowed: ["10.*"], hosts: ["10.1", "167772161", "[::ffff:10.0.0.1]"], admitted: ["10.0.0.1"]),
        Case(allowed: ["10.*"], hosts: ["ten.example", "192.0.2.1"], admitted: []),
        Case(allowed: ["10.0.0.1"], hosts: ["[64:ff9b::10.0.0.1]"], admitted: ["64:ff9b::a00:1"]),
        Case(allowed: ["10.0.0.1"], hosts: tunnelled + ["10.0.0.2", "[::1]", "good.example"], admitted: []),
        Case(allowed: ["*.example"], hosts: ["10.0.0.1", "[2001:db8::1]", "localhost"], admitted: []),
        Case(allowed: ["*.example"], hosts: ["GOOD.example.", "good.example"], admitted: ["192.0.2.1"]),
        Case(allowed: ["*.example", "10.0.0.1"], hosts: ["good.example"], admitted: []),
        Case(allowed: ["*.example", "10.0.0.1"], hosts: ["10.1", "ten.example"], admitted: ["10.0.0.1"]),
        Case(allowed: ["b\u{FC}cher.example"], hosts: books, admitted: ["192.0.2.1"]),
        Case(allowed: ["XN--BCHER-KVA.example"], hosts: books, admitted: ["192.0.2.1"]),
        Case(allowed: ["stra\u{DF}e.example"], hosts: ["xn--strae-oqa.example"], admitted: ["192.0.2.1"]),
        Case(allowed: ["strasse.example"], hosts: ["stra\u{DF}e.example"], admitted: []),
        Case(allowed: ["good.example"], hosts: ["evil.example.good.example"], admitted: []),
        Case(allowed: ["localhost"], hosts: ["localhost", "LOCALHOST."], admitted: ["127.0.0.1", "::1"]),
        Case(allowed: ["localhost"], hosts: ["127.1", "127.0.0.1"], admitted: ["127.0.0.1"]),
        Case(allowed: ["127.0.0.1"], hosts: ["localhost", "a.localhost", "here.example"], admitted: ["127.0.0.1"]),
        Case(allowed: ["127.0.0.1"], hosts: ["[::1]", "[::]", "127.0.0.2"], admitted: []),
        Case(allowed: ["192.0.2.0/24"], hosts: ["both.example", "good.example"], admitted: ["192.0.2.1"]),
        Case(allowed: ["192.0.2.0/24"], denied: ["10.0.0.1"], hosts: ["both.example"], admitted: []),
        Case(allowed: ["10.0.0.9-10.0.0.1"], hosts: ["10.0.0.1", "10.0.0.5", "good.example"], admitted: []),
        Case(denied: ["::/0"], hosts: ["good.example", "192.0.2.1"], admitted: ["192.0.2.1"]),
        Case(denied: ["192.0.2.9"], hosts: ["good.example", "192.0.2.1", "3221225985"], admitted: ["192.0.2.1"]),
    ]

    @Test func theTableHasMoreThanSixtySpellings() {
        #expect(Set(Self.cases.flatMap(\.hosts)).count > 60)
    }

    @Test(arguments: cases)
    func targetsAreJudgedByWhatIsConnectedTo(_ one: Case) throws {
        var settings = UpstreamSettings()
        (settings.allowedTargets, settings.deniedTargets) = (one.allowed, one.denied)
        let upstream = Upstream(
            settings, NameResolver { name in Self.names[name].map { .success($0) } ?? .failure(.unknown) })
        let loop = try TestServer()
        for host in one.hosts {
            let found = Events<Result<[String], UpstreamProblem>>()
            guard let target = UpstreamTarget.hostAndPort(Array("\(host):80".utf8)[...]) else {
                #expect(one.denied.isEmpty && one.allowed.isEmpty && one.admitted.isEmpty, "\(host) is no host")
                continue
            }
            loop.server.loop().perform {
                upstream.admit(target.host, "\(host):80", on: loop.server.loop(), within: .max) { found.tell($0) }
            }
            let result = try #require(found.next(within: 30_000), "\(host)")
            switch result {
            case .success(let addresses): #expect(addresses == one.admitted, "\(host)")
            case .failure(let problem):
                #expect(one.admitted.isEmpty, "\(host)")
                #expect(problem.kind == .denied, "\(host): \(problem.message)")
            }
        }
    }
}
