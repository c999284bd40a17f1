extension Request.Origin {
    func pack(to writer: inout PackedWriter) {
        writer.add(tag)
        writer.add(UInt64(port))
        writer.add(byte: security == .plain ? 0 : security == .secured ? 1 : 2)
    }

    init(_ reader: inout PackedReader) throws(PackedReader.Problem) {
        let tag = try reader.number()
        guard let port = UInt16(exactly: try reader.number()) else { throw .init("a port is above 65535") }
        let security: Security =
            switch try reader.byte() {
            case 0: .plain
            case 1: .secured
            case 2: .plainOrSecured
            default: throw .init("a listener is of an unknown kind")
            }
        self.init(tag: tag, port: port, security: security)
    }
}

extension ClientCertificate {
    func pack(to writer: inout PackedWriter) {
        for text in [subject, issuer, serialNumber, fingerprint, pem] { writer.add(text) }
        writer.add(UInt64(bitPattern: notBefore))
        writer.add(UInt64(bitPattern: notAfter))
        writer.add(count: alternativeNames.count)
        for name in alternativeNames { writer.add(name) }
    }

    convenience init(_ reader: inout PackedReader) throws(PackedReader.Problem) {
        let (subject, issuer) = (try reader.text(), try reader.text())
        let (serialNumber, fingerprint) = (try reader.text(), try reader.text())
        let pem = try reader.text()
        let (notBefore, notAfter) = (try reader.number(), try reader.number())
        var names: [String] = []
        for _ in 0..<(try reader.count()) { names.append(try reader.text()) }
        self.init(
            subject: subject, issuer: issuer, serialNumber: serialNumber, fingerprint: fingerprint,
            notBefore: Int64(bitPattern: notBefore), notAfter: Int64(bitPattern: notAfter), alternativeNames: names,
            pem: pem)
    }
}
