/// Cases of the compliance suite in which the default dialect follows WireMock, or cannot do better.
enum IntendedDifferences {
    /// Valid expressions with another result.
    static let results: [(reason: String, names: [String])] = [
        (
            "a list of names at the end of a path yields one object with these members",
            [
                "basic, descendant segment, multiple selectors",
                "basic, descendant segment, object traversal, multiple selectors",
                "filter, followed by child segment that selects multiple elements",
                "functions, count, multiple-selector arg",
                "whitespace, selectors, newline between comma and selector",
                "whitespace, selectors, newline between selector and comma",
                "whitespace, selectors, return between comma and selector",
                "whitespace, selectors, return between selector and comma",
                "whitespace, selectors, space between comma and selector",
                "whitespace, selectors, space between selector and comma",
                "whitespace, selectors, tab between comma and selector",
                "whitespace, selectors, tab between selector and comma",
            ]
        ),
        (
            "a filter on an object asks the object itself, not its members",
            [
                "filter, absolute existence, without segments", "filter, existence, without segments",
                "filter, name segment on primitive, selects nothing", "filter, object data",
            ]
        ),
        (
            "a number equals the text that spells it",
            [
                "filter, equals number", "filter, equals number, decimal fraction",
                "filter, equals number, decimal fraction, negative exponent",
                "filter, equals number, decimal fraction, trailing 0", "filter, equals number, exponent leading -0",
                "filter, equals number, negative exponent", "filter, equals number, negative zero and zero",
                "filter, equals number, zero and negative zero", "filter, equals numeric string, double quotes",
                "filter, equals numeric string, single quotes", "filter, not-equals number",
                "filter, not-equals numeric string, double quotes",
                "filter, not-equals numeric string, single quotes",
            ]
        ),
        (
            "a missing value equals nothing, not even another missing one",
            [
                "filter, equals, absent from index selector equals absent from name selector",
                "filter, equals, empty node list and empty node list",
                "filter, equals, empty node list and special nothing", "filter, equals, special nothing",
            ]
        ),
        (
            "only numbers and texts are ordered",
            [
                "filter, greater than or equal to false", "filter, greater than or equal to null",
                "filter, greater than or equal to true", "filter, less than or equal to false",
                "filter, less than or equal to null", "filter, less than or equal to true",
            ]
        ),
        (
            "a path to many values exists if it can be walked, whatever it finds",
            [
                "filter, nested", "filter, non-singular existence, multiple",
                "filter, non-singular existence, negated", "filter, non-singular existence, slice",
                "filter, non-singular existence, wildcard",
            ]
        ),
        (
            "slices count as WireMock's: a step is ignored, bounds of different sign do not meet",
            [
                "slice selector, excessively large from value with negative step",
                "slice selector, excessively large step", "slice selector, excessively small from value",
                "slice selector, excessively small step",
                "slice selector, excessively small to value with negative step",
                "slice selector, larger negative range with larger negative step",
                "slice selector, maximal range with negative step", "slice selector, negative from, positive to",
                "slice selector, negative from, positive to, negative step",
                "slice selector, negative range with larger negative step",
                "slice selector, negative range with negative step", "slice selector, negative step with default end",
                "slice selector, negative step with default start", "slice selector, positive from, negative to",
                "slice selector, positive from, negative to, negative step",
                "slice selector, slice selector with step", "slice selector, zero step",
                "whitespace, slice, newline between colon and end",
                "whitespace, slice, newline between colon and step",
                "whitespace, slice, newline between end and colon",
                "whitespace, slice, newline between start and colon",
                "whitespace, slice, return between colon and end", "whitespace, slice, return between colon and step",
                "whitespace, slice, return between end and colon",
                "whitespace, slice, return between start and colon", "whitespace, slice, space between colon and end",
                "whitespace, slice, space between colon and step", "whitespace, slice, space between end and colon",
                "whitespace, slice, space between start and colon", "whitespace, slice, tab between colon and end",
                "whitespace, slice, tab between colon and step", "whitespace, slice, tab between end and colon",
                "whitespace, slice, tab between start and colon",
            ]
        ),
        (
            "behind `..` a filter finds objects, and elements of arrays for which it holds too",
            [
                "whitespace, functions, newlines in an absolute singular selector",
                "whitespace, functions, returns in an absolute singular selector",
                "whitespace, functions, spaces in an absolute singular selector",
                "whitespace, functions, tabs in an absolute singular selector",
            ]
        ),
    ]

    /// Invalid expressions that are accepted, because Jayway accepts them.
    static let spellings: [(reason: String, names: [String])] = [
        (
            "blanks at the end are ignored",
            [
                "basic, no trailing whitespace"
            ]
        ),
        (
            "a name without quotes may hold almost any character",
            [
                "basic, name shorthand, number", "basic, name shorthand, symbol",
            ]
        ),
        (
            "a path to many values stands for the list of them",
            [
                "filter, absolute non-singular query, combined, equal",
                "filter, absolute non-singular query, combined, less-or-equal",
                "filter, absolute non-singular query, combined, not equal",
                "filter, absolute non-singular query, index, equal",
                "filter, absolute non-singular query, index, less-or-equal",
                "filter, absolute non-singular query, index, not equal",
                "filter, absolute non-singular query, name, equal",
                "filter, absolute non-singular query, name, less-or-equal",
                "filter, absolute non-singular query, name, not equal",
                "filter, absolute non-singular query, slice, equal",
                "filter, absolute non-singular query, slice, less-or-equal",
                "filter, absolute non-singular query, slice, not equal",
                "filter, absolute non-singular query, wildcard, equal",
                "filter, absolute non-singular query, wildcard, less-or-equal",
                "filter, absolute non-singular query, wildcard, not equal",
                "filter, non-singular query in comparison, all children",
                "filter, non-singular query in comparison, combined",
                "filter, non-singular query in comparison, descendants",
                "filter, non-singular query in comparison, slice",
                "filter, relative non-singular query, combined, equal",
                "filter, relative non-singular query, combined, less-or-equal",
                "filter, relative non-singular query, combined, not equal",
                "filter, relative non-singular query, index, equal",
                "filter, relative non-singular query, index, less-or-equal",
                "filter, relative non-singular query, index, not equal",
                "filter, relative non-singular query, name, equal",
                "filter, relative non-singular query, name, less-or-equal",
                "filter, relative non-singular query, name, not equal",
                "filter, relative non-singular query, slice, equal",
                "filter, relative non-singular query, slice, less-or-equal",
                "filter, relative non-singular query, slice, not equal",
                "filter, relative non-singular query, wildcard, equal",
                "filter, relative non-singular query, wildcard, less-or-equal",
                "filter, relative non-singular query, wildcard, not equal",
                "functions, length, non-singular query arg",
                "functions, length, non-singular query arg, multiple index selectors",
                "functions, length, non-singular query arg, multiple name selectors",
            ]
        ),
        (
            "Java reads leading zeros and -0",
            [
                "filter, equals number, invalid 00", "filter, equals number, invalid leading 0", "index selector, -0",
                "index selector, leading -0", "index selector, leading 0", "slice selector, end, -0",
                "slice selector, end, leading -0", "slice selector, end, leading 0", "slice selector, start, -0",
                "slice selector, start, leading -0", "slice selector, start, leading 0", "slice selector, step, -0",
                "slice selector, step, leading -0", "slice selector, step, leading 0",
            ]
        ),
        (
            "control characters in quotes stand for themselves",
            [
                "name selector, double quotes, embedded U+0000", "name selector, double quotes, embedded U+0001",
                "name selector, double quotes, embedded U+0002", "name selector, double quotes, embedded U+0003",
                "name selector, double quotes, embedded U+0004", "name selector, double quotes, embedded U+0005",
                "name selector, double quotes, embedded U+0006", "name selector, double quotes, embedded U+0007",
                "name selector, double quotes, embedded U+0008", "name selector, double quotes, embedded U+0009",
                "name selector, double quotes, embedded U+000A", "name selector, double quotes, embedded U+000B",
                "name selector, double quotes, embedded U+000C", "name selector, double quotes, embedded U+000D",
                "name selector, double quotes, embedded U+000E", "name selector, double quotes, embedded U+000F",
                "name selector, double quotes, embedded U+0010", "name selector, double quotes, embedded U+0011",
                "name selector, double quotes, embedded U+0012", "name selector, double quotes, embedded U+0013",
                "name selector, double quotes, embedded U+0014", "name selector, double quotes, embedded U+0015",
                "name selector, double quotes, embedded U+0016", "name selector, double quotes, embedded U+0017",
                "name selector, double quotes, embedded U+0018", "name selector, double quotes, embedded U+0019",
                "name selector, double quotes, embedded U+001A", "name selector, double quotes, embedded U+001B",
                "name selector, double quotes, embedded U+001C", "name selector, double quotes, embedded U+001D",
                "name selector, double quotes, embedded U+001E", "name selector, double quotes, embedded U+001F",
                "name selector, single quotes, embedded U+0000", "name selector, single quotes, embedded U+0001",
                "name selector, single quotes, embedded U+0002", "name selector, single quotes, embedded U+0003",
                "name selector, single quotes, embedded U+0004", "name selector, single quotes, embedded U+0005",
                "name selector, single quotes, embedded U+0006", "name selector, single quotes, embedded U+0007",
                "name selector, single quotes, embedded U+0008", "name selector, single quotes, embedded U+0009",
                "name selector, single quotes, embedded U+000A", "name selector, single quotes, embedded U+000B",
                "name selector, single quotes, embedded U+000C", "name selector, single quotes, embedded U+000D",
                "name selector, single quotes, embedded U+000E", "name selector, single quotes, embedded U+000F",
                "name selector, single quotes, embedded U+0010", "name selector, single quotes, embedded U+0011",
                "name selector, single quotes, embedded U+0012", "name selector, single quotes, embedded U+0013",
                "name selector, single quotes, embedded U+0014", "name selector, single quotes, embedded U+0015",
                "name selector, single quotes, embedded U+0016", "name selector, single quotes, embedded U+0017",
                "name selector, single quotes, embedded U+0018", "name selector, single quotes, embedded U+0019",
                "name selector, single quotes, embedded U+001A", "name selector, single quotes, embedded U+001B",
                "name selector, single quotes, embedded U+001C", "name selector, single quotes, embedded U+001D",
                "name selector, single quotes, embedded U+001E", "name selector, single quotes, embedded U+001F",
            ]
        ),
        (
            "an escape without a meaning stands for its character",
            [
                "name selector, double quotes, 0 escape", "name selector, double quotes, bell escape",
                "name selector, double quotes, escape at end of line",
                "name selector, double quotes, invalid escaped single quote",
                "name selector, double quotes, n escape", "name selector, double quotes, question mark escape",
                "name selector, double quotes, unicode escape upper u",
                "name selector, double quotes, unicode escape upper u long",
                "name selector, double quotes, vertical tab escape", "name selector, double quotes, x escape",
                "name selector, single quotes, invalid escaped double quote",
            ]
        ),
        (
            "functions at the end of a path",
            [
                "name selector, double quotes, high high surrogate",
                "name selector, double quotes, low low surrogate",
                "name selector, double quotes, non-surrogate surrogate",
                "name selector, double quotes, single high surrogate",
                "name selector, double quotes, single low surrogate",
                "name selector, double quotes, supplementary surrogate",
                "name selector, double quotes, surrogate non-surrogate",
                "name selector, double quotes, surrogate supplementary",
            ]
        ),
    ]

    /// Recorded pairs that deviate from WireMock on purpose.
    static let fromWireMock: [(reason: String, cases: [String])] = [
        (
            "valid by RFC 9535, or a blank too few or too many: refused there",
            [
                "$.a.c[::2]", "$.a.c[::-1]", "$.list[?@.id==1]", "$ .a", "$.a .b", "$.a['b',\"s\"]", "$.a[\"b\",'s']",
                "$.nums[:]", "$.nums[ 1 : 3 ]", "$.nums[0:2,3]", "$.nums[0,'a']", "$.list[?(@.id in[1])]",
                "$.list[*,0]", "$.list[?(@.id),?(@.n)]", "$.list[?(@.id),0]", "$.list[0] .id", "$.list [0]",
                "$.list[99999999999]", "$.list[2147483648]", "$.list[:]", "$.list[::]", "$.list[?(length(@.n) == 3)]",
                "$.list[?(count(@.t[*]) == 2)]", "$.list[?(match(@.n, 'o.*'))]", "$.list[?@.id]",
                "$.list[?@.id == 1]", "$.list[?(@.id == 1) && (@.n)]",
            ]
        ),
        (
            "can never mean what its writer wanted: there it is accepted and finds nothing, or something else",
            [
                "$.'a'", "$.a[", "$.a]", "$.a.length().b", "$..length()", "$.nums.length()[0]",
                "$.list[?(!@.id == 1)]", "$.list[0]id", "$.a\t", "$.*a", "$.list[1:2:3:4]", "$.list[?(@.n,@.id)]",
            ]
        ),
        (
            "keys() yields names that matchers and templates can see; there an object of Java that they cannot",
            [
                "$.a.keys()", "$..t.keys()", "$..a.keys()", "$..zz[0,0][*].keys()", "$..mix[0:-4][1,0].keys()",
            ]
        ),
        (
            "length() counts what its argument finds, and `..*` finds everything",
            [
                "$..*.length()", "$.length($.nums)", "$.length($.a)", "$.length('abc')",
            ]
        ),
        (
            "the first element, counted from the end, exists",
            [
                "$.one.last()", "$.one.index(-1)", "$.nums.index(-5)",
            ]
        ),
        (
            "a step behind `..[…]` is walked; there it is lost",
            [
                "$..[*].id", "$..[0:2].id", "$..[0,1].id", "$..*.id",
            ]
        ),
        (
            "`all` is served; there it never holds",
            [
                "$.list[?(@.t all ['x'])]"
            ]
        ),
        (
            "`&&` needs no blanks",
            [
                "$.list[?(@.id&&@.n)]"
            ]
        ),
        (
            "texts: half of a surrogate pair is U+FFFD, a byte order mark is skipped, a no-break space is a character",
            [
                "$.a on {\"a\":\"\\ud83d\"}", "$.a on \u{FEFF}{\"a\":1}", "$.a on {\"a\":1\u{A0}}",
            ]
        ),
        (
            "`$` is the document in a test of existence too; there it is the element",
            [
                "$.list[?(!$.odd)]['n']",
                "$.list[*][?(@.strs === null && $.n && $.k != {} || @.o.p > false && @.list contains {'p':1})]['n']",
                "$.list[*][?($.deep || @ contains \"x\")]",
            ]
        ),
        (
            "lists of lists or objects can be searched; there the evaluation fails",
            [
                "$.list[?($.deep subsetof ['x','y'])]", "$.nums[?(@.o.p in $.deep)]",
                "$.mix[?($.list =~ /[a-z]+/ && !@.t.length())]['n']",
            ]
        ),
        (
            "an object can be empty; there the evaluation fails",
            [
                "$.list[?(@ empty -1 || @.mix contains {'p':1})]['n']", "$.a[?(!@.o.p && @ empty {})]",
                "$.nums[?($.a empty 1.0 || @.o.p <= '3' && @.t.length() != 2)]", "$.list[?(@ empty @['strs'])]['n']",
                "$..list[?(@.t[0] <= false || @ empty [1,2])].id",
            ]
        ),
        ("a template that looks into null finds nothing; there it breaks down", ["$ on null"]),
    ]
}
