import Foundation
import SDTestSupport
import Testing

/// What has been tried against the daemon, and the test that does it again.
@Suite struct CatalogueTests {
    private static let matches = "Tests/Attack/expensive_matches.json"
    private static let calls = "Tests/Attack/ExpensiveCallTests.swift"
    private static let held = "Tests/Attack/HeldLoopTests.swift"
    private static let shares = "Tests/Attack/FairShareTests.swift"

    /// An attack, the file of its test, and the test's name or that of its case.
    static let attacks: [(attack: String, file: String, test: String)] = [
        // One budget a request
        ("thousands of form values", matches, "five thousand form values"),
        ("thousands of JSON nodes", matches, "ten thousand JSON nodes"),
        ("thousands of XPath texts", matches, "ten thousand texts of XML"),
        ("placeholders of JSON", matches, "ten thousand placeholders with a runaway expression"),
        ("a thousand stubs and one GET", matches, "a thousand stubs with a runaway expression"),
        ("find-by-metadata over many stubs", calls, "metadataOfThousandsOfStubsIsExaminedWithinTheBudget"),
        ("what is never a silent mismatch", "Tests/Matching/MatchingTests/BudgetCaseTests.swift", "endsInTime"),
        ("anything generated", "Tests/Matching/MatchingTests/BudgetPropertyTests.swift", "BudgetPropertyTests"),
        ("calls of the admin API", "Tests/Admin/AdminAPITests/BudgetAdminTests.swift", "isRefusedInWireMocksShape"),
        // Inside of one match
        ("a back-reference on a megabyte", matches, "a back-reference on a megabyte"),
        ("`.*foo.*` on five megabytes", matches, "five megabytes with what is looked for at the end"),
        ("attributes of one element", matches, "eighty thousand attributes in one element"),
        ("members under forty levels of anyOf", matches, "members under forty levels of anyOf"),
        ("equality without regard to case", matches, "four megabytes without regard to letter case"),
        ("helpers of templates on a large body", matches, "eight megabytes in a template"),
        ("digits that a request asks a template for", matches, "a hundred million digits in a template"),
        ("values of templates within one another", matches, "a list within twenty thousand lists"),
        ("documents that a template reads", matches, "a hundred thousand lists that a template reads"),
        ("a helper that makes much of little", matches, "a separator of a megabyte"),
        ("a dear helper in a loop", matches, "a megabyte of padding a million times"),
        ("an argument that is used again and again", matches, "a list that is formatted a hundred thousand times"),
        (
            "sub-expressions within one another", "Tests/Templating/TemplatingTests/TemplateBoundsTests.swift",
            "subexpressionsAreNestedOnlySoDeep"
        ),
        ("a naive search in XPath", matches, "a long text that is nearly in a longer one"),
        // Memory of one request
        ("a report on thirty megabytes", matches, "a report on thirty megabytes"),
        ("a dribble of 2³¹ chunks", calls, "aDribbleOfTwoBillionChunksIsAsLongAsItsBody"),
        ("an admin document of 90 MB", calls, "aDocumentOfNinetyMegabytesIsRefusedBeforeItFillsTheMemory"),
        ("fifty megabytes of small XML", matches, "fifty megabytes of small elements"),
        ("a gzip body of 99 MiB", matches, "ninety-nine megabytes in a gzip body"),
        ("a gzip body beyond its bound", matches, "more in a gzip body than is decompressed"),
        ("thirty megabytes of a charset", matches, "thirty megabytes of ISO-8859-1"),
        ("thirty megabytes of a wide charset", matches, "thirty megabytes of UTF-16"),
        ("millions of fields of a form", matches, "eight million fields of a form"),
        ("a part behind ten thousand", matches, "more parts than are read"),
        // Fair shares
        ("a pipeline of dear requests", shares, "aPipelineOfDearRequestsTakesTurns"),
        ("hundreds of SIGHUPs", shares, "hundredsOfSignalsAreFewReadings"),
        ("saving thousands of stubs", calls, "thousandsOfStubsAreSavedBesideRequests"),
        ("removing thousands of stubs", calls, "thousandsOfStubsAreImportedAndRemovedBesideRequests"),
        (
            "a lock that requests wait for", "Tests/Engine/MockEngineTests/LargeChangeTests.swift",
            "requestsAreAnsweredInTheMiddleOfAnImport"
        ),
        ("gzip bodies in the journal", calls, "gzipBodiesAreShownByTheirBeginnings"),
        ("listing a full journal", calls, "aFullJournalIsListedBesideRequests"),
        ("replays of events", calls, "missedEventsAreReplayedBesideRequests"),
        ("uploads that fall silent", shares, "uploadsThatFallSilentAreRefused"),
        ("idle connections at the limit", shares, "idleConnectionsGiveWayToNewcomers"),
        // A held loop
        ("waiting calls with runaway expressions", held, "waitingCallsWithDearExpectationsMatchBesideTheLoop"),
        ("slices of a byte without a gap", held, "manySlicesWithoutAGapTakeTurns"),
        ("a megabyte for readers that do not read", held, "aLargePushToReadersThatDoNotReadTakesTurns"),
        ("lists of thousands of sessions", held, "thousandsOfSessionsAreListedAndEndedBesideRequests"),
        // Memory of the process
        (
            "journals of twenty sessions", "Tests/Engine/MockEngineTests/JournalQuotaTests.swift",
            "twentySessionsTakeNoMoreThanOneTogether"
        ),
        ("dead readers of files", "Tests/Attack/DeadReaderTests.swift", "readersOfAFileCostNoMemory"),
        ("dead readers of bodies", "Tests/Attack/DeadReaderTests.swift", "readersOfABodyWithHeadersOfTheirOwnShareIt"),
        ("dead readers of events", "Tests/Attack/DeadEventReaderTests.swift", "threeHundredReadersShareTheirEvents"),
        // Leaks and words
        ("secrets", "Tests/Daemon/BlackBoxTests/RedactionTests.swift", "noSecretLeavesTheDaemon"),
        (
            "direction of text in the log", "Tests/Daemon/CommandTests/LogTests.swift",
            "noInputTurnsTheDirectionOfALine"
        ),
        ("long lines of the log", "Tests/Daemon/BlackBoxTests/TroubleLogTests.swift", "aLongTargetIsCut"),
        (
            "the admin API of a dead session", "Tests/Admin/AdminAPITests/AdminGuardTests.swift",
            "aMissingSessionIsGuardedLikeAnyOther"
        ),
        ("names that are not UTF-8", "Tests/Daemon/BlackBoxTests/ForeignNameTests.swift", "theyAreNamedAtTheStart"),
        (
            "stubs that are said to stay", "Tests/Daemon/BlackBoxTests/OtherFilesTests.swift",
            "aBrokenFileWithoutEarlierStubsIsServedByNone"
        ),
    ]

    /// The soak reads `expensive_matches.json`, and has a counterpart of each test here.
    @Test(arguments: attacks.indices) func theSoakDoesIt(index: Int) throws {
        let (attack, file, test) = Self.attacks[index]
        guard file.hasPrefix("Tests/Attack/"), file.hasSuffix(".swift") else { return }
        let rotation = try #require(String(bytes: PackageFiles.data("Tests/Soak/attacks.py"), encoding: .utf8))
        #expect(rotation.contains("\"\(test)\": \""), "make soak does not do: \(attack)")
    }

    @Test(arguments: attacks.indices) func theTestIsThere(index: Int) throws {
        let (attack, file, test) = Self.attacks[index]
        let text = try #require(String(bytes: PackageFiles.data(file), encoding: .utf8))
        #expect(text.contains(test), "\(attack): \(file) has no \(test)")
    }
}
