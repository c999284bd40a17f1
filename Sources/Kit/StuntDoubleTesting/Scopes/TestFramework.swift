internal import Foundation
internal import Testing
internal import XCTest

/// The test framework that receives the failures of a scope. It is chosen when the scope opens: Swift Testing ignores
/// failures reported to XCTest, and the reverse.
enum TestFramework: Sendable {
    case swiftTesting
    case xcTest(RunningTestCase)
    /// No framework: failures are thrown.
    case none

    /// Swift Testing if one of its tests runs on this task.
    static var current: TestFramework { Test.current == nil ? .none : .swiftTesting }

    /// Whether failures can be reported to it.
    var takesFailures: Bool {
        if case .none = self { false } else { true }
    }

    /// Whether it supports attachments.
    var takesAttachments: Bool {
        switch self {
        case .swiftTesting: true
        case .xcTest: RunningTestCase.takesAttachments
        case .none: false
        }
    }

    /// Whether this run stores attachments; otherwise a terminal prints those of passing tests.
    static let keepsAttachments =
        CommandLine.arguments.contains { $0.hasPrefix("--attachments-path") }
        || ProcessInfo.processInfo.environment["XCTestConfigurationFilePath"] != nil

    /// Marks the test as failed. False if that is not possible here.
    func report(_ failure: VerificationFailure) -> Bool {
        switch self {
        case .swiftTesting:
            // `#require` has reported it at its own location.
            if failure.cause is ExpectationFailedError { return true }
            // On a task outside of any test the failure would be lost.
            guard Test.current != nil else { return false }
            Issue.record(Comment(rawValue: failure.message), sourceLocation: SourceLocation(failure.callSite))
            return true
        case .xcTest(let running):
            running.report(failure)
            return true
        case .none: return false
        }
    }

    /// Records a warning, which does not fail the test. False if that is not possible here: only Swift Testing 6.3 and
    /// later has warnings.
    func warn(_ warning: String, at callSite: CallSite) -> Bool {
        #if compiler(>=6.3)
            if case .swiftTesting = self, Test.current != nil {
                Issue.record(
                    Comment(rawValue: warning), severity: .warning, sourceLocation: SourceLocation(callSite))
                return true
            }
        #endif
        return false
    }

    /// Attaches a text to the test, if the framework supports it.
    func attach(_ text: String, named name: String, at callSite: CallSite) {
        switch self {
        case .swiftTesting:
            Attachment.record(text, named: name, sourceLocation: SourceLocation(callSite))
        case .xcTest(let running): running.attach(text, named: name)
        case .none: break
        }
    }
}

extension Test {
    /// The session name of this test: its module, suites and function, without the source location.
    var sessionName: String {
        let parts = "\(id)".split(separator: "/", omittingEmptySubsequences: false)
        let isPlaced = parts.last.map { $0.hasPrefix("\(sourceLocation.fileName):") } ?? false
        return (isPlaced ? parts.dropLast() : parts).joined(separator: "/")
    }
}

extension SourceLocation {
    init(_ callSite: CallSite) {
        // Swift Testing traps on a file id without a slash.
        let fileID = callSite.fileID.contains("/") ? callSite.fileID : "Tests/\(callSite.fileID)"
        self.init(
            fileID: fileID, filePath: callSite.filePath, line: max(1, callSite.line), column: max(1, callSite.column))
    }
}

extension CallSite {
    init(_ location: SourceLocation) {
        self.init(
            fileID: location.fileID, filePath: location.filePath, line: location.line, column: location.column)
    }
}

/// An XCTest test case while its test runs.
///
/// Sendable although `XCTestCase` is not: it is used only to record issues. On Apple's platforms XCTest allows that on
/// any thread; on Linux a lock here serializes it.
struct RunningTestCase: @unchecked Sendable {
    private let testCase: XCTestCase
    private static let lock = NSLock()

    init(_ testCase: XCTestCase) {
        self.testCase = testCase
    }

    func report(_ failure: VerificationFailure) {
        Self.lock.withLock {
            #if canImport(ObjectiveC)
                let location = XCTSourceCodeLocation(
                    filePath: failure.callSite.filePath, lineNumber: failure.callSite.line)
                testCase.record(
                    XCTIssue(
                        type: .assertionFailure, compactDescription: failure.message,
                        sourceCodeContext: XCTSourceCodeContext(location: location)))
            #else
                testCase.recordFailure(
                    withDescription: failure.message, inFile: failure.callSite.filePath, atLine: failure.callSite.line,
                    expected: true)
            #endif
        }
    }

    #if canImport(ObjectiveC)
        static let takesAttachments = true
    #else
        /// XCTest on Linux has no attachments.
        static let takesAttachments = false
    #endif

    func attach(_ text: String, named name: String) {
        #if canImport(ObjectiveC)
            let attachment = XCTAttachment(data: Data(text.utf8), uniformTypeIdentifier: "public.json")
            attachment.name = name
            Self.lock.withLock { testCase.add(attachment) }
        #endif
    }
}
