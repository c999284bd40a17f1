import Foundation
import StuntDoubleTesting
import XCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The example of the page `docs/swift/ui-tests.md`, with an app of this process.
final class AdoptionUITests: XCTestCase {
    func testADogIsAdopted() async throws {
        let mock = try await mockServer()
        try await mock.stub(.post("/dogs/1/adoption"), .json(["id": 1], status: 201).hold("adoption"))
        let app = await XCUIApplication()
        await MainActor.run {
            app.launchEnvironment["API_BASE_URL"] = mock.url.absoluteString
            app.launch()
            app.buttons["Adopt Rex"].tap()
        }

        try await mock.gate("adoption").waitForRequests()
        await MainActor.run { XCTAssertTrue(app.activityIndicators.firstMatch.exists) }
        try await mock.gate("adoption").release()

        await MainActor.run { XCTAssertTrue(app.staticTexts["Rex is yours"].waitForExistence(timeout: 5)) }
        try await mock.verify(.post("/dogs/1/adoption"), .exactly(1))
    }
}

/// As much of an app as the page uses: a button that asks the server, something that spins until there is an answer, and a
/// text that comes with it.
@MainActor private final class XCUIApplication {
    struct Element {
        fileprivate let app: XCUIApplication

        @MainActor var firstMatch: Element { self }
        @MainActor var exists: Bool { app.isWaiting }

        @MainActor func tap() { app.adopt() }

        @MainActor func waitForExistence(timeout: TimeInterval) -> Bool { app.waitForAnswer(timeout) }

        subscript(_ name: String) -> Element { self }
    }

    var launchEnvironment: [String: String] = [:]
    private let answered = DispatchSemaphore(value: 0)
    private let status = Locked<Int?>(nil)
    private var hasAsked = false

    init() {}

    func launch() {}

    var buttons: Element { Element(app: self) }
    var activityIndicators: Element { Element(app: self) }
    var staticTexts: Element { Element(app: self) }

    private var isWaiting: Bool { hasAsked && status.value == nil }

    private func adopt() {
        hasAsked = true
        guard let url = launchEnvironment["API_BASE_URL"].flatMap({ URL(string: "\($0)/dogs/1/adoption") }) else {
            return
        }
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        let (status, answered) = (status, answered)
        URLSession.shared.dataTask(with: request) { _, response, _ in
            status.withLock { $0 = (response as? HTTPURLResponse)?.statusCode ?? 0 }
            answered.signal()
        }.resume()
    }

    private func waitForAnswer(_ timeout: TimeInterval) -> Bool {
        answered.wait(timeout: .now() + timeout * 60) == .success && status.value == 201
    }
}
