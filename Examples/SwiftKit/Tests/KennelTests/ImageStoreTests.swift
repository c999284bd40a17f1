import Foundation
import Kennel
import StuntDoubleTesting
import XCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a mock of URLSession recorded, the last URL and whether the task was resumed, is asked of the server: it knows
/// what was really sent.
final class ImageStoreTests: XCTestCase {
    func testALoadThatIsNotStartedSendsNothing() async throws {
        let mock = try await mockServer()
        let store = ImageStore(baseURL: mock.url)

        let load = store.load("rex", width: 64) { _ in XCTFail("it was not started") }

        XCTAssertFalse(load.isStarted)
        try await mock.verify(.any, .never, within: .milliseconds(200))
    }

    func testAStartedLoadAsksForItsURL() async throws {
        let mock = try await mockServer()
        try await mock.stub(.get("/images/{name}.png"), .status(200))

        _ = try await image("rex", ImageStore(baseURL: mock.url))

        let last = try await mock.lastRequest()
        XCTAssertEqual(last?.method, "GET")
        XCTAssertEqual(last?.target, "/images/rex.png?width=64")
    }

    func testTheDataOfTheAnswerAreTheImage() async throws {
        let mock = try await mockServer()
        let picture = Data([0x89, 0x50, 0x4E, 0x47, 0, 1, 2, 3])
        try await mock.stub(.get("/images/rex.png"), .data(picture, type: "image/png"))

        let result = try await image("rex", ImageStore(baseURL: mock.url))

        XCTAssertEqual(result, .success(picture))
    }

    func testEachStatusHasItsFailure() async throws {
        let mock = try await mockServer()
        let store = ImageStore(baseURL: mock.url)
        try await mock.stub(.get("/images/nobody.png"), .status(404))
        try await mock.stub(.get("/images/broken.png"), .status(500))

        let missing = try await image("nobody", store)
        let broken = try await image("broken", store)

        XCTAssertEqual(missing, .failure(.missing))
        XCTAssertEqual(broken, .failure(.status(500)))
    }

    func testAConnectionThatBreaksIsAFailure() async throws {
        let mock = try await mockServer()
        try await mock.stub(.get("/images/rex.png"), .fault(.connectionReset))

        let result = try await image("rex", ImageStore(baseURL: mock.url))

        XCTAssertEqual(result, .failure(.connection(.networkConnectionLost)))
    }

    func testACancelledLoadIsAFailure() async throws {
        let mock = try await mockServer()
        try await mock.stub(.get("/images/rex.png"), .status(200).hold("slow"))
        let store = ImageStore(baseURL: mock.url)

        let result = try await completion { handler in
            let load = store.load("rex", width: 64, completion: handler)
            load.start()
            Task {
                try await mock.gate("slow").waitForRequests()
                load.cancel()
            }
        }

        XCTAssertEqual(result, .failure(.connection(.cancelled)))
    }

    private func image(_ name: String, _ store: ImageStore) async throws -> Result<Data, ImageStore.Failure> {
        try await completion { store.load(name, width: 64, completion: $0).start() }
    }
}
