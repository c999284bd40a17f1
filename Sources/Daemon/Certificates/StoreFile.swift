internal import SDBasics
internal import SDPlatform

/// A file with certificates and keys, named by an option.
public struct StoreFile: Sendable {
    /// The path, or a `file:` URL, as it was named.
    public let path: String
    /// The named format; nil to detect it.
    public let form: KeyStore.Form?
    private let password: String?
    private let keyPassword: String?
    private let passwordOption: String
    private let keyPasswordOption: String?

    /// - Parameters:
    ///   - password: the store's password, or the key's in PEM; nil for WireMock's default.
    ///   - keyPassword: the keys' own password, if any.
    ///   - passwordOption: the option for the password, for messages.
    ///   - keyPasswordOption: the option for the key's password; nil if there is none.
    public init(
        path: String, form: KeyStore.Form?, password: String?, keyPassword: String? = nil, passwordOption: String,
        keyPasswordOption: String? = nil
    ) {
        self.path = path
        self.form = form
        self.password = password
        self.keyPassword = keyPassword
        self.passwordOption = passwordOption
        self.keyPasswordOption = keyPasswordOption
    }

    /// The bytes. The file may be a pipe that a command writes to a little later.
    /// - Throws: if it cannot be read, or is larger than any store.
    public func read() throws(CertificateProblem) -> [UInt8] {
        do throws(SystemError) {
            return try SystemCalls.readAll(
                try SystemCalls.open(Self.plainPath(path), .read), limit: 16 << 20, waiting: true)
        } catch {
            throw CertificateProblem("cannot read \(path): \(error.reason)")
        }
    }

    /// The path of a `file:` URL, parsed as Java does; any other text is a path.
    static func plainPath(_ text: String) -> String {
        guard text.lowercased().hasPrefix("file:"), !SystemCalls.exists(text) else { return text }
        var path = text.dropFirst(5)
        if path.hasPrefix("//") {
            path = path.dropFirst(2)
            if path.lowercased().hasPrefix("localhost/") { path = path.dropFirst(9) }
        }
        return decoded(path.utf8)
    }

    /// `%20` as a space, and so on.
    private static func decoded(_ text: Substring.UTF8View) -> String {
        var bytes: [UInt8] = []
        var rest = text[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            guard byte == UInt8(ascii: "%"), digits.count == 2,
                let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            else {
                bytes.append(byte)
                continue
            }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    // MARK: Passwords

    /// WireMock's default.
    private static let usualPassword = "password"

    var usedPassword: String { password ?? Self.usualPassword }

    /// The passwords to try for keys. Without a key password WireMock uses its default, whatever the store's password
    /// is.
    var keyPasswords: [String] {
        let all = keyPassword.map { [$0, usedPassword] } ?? [usedPassword, Self.usualPassword]
        return all[0] == all[1] ? [all[0]] : all
    }

    // MARK: Problems

    /// - Parameter text: appended to the path, without a space if it starts with a colon.
    func problem(_ text: String) -> CertificateProblem {
        CertificateProblem(path + (text.hasPrefix(":") ? "" : " ") + text)
    }

    func problem(_ failure: StoreContents.Failure, _ form: KeyStore.Form) -> CertificateProblem {
        switch failure {
        case .malformed(let what): problem(": expected \(form.text), found a file \(what)")
        case .wrongPassword:
            problem(
                (password == nil ? ": the default password, `\(Self.usualPassword)`, does" : ": the password does")
                    + " not open it" + (form == .jks ? ", or it is damaged" : "") + ": \(passwordOption) names "
                    + (password == nil ? "another" : "it"))
        case .oldCipher:
            problem(
                " is encrypted as stores once were (RC2 or DES), and OpenSSL's legacy provider, which reads that, is "
                    + "not installed: write it anew where it is, with\n    openssl pkcs12 -legacy -in "
                    + "\(shellWord(path)) -out store.pem -nodes")
        case .other: problem(": OpenSSL cannot read this \(form.text) store")
        }
    }

    /// - Parameters:
    ///   - name: the key's name; nil if it has none.
    ///   - isStore: whether the key is in a store that the password has opened, as opposed to PEM.
    func lockedKey(_ name: String?, isStore: Bool = true) -> CertificateProblem {
        let key = "its private key" + (name.map { " \"\($0)\"" } ?? "")
        let tried =
            password == nil && keyPassword == nil
            ? ": the default password, `\(Self.usualPassword)`, does not open \(key)"
            : ": the password does not open \(key)"
        if let keyPasswordOption { return problem("\(tried): \(keyPasswordOption) names that of the key") }
        guard isStore else { return problem("\(tried): \(passwordOption) names that of the key") }
        return problem(
            "\(tried): expected the store's password for the key, too; keytool -keypasswd changes it")
    }
}
