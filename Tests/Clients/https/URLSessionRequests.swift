// URLSession against the requests on standard input; prints what it reports for each. Arguments: seconds of patience, `each` for a session
// each. On Linux the environment's URLSessionCertificateAuthorityInfoFile names a CA.
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct Question: Decodable {
    let url, method, body: String
    let headers: [String: String]
}

struct Outcome: Encodable {
    var status: Int?
    var headers: [String: String]?
    var error: String?
    var body: String = ""
}

/// The names of the codes that matter here.
let names = [
    -1: "unknown", -1001: "timedOut", -1002: "unsupportedURL", -1004: "cannotConnectToHost",
    -1005: "networkConnectionLost",
    -1011: "badServerResponse", -1015: "cannotDecodeRawData", -1017: "cannotParseResponse",
    -1200: "secureConnectionFailed",
    -1201: "serverCertificateHasBadDate", -1202: "serverCertificateUntrusted", -1203: "serverCertificateHasUnknownRoot",
    -1204: "serverCertificateNotYetValid",
]

func outcome(of question: Question, by session: URLSession) async -> Outcome {
    guard let url = URL(string: question.url) else { return Outcome(error: "no address") }
    var request = URLRequest(url: url)
    request.httpMethod = question.method
    for (name, value) in question.headers { request.setValue(value, forHTTPHeaderField: name) }
    if let body = Data(base64Encoded: question.body), !body.isEmpty { request.httpBody = body }
    do {
        let (data, response) = try await session.data(for: request)
        let answer = response as? HTTPURLResponse
        var headers: [String: String] = [:]
        for (name, value) in answer?.allHeaderFields ?? [:] { headers["\(name)"] = "\(value)" }
        return Outcome(status: answer?.statusCode ?? 0, headers: headers, body: data.base64EncodedString())
    } catch {
        let code = (error as? URLError)?.code.rawValue ?? (error as NSError).code
        return Outcome(error: "URLError \(code)" + (names[code].map { " \($0)" } ?? ""))
    }
}

let patience = TimeInterval(CommandLine.arguments[1]) ?? 3
func session() -> URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = patience
    configuration.timeoutIntervalForResource = patience
    return URLSession(configuration: configuration)
}

let questions = try JSONDecoder().decode([Question].self, from: FileHandle.standardInput.readDataToEndOfFile())
let isEach = CommandLine.arguments.count > 2
var shared = session()
var outcomes: [Outcome] = []
for question in questions {
    if isEach { shared = session() }
    outcomes.append(await outcome(of: question, by: shared))
}
FileHandle.standardOutput.write(try JSONEncoder().encode(outcomes))
