"""Lists and maps."""

from . import cases as asked, values


def cases():
    yield from asked(
        "{{array 1 2 3}}", "{{array}}", "{{array 'a'}}", "{{array 'a' missing 'b'}}", "{{array missing}}", "{{array null}}",
        "{{array missing 'a'}}", "{{array 1 'a' true 1.5}}", "{{array (array 1 2) 3}}", "{{array ''}}", "{{size (array)}}",
        "{{size (array missing)}}", "{{size (array 'a' missing)}}", "{{#array 1 2}}x{{/array}}",
        "{{toJson (array 1 'a' true 1.5 missing)}}", "{{toJson (array)}}", "{{lookup (array 'a' 'b') 0}}",
        "{{#each (array 1 2)}}{{this}}{{/each}}", "{{array x=1}}", "{{array 1 x=2}}",
        "{{#with (array 'a' 'b')}}{{this.[1]}}{{/with}}", "{{#if (array 0)}}a{{else}}b{{/if}}", "{{array request.method}}")
    # A missing first item makes an empty list; an empty text is an item.
    yield from asked(
        "{{size (array '')}}", "{{size (array missing 'a')}}", "{{size (array '' 'a')}}", "{{size (array 0 1)}}",
        "{{size (array false)}}",
        "{{size (arrayAdd missing 3)}}", "{{toJson (array '')}}", "{{toJson (array missing 'a')}}",
        "{{toJson (array false 0 '')}}",
        "{{size (array (array))}}", "{{toJson (array (array))}}", "{{toJson (arrayAdd (array) missing)}}",
        "{{toJson (arrayAdd (array 1 2) 3 position='Start')}}", "{{toJson (arrayRemove (array 1 2) position='START')}}",
        "{{toJson (arrayAdd (array 1 2) 3 position='01')}}", "{{toJson (arrayAdd (array 1 2) 3 position=' 1')}}",
        "{{toJson (arrayAdd (array 1 2) 3 position='')}}", "{{contains (array '') ''}}", "{{join (array '' 'a') ','}}",
        "{{join '' 'a' ','}}", "{{arrayJoin ',' '' 'a'}}", "{{#each (array missing 'a')}}x{{else}}none{{/each}}")
    yield from asked(
        "{{arrayAdd (array 1 2) 3}}", "{{arrayAdd (array 1 2) 3 position='end'}}",
        "{{arrayAdd (array 1 2) 3 position='start'}}", "{{arrayAdd (array 1 2) 3 position=0}}",
        "{{arrayAdd (array 1 2) 3 position=1}}", "{{arrayAdd (array 1 2) 3 position=2}}",
        "{{arrayAdd (array 1 2) 3 position=3}}", "{{arrayAdd (array 1 2) 3 position=-1}}",
        "{{arrayAdd (array 1 2) 3 position='1'}}", "{{arrayAdd (array 1 2) 3 position='x'}}",
        "{{arrayAdd (array 1 2) 3 position=1.5}}", "{{arrayAdd (array 1 2) 3 position='END'}}",
        "{{arrayAdd (array 1 2) 3 position=missing}}", "{{arrayAdd (array 1 2) 3 position=true}}", "{{arrayAdd (array 1 2)}}",
        "{{arrayAdd}}", "{{arrayAdd missing 3}}", "{{arrayAdd (array) 3}}", "{{arrayAdd (array 1 2) missing}}",
        "{{arrayAdd (array 1 2) 3 4}}", "{{arrayAdd (array 1 2) (array 3 4)}}", "{{arrayAdd 'a' 3}}", "{{arrayAdd 1 3}}",
        "{{arrayAdd (parseJson '{\"a\":1}') 3}}", "{{arrayAdd (parseJson '[1,2]') 3}}",
        "{{#arrayAdd (array 1 2) 3}}x{{/arrayAdd}}", "{{size (arrayAdd (array 1 2) 3)}}",
        "{{arrayAdd (arrayAdd (array) 'a') 'b'}}", "{{arrayAdd missing 3 position=1}}", "{{arrayAdd 'a' 3 position='x'}}",
        "{{arrayAdd 'a'}}", "{{arrayAdd (array 1 2) 3 position='start ' }}", "{{arrayAdd (range 1 2) 3}}",
        "{{toJson (arrayAdd (array 1) 'x')}}", "{{arrayRemove (array 1 2 3)}}", "{{arrayRemove (array 1 2 3) position='end'}}",
        "{{arrayRemove (array 1 2 3) position='start'}}", "{{arrayRemove (array 1 2 3) position=0}}",
        "{{arrayRemove (array 1 2 3) position=1}}", "{{arrayRemove (array 1 2 3) position=2}}",
        "{{arrayRemove (array 1 2 3) position=3}}", "{{arrayRemove (array 1 2 3) position=-1}}",
        "{{arrayRemove (array 1 2 3) position='1'}}", "{{arrayRemove (array 1 2 3) position='x'}}", "{{arrayRemove (array)}}",
        "{{arrayRemove (array) position=0}}", "{{arrayRemove (array) position='start'}}", "{{arrayRemove missing}}",
        "{{arrayRemove}}", "{{arrayRemove 'a'}}", "{{arrayRemove (array 1 2 3) 1}}", "{{arrayRemove (array 1 2 3) 'x'}}",
        "{{arrayRemove (parseJson '[1,2]')}}", "{{arrayRemove (array 1) }}", "{{#arrayRemove (array 1 2)}}x{{/arrayRemove}}",
        "{{arrayRemove (array 1 2 3) position=1.5}}", "{{arrayJoin ',' (array 1 2 3)}}", "{{arrayJoin ', ' (array 'a' 'b')}}",
        "{{arrayJoin ',' 1 2 3}}", "{{arrayJoin ',' 'a' 'b'}}", "{{arrayJoin ',' 'a'}}", "{{arrayJoin ',' (array 'a')}}",
        "{{arrayJoin ',' (array)}}", "{{arrayJoin ',' (array) prefix='[' suffix=']'}}",
        "{{arrayJoin ',' (array 1 2) prefix='[' suffix=']'}}", "{{arrayJoin ',' (array 1 2) prefix='['}}",
        "{{arrayJoin ',' (array 1 2) suffix=']'}}", "{{arrayJoin ',' missing}}", "{{arrayJoin ','}}", "{{arrayJoin}}",
        "{{arrayJoin 1 (array 1 2)}}", "{{arrayJoin missing (array 1 2)}}", "{{arrayJoin (array 1 2) ','}}",
        "{{arrayJoin ',' 1}}", "{{arrayJoin ',' (parseJson '{\"a\":1}')}}", "{{arrayJoin '' (array 1 2)}}",
        "{{arrayJoin ',' (array 1 missing 2)}}", "{{arrayJoin ',' 'a' missing 'b'}}",
        "{{arrayJoin ',' (array 'a' (array 1 2))}}", "{{arrayJoin ',' (range 1 3)}}", "{{arrayJoin ',' (array 1 2) (array 3)}}",
        "{{arrayJoin ',' (array 1.0 true 'x')}}", "{{arrayJoin ',' (array 1 2) prefix=1 suffix=2}}",
        "{{#arrayJoin ',' (array 1 2 3)}}<{{this}}>{{/arrayJoin}}",
        "{{#arrayJoin ',' (array 1 2 3)}}{{@index}}{{this}}{{/arrayJoin}}",
        "{{#arrayJoin ',' (array 1 2 3) as |i|}}<{{i}}>{{/arrayJoin}}",
        "{{#arrayJoin ',' (array 1 2 3) as |i n|}}<{{i}}{{n}}>{{/arrayJoin}}", "{{#arrayJoin ',' (array) }}x{{/arrayJoin}}",
        "{{#arrayJoin ',' (array)}}x{{else}}y{{/arrayJoin}}",
        "{{#arrayJoin ',' (array 1 2) prefix='[' suffix=']'}}<{{this}}>{{/arrayJoin}}",
        "{{#arrayJoin ',' 1 2}}<{{this}}>{{/arrayJoin}}", "{{#arrayJoin ','}}x{{/arrayJoin}}",
        "{{#arrayJoin ',' (array 1 2)}}\n {{this}}\n{{/arrayJoin}}",
        "{{#arrayJoin ',' (parseJson '[{\"a\":1},{\"a\":2}]')}}{\"x\":{{a}} }{{/arrayJoin}}",
        "{{#arrayJoin ',' (array 1 2)}}{{request.method}}{{../request.method}}{{/arrayJoin}}",
        "{{#arrayJoin ',' (array 1 2)}}{{@first}}{{@last}}{{@key}}{{/arrayJoin}}",
        "{{#arrayJoin ',' (array 1 2)}}{{/arrayJoin}}")
    yield from values(
        "{{arrayJoin ',' parameters.words}}", "{{arrayJoin ',' parameters.mixed}}", "{{arrayJoin ',' parameters.nullList}}",
        "{{arrayJoin ',' parameters.map}}", "{{arrayJoin ',' parameters.text}}",
        "{{#arrayJoin ';' parameters.people}}{{name}}={{age}}{{/arrayJoin}}", "{{arrayAdd parameters.list 4}}",
        "{{arrayAdd parameters.list 4}}{{parameters.list}}", "{{arrayRemove parameters.list}}{{parameters.list}}",
        "{{arrayAdd parameters.words parameters.text position=1}}", "{{arrayAdd parameters.map 1}}",
        "{{arrayRemove parameters.emptyList}}")
    yield from asked(
        "{{arrayJoin ',' request.query.q}}", "{{arrayJoin ',' request.query.name}}", "{{arrayAdd request.query.q 'x'}}",
        "{{arrayRemove request.query.q}}", "{{arrayJoin '/' request.path}}", "{{arrayJoin '/' request.pathSegments}}",
        "{{#arrayJoin ',' request.headers.x-many}}<{{this}}>{{/arrayJoin}}", request="full")
    # A text contains a text, a collection contains an element.
    yield from asked(
        "{{contains 'abc' 'b'}}", "{{contains 'abc' 'x'}}", "{{contains 'abc' ''}}", "{{contains '' ''}}",
        "{{contains '' 'a'}}", "{{contains 'abc'}}", "{{contains}}", "{{contains missing 'a'}}", "{{contains 'abc' missing}}",
        "{{contains (array 'a' 'b') 'a'}}", "{{contains (array 'a' 'b') 'c'}}", "{{contains (array 1 2) 1}}",
        "{{contains (array 1 2) '1'}}", "{{contains (array) 'a'}}", "{{contains (array 'abc') 'b'}}", "{{contains 123 '2'}}",
        "{{contains 123 2}}", "{{contains 'a1' 1}}", "{{contains true 'ru'}}", "{{#contains 'abc' 'b'}}y{{else}}n{{/contains}}",
        "{{#contains 'abc' 'x'}}y{{else}}n{{/contains}}", "{{#contains 'abc' 'x'}}y{{/contains}}",
        "{{#contains missing 'x'}}y{{else}}n{{/contains}}", "{{#contains (array 1 2) 2}}y{{else}}n{{/contains}}",
        "{{#if (contains 'abc' 'b')}}y{{/if}}", "{{contains 'ABC' 'b'}}", "{{contains (parseJson '{\"a\":1}') 'a'}}",
        "{{contains (parseJson '[1,\"a\"]') 'a'}}", "{{contains (array 1.0) 1}}", "{{contains (array missing) missing}}",
        "{{contains 'abc' 'a' 'x'}}", "{{contains 'a.c' 'a.'}}", "{{contains (array null 'a') 'a'}}", "{{matches 'abc' 'a.c'}}",
        "{{matches 'abc' 'b'}}", "{{matches 'abc' '.*b.*'}}", "{{matches '' ''}}", "{{matches '' '.*'}}", "{{matches 'abc'}}",
        "{{matches}}", "{{matches missing 'a'}}", "{{matches 'abc' missing}}", "{{matches 123 '[0-9]+'}}",
        "{{matches 123 123}}", "{{matches true 'true'}}", "{{matches 'abc' '('}}", "{{matches 'abc' '[a'}}",
        "{{#matches 'abc' '('}}y{{else}}n{{/matches}}", "{{#matches 'abc' 'a.c'}}y{{else}}n{{/matches}}",
        "{{#matches 'abc' 'x'}}y{{else}}n{{/matches}}", "{{#matches 'abc'}}y{{else}}n{{/matches}}",
        "{{matches 'ABC' '(?i)abc'}}", "{{matches 'a\nb' 'a.b'}}", "{{matches 'a\nb' '(?s)a.b'}}", "{{matches 'a1' '\\w\\d'}}",
        "{{matches 'a.c' 'a\\.c'}}", "{{matches 'abc' '^abc$'}}", "{{#if (matches 'abc' 'a.*')}}y{{/if}}",
        "{{matches (array 'a') '\\[a\\]'}}", "{{matches 'abc' 'abc' 'x'}}", "{{matches 'é' '\\p{L}'}}",
        "{{matches 'aa' '(a)\\1'}}")
    yield from asked(
        "{{contains request.body 'Ann'}}", "{{contains request.headers.Content-Type 'json'}}",
        "{{contains request.headers.Content-Type 'application/json'}}", "{{matches request.body '.*Ann.*'}}",
        "{{matches request.headers.Content-Type 'application/.*'}}", "{{contains request.url 'things'}}",
        "{{contains request.path 'things'}}", "{{contains request.method 'POST'}}", "{{matches request.method 'POST'}}",
        "{{matches request.path '/things'}}", "{{contains (jsonPath request.body '$.list') 2}}",
        "{{contains (jsonPath request.body '$.words') 'b'}}", "{{contains (jsonPath request.body '$.user') 'first'}}",
        "{{contains request.query 'q'}}", "{{contains request.headers 'host'}}", request="json")
