#!/usr/bin/env python3
"""Records what JSONPath expressions find in documents in the real WireMock.

    python3 Tools/oracle/record_jsonpath.py > Tests/Oracle/jsonpath.json

Each expression becomes four stubs: the simple form of matchesJsonPath, and the advanced form with `absent`, with
`anything` and with an `equalTo` that never matches. The report of the last one shows the first thing that was found, as
a text matcher sees it. A response template shows the whole result.

A case is [expression, number of its document, answers]. The answers are null for an expression that is refused, otherwise
the verdicts of the first three stubs (1, 0, or ! where the server broke down), the first thing found (null for
none), and the whole result (left out where it is the same).

The jar is found at $STUNTDOUBLE_ORACLE or as ../shared/oracle/*.jar beside the package. Only the standard library is used.
"""

import http.client
import json
import random
import sys
import urllib.parse

from recording import one_a_line
from wiremock import WireMock

# Wide enough that no line of a report is wrapped.
WIDTH = 8000
NEVER = "never"

SHOP = '{"a":{"b":1,"c":[1,2,3.5],"n":null,"s":"txt","e":{},"ea":[],"t":true,"x y":5,"length":9},"list":[{"id":1,"n":"one"},{"id":2,"n":"two","k":null},{"id":"3"}],"nul":null,"big":12345678901234567890,"exp":1e3,"f":1.0,"str":"hello","nums":[3,1,2]}'

MIXED = '{"a":{"b":1,"c":[1,2,3.5],"n":null,"s":"txt"},"list":[{"id":1,"n":"one","t":["x","y"]},{"id":2,"n":"two","k":null,"t":[]},{"id":"3","o":{"p":1}}],"nums":[3,1,2,5,4],"one":[7],"strs":["a","b",1],"mix":[1,"1",null,true,{"x":1},[1]],"str":"hello","deep":[[{"id":5,"x":{"id":6}}],[{"id":7}]],"odd":{"a\'b":1,"a\\"b":2,"a.b":3,"":4,"*":5,"a&b":6,"@":7}}'

ON_SHOP = [
    '$', '$.a', '$.a.b', 'a.b', 'a', '@.a.b', '$.a.n', '$.nul', '$.zz', '$.a.zz', '$.zz.b', '$.a.c[0]', '$.a.c[9]', '$.a.c[-1]',
    '$.a.c[-9]', '$.a.c[0,2]', '$.a.c[0,9]', '$.a.c[0:2]', '$.a.c[::2]', '$.a.c[::-1]', '$.a.c[1:]', '$.a.c[:-1]', '$.a.c[-2:]',
    '$.a.c[*]', '$.a.c.*', '$.a.*', '$..id', '$..zz', '$..', '$..*', '$...id', '$.a..', '$.list[*].k', '$.list[*].zz',
    "$.list[*]['id','n']", "$.list[*]['id','zz']", "$.a['b','s']", "$.a['b','zz']", "$['a']['b']", '$["a"]["b"]', "$['a'].b", "$.'a'",
    '$.a.x y', "$.a['x y']", '$.a.length()', '$.a.c.length()', '$.a.s.length()', '$.a.b.length()', '$.a.zz.length()', '$.zz.length()',
    '$..id.length()', '$.list.length()', '$.list[*].length()', '$.list.size()', '$.nums.min()', '$.nums.max()', '$.nums.avg()',
    '$.nums.sum()', '$.nums.stddev()', '$.nums.first()', '$.nums.last()', '$.nums.index(1)', '$.nums.index(-1)', '$.nums.index(9)',
    '$.nums.append(4)', '$.nums.concat()', '$.str.concat("x")', '$.concat($.str,"x",$.a.s)', '$.a.keys()', '$.nums.keys()',
    '$.str.keys()', '$.min($.nums[0],$.nums[1])', '$.sum(1,2,3)', '$.sum($..id)', '$.str.min()', '$.a.s.sum()', '$.list[?(@.id==1)]',
    "$.list[?(@.id=='1')]", '$.list[?(@.id=="3")]', '$.list[?(@.id==3)]', '$.list[?(@.n)]', '$.list[?(!@.n)]', '$.list[?(!(@.n))]',
    '$.list[?(@.k)]', '$.list[?(@.k==null)]', '$.list[?(@.zz==null)]', '$.list[?(@.k!=null)]', "$.list[?(@.n=='one' && @.id==1)]",
    "$.list[?(@.n=='one' || @.id==2)]", '$.list[?(@.n =~ /o.*/)]', '$.list[?(@.n =~ /O.*/i)]', '$.list[?(@.n =~ /o/)]',
    "$.list[?(@.n in ['one','x'])]", "$.list[?(@.n nin ['one','x'])]", '$.list[?(@.id > 1)]', "$.list[?(@.id >= '1')]",
    '$.list[?(@.id < 2)]', '$.list[?(@.n size 3)]', '$.list[?(@.n empty true)]', '$.list[?(@.n empty false)]',
    "$.list[?(@.n contains 'n')]", '$[?(@.c)]', '$[?(@.b==1)]', '$.a[?(@.b==1)]', '$.a.c[?(@>1)]', '$.nums[?(@ > 1)]',
    '$.nums[?(@ == 1)]', '$.list[?@.id==1]', '$.list[?(@.id==$.a.b)]', '$.list[?($.a.b==@.id)]', '$.list[?(1==@.id)]',
    "$.list[?(@['id']==1)]", '$.list[?(@.n.length()==3)]', '$.list[?(@.n.length() > 2)]', '$.list[(@.length-1)]', '$.list[?(true)]',
    '$.list[?(1==1)]', '$.list[?(1)]', "$.list[?('a'=='a')]", '$.list[?(@)]', '$.list[?()]', '$.list[?(@.id==1)].n',
    '$.list[?(@.id==9)].n', '$.list[?(@.id==1)][0]', '$.big', '$.exp', '$.f', '$.a.e', '$.a.ea', '$.a.ea[*]', '$.a.e.*', '$.a.ea[0]',
    '$.str[0]', '$.a.b.c', '$.a.n.c', '$.a.s.*', '$.str.*', '$[*]', '$.*', '$[0]', '$.list.id', '$.list.n', "$.list['id']", '$.a.', '$.',
    '.a', '$a', '$.a[', '$.a]', "$.a['b'", '$.a[b]', '$.a[]', '$.a.c[a]', '$.a.c[1.5]', '$.a.c[1:2:0]', '$.a.c[ 0 ]', "$[ 'a' ]", '$. a',
    '$ .a', ' $.a ', '$.a .b', '$.list[?(@.id==1]', '$.list[?(@.id===1)]', '$.list[?(@.id!==1)]', '$.list[?(@.id=1)]',
    '$.list[?(@.id==)]', '$.list[?(@.id<>1)]', '$.list[?(@.id eq 1)]', "$.list[?(@.n=='one'&&)]", '$.foo()', '$.length()', '$.length',
    '$.a.length', '$.a.length().b', '$.nums.sum(1)', '$..c.length()', '$..c.sum()', '$.list[*].id.sum()', '$.list[0,1].id.sum()',
    '$..id.first()', '$..*.length()', '$..[0]', '$..[*]', '$..list[*]', "$..['id']", "$..['id','n']", '$..[?(@.id)]', '$..[?(@.id==1)]',
    '$..list[?(@.id==1)]', '$..c', '$.list[0:2].id', '$.list[?(@.id in $.nums)]', '$.list[?(@.id nin $.nums)]',
    '$.a[?(@.c subsetof [1,2,3.5,4])]', '$[?(@.c subsetof [1,2,3.5,4])]', '$[?(@.c anyof [1])]', '$[?(@.c noneof [7])]',
    '$[?(@.c size 3)]', '$[?(@.c contains 1)]', "$[?(@.s contains 'x')]", '$[?(@.c empty false)]', '$[?(@.e empty true)]',
    '$[?(@.e == {})]', '$[?(@.ea == [])]', '$[?(@.t == true)]', "$[?(@.t == 'true')]", '$[?(@.c == [1,2,3.5])]', "$.a['b']['c']",
    '$.a[*]', '$.a.*.*', '$.list.*', '$.list.*.id', '$.list..id', '$..a..b', "$['list'][0]['id']", '$.list[0].id', '$.list[00].id',
    '$.list[+1].id', '$.list[-0].id', '$.a[\'b\',"s"]', '$.a["b",\'s\']', "$['a','list']", "$['a','list'].b", "$['a','list']['b']",
    "$['a','list'][0]", "$.list[0,1]['id']", '$.nums[*].length()', '$.nums.length() == 3', '$.a-b', '$.a_b', '$.é', '$.a:b', '$.a,b',
    '$.a@b', '$.a(b',
]

ON_MIXED = [
    '$.nums[0:3:2]', '$.nums[:3:2]', '$.nums[0::2]', '$.nums[1:4:-1]', '$.nums[0:-1]', '$.nums[-3:2]', '$.nums[-2:-1]', '$.nums[-9:2]',
    '$.nums[:-9]', '$.nums[-9:]', '$.nums[3:1]', '$.nums[9:]', '$.nums[:]', '$.nums[ 1 : 3 ]', '$.nums[0,-1]', '$.nums[0,0]',
    '$.nums[2,0]', '$.nums[0 , 1]', '$.nums[0:2,3]', "$.nums[0,'a']", '$.one.last()', '$.one.first()', '$.one.index(-1)',
    '$.nums.index(-5)', '$.nums.index(-6)', '$.nums.index(0)', '$.nums.index()', "$.nums.index('a')", '$.strs.concat()',
    '$.strs.concat("x",1,true)', '$.concat($.a.b,"x")', '$.concat($.strs,"x")', '$.strs.sum()', '$.mix.sum()', '$.mix.max()',
    '$.mix.length()', '$.mix.first()', '$.mix[2]', '$.mix[*]', '$.mix[5]', '$.a.append(1)', '$.str.append(1)', '$.one.append({"a":1})',
    '$.one.append($.a.b)', '$.one.append("x",2)', '$.length($.nums)', '$.length($.a)', '$.length($.str)', "$.length('abc')",
    '$.sum($.nums)', '$.sum($.nums[*])', '$.avg($.nums,10)', '$.nums[*].sum()', '$.nums[0:2].sum()', '$.deep[*].length()',
    '$.list[*].t.length()', '$.list.t.length()', '$..t.length()', '$..nums.sum()', '$..nums[*].sum()', '$..id.sum()', '$..id.min()',
    '$..nums.first()', '$..id.index(0)', '$..t.keys()', '$..a.keys()', '$..length()', '$.LENGTH()', '$.nums.Min()', '$.nums.length( )',
    '$.nums.length().', '$.nums.length()[0]', '$.nums.length', '$.zz[*]', '$.zz[*].a', '$.zz.*', '$.zz..a', '$.zz[?(@.a)]', '$.zz[0]',
    '$.zz[0:1]', "$.zz['a','b']", "$.a['zz','yy']", "$.a['zz','yy'].b", "$['a','zz'].b", "$['zz','yy'].b", "$.str['a','b']", '$.str[0:1]',
    '$.str[?(@.a)]', "$.str[?(@=='hello')]", "$.nums['a']", '$.a.b[*]', '$.str..a', '$..[0].id', '$..[*].id', '$..[0:2].id',
    '$..[0,1].id', '$..list[0].id', '$..list[*].id', '$..list[0]', '$..deep[0][0].id', '$..*.id', '$..deep..id', '$..list..id',
    '$..[?(@.id)].id', '$..[?(@.id)]', '$..[?(@.id==1)].n', '$..[?(@[0])]', '$..[?(@ > 3)]', '$..nums[?(@ > 3)]', '$..a.b',
    "$..['a','list']", "$..['a','zz']", "$..['b','s']", "$..a['b','s']", "$.list[*]['id','n'].x", "$.list[?(@.id)]['id']",
    '$.list[?(@.zz[*])]', '$.list[?(@..zz)]', '$.list[?(@..p)]', '$.list[?(@.t[*])]', '$.list[?(@.t)]', '$.list[?(@.t[0])]',
    "$.list[?(@.t[0]=='x')]", "$.list[?(@.t[*]=='x')]", "$.list[?(@.t=='x')]", "$.list[?(@.t contains 'x')]",
    "$.list[?(@.t[*] contains 'x')]", '$.list[?(@.o.p == 1)]', '$.list[?(@.o == {"p":1})]', "$.list[?(@.o == {'p':1})]",
    "$.list[?(@.t == ['x','y'])]", '$.list[?(@.t == ["x","y"])]', "$.list[?(@.t == ['y','x'])]", '$.list[?(@.t != [])]',
    '$.list[?(@.t empty true)]', '$.list[?(@.t empty)]', '$.list[?(@.t size 2)]', "$.list[?(@.t size '2')]",
    '$.list[?(@.t.length() == 2)]', '$.list[?(@.t.length() > 0)]', '$.list[?(@.length() == 3)]', '$.list[?(@.t.size() == 2)]',
    '$.list[?(@.zz =~ /.*/)]', '$.list[?(@.id =~ /\\d/)]', '$.list[?(@.t =~ /x/)]', '$.list[?(/o.*/ =~ @.n)]', "$.list[?(@.n =~ 'one')]",
    '$.list[?(@.n =~ /ONE/i)]', '$.list[?(@.n =~ /o\\/e/)]', '$.list[?(@.n =~ /[/]/)]', '$.list[?(@.n =~ /(/)]',
    '$.list[?(@.n =~ /one/z)]', '$.list[?(@.n=~/one/)]', '$.list[?(@.id in [1,2])]', "$.list[?(@.id in ['1'])]", '$.list[?(@.id in 1)]',
    '$.list[?(@.id in @.t)]', '$.list[?(1 in @.t)]', "$.list[?('x' in @.t)]", '$.list[?(@.zz in [1])]', '$.list[?(@.zz nin [1])]',
    '$.list[?(@.id IN [1])]', '$.list[?(@.id in[1])]', "$.list[?(@.t subsetof ['x','y','z'])]", "$.list[?(@.t anyof ['x'])]",
    "$.list[?(@.t noneof ['x'])]", "$.list[?(@.t all ['x'])]", "$.list[?(@.n anyof ['one'])]", "$.list[?(@.t anyof 'x')]",
    "$.list[?(@.id==1&&@.n=='one')]", '$.list[?(@.id==1||@.id==2)]', '$.list[?(@.id&&@.n)]', '$.list[?(@.id && @.n)]',
    "$.list[?(@.id == 1 && (@.n == 'x' || @.t))]", '$.list[?((@.id == 1) && (@.n))]', '$.list[?(!(@.id == 1))]', '$.list[?(! @.n)]',
    '$.list[?(!@.id == 1)]', '$.list[?(@.id == 1 and @.n)]', '$.list[?(@.id == -1)]', '$.list[?(@.id == 1.0)]', '$.list[?(@.id == 1e0)]',
    "$.list[?(@.id == '1.0')]", '$.list[?(@.id == true)]', '$.list[?(@.n == one)]', '$.list[?(@.n == "one")]', "$.list[?(@.n > 'o')]",
    '$.list[?(@.n > 1)]', "$.list[?(@.id > '0')]", '$.list[?(null == @.k)]', '$.list[?(@.k == null)].id', '$.list[?(@.k === null)].id',
    "$.list[?(@.id === '1')]", '$.list[?(@.id === 1)]', '$.list[?(@.n == @.n)]', '$.list[?(@.n == $.list[0].n)]',
    '$.list[?(@.zz == @.yy)]', '$.list[?(@.zz != @.yy)]', '$.list[?(@.k >= null)]', '$.list[?(@ == 1)]', '$.mix[?(@ == 1)]',
    "$.mix[?(@ == '1')]", '$.mix[?(@ == null)]', '$.mix[?(@ == true)]', '$.mix[?(@)]', '$.mix[?(!@)]', '$.mix[?(@.x)]',
    '$.mix[?(@ == [1])]', '$.mix[?(@ == {"x":1})]', '$.mix[?(@ != 1)]', '$.nums[?(@ in $.one)]', '$.nums[?(@ >= 3 && @ <= 4)]',
    '$.nums[?(@>=3&&@<=4)]', '$.nums[?( @ > 3 )]', '$.nums[? (@ > 3)]', '$.nums[?(@ > 3) ]', '$.nums[?(@ > $.one[0])]',
    '$.nums[?(@ < $.one[0])]', "$.nums[?(@ < $['one'][0])]", "$[?(@.str == 'hello')]", '$[?(@.str)].str', '$[?(@.nums[0]==3)]',
    "$[?($.str == 'hello')]", "$.str[?(@ == 'hello')]", '$.a[?(@.zz)]', '$.a[?(@.b)].s', "$.odd['a\\'b']", '$.odd["a\\"b"]',
    '$.odd["a\'b"]', '$.odd[\'a"b\']', "$.odd['a.b']", "$.odd['']", "$.odd['*']", '$.odd[*]', '$.odd.a&b', '$.odd.@', "$.odd['\\u0040']",
    "$.odd['\\x']", "$.a['b' , 's']", "$.a['b','s',]", "$.a[,'b']", "$.a['b''s']", "$.a['b's]", '$.a["b]', '$.list[*,0]', '$.list[?]',
    '$.list[?(@.id),?(@.n)]', '$.list[?(@.id),0]', "$['a','list'][*]", '$.[0]', "$.['a']", "$..['a']", '[0]', "['a']", 'a[0]', '*', '..a',
    '$..a.', '$.*.', '$.list.[0]', '$.list.*[0]', '$.list[0]id', '$.list[0] .id', '$.list [0]', '$.list[0]. id', '$.a ', '$.a\t', '$.$.a',
    '$$', '$@', '@', '@.a', 'a b', '$.a?b', '$.a#b', "$.a'b", '$.a"b', '$.a{b', '$.a}b', '$.a)b', '$.a\\b', '$.a=b', '$.a!b', '$.a*',
    '$.*a', "$.list[?(@.n == 'one')]..id", '$.list[99999999999]', '$.list[2147483648]', '$.list[--1]', '$.list[-]', '$.list[:]',
    '$.list[::]', '$.list[1:2:3:4]', "$.list[?(@.n == 'o]ne')]", "$.list[?(@.n == 'o)ne')]", "$.list[?(@.n == 'o\\'ne')]",
    "$.list[?(@['n'] == 'one')]", '$.list[?(@["n"] == "one")]', '$.list[?(@["n","id"])]', '$.list[?(@.n,@.id)]',
    '$.list[?(length(@.n) == 3)]', '$.list[?(count(@.t[*]) == 2)]', "$.list[?(match(@.n, 'o.*'))]", '$.list[?@.id]', '$.list[?@.id == 1]',
    '$.list[?(@.id == 1) && (@.n)]',
]

# Bodies that are not, or only almost, JSON.
LOOSE = [
    '{"a":1}', "{'a':1}", '{a:1}', '{a:b}', '{a:b c}', '{"a":b c , "d":1}', '{a:\'x"y\'}', '{"a":1,}', '{"a":[1,2,]}', '{"a":[1,,2]}',
    '{"a":[,1]}', '{"a":[,]}', '{,"a":1}', '{"a":1,,"b":2}', '{"a":01}', '{"a":-01}', '{"a":00}', '{"a":0}', '{"a":-0}', '{"a":+1}',
    '{"a":.5}', '{"a":5.}', '{"a":1e5}', '{"a":1E5}', '{"a":1e}', '{"a":1.e5}', '{"a":-}', '{"a":1a}', '{"a":1.2.3}', '{"a":0x10}',
    '{"a":1e400}', '{"a":-0.0}', '{"a":1e-7}', '{"a":0.001}', '{"a":0.0001}', '{"a":123456789.5}', '{"a":1234567.5}', '{"a":12345678.5}',
    '{"a":1e21}', '{"a":1.0e10}', '{"a":100}', '{"a":9223372036854775807}', '{"a":9223372036854775808}', '{"a":-9223372036854775808}',
    '{"a":-9223372036854775809}', '{"a":0.1234567890123456789}', '{"a":1.23456789012345678}', '{"a":1234567890.1234567890123}',
    '{"a":3.141592653589793}', '{"a":2e-3}', '{"a":4.35}', '{"a":true}', '{"a":TRUE}', '{"a":True}', '{"a":truex}', '{"a":tru}',
    '{"a":false}', '{"a":null}', '{"a":nul}', '{"a":NULL}', '{"a":NaN}', '{"a":nan}', '{"a":Infinity}', '{"a":-Infinity}',
    '{"a":undefined}', '{"a":"x\\ty"}', '{"a":"x\ty"}', '{"a":"\\u0041\\n\\/\\b"}', '{"a":"\\x41"}', '{"a":"\\q"}', '{"a":"\\u12"}',
    '{"a":"\\ud83d\\ude00"}', '{"a":"\\ud83d"}', '{"a":\'it\\\'s\'}', '{"a":"un', '{"a":"it\'s"}', '{"a":\'}', '{"a":1', '{"a":', '{"a"',
    '{', '[1,2', '[1 2]', '[', '{"a":1}}', '{"a":1} x', '{"a":1}{"b":2}', '[1] 2', '"x" "y"', '1 2', 'hello', 'hello world', '"hello"',
    "'hello'", '1', '-1', '1.5', 'true', 'null', 'nul', '<a/>', ' ', '{"a" 1}', '{"a"=1}', '{"a":1;"b":2}', '{"a":1 "b":2}',
    '{"a":{"b":{}}}', '{"a b":1}', '{a b:1}', '{"a":x:y}', '{"a":x,y}', '{"a":[x,y z]}', '{"a":[x:y]}', '{1:2,"a":3}', '{null:1,"a":2}',
    '{"":1,"a":2}', '{:1,"a":2}', '{"a":1,"a":2}', '{"a":// c', '1}', '{/*c*/"a":1}', '{"a":#1}', '{"a":@x}', '{"a":x#y}', '{"a":x"y}',
    '{"a":x\'y\'}', '{"a":"x"y}', '{"a":"é"}', '{"a":é}', '{"a":(x)}', '{"a":x]}', '{"a":[x}]}', '{"a":x\\n}', '{"a":  x   }',
    '{"a":\'\'}', '{"a":}', '{"a":,"b":1}', '{"a":[]}', '{"a":{}}', '{"a":{,}}', '{}', '[]',
    '{"a":["x","x/y","é","\\u0001","\\u2028","<b>","q\\"q","b\\\\b",{"k/":"v/"},null,1e3,1.50]}',
    '{"a":[{"k":"v/w\\n","n":null,"l":[{"z":"q\\"/"},null,"/"],"m":{"x":"y","e":{}},"f":1e3}]}',
    '{"a":{"z":1,"n":null,"l":[null,{"n":null}],"f":1e10,"s":"é\\u0001/\\u007f\\u2028"}}', '{"a":[[],[[1]],{}]}', '{"a":1}#', '// c',
    '/*c*/{"a":1}', 'a:1', ',', ']', '}', '[}', '{]', '[1}', '"unterminated', "'unterminated", '"a\\', '{"a":1\t,\t"b"\t:\t2}',
    '{"a"\t:\t1}', '{"a":1 }', '[a,b]', '[a b , c]', '[1a]', '[tru e]', '[ true ]', '[1 ]', '[-]', '[--1]', '[1-2]', '[2020-01-01]',
    '[1.2.3]', '[1e5e5]', '[1,2]]', '\ufeff{"a":1}', '{"a":1}\n\n', '{"a":"x\x00y"}', '{"a":\xa01}', '{"a":1\xa0}', '{"a":\x0c1}',
    '{"a":x\n}', ' ',
]


def drawn(generator, count):
    """Random expressions over the names of MIXED, half of them with a filter."""
    names = ["a", "b", "c", "list", "nums", "id", "n", "t", "k", "zz", "deep", "mix", "str", "odd", "x", "strs"]
    values = ["1", "2", "3", "'1'", "'one'", '"x"', "null", "true", "false", "1.0", "-1", "[1,2]", "['x','y']", "{}", "[]", "'3'", "{'p':1}"]
    operators = ["==", "!=", "<", "<=", ">", ">=", "in", "nin", "=~", "contains", "size", "empty", "anyof", "noneof", "subsetof", "===", "!=="]
    functions = ["length()", "size()", "min()", "max()", "sum()", "avg()", "first()", "keys()", "concat()", "index(1)", "append(1)", "stddev()"]

    def step():
        return generator.choice([
            lambda: "." + generator.choice(names), lambda: "." + generator.choice(names), lambda: "['" + generator.choice(names) + "']",
            lambda: "[" + str(generator.randint(-3, 5)) + "]", lambda: "[*]", lambda: ".*", lambda: ".." + generator.choice(names),
            lambda: f"[{generator.randint(-4, 4)}:{generator.randint(-4, 6)}]", lambda: f"[{generator.randint(-4, 4)}:]",
            lambda: f"[:{generator.randint(-4, 6)}]", lambda: f"['{generator.choice(names)}','{generator.choice(names)}']",
            lambda: f"[{generator.randint(-2, 3)},{generator.randint(-2, 3)}]"])()

    def operand():
        return generator.choice(["@." + generator.choice(names), "@." + generator.choice(names), "@", "$." + generator.choice(names),
                                 "@['" + generator.choice(names) + "']", "@.t[0]", "@.t.length()", "@.o.p"])

    def test():
        if generator.random() < 0.2:
            return generator.choice(["", "!"]) + operand()
        operator = generator.choice(operators)
        right = "/" + generator.choice(["o.*", "\\\\d", "[a-z]+", "ONE"]) + "/" + generator.choice(["", "i"]) if operator == "=~" \
            else generator.choice(values) if generator.random() < 0.8 else operand()
        return f"{operand()} {operator} {right}"

    for number in range(count):
        if number % 2:
            start = generator.choice(["$.list", "$.nums", "$.mix", "$.strs", "$.a", "$.deep[0]", "$.list[*]", "$..list", "$"])
            condition = test()
            while generator.random() < 0.35:
                condition += generator.choice([" && ", " || "]) + test()
            yield f"{start}[?({condition})]" + generator.choice(["", "", ".id", "['n']"])
        else:
            yield "$" + "".join(step() for _ in range(generator.randint(1, 4))) + (
                "." + generator.choice(functions) if generator.random() < 0.3 else "")


def pairs():
    for expression in ON_SHOP:
        yield expression, SHOP
    for expression in ON_MIXED:
        yield expression, MIXED
    for document in LOOSE:
        yield ("$.a" if '"a"' in document or document.startswith("{") else "$"), document
    for depth in (399, 400, 401):
        yield "$.length()", "[" * depth + "x" + "]" * depth
    for expression in dict.fromkeys(drawn(random.Random(20261121), 500)):
        yield expression, MIXED


def found(report):
    """The first value found: the report's right column after the row of the path, without the mark."""
    lines = report.split("\n")
    end = max(place for place, line in enumerate(lines) if line.startswith("-----")) - 1
    rows = [line[WIDTH // 2 + 1:] for line in lines[:end]]
    start = next(place for place, row in enumerate(rows) if "<<<<< Body" in row)
    rows[start] = rows[start].split("<<<<< Body")[0]
    return "\n".join(row[1:].rstrip() for row in rows[start:])


class Client:
    def __init__(self, port):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)

    def post(self, path, body):
        self.connection.request("POST", path, body, {"X-WireMock-Console-Width": str(WIDTH)})
        response = self.connection.getresponse()
        text = response.read().decode("utf-8", "replace")
        return response.status, response.getheader("Matched-Stub-Id"), text


def ask(server, client, expression, document):
    """The answers for one pair."""
    server.call("DELETE", "/__admin/mappings")
    forms = {
        "simple": expression, "absent": {"expression": expression, "absent": "(absent)"},
        "anything": {"expression": expression, "anything": "(always)"}, "report": {"expression": expression, "equalTo": NEVER},
    }
    for name, operand in forms.items():
        pattern = {"urlPath": "/" + name, "bodyPatterns": [{"matchesJsonPath": operand}]}
        status, reply = server.call("POST", "/__admin/mappings", json.dumps({"request": pattern, "response": {"status": 204}}))
        if status == 422:
            return None
        if status != 201:
            sys.exit(f"{status} for {expression}: {reply[:300]}")
    pattern = {"urlPath": "/result"}
    response = {"status": 200, "body": "{{#assign 'e'}}{{{request.query.e}}}{{/assign}}{{{jsonPath request.body e}}}", "transformers": ["response-template"]}
    server.call("POST", "/__admin/mappings", json.dumps({"request": pattern, "response": response}))
    _, _, result = client.post("/result?e=" + urllib.parse.quote(expression, safe=""), document.encode())
    verdicts = ""
    for name in forms:
        status, matched, text = client.post("/" + name, document.encode())
        verdicts += "1" if matched else "0" if status == 404 else "!"
    # If nothing was found, the report shows the body.
    first = found(text) if verdicts[2:] == "10" else None
    return [verdicts[:3], first] + ([] if result == first else [result])


def main():
    documents, cases = [], []
    with WireMock("--no-request-journal") as server:
        client = Client(server.port)
        for expression, document in pairs():
            if document not in documents:
                documents.append(document)
            cases.append([expression, documents.index(document), ask(server, client, expression, document)])
    print(one_a_line({"documents": documents, "cases": cases}), end="")
    print(f"{len(cases)} pairs, {sum(case[2] is None for case in cases)} refused", file=sys.stderr)


if __name__ == "__main__":
    main()
