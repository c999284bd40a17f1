internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

extension URLError {
    /// The error of a request, with the URL that failed.
    init(_ code: Code, of request: URLRequest) {
        var info: [String: Any] = [NSLocalizedDescriptionKey: "\(code) (\(code.rawValue))"]
        info[NSURLErrorFailingURLErrorKey] = request.url
        self.init(code, userInfo: info)
    }
}

extension RawExchange.Failure {
    /// The code with which the system's URLSession reports the same failure.
    var code: URLError.Code {
        switch self {
        case .cannotConnect: .cannotConnectToHost
        case .reset: .networkConnectionLost
        case .timedOut: .timedOut
        #if canImport(FoundationNetworking)
            case .noAnswer: .badServerResponse
            case .noHTTP: .unsupportedURL
            case .malformedBody, .truncated: .unknown
        #else
            case .noAnswer, .truncated: .networkConnectionLost
            case .noHTTP, .malformedBody: .cannotParseResponse
        #endif
        }
    }
}
