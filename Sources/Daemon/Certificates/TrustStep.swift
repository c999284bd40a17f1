internal import SDBasics
internal import SDPlatform

/// One step of trusting or distrusting an authority.
public enum TrustStep: Sendable, Equatable {
    case copy(from: String, to: String)
    case remove(String)
    case makeFolder(String)
    case run(String, [String])

    /// The step as a shell command.
    public var commandLine: String {
        switch self {
        case .copy(let source, let target): "cp \(shellWord(source)) \(shellWord(target))"
        case .remove(let path): "rm \(shellWord(path))"
        case .makeFolder(let path): "mkdir -p \(shellWord(path))"
        case .run(let program, let arguments):
            ([program] + arguments).map(shellWord).joined(separator: " ")
        }
    }

    /// Performs the step.
    /// - Parameter isSilent: whether to discard the program's output.
    /// - Throws: the reason for a failure.
    public func perform(isSilent: Bool = false) throws(CertificateProblem) {
        var status: Int32 = 0
        do throws(SystemError) {
            switch self {
            case .copy(let source, let target):
                let bytes = try SystemCalls.readAll(try SystemCalls.open(source, .read), limit: 1 << 20, path: source)
                try SystemCalls.replaceFile(target, with: bytes)
            case .remove(let path): try SystemCalls.removeFile(path)
            case .makeFolder(let path): try SystemCalls.makeFolders(path)
            case .run(let program, let arguments):
                status = try SystemCalls.run(program, arguments, isSilent: isSilent)
            }
        } catch {
            throw CertificateProblem(error.description)
        }
        if status != 0 { throw CertificateProblem("\(commandLine) failed with the exit status \(status)") }
    }
}
