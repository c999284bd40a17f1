import Foundation
import SDJSON
import SDTestSupport
import Testing

/// A server of others that asks its clients for a certificate, and writes down the chain that each has shown: Python's
/// `ssl`, so that a test holds for whatever makes the calls.
struct CertificateTarget {
    let port: Int
    private let process: ChildProcess

    static let python = ["/usr/bin/python3", "/usr/local/bin/python3", "/opt/homebrew/bin/python3"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    /// Starts it in a folder with the files that it needs.
    /// - Parameters:
    ///   - trusted: the file with the authorities of clients.
    ///   - version: the only version of TLS, `TLSv1_2` or `TLSv1_3`.
    ///   - requires: whether a client without a certificate is refused.
    init(
        in folder: TemporaryFolder, certificate: String = "target.pem", key: String = "target.key",
        trusting trusted: String = "clients.pem", version: String = "TLSv1_3", requires: Bool = true
    ) throws {
        process = try ChildProcess(
            #require(Self.python), ["-u", "-c", Self.script, certificate, key, trusted, version, requires ? "1" : "0"],
            folder: folder.path, outputsIn: folder)
        let process = process
        let line = try #require(
            eventually {
                process.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().first.map(
                    String.init)
            }, "\(process.errors)")
        port = try #require(Int(line))
    }

    /// What the handshakes so far have shown, in their order: the DER form of each certificate in base64; an empty list for
    /// none, nil for a handshake that failed.
    var chains: [[String]?] {
        process.output.split(separator: "\n").dropFirst().map { line in
            (try? JSONValue(parsing: String(line)))?.arrayValue?.compactMap(\.stringValue)
        }
    }

    /// Waits for a handshake.
    func chain(number: Int = 1) -> [String]? {
        let found = eventually { chains.count >= number ? chains : nil }
        return found.flatMap { $0[number - 1] }
    }

    /// The certificates of PEM files, as `chains` has them.
    static func certificates(_ names: String..., in folder: TemporaryFolder) throws -> [String] {
        try names.flatMap { name in
            try folder.read(name).components(separatedBy: "-----BEGIN CERTIFICATE-----").dropFirst().map { text in
                text.components(separatedBy: "-----END")[0].filter { !$0.isWhitespace }
            }
        }
    }

    private static let script = """
        import base64, json, socket, ssl, sys, _ssl
        certificate, key, trusted, version, requires = sys.argv[1:]
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        context.load_verify_locations(trusted)
        context.minimum_version = context.maximum_version = getattr(ssl.TLSVersion, version)
        context.verify_mode = ssl.CERT_REQUIRED if requires == "1" else ssl.CERT_OPTIONAL
        listener = socket.create_server(("127.0.0.1", 0))
        print(listener.getsockname()[1])
        while True:
            plain, _ = listener.accept()
            try:
                with context.wrap_socket(plain, server_side=True) as client:
                    client.recv(65536)
                    chain = client._sslobj.get_unverified_chain() or []
                    print(json.dumps([base64.b64encode(c.public_bytes(_ssl.ENCODING_DER)).decode() for c in chain if c]))
                    client.sendall(b"HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\nConnection: close\\r\\n\\r\\nhi")
            except (ssl.SSLError, OSError):
                print("null")
                plain.close()
        """
}
