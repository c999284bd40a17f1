import SDJSON
import SDStubFiles
import Testing

/// Messages about texts that libyaml refuses, and about YAML that this project does not accept.
@Suite struct YAMLFailureTests {
    @Test(
        arguments: [
            // Brackets and quotes
            (
                "a: [1\nb: 2",
                #"2:2 the list that "[" opens in line 1, column 4 is not closed before this place; expected "," or "]", found ":""#
            ),
            (
                "ä: [1, 2\n",
                #"1:4 the list that "[" opens here is never closed; expected "," or "]", found the end of the text"#
            ),
            (
                "GET /a: { status: 200\nGET /b: {}\n",
                #"2:7 the mapping that "{" opens in line 1, column 9 is not closed before this place; expected "," or "}", found ":""#
            ),
            (
                "a:\n  - { b: 1\n",
                #"2:5 the mapping that "{" opens here is never closed; expected "," or "}", found the end of the text"#
            ),
            (
                "a: { b: 1 c: 2 }\n",
                #"1:12 the mapping that "{" opens in line 1, column 4 is not closed before this place; expected "," or "}", found ":""#
            ),
            (
                "GET /s:{status: 200, body: x}\n",
                #"1:8 missing space after ":"; expected a space between the colon of a key and its value"#
            ),
            ("a: {b:{c: d}}\n", #"1:6 a ":" within a string; expected a space after it, or quotes around the string"#),
            ("a: [1, , 2]\n", #"1:8 a value is missing; expected a value, found ",""#),
            ("a: ]\n", #"1:4 a value is missing; expected a value, found "]""#),
            (
                "a: 'b\nc: d\n",
                "1:4 the quote ' that opens here is never closed; expected a closing ', found the end of the text"
            ),
            (
                "a: \"b\nc: d\n",
                #"1:4 the quote " that opens here is never closed; expected a closing ", found the end of the text"#
            ),
            (
                "a: \"b\n---\nc\n",
                #"1:4 the quote " that opens here is never closed; expected a closing ", found a new document in line 2"#
            ),
            (
                "a: \"b\nc: \"x\"\n",
                #"1:4 the quote " that opens here is closed only in line 2, column 5, before more text; "#
                    + #"expected a closing " in its line"#
            ),
            (
                "a: 'it's'\n",
                #"1:8 text after the closing '; expected '' for a quote within single quotes, found "s""#
            ),
            (
                "a: \"x\" y\n",
                #"1:8 text after the closing "; expected \" for a quote within double quotes, found "y""#
            ),
            ("a: [1] x\n", #"1:8 content after the end of a value; expected the end of the line, found "x""#),
            // Escapes
            (
                #"a: "\d+""#,
                #"1:5 \d is not a valid escape in double quotes; expected \\ for a backslash, one of "#
                    + #"\" \/ \n \r \t \xXX \uXXXX, or single quotes, in which a backslash is literal"#
            ),
            (
                #"a: "\x1""#,
                #"1:7 missing hexadecimal digits in an escape; expected two of them after \x, four after \u, eight after \U"#
            ),
            (
                #"a: "\ud83d\ude00""#,
                "1:7 the escape does not denote a character; expected a Unicode character; where JSON has two "
                    + #"escapes, write one \U with eight digits"#
            ),
            // Indentation
            ("a:\n\tb: c\n", "2:1 a tab cannot indent a line; expected spaces"),
            ("a:\n  b: c\n\td: e\n", "3:1 a tab cannot indent a line; expected spaces"),
            ("a: |\n \tb\n", "2:2 a tab cannot indent a line; expected spaces"),
            (
                "a:\n  - b\n - c\n",
                "3:2 the indentation matches none of the lines above; expected column 3 as in line 2, or column 1 as in line 1, "
                    + "found column 2"
            ),
            (
                "a:\n    b: 1\n\n    # c\n  c: 2\n",
                "5:3 the indentation matches none of the lines above; expected column 5 as in line 2, or column 1 as in line 1, "
                    + "found column 3"
            ),
            (
                "GET /a: {}\n  status: 200\n",
                "2:3 a key is indented below a line that has a value already; expected the column of the keys beside it, "
                    + #"or no value in the line above, found "status: 200""#
            ),
            (
                "a:\n  b: 200\n   c: 1\n",
                "3:4 a key is indented below a line that has a value already; expected the column of the keys beside it, "
                    + #"or no value in the line above, found "c: 1""#
            ),
            (
                "a:\n  - b: 1\n  c: 2\n",
                #"3:3 a line without "- " among the elements of a list; expected "- " as in line 2, or another indentation, "#
                    + #"found "c""#
            ),
            (
                "a: - b\n",
                #"1:4 a list cannot begin on the line of its key; expected "- " on the next line, or the list in brackets: [a, b]"#
            ),
            // Keys and signs
            (
                "GET /a: {}\nGET /b\nGET /c: {}\n",
                #"2:1 a key without ":" after it; expected "key: value", found "GET /b""#
            ),
            ("a: b: c\n", #"1:5 a second ": " in one line; expected quotes around a string that contains ": ""#),
            ("a: ? b\n", #"1:4 "? " begins a key, which is not allowed here; expected quotes around the string"#),
            ("a: @b\n", "1:4 a string cannot begin with @; expected quotes around it"),
            ("a: `b`\n", "1:4 a string cannot begin with `; expected quotes around it"),
            (
                "%a: b\n",
                "1:1 % at the start of a line begins a directive, and this is not one; "
                    + "expected quotes around a string that begins with %"
            ),
            (
                "%YAML 3.0\n---\na\n",
                "1:1 unsupported version of YAML; expected %YAML 1.1 or %YAML 1.2, or no such line"
            ),
            (
                "a: {{request.path}}\n",
                "1:5 {{ begins a mapping within a mapping; expected quotes around a string that begins with {{"
            ),
            (
                "a: |x\n  y\n",
                #"1:5 text after the indicator that begins a block; expected the text on the lines below it, found "x""#
            ),
            ("a: |0\n  y\n", "1:5 a block cannot be indented by 0; expected a digit from 1 to 9, or none"),
            ("[a]\nb: 1\n", #"2:1 content after the end of the document; expected the end of the text, found "b""#),
            // Anchors and tags
            (
                "a: *.png\n",
                "1:4 * begins an alias, but no name follows; expected a name of letters, digits, - and _, "
                    + "or quotes around a string that begins with *"
            ),
            (
                "a: &\n  b: c\n",
                "1:4 & begins an anchor, but no name follows; expected a name of letters, digits, - and _, "
                    + "or quotes around a string that begins with &"
            ),
            (
                "a: &ada 1\nb: *adda\n",
                #"2:4 the alias *adda has no anchor; did you mean "*ada"? Expected an anchor &adda before this place, "#
                    + "or quotes around a string that begins with *"
            ),
            (
                "a: !x!y z\n",
                "1:4 the prefix of the tag is not defined; expected quotes around a string that begins with !"
            ),
            // Documents and repeats
            (
                "a: 1\n---\nb: 2\n",
                "2:1 a second document in the same file; expected one document; move the part below --- to another file"
            ),
            (
                "a: 1\nb: 2\n\"a\": 3\n",
                #"3:1 duplicate key "a", first in line 1, column 1; expected each key once"#
            ),
            (
                "x: { <<: {}, <<: {} }\n",
                "1:14 duplicate key <<, first in line 1, column 6; expected one, with a list: <<: [*a, *b]"
            ),
            // Characters
            (
                "a: \u{1}\n",
                #"1:4 the control character U+0001 is not allowed; expected it as \u0001 within double quotes"#
            ),
        ])
    func failuresAreDescribedInAnAuthorsTerms(text: String, expected: String) {
        let error = #expect(throws: YAMLError.self) { try JSONValue(parsingYAML: text) }
        let words = error?.description.replacing("line \(error?.line ?? 0), column \(error?.column ?? 0): ", with: "")
        #expect("\(error?.line ?? 0):\(error?.column ?? 0) \(words ?? "")" == expected)
    }

    @Test(arguments: [[0x6E], Array("n: nnnn\n".utf8), [0xE4, 0x6E, 0x6E], [0xBF, 0x6E, 0x6E, 0x6E]] as [[UInt8]])
    func aByteOfAnotherEncodingIsNamed(rest: [UInt8]) {
        let error = #expect(throws: YAMLError.self) { try JSONValue(parsingYAML: Array("a: h".utf8) + [0xE4] + rest) }
        #expect(error?.description == "line 1, column 5: the byte 0xE4 is not UTF-8; expected the file in UTF-8")
    }

    @Test func aRepeatedAnchorIsARemark() throws {
        var warnings: [YAMLError] = []
        var outline = DocumentOutline()
        let text = "a: &x 1\nb: { c: &x 2 }\nd: [*x]\n"
        let value = try JSONValue(parsingYAML: Array(text.utf8), outline: &outline, warnings: &warnings)
        #expect(value["d"] == [2])
        #expect(
            warnings.map(\.description) == [
                "line 2, column 9: duplicate anchor &x, first in line 1, column 4; "
                    + "an alias refers to the last one before it; expected each anchor once"
            ])
    }
}
