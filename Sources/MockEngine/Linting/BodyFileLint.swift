import JSON
import Spelling
import StubModel

/// Looks for body files that cannot be served.
struct BodyFileLint {
    let files: any BodyFileSource
    /// Of all that is under `__files`.
    let names: [String]
    /// Why a name that was looked at cannot be served; nil where it can.
    private var known: [String: String?] = [:]

    init(files: any BodyFileSource, names: [String]) {
        self.files = files
        self.names = names
    }

    mutating func findings(in stub: CompiledStub) -> [StubFinding] {
        let response = stub.mapping.response
        // A fault sends no body, and a name with an expression in it is known only when a request is there.
        guard let name = response.bodyFileName, response.fault == nil, !name.contains("{{"), let reason = reason(name)
        else { return [] }
        return [
            StubFinding(
                .missingBodyFile, of: StubFinding.Stub(stub), at: JSONPointer(["response", "bodyFileName"]),
                "the body file cannot be served: \(reason)", suggestion: nearest(to: name))
        ]
    }

    private mutating func reason(_ name: String) -> String? {
        if let known = known[name] { return known }
        var reason: String?
        do throws(BodyFileError) {
            _ = try files.read(name)
        } catch {
            reason = error.reason
        }
        known[name] = .some(reason)
        return reason
    }

    /// The same file in another folder, or else the name that is spelt most like it.
    private func nearest(to name: String) -> String? {
        let last = Self.lastName(of: name)
        if let elsewhere = names.first(where: { Self.lastName(of: $0) == last }) { return elsewhere }
        if let whole = nearestName(to: name, among: names) { return whole }
        let nearest = nearestName(to: String(last), among: names.lazy.map { String(Self.lastName(of: $0)) })
        return names.first { Self.lastName(of: $0) == nearest ?? "" }
    }

    private static func lastName(of path: String) -> Substring {
        path.split(separator: "/").last ?? ""
    }
}
