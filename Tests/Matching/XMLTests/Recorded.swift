import Foundation
import SDTestSupport
import SDXML

/// WireMock 3.13.2's answers, recorded by `Tools/oracle/record_xml.py`.
enum Recorded {
    struct Equality: Decodable {
        let expected: String
        let options: Options
        let accepted: Bool
        let cases: [Case]?

        struct Options: Decodable {
            var enablePlaceholders: Bool?
            var placeholderOpeningDelimiterRegex: String?
            var placeholderClosingDelimiterRegex: String?
            var exemptedComparisons: [String]?
            var ignoreOrderOfSameNode: Bool?
            var namespaceAwareness: String?

            var options: XMLEquality.Options {
                var options = XMLEquality.Options()
                options.enablePlaceholders = enablePlaceholders ?? false
                options.placeholderOpeningDelimiterRegex = placeholderOpeningDelimiterRegex
                options.placeholderClosingDelimiterRegex = placeholderClosingDelimiterRegex
                options.exemptedComparisons = Set((exemptedComparisons ?? []).compactMap(XMLComparison.init(rawValue:)))
                options.ignoreOrderOfSameNode = ignoreOrderOfSameNode ?? false
                options.namespaceAwareness =
                    namespaceAwareness.flatMap(XMLEquality.NamespaceAwareness.init(rawValue:)) ?? .strict
                return options
            }
        }

        struct Case: Decodable {
            let text: String
            /// The verdict; nil if the server failed.
            let matches: Bool?
            let distance: Double?
        }
    }

    struct Search: Decodable {
        let expression: String
        let namespaces: [String: String]?
        let accepted: Bool
        let cases: [Case]

        struct Case: Decodable {
            let text: String
            let matches: Bool?
            let values: [String]?
        }

        var xPath: XPath { XPath(expression, namespaces: namespaces?.map { ($0.key, $0.value) }) }
    }

    struct Layout: Decodable {
        let text: String
        let pretty: String?
        let compact: String?
        let element: String?
    }

    struct Refused: Decodable {
        let text: String
        let detail: String?
    }

    struct All: Decodable {
        let equality: [Equality]
        let xpath: [Search]
        let layout: [Layout]
        let refused: [Refused]
    }

    static let all = Result {
        let file = PackageFiles.url("Tests/Oracle/xml.json")
        return try JSONDecoder().decode(All.self, from: Data(contentsOf: file))
    }
}

extension String {
    /// Compares exactly: texts that only look alike differ.
    func isExactly(_ other: String) -> Bool { utf8.elementsEqual(other.utf8) }

    var bytes: ArraySlice<UInt8> { Array(utf8)[...] }
}
