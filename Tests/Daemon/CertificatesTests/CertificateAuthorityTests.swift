import Foundation
import SDPlatform
import SDTestSupport
import Synchronization
import Testing

@testable import SDCertificates

@Suite struct CertificateAuthorityTests {
    struct Verdict: Sendable, CustomTestStringConvertible {
        var defect: CertificateDefect?
        /// What `openssl verify` says of it to a client that trusts the authority; nil if it is good.
        var complaint: String?

        var testDescription: String { defect?.rawValue ?? "none" }
    }

    private static let verdicts = [
        Verdict(defect: nil, complaint: nil),
        Verdict(defect: .expired, complaint: "certificate has expired"),
        Verdict(defect: .notYetValid, complaint: "certificate is not yet valid"),
        Verdict(defect: .wrongHost, complaint: "hostname mismatch"),
        Verdict(defect: .selfSigned, complaint: "self-signed certificate"),
        Verdict(defect: .untrustedAuthority, complaint: "self-signed certificate in certificate chain"),
        Verdict(defect: .weakKey, complaint: "EE certificate key too weak"),
        Verdict(defect: .missingIntermediate, complaint: "unable to get local issuer certificate"),
    ]

    @Test(.enabled(if: Tool.openssl != nil), arguments: verdicts)
    func aDefectIsWhatClientsObjectTo(verdict: Verdict) throws {
        let folder = try TemporaryFolder()
        let authority = try CertificateAuthority.temporary()
        let issued = try authority.issue(for: "api.example", defect: verdict.defect)
        try folder.write("ca.pem", authority.certificate)
        try folder.write("chain.pem", issued.chain)
        let result = try #require(Tool.openssl).run(
            [
                "verify", "-x509_strict", "-purpose", "sslserver", "-verify_hostname", "api.example", "-auth_level",
                "1",
                "-no-CAfile", "-no-CApath", "-trusted", "ca.pem", "-untrusted", "chain.pem", "chain.pem",
            ], in: folder)
        if let complaint = verdict.complaint {
            #expect(result.errors.contains(complaint), "\(result.errors)")
            #expect(result.status != 0)
        } else {
            #expect(result.status == 0, "\(result.errors)")
        }
    }

    @Test func everyDefectHasAVerdict() {
        #expect(Set(Self.verdicts.compactMap(\.defect)) == Set(CertificateDefect.allCases))
    }

    @Test(
        .enabled(if: Tool.openssl != nil),
        arguments: [
            (nil, ["localhost", "api.localhost", "127.0.0.1", "::1"]),
            ("localhost", ["localhost", "127.0.0.1"]),
            ("orders.shop.localhost", ["orders.shop.localhost", "localhost"]),
            ("127.0.0.2", ["127.0.0.2", "127.0.0.1"]),
            ("api.example", ["api.example"]), ("API.Example.", ["api.example"]),
            ("10.1.2.3", ["10.1.2.3"]), ("[2001:db8::7]", ["2001:db8::7"]),
            ("under_score.example", ["under_score.example"]),
            (String(repeating: "a", count: 60) + ".example", [String(repeating: "a", count: 60) + ".example"]),
        ] as [(String?, [String])])
    func aCertificateIsForTheNameAskedFor(name: String?, hosts: [String]) throws {
        let folder = try TemporaryFolder()
        let authority = try CertificateAuthority.temporary()
        try folder.write("ca.pem", authority.certificate)
        try folder.write("leaf.pem", authority.issue(for: name).chain)
        for host in hosts {
            let isAddress = host.contains(":") || host.allSatisfy { $0.isNumber || $0 == "." }
            // OpenSSL takes no wildcard for a domain of one label, other clients do.
            if host == "api.localhost" { continue }
            let result = try #require(Tool.openssl).run(
                [
                    "verify", "-x509_strict", isAddress ? "-verify_ip" : "-verify_hostname", host, "-CAfile", "ca.pem",
                    "leaf.pem",
                ], in: folder)
            #expect(result.status == 0, "\(host): \(result.errors)")
        }
        let text = try #require(Tool.openssl).run(["x509", "-in", "leaf.pem", "-noout", "-text"], in: folder).output
        #expect(
            text.contains("DNS:*.localhost") == hosts.contains { $0.hasSuffix("localhost") || $0.hasPrefix("127.") })
    }

    @Test(arguments: [
        "a b", "a\nDNS:other.example", "ä.example", "/", "a..\u{0}", String(repeating: "a", count: 254), "!",
    ])
    func whatIsNoHostNameIsRefused(name: String) throws {
        let authority = try CertificateAuthority.temporary()
        #expect(throws: CertificateProblem.self) { try authority.issue(for: name) }
    }

    @Test func certificatesAreAcceptedByAppleAndChromium() throws {
        let authority = try CertificateAuthority.temporary()
        let certificate = try #require(Certificate(pem: authority.issue(for: "api.example").chain))
        let (from, to) = try #require(certificate.validity)
        #expect(to - from <= 398 * 86_400)
        #expect(from <= Int64(Date().timeIntervalSince1970) - 86_400)
        let root = try #require(Certificate(pem: authority.certificate)?.validity)
        #expect((3_600...3_700).contains((root.to - root.from) / 86_400))
    }

    @Test(.enabled(if: Tool.openssl != nil))
    func anAuthoritySaysWhoseItIsAndWhatItMayDo() throws {
        let folder = try TemporaryFolder()
        try folder.write("ca.pem", try CertificateAuthority.temporary().certificate)
        try folder.write("leaf.pem", try CertificateAuthority.temporary().issue(for: "a.example").chain)
        let openssl = try #require(Tool.openssl)
        let root = try openssl.run(["x509", "-in", "ca.pem", "-noout", "-text"], in: folder).output
        for part in ["Stunt Double local CA (", "CA:TRUE", "Certificate Sign, CRL Sign", "Subject Key Identifier"] {
            #expect(root.contains(part), "\(part)")
        }
        let leaf = try openssl.run(["x509", "-in", "leaf.pem", "-noout", "-text"], in: folder).output
        for part in [
            "CA:FALSE", "Digital Signature", "TLS Web Server Authentication", "Authority Key Identifier",
            "DNS:a.example",
            "CN = a.example", "prime256v1",
        ] {
            #expect(leaf.contains(part), "\(part)")
        }
    }

    @Test func serialNumbersDiffer() throws {
        let authority = try CertificateAuthority.temporary()
        let (first, second) = (try authority.issue(for: "a.example"), try authority.issue(for: "a.example"))
        #expect(first.chain != second.chain)
        #expect(first.chain.starts(with: Array("-----BEGIN CERTIFICATE-----\n".utf8)))
        #expect(first.key.starts(with: Array("-----BEGIN PRIVATE KEY-----\n".utf8)))
    }

    @Test func theUntrustedAuthorityIsInTheChainAndTheIntermediateOneIsNot() throws {
        let authority = try CertificateAuthority.temporary()
        func count(_ defect: CertificateDefect?) throws -> Int {
            PEMBlock.all(in: try authority.issue(for: nil, defect: defect).chain).count
        }
        #expect(try count(nil) == 1)
        #expect(try count(.untrustedAuthority) == 2)
        #expect(try count(.missingIntermediate) == 1)
    }
}

@Suite struct IssuedCertificatesTests {
    @Test func aNameIsIssuedOnce() throws {
        let made = Atomic(0)
        let cache = IssuedCertificates(of: try .temporary()) { issued in
            made.add(1, ordering: .relaxed)
            return issued
        }
        let first = try cache.certificate(for: "a.example")
        #expect(try cache.certificate(for: "A.example.") == first)
        #expect(try cache.certificate(for: "b.example") != first)
        #expect(try cache.certificate(for: "a.example", defect: .expired) != first)
        #expect(try cache.certificate(for: nil) == cache.certificate(for: "localhost"))
        #expect(made.load(ordering: .relaxed) == 4)
    }

    @Test func theOldestGoesFirst() throws {
        let cache = IssuedCertificates(of: try .temporary(), limit: 3) { $0 }
        let first = try cache.certificate(for: "0.example")
        let second = try cache.certificate(for: "1.example")
        for name in 2...3 { _ = try cache.certificate(for: "\(name).example") }
        #expect(cache.count == 3)
        #expect(try cache.certificate(for: "1.example") == second)
        #expect(try cache.certificate(for: "0.example") != first)
        for name in 0..<100 { _ = try cache.certificate(for: "many-\(name).example") }
        #expect(cache.count == 3)
    }

    @Test func aFormThatCannotBeMadeIsNotKept() throws {
        let cache = IssuedCertificates<Int>(of: try .temporary()) { _ throws(CertificateProblem) in
            throw CertificateProblem("no")
        }
        #expect(throws: CertificateProblem("no")) { try cache.certificate(for: nil) }
        #expect(cache.count == 0)
    }

    @Test func manyThreadsGetTheSame() throws {
        let cache = IssuedCertificates(of: try .temporary(), limit: 8) { $0 }
        inParallel(8) { thread in
            for round in 0..<40 {
                #expect(throws: Never.self) {
                    try cache.certificate(
                        for: "\((thread + round) % 12).example", defect: CertificateDefect.allCases[round % 7])
                }
            }
        }
        #expect(cache.count == 8)
    }

    @Test func whatIsUsedIsSpared() throws {
        let cache = IssuedCertificates(of: try .temporary(), limit: 4) { $0 }
        let first = try cache.certificate(for: nil)
        for name in 0..<40 {
            _ = try cache.certificate(for: "\(name).example")
            #expect(try cache.known(for: nil) == first)
        }
        #expect(cache.count == 4)
        #expect(try cache.known(for: "0.example") == nil)
    }

    // MARK: - Issued beside who asks

    /// A cache whose thread issues nothing until it is let go, once it has begun with the first name.
    private struct HeldCache {
        let gate = Monitor(false)
        let issued = Locked<[String]>([])
        let cache: IssuedCertificates<[UInt8]>

        init(longestQueue: Int = 4_096) throws {
            let (gate, issued) = (gate, issued)
            cache = IssuedCertificates(of: try .temporary(), longestQueue: longestQueue) { certificate in
                issued.withLock { $0.append("") }
                gate.wait { $0 }
                return certificate.chain
            }
        }

        func hasStarted() -> Bool { eventually { issued.withLock { $0.isEmpty } ? nil : true } == true }
        func letGo() { gate.change { $0 = true } }
    }

    @Test func thoseWhoWaitForANameShareIt() throws {
        let held = try HeldCache()
        let seen = Locked<[[UInt8]?]>([])
        func ask() {
            held.cache.whenIssued(for: "a.example") { made in seen.withLock { $0.append(try? made.get()) } }
        }
        for _ in 0..<50 { ask() }
        #expect(held.hasStarted())
        held.letGo()
        #expect(eventually { seen.withLock { $0.count } == 50 ? true : nil } == true)
        #expect(held.issued.withLock { $0.count } == 1)
        let known = try #require(try held.cache.known(for: "A.example"))
        #expect(seen.withLock { $0.allSatisfy { $0 == known } })
        ask()
        #expect(seen.withLock { $0.count } == 51)
    }

    /// One client's thousands of names do not keep another one waiting.
    @Test func whoAsksLastComesFirst() throws {
        let held = try HeldCache()
        let seen = Locked<[String]>([])
        func ask(_ name: String) { held.cache.whenIssued(for: name) { _ in seen.withLock { $0.append(name) } } }
        ask("first.example")
        #expect(held.hasStarted())
        for number in 0..<30 { ask("\(number).example") }
        held.letGo()
        #expect(eventually { seen.withLock { $0.count } == 31 ? true : nil } == true)
        #expect(seen.withLock { $0 } == ["first.example"] + (0..<30).reversed().map { "\($0).example" })
    }

    @Test func onlySoManyNamesWait() throws {
        let held = try HeldCache(longestQueue: 3)
        let problems = Locked<[String]>([])
        func ask(_ name: String) {
            held.cache.whenIssued(for: name) { made in
                if case .failure(let problem) = made { problems.withLock { $0.append(problem.description) } }
            }
        }
        ask("first.example")
        #expect(held.hasStarted())
        for name in ["a", "b", "c", "a", "d", "e e"] { ask(name) }
        #expect(
            problems.withLock { $0 } == [
                "more than 3 names wait for their certificates",
                "no certificate can be made for \"e e\": it is no name of a host",
            ])
        held.letGo()
        #expect(eventually { (try? held.cache.known(for: "a")) ?? nil } != nil)
    }
}
