import Foundation
import SDJSON
import SDTestSupport
import Testing

/// The faults of TLS as clients of the real daemon meet them.
@Suite(.enabled(if: SecuredDaemon.curl != nil, "curl is not here")) struct TLSFaultTests {
    private static let files = [
        "a.yaml": """
        GET /x: { body: fine }
        GET /cut: { body: "0123456789", fault: { cutAfter: 4, then: cut } }
        GET /fin: { body: "0123456789", fault: { cutAfter: 4 } }
        chaos:
          old: [{ tls: expired, serverName: "*.pay.example" }]
        """
    ]

    /// What curl reports: its exit code, and OpenSSL's words.
    private static let reports: [(fault: String, status: Int32, words: String)] = [
        ("expired", 60, "certificate has expired"), ("notYetValid", 60, "certificate is not yet valid"),
        ("wrongHost", 60, "no alternative certificate subject name matches"),
        ("selfSigned", 60, "self-signed certificate"),
        ("untrustedAuthority", 60, "certificate chain"), ("weakKey", 60, "key too"),
        ("missingIntermediate", 60, "unable to get local issuer certificate"), ("oldVersion", 35, ""),
        ("reset", 35, ""), ("stall", 28, ""), ("garbage", 35, "wrong version number"),
    ]

    private static let hasOpenSSL: Bool = {
        guard let curl = SecuredDaemon.curl, let folder = try? TemporaryFolder() else { return false }
        return (try? SecuredDaemon.run(curl, ["--version"], in: folder).output.contains("OpenSSL")) ?? false
    }()

    private func get(
        _ secured: SecuredDaemon, _ host: String, _ path: String = "/x", seconds: Int = 30
    ) throws -> SecuredDaemon.Outcome {
        let port = try secured.httpsPort
        return try secured.curl(
            "--max-time", "\(seconds)", "--resolve", "\(host):\(port):127.0.0.1", "https://\(host):\(port)\(path)")
    }

    /// Each fault is for a server name of its own, so that they act side by side.
    @Test func everyFaultIsReportedByItsClients() throws {
        let secured = try SecuredDaemon(files: Self.files)
        let faults = Self.reports.map { #"{"tls": "\#($0.fault)", "serverName": "\#($0.fault).example"}"# }
        let added = try secured.daemon.admin("POST", "/faults", "[\(faults.joined(separator: ", "))]")
        #expect(added.status == 201, "\(added.text)")
        for (fault, status, words) in Self.reports {
            let outcome = try get(secured, "\(fault).example", seconds: fault == "stall" ? 3 : 30)
            #expect(outcome.status == status, "\(fault): \(outcome)")
            if Self.hasOpenSSL, !words.isEmpty {
                #expect(outcome.errors.contains(words), "\(fault): \(outcome.errors)")
            }
            // The log is written by a thread of its own.
            let line = "the fault `tls: \(fault)` acts on a connection for \(fault.lowercased()).example"
            #expect(eventually { secured.daemon.process.errors.contains(line) ? true : nil } == true, "\(fault)")
        }
        let acted = try secured.daemon.admin("GET", "/faults").json?["faults"]?.arrayValue?.map {
            $0["acted"]?.intValue
        }
        #expect(acted?.allSatisfy { $0 == 1 } == true, "\(String(describing: acted))")
        // Others are served, and a handshake that failed is no request.
        #expect(try get(secured, "other.example").output == "fine")
        #expect(try secured.daemon.admin("GET", "/requests").json?["meta"]?["total"] == 1)
    }

    @Test func aSetOfAFileActsWhileItIsOnAndTheFirstConnectionsOnly() throws {
        let secured = try SecuredDaemon(files: Self.files)
        #expect(try get(secured, "api.pay.example").output == "fine")
        _ = try secured.daemon.admin("PUT", "/faults/sets/old")
        #expect(try get(secured, "api.pay.example").status == 60)
        _ = try secured.daemon.admin("DELETE", "/faults/sets/old")
        #expect(try get(secured, "api.pay.example").output == "fine")
        _ = try secured.daemon.admin("POST", "/faults", #"{"tls": "reset", "first": 1}"#)
        #expect(try get(secured, "localhost").status == 35)
        #expect(try get(secured, "localhost").output == "fine")
    }

    @Test func aSessionsFaultsMeetTheClientsOfItsPortAndOfItsHost() throws {
        let secured = try SecuredDaemon(files: Self.files)
        let session = try secured.daemon.admin("POST", "/sessions", #"{"httpsPort": 0}"#).json
        let id = try #require(session?["id"]?.stringValue)
        let own = try #require(session?["httpsUrl"]?.stringValue)
        let added = try secured.daemon.request(
            "POST", "/__admin/faults", headers: ["X-StuntDouble-Session: \(id)"], body: #"{"tls": "selfSigned"}"#)
        #expect(added.status == 201, "\(added.text)")
        #expect(try secured.curl("\(own)/x").status == 60)
        #expect(try get(secured, "\(id).localhost").status == 60)
        #expect(try get(secured, "localhost").output == "fine")
    }

    /// `cut` leaves out by what TLS says that all has come.
    @Test(arguments: [("/cut", false), ("/fin", true)])
    func aTruncatedBodyHasNoFarewell(path: String, hasFarewell: Bool) throws {
        let secured = try SecuredDaemon(files: Self.files)
        let client = try TLSClient.connected(to: UInt16(try secured.httpsPort))
        try client.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
        let received = client.receiveAll(within: 10_000)
        #expect(String(decoding: received.bytes, as: UTF8.self).hasSuffix("0123"))
        #expect(received.ending == .fin)
        #expect(client.sawFarewell == hasFarewell)
    }
}
