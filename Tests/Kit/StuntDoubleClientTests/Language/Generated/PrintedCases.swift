// Made by `make dialect` of Sources/Dialect/Table; do not edit.
// swift-format-ignore-file
import SDJSON
import StuntDoubleClient

/// The words that are printed, each with the JSON that it is in a mapping.
enum PrintedCases {
    static let matchers: [MatcherCase] = [
        MatcherCase(.contains("/x"), ["contains": "/x"]),
        MatcherCase(.doesNotContain("/x"), ["doesNotContain": "/x"]),
        MatcherCase(.matching("/x"), ["matches": "/x"]),
        MatcherCase(.notMatching("/x"), ["doesNotMatch": "/x"]),
        MatcherCase(.number(-2.5), ["equalToNumber": -2.5]),
        MatcherCase(.greaterThan(-2.5), ["greaterThanNumber": -2.5]),
        MatcherCase(.atLeast(-2.5), ["greaterThanEqualNumber": -2.5]),
        MatcherCase(.lessThan(-2.5), ["lessThanNumber": -2.5]),
        MatcherCase(.atMost(-2.5), ["lessThanEqualNumber": -2.5]),
        MatcherCase(.pathTemplate("/x"), ["matchesPathTemplate": "/x"]),
        MatcherCase(.startsWith("/x"), ["startsWith": "/x"]),
        MatcherCase(.endsWith("/x"), ["endsWith": "/x"]),
        MatcherCase(.glob("/x"), ["glob": "/x"]),
    ]
    static let faults: [FaultCase] = [
        FaultCase(.emptyResponse, ["kind": "EMPTY_RESPONSE"]),
        FaultCase(.connectionReset, ["kind": "CONNECTION_RESET_BY_PEER"]),
        FaultCase(.malformedChunk, ["kind": "MALFORMED_RESPONSE_CHUNK"]),
        FaultCase(.randomData, ["kind": "RANDOM_DATA_THEN_CLOSE"]),
        FaultCase(.dropTrailers, ["dropTrailers": true]),
        FaultCase(.bandwidth(.kilobytes(3)), ["bandwidth": "3000B/s"]),
        FaultCase(.slowClose(.seconds(2)), ["slowClose": "2s"]),
    ]
}
