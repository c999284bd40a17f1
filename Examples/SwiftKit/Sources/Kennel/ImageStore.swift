import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Images of dogs, loaded with completion handlers. A load is made stopped, so that a list starts only what is on
/// screen.
public final class ImageStore: Sendable {
    /// Why there is no image.
    public enum Failure: Error, Equatable {
        case missing
        case status(Int)
        case connection(URLError.Code)
    }

    /// An image on its way.
    public struct Load: Sendable {
        private let task: URLSessionDataTask

        fileprivate init(_ task: URLSessionDataTask) { self.task = task }

        /// Begins to load; the handler is called once.
        public func start() { task.resume() }
        public func cancel() { task.cancel() }
        public var isStarted: Bool { task.state != .suspended }
    }

    private let baseURL: URL
    private let session: URLSession

    public init(baseURL: URL, session: URLSession = .shared) {
        self.baseURL = baseURL
        self.session = session
    }

    /// Makes the load of an image, which `start` begins.
    public func load(
        _ name: String, width: Int, completion: @escaping @Sendable (Result<Data, Failure>) -> Void
    ) -> Load {
        var url = baseURL.appending(path: "images/\(name).png")
        url.append(queryItems: [URLQueryItem(name: "width", value: "\(width)")])
        let task = session.dataTask(with: url) { data, response, error in
            completion(Self.result(data, response as? HTTPURLResponse, error))
        }
        return Load(task)
    }

    private static func result(
        _ data: Data?, _ response: HTTPURLResponse?, _ error: (any Error)?
    ) -> Result<Data, Failure> {
        if let error { return .failure(.connection((error as? URLError)?.code ?? .unknown)) }
        switch response?.statusCode {
        case 200: return .success(data ?? Data())
        case 404: return .failure(.missing)
        case let status: return .failure(.status(status ?? 0))
        }
    }
}
