import SDCertificates
import SDCommand

/// The certificate and key files named by options.
enum NamedStores {
    static func key(_ options: ServeOptions) -> StoreFile? {
        options.keyStore.map { path in
            StoreFile(
                path: path, form: KeyStore.Form(options.keyStoreType), password: options.keyStorePassword,
                keyPassword: options.keyPassword, passwordOption: "--keystore-password",
                keyPasswordOption: "--key-manager-password")
        }
    }

    static func trust(_ options: ServeOptions) -> StoreFile? {
        options.trustStore.map { path in
            StoreFile(
                path: path, form: KeyStore.Form(options.trustStoreType), password: options.trustStorePassword,
                passwordOption: "--truststore-password")
        }
    }

    static func authority(_ options: ServeOptions) -> StoreFile? {
        options.authorityStore.map { path in
            StoreFile(
                path: path, form: KeyStore.Form(options.authorityStoreType), password: options.authorityStorePassword,
                passwordOption: "--ca-keystore-password")
        }
    }
}

/// All problems with the certificates that options name.
struct CertificateProblems: Error, CustomStringConvertible {
    private(set) var all: [CertificateProblem] = []

    var description: String { all.map(\.description).joined(separator: "; ") }

    init(_ problem: CertificateProblem? = nil) {
        all = problem.map { [$0] } ?? []
    }

    /// Runs `work` and collects its problem.
    /// - Returns: nil if there was a problem.
    mutating func collecting<Value>(_ work: () throws(CertificateProblem) -> Value?) -> Value? {
        do throws(CertificateProblem) {
            return try work()
        } catch {
            all.append(error)
            return nil
        }
    }
}

extension KeyStore.Form {
    fileprivate init?(_ type: StoreType?) {
        switch type {
        case .pem: self = .pem
        case .pkcs12: self = .pkcs12
        case .jks, .jceks: self = .jks
        case nil: return nil
        }
    }
}
