internal import SDPlatform

/// The trust stores of the system and of the user.
public struct SystemTrust: Sendable {
    /// The change to one store.
    public struct Plan: Sendable, Equatable {
        /// The store, for the user: `the system's certificates (/etc/pki/ca-trust)`.
        public let store: String
        /// In order; empty if there is nothing to do.
        public let steps: [TrustStep]
        /// Whether the steps need root.
        public let needsAdministrator: Bool
    }

    /// The relevant facts about a machine; tests make their own.
    struct Machine: Sendable {
        /// A prefix for the system's paths.
        var root = ""
        var isDarwin: Bool
        /// The user's home; nil if there is none, or under sudo.
        var home: String?
        var programFolders = ["/usr/sbin", "/usr/bin", "/sbin", "/bin", "/usr/local/bin", "/opt/homebrew/bin"]

        func program(_ name: String) -> String? {
            programFolders.map { root + $0 + "/" + name }.first(where: SystemCalls.isProgram)
        }
    }

    private let machine: Machine
    private let certificatePath: String
    private let certificate: Certificate

    /// The stores of this machine.
    /// - Parameter certificatePath: the authority's certificate file.
    /// - Throws: if it contains no certificate.
    public init(certificatePath: String) throws(CertificateProblem) {
        #if os(macOS)
            let isDarwin = true
        #else
            let isDarwin = false
        #endif
        // Under sudo, files created in the user's home would belong to root.
        let home = SystemCalls.environmentVariable("SUDO_USER") == nil ? SystemCalls.homeFolder() : nil
        try self.init(certificatePath: certificatePath, machine: Machine(isDarwin: isDarwin, home: home))
    }

    init(certificatePath: String, machine: Machine) throws(CertificateProblem) {
        self.machine = machine
        self.certificatePath = certificatePath
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try SystemCalls.readAll(
                try SystemCalls.open(certificatePath, .read), limit: 1 << 20, path: certificatePath)
        } catch {
            throw CertificateProblem(error.description)
        }
        try OpenSSL.check()
        guard let certificate = Certificate(pem: bytes) else {
            throw CertificateProblem("\(certificatePath) holds no certificate in PEM")
        }
        self.certificate = certificate
    }

    /// A file name unique to this authority, so that those of several users can coexist.
    private var ownName: String {
        "stuntdouble-"
            + certificate.fingerprint.prefix(6).map { byte in
                String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
            }.joined()
    }

    /// The plans to trust the authority.
    /// - Throws: if this machine has no known store.
    public func installing() throws(CertificateProblem) -> [Plan] { try plans(installs: true) }

    /// The plans that undo `installing`.
    public func uninstalling() throws(CertificateProblem) -> [Plan] { try plans(installs: false) }

    private func plans(installs: Bool) throws(CertificateProblem) -> [Plan] {
        let plans = [machine.isDarwin ? keychain(installs) : anchors(installs), userStore(installs)].compactMap(\.self)
        guard !plans.isEmpty else {
            throw CertificateProblem(
                "found no store of trusted certificates: neither update-ca-certificates nor update-ca-trust, nor certutil; "
                    + "install the package ca-certificates, or give programs the file \(certificatePath)")
        }
        return plans
    }

    // MARK: - The system's

    /// Where distributions look for the administrator's certificates, and the program that updates the store.
    private static let anchorFolders = [
        (folder: "/etc/pki/ca-trust/source/anchors", program: "update-ca-trust"),
        (folder: "/etc/ca-certificates/trust-source/anchors", program: "update-ca-trust"),
        (folder: "/etc/pki/trust/anchors", program: "update-ca-certificates"),
        (folder: "/usr/local/share/ca-certificates", program: "update-ca-certificates"),
    ]

    private func anchors(_ installs: Bool) -> Plan? {
        let last = Self.anchorFolders.count - 1
        for (index, (folder, program)) in Self.anchorFolders.enumerated() {
            let folder = machine.root + folder
            let isThere = SystemCalls.isFolder(folder)
            // On Debian and Alpine, the administrator creates the folder.
            guard isThere || index == last, let program = machine.program(program) else { continue }
            let file = "\(folder)/\(ownName).crt"
            var steps: [TrustStep] = []
            if installs {
                steps =
                    (isThere ? [] : [.makeFolder(folder)]) + [
                        .copy(from: certificatePath, to: file), .run(program, []),
                    ]
            } else if SystemCalls.exists(file) {
                // Without `--fresh`, Debian leaves dangling links.
                steps = [.remove(file), .run(program, program.hasSuffix("-certificates") ? ["--fresh"] : [])]
                steps += javaStep.map { [$0] } ?? []
            }
            return Plan(store: "the system's certificates (\(folder))", steps: steps, needsAdministrator: true)
        }
        return nil
    }

    /// Debian adds new certificates to Java's store too, but never removes them.
    private var javaStep: TrustStep? {
        let store = machine.root + "/etc/ssl/certs/java/cacerts"
        guard SystemCalls.exists(store), let keytool = machine.program("keytool") else { return nil }
        let entry = ["-keystore", store, "-storepass", "changeit", "-alias", "debian:\(ownName).pem"]
        guard (try? SystemCalls.run(keytool, ["-list"] + entry, isSilent: true)) == 0 else { return nil }
        return .run(keytool, ["-delete"] + entry)
    }

    private func keychain(_ installs: Bool) -> Plan? {
        guard let security = machine.program("security") else { return nil }
        let keychain = machine.root + "/Library/Keychains/System.keychain"
        let step: TrustStep =
            installs
            ? .run(security, ["add-trusted-cert", "-d", "-r", "trustRoot", "-k", keychain, certificatePath])
            : .run(security, ["remove-trusted-cert", "-d", certificatePath])
        return Plan(store: "the system's keychain", steps: [step], needsAdministrator: true)
    }

    // MARK: - The user's

    /// The NSS store, which Chromium reads on Linux.
    private func userStore(_ installs: Bool) -> Plan? {
        guard !machine.isDarwin, let home = machine.home, let certutil = machine.program("certutil") else { return nil }
        let folder = home + "/.pki/nssdb"
        let database = "sql:" + folder
        let isThere = SystemCalls.exists(folder + "/cert9.db")
        var steps: [TrustStep] = []
        if installs {
            if !isThere {
                steps = [.makeFolder(folder), .run(certutil, ["-d", database, "-N", "--empty-password"])]
            }
            steps.append(
                .run(certutil, ["-d", database, "-A", "-t", "C,,", "-n", ownName, "-i", certificatePath]))
        } else if isThere, (try? SystemCalls.run(certutil, ["-d", database, "-L", "-n", ownName], isSilent: true)) == 0
        {
            steps = [.run(certutil, ["-d", database, "-D", "-n", ownName])]
        }
        return Plan(store: "the user's certificates for Chromium (\(folder))", steps: steps, needsAdministrator: false)
    }
}
