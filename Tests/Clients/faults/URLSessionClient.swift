// URLSession against a list of addresses on standard input; prints what it reports for each.
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct Outcome: Encodable {
    var status: Int?
    var error: String?
    var body: [UInt8] = []
}

/// The names of the codes that matter here.
let names = [
    -1: "unknown", -1001: "timedOut", -1002: "unsupportedURL", -1004: "cannotConnectToHost",
    -1005: "networkConnectionLost",
    -1011: "badServerResponse",
    -1015: "cannotDecodeRawData", -1017: "cannotParseResponse",
]

func outcome(of address: String, patience: TimeInterval) async -> Outcome {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = patience
    configuration.timeoutIntervalForResource = patience
    let session = URLSession(configuration: configuration)
    defer { session.invalidateAndCancel() }
    guard let url = URL(string: address) else { return Outcome(error: "no address") }
    do {
        let (data, response) = try await session.data(from: url)
        return Outcome(status: (response as? HTTPURLResponse)?.statusCode ?? 0, body: Array(data))
    } catch {
        let code = (error as? URLError)?.code.rawValue ?? (error as NSError).code
        return Outcome(error: "URLError \(code)" + (names[code].map { " \($0)" } ?? ""))
    }
}

let patience = TimeInterval(CommandLine.arguments[1]) ?? 3
let addresses = try JSONDecoder().decode([String].self, from: FileHandle.standardInput.readDataToEndOfFile())
var outcomes = [Outcome](repeating: Outcome(), count: addresses.count)
await withTaskGroup(of: (Int, Outcome).self) { group in
    for (index, address) in addresses.enumerated() {
        group.addTask { (index, await outcome(of: address, patience: patience)) }
    }
    for await (index, outcome) in group { outcomes[index] = outcome }
}
FileHandle.standardOutput.write(try JSONEncoder().encode(outcomes))
