public import Foundation
internal import Testing

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// Expects that code throws a `URLError` with this code.
///
/// ```swift
/// try await expectURLError(.timedOut) { try await client.orders() }
/// ```
/// `#expect(throws: URLError(.timedOut))` also compares details such as the failing URL, so an error of a session is
/// never equal; this compares only the code.
/// - Parameters:
///   - code: the code, such as `.networkConnectionLost`.
///   - fileID: the call site for failures; omit it and the next three.
///   - filePath: see `fileID`.
///   - line: see `fileID`.
///   - column: see `fileID`.
///   - isolation: the calling actor; omit it.
///   - body: the code that should throw.
/// - Returns: the error; nil if there was none or another one, which fails the test.
/// - Throws: the failure, if no Swift Testing test is running.
@discardableResult
public func expectURLError<Result>(
    _ code: URLError.Code, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    column: Int = #column, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
) async throws -> URLError? {
    let found: String
    do {
        _ = try await body()
        found = "nothing was thrown"
    } catch let error as URLError {
        if error.code == code { return error }
        found = "\(error.code.words) was thrown: \(error.localizedDescription)"
    } catch {
        found = "another error was thrown: \(error)"
    }
    let failure = VerificationFailure(
        "expected a URLError \(code.words), \(found)",
        at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    guard TestFramework.current.report(failure) else { throw failure }
    return nil
}

extension URLError.Code {
    /// The code with its number: `.timedOut (-1001)`.
    fileprivate var words: String { Self.names[self].map { ".\($0) (\(rawValue))" } ?? "\(rawValue)" }

    private static let names: [URLError.Code: String] = [
        .badServerResponse: "badServerResponse", .badURL: "badURL", .cancelled: "cancelled",
        .cannotConnectToHost: "cannotConnectToHost", .cannotDecodeContentData: "cannotDecodeContentData",
        .cannotDecodeRawData: "cannotDecodeRawData", .cannotFindHost: "cannotFindHost",
        .cannotParseResponse: "cannotParseResponse", .dataNotAllowed: "dataNotAllowed",
        .dnsLookupFailed: "dnsLookupFailed", .httpTooManyRedirects: "httpTooManyRedirects",
        .networkConnectionLost: "networkConnectionLost", .notConnectedToInternet: "notConnectedToInternet",
        .resourceUnavailable: "resourceUnavailable", .secureConnectionFailed: "secureConnectionFailed",
        .timedOut: "timedOut", .unknown: "unknown", .unsupportedURL: "unsupportedURL",
        .userAuthenticationRequired: "userAuthenticationRequired",
    ]
}
