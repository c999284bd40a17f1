"""Which value a name stands for: the contexts that blocks make, variables, block parameters, and helpers."""

from . import cases as asked, values

DEEP = {
    "a": 1, "x": "top", "list": [
        {"x": "one", "n": [10, 11]}, {"y": "two", "n": [20]}], "map": {"k": {"x": "in"}, "m": {"z": 1}},
    "o": {"x": "o", "p": {"y": "p", "q": {"z": "q"}}}, "null": None, "size": "a size", "upper": "an upper", "this": "a this",
    "now": {"x": 1}, "true": "t", "if": "an if", "0": "zero", "first": "f", "@index": "i",
}


def cases():
    def deep(*templates):
        return asked(*templates, parameters=DEEP)

    # `with`, `each` and sections of lists and values make a context; `if`, `unless` and other helpers do not.
    yield from deep(
        "{{#with parameters}}{{#with o}}{{x}}{{../x}}{{/with}}{{/with}}",
        "{{#with parameters}}{{#with o}}{{a}}{{../a}}{{../../request.method}}{{/with}}{{/with}}",
        "{{#with parameters}}{{#with o}}{{#with p}}{{x}}|{{../x}}|{{../../x}}|{{../../../request.method}}{{/with}}{{/with}}{{/with}}",
        "{{#with parameters.o.p}}{{x}}|{{y}}|{{../parameters.x}}{{/with}}",
        "{{#with parameters}}{{#if o}}{{x}}|{{../x}}|{{../request.method}}{{/if}}{{/with}}",
        "{{#with parameters}}{{#if o}}{{#if a}}{{x}}|{{../x}}|{{../../x}}{{/if}}{{/if}}{{/with}}",
        "{{#with parameters}}{{#unless missing}}{{../request.method}}|{{x}}{{/unless}}{{/with}}",
        "{{#with parameters}}{{#eq 1 1}}{{../request.method}}|{{x}}{{/eq}}{{/with}}",
        "{{#with parameters}}{{#trim}} {{x}}{{../request.method}} {{/trim}}{{/with}}",
        "{{#with parameters}}{{#assign 'v'}}{{x}}{{../request.method}}{{/assign}}{{v}}{{/with}}",
        "{{#with parameters}}{{#base64}}{{x}}{{/base64}}{{/with}}", "{{#each parameters.list}}{{x}};{{/each}}",
        "{{#each parameters.list}}{{this.x}};{{/each}}", "{{#with parameters}}{{#each list}}{{x}};{{/each}}{{/with}}",
        "{{#with parameters}}{{#each list}}{{this.x}};{{../x}};{{/each}}{{/with}}",
        "{{#with parameters}}{{#each list}}{{#each n}}{{this}}{{x}}{{../x}}{{../../x}};{{/each}}{{/each}}{{/with}}",
        "{{#with parameters}}{{#each list}}{{#each n}}{{@index}}{{../@index}}{{@../index}};{{/each}}{{/each}}{{/with}}",
        "{{#each parameters.list}}{{#if true}}{{@index}}{{../@index}}{{#if true}}{{@index}}{{/if}}{{/if}};{{/each}}",
        "{{#each parameters.list}}{{#each n}}{{@first}}{{../@first}}{{@key}}{{../@key}};{{/each}}{{/each}}",
        "{{#each parameters.map}}{{@key}}{{x}}{{../parameters.x}};{{/each}}",
        "{{#with parameters}}{{#each map}}{{@key}}:{{x}}:{{this.x}}:{{../x}};{{/each}}{{/with}}",
        "{{#parameters}}{{x}}{{../request.method}}{{/parameters}}",
        "{{#parameters.list}}{{x}}{{../parameters.x}}{{@index}};{{/parameters.list}}",
        "{{#with parameters}}{{#list}}{{x}}{{../x}};{{/list}}{{/with}}",
        "{{#with parameters}}{{#a}}{{this}}{{../x}}{{x}}{{/a}}{{/with}}",
        "{{#with parameters}}{{^missing}}{{x}}{{../request.method}}{{/missing}}{{/with}}",
        "{{#with parameters}}{{#o}}{{#p}}{{y}}{{x}}{{../x}}{{../../x}}{{/p}}{{/o}}{{/with}}",
        "{{#with parameters}}{{@root.parameters.x}}{{@root.request.method}}{{/with}}",
        "{{#with parameters}}{{#with @root}}{{request.method}}{{x}}{{../x}}{{/with}}{{/with}}",
        "{{#with parameters}}{{#with this}}{{x}}{{../x}}{{/with}}{{/with}}",
        "{{#with parameters}}{{#with .}}{{x}}{{/with}}{{/with}}",
        "{{#with parameters}}{{#with ..}}{{request.method}}{{/with}}{{/with}}",
        "{{#with parameters}}{{#with ../request}}{{method}}{{../x}}{{/with}}{{/with}}",
        "{{#with parameters.o}}{{#with ../parameters.list.0}}{{x}}{{../x}}{{/with}}{{/with}}",
        "{{#with parameters.a}}{{this}}{{x}}{{parameters.x}}{{/with}}",
        "{{#with 'text'}}{{this}}{{length}}{{request.method}}{{/with}}", "{{#with (array 1 2)}}{{this}}{{this.0}}{{/with}}",
        "{{#with 5}}{{this}}{{/with}}", "{{#with true}}{{this}}{{/with}}")
    # The first part of a path decides in which context it is looked up.
    yield from deep(
        "{{#with parameters.o}}{{parameters.x}}{{/with}}", "{{#with parameters}}{{o.x}}{{o.missing}}{{/with}}",
        "{{#with parameters.map.k}}{{x.y}}|{{z}}{{/with}}", "{{#with parameters}}{{null}}|{{null.x}}{{/with}}",
        "{{#each parameters.list}}{{y}}|{{x}};{{/each}}",
        "{{#with parameters.o.p}}{{q.z}}{{q/z}}{{q.[z]}}{{[q].z}}{{this.q.z}}{{./q.z}}{{this/q/z}}{{q.this.z}}{{q.z.this}}{{/with}}",
        "{{#with parameters}}{{o.../x}}{{/with}}", "{{#with parameters}}{{o/../x}}{{/with}}",
        "{{#with parameters}}{{./o}}{{.}}{{/with}}",
        "{{#with parameters.o.p.q}}{{this}}{{.}}{{this.this}}{{./this}}{{this/this}}{{../this.parameters.x}}{{/with}}",
        "{{#with parameters.o}}{{.././request.method}}{{/with}}", "{{#with parameters.o}}{{./../request.method}}{{/with}}",
        "{{#with parameters}}{{[0]}}{{this.0}}{{this.[0]}}{{/with}}", "{{#with parameters}}{{[true]}}{{this.true}}{{/with}}",
        "{{#with parameters}}{{[this]}}{{this.this}}{{this.[this]}}{{/with}}",
        "{{#with parameters}}{{[@index]}}{{@index}}{{this.[@index]}}{{/with}}", "{{parameters.this}}", "{{parameters.[this]}}",
        "{{parameters.true}}", "{{parameters.if}}", "{{parameters.@index}}", "{{parameters.first}}", "{{parameters.now.x}}",
        "{{parameters.o.p.q.z.length}}", "{{parameters.a.b.c}}", "{{parameters.list.0.n.1}}", "{{parameters.list.[0].n.[1]}}",
        "{{parameters/list/0/n/1}}", "{{parameters.list.0.n}}", "{{parameters.map.k}}")
    # A helper comes before a value of its name, unless the name is a path.
    yield from deep(
        "{{#with parameters}}{{size}}|{{this.size}}|{{./size}}{{/with}}",
        "{{#with parameters.o}}{{size}}|{{../parameters.size}}|{{this.size}}{{/with}}",
        "{{#with parameters}}{{now.x}}{{/with}}", "{{#with parameters}}{{if}}|{{this.if}}{{/with}}", "{{size.x}}",
        "{{upper.length}}", "{{[size]}}", "{{#with parameters}}{{[size]}}|{{[upper]}}{{/with}}",
        "{{#with parameters}}{{val size}}|{{val upper}}|{{val this.size}}{{/with}}",
        "{{#with parameters}}{{#if size}}y{{/if}}{{#size}}z{{/size}}{{/with}}",
        "{{#with parameters}}{{#this.size}}z{{/this.size}}{{/with}}",
        "{{#with parameters}}{{#each this.list}}{{size}};{{/each}}{{/with}}", "{{this size}}",
        "{{#this}}{{request.method}}{{/this}}", "{{#.}}{{request.method}}{{/.}}", "{{^this}}a{{/this}}",
        "{{#@root}}{{request.method}}{{/@root}}", "{{#request}}{{method}}{{/request}}",
        "{{#request.method}}{{this}}{{/request.method}}", "{{#request.method}}{{name}}{{/request.method}}", "{{[if] 1}}",
        "{{#[if] true}}a{{/[if]}}", "{{#if true}}a{{/[if]}}")
    # Parameters of helpers.
    yield from deep(
        "{{#each parameters.list}}{{val @index}}{{val @root.parameters.x}}{{val ../parameters.x}}{{val x}}{{val this.x}};{{/each}}",
        "{{#with parameters}}{{val [size]}}{{val this.[size]}}{{val o.p.q.z}}{{val o/p/q/z}}{{/with}}",
        "{{#each parameters.list}}{{#each n}}{{val ../x}}{{val @../index}}{{val ../@index}};{{/each}}{{/each}}",
        "{{val this.parameters.x}}{{val ./parameters.x}}{{val .}}", "{{val parameters.list.[0].x}}{{val parameters.list.0.x}}",
        "{{val parameters.list.[0].n or='d'}}",
        "{{val x or=parameters.x}}{{val x or=parameters.[x]}}{{val x or=parameters.list.0.x}}{{val x or=this}}",
        "{{#with parameters}}{{val y or=../request.method}}{{val y or=@root.request.method}}{{/with}}",
        "{{#with parameters}}{{upper x}}{{upper (upper x)}}{{upper o.p.y}}{{/with}}",
        "{{lookup parameters (lookup parameters 'x')}}", "{{lookup (lookup parameters 'o') 'x'}}", "{{lookup . 'request'}}",
        "{{#with (lookup parameters 'o')}}{{x}}{{../parameters.x}}{{/with}}",
        "{{#each (lookup parameters 'list')}}{{x}};{{/each}}")
    # Block parameters hide names within their block, and leave `this` as it was.
    yield from deep(
        "{{#with parameters.o as |v|}}{{v.x}}{{x}}{{this.x}}{{this}}{{/with}}", "{{#with parameters.o as |x|}}{{x}}{{/with}}",
        "{{#each parameters.list as |v|}}{{v.x}}|{{x}}|{{this.x}}|{{@index}};{{/each}}",
        "{{#each parameters.list as |v i|}}{{i}}{{#each v.n as |w j|}}{{i}}{{j}}{{w}}{{v.x}};{{/each}}{{/each}}",
        "{{#each parameters.list as |v|}}{{#with v}}{{x}}{{../v.x}}{{v.x}};{{/with}}{{/each}}",
        "{{#each parameters.list as |v|}}{{#if true}}{{v.x}}{{../v.x}}{{../parameters.x}};{{/if}}{{/each}}",
        "{{#each parameters.list as |request|}}{{request.x}}{{@root.request.method}}{{request.method}};{{/each}}",
        "{{#each parameters.list as |v|}}{{../parameters.x}}{{../request.method}};{{/each}}",
        "{{#each parameters.map as |v k|}}{{k}}{{v.x}}{{@key}};{{/each}}",
        "{{#each parameters.list as |v|}}{{upper v.x}}{{val v.x}}{{lookup v 'x'}};{{/each}}",
        "{{#with parameters as |p|}}{{#with p.o as |o|}}{{o.x}}{{p.x}}{{x}}{{/with}}{{/with}}",
        "{{#each parameters.list as |upper|}}{{upper}}{{upper.x}};{{/each}}",
        "{{#each (array 'a' 'b') as |v i|}}{{v}}{{i}}{{this}}{{.}};{{/each}}",
        "{{#each (array 'a' 'b') as |a b c|}}{{a}}{{b}}{{c}};{{/each}}", "{{#each parameters.list as |v|}}{{/each}}{{v}}",
        "{{#parameters.list as |v i|}}{{i}}{{v.x}};{{/parameters.list}}", "{{#parameters.o as |v|}}{{v.x}}{{/parameters.o}}",
        "{{#trim as |v|}} {{v.request.method}} {{/trim}}", "{{#if true as |v|}}{{v.request.method}}{{/if}}",
        "{{#eq 1 1 as |v|}}{{v.request.method}}{{/eq}}", "{{#unless false as |v|}}{{v.request.method}}{{/unless}}",
        "{{#assign 'q' as |v|}}{{v.request.method}}z{{/assign}}{{q}}", "{{#each parameters.list as |v.x|}}a{{/each}}",
        "{{#each parameters.list as |@v|}}{{@v.x}};{{/each}}", "{{#each parameters.list as |[v w]|}}{{[v w].x}};{{/each}}",
        "{{#each parameters.list as |v v|}}{{v}};{{/each}}",
        "{{#each parameters.list as |v|}}{{../x}}|{{../../parameters.x}}|{{../v.x}};{{/each}}",
        "{{#with parameters}}{{#each list as |v|}}{{x}}|{{../x}}|{{../../x}};{{/each}}{{/with}}",
        "{{#with parameters}}{{#with o as |v|}}{{x}}|{{../x}}|{{../../x}}|{{../../../request.method}}{{/with}}{{/with}}",
        "{{#with parameters}}{{#each list}}{{x}}|{{../x}}|{{../../request.method}};{{/each}}{{/with}}",
        "{{#each (array 'a') as |v|}}{{this}}{{.}}{{./v}}{{this.v}}{{@root.parameters.x}};{{/each}}",
        "{{#each parameters.list as |v|}}{{this}}{{#with this}}{{x}}{{/with}};{{/each}}",
        "{{#each parameters.list as |v|}}{{#each n}}{{this}}{{v.x}}{{../x}}{{../v.x}};{{/each}}{{/each}}",
        "{{#each parameters.missing as |v|}}a{{else}}{{v.request.method}}b{{/each}}",
        "{{#if false}}a{{else each parameters.list as |v|}}{{v.x}};{{/if}}",
        "{{#if false}}a{{else with parameters.o as |v|}}{{v.x}}{{/if}}")
    # In a block with block parameters, the contexts of the blocks within look at their parents first.
    yield from deep(
        "{{#with parameters as |v|}}{{#with o}}{{x}}|{{this}}|{{this.x}}|{{./x}}|{{.}}|{{../x}}{{/with}}{{/with}}",
        "{{#with parameters.o as |v|}}{{#with p}}{{x}}|{{y}}|{{this.y}}|{{q.z}}{{/with}}{{/with}}",
        "{{#each parameters.list as |v|}}{{#each n}}{{this}};{{/each}}{{/each}}",
        "{{#each parameters.list as |v|}}{{#each v.n}}{{.}}{{@index}};{{/each}}{{/each}}",
        "{{#each parameters.list as |v|}}{{#each n as |w|}}{{w}}{{this}};{{/each}}{{/each}}",
        "{{#each parameters.list as |v|}}{{#with parameters.o}}{{x}};{{/with}}{{/each}}",
        "{{#each parameters.list as |v|}}{{#with parameters.o}}{{p.y}};{{/with}}{{/each}}",
        "{{#each parameters.list as |v|}}{{#if true}}{{#each n}}{{this}};{{/each}}{{/if}}{{/each}}",
        "{{#each (array 1 2) as |v|}}{{#each (array 3 4)}}{{this}}{{v}};{{/each}}{{/each}}",
        "{{#each (array 1 2)}}{{#each (array 3 4) as |v|}}{{this}}{{v}}{{../this}}{{../../this}};{{/each}}{{/each}}",
        "{{#with parameters as |v|}}{{#with o}}{{#with p}}{{x}}|{{y}}|{{this.y}}{{/with}}{{/with}}{{/with}}",
        "{{#with parameters as |v|}}{{#with @root}}{{request.method}}{{x}}{{/with}}{{/with}}",
        "{{#with parameters as |v|}}{{#each list}}{{x}}{{@index}}{{#each n}}{{@index}}{{this}}{{/each}};{{/each}}{{/with}}",
        "{{#with parameters.o as |v|}}{{#*inline 'p'}}[{{x}}{{y}}]{{/inline}}{{> p parameters}}{{> p parameters.o.p}}{{/with}}",
        "{{#with parameters.map as |v|}}{{#with k}}{{x}}{{/with}}{{#with m}}{{z}}{{/with}}{{/with}}",
        "{{#with parameters as |v|}}{{#list}}{{x}};{{/list}}{{/with}}",
        "{{#with parameters as |v|}}{{#arrayJoin ',' list}}{{x}}{{/arrayJoin}}{{/with}}",
        "{{#arrayJoin ',' parameters.list as |v|}}{{v.x}}{{x}}{{this.x}}{{#with v}}{{x}}{{/with}}{{/arrayJoin}}")
    # Variables come last, and are seen from everywhere.
    yield from deep(
        "{{val 'v' assign='x'}}{{x}}{{#with parameters}}{{x}}{{/with}}{{#with parameters.map.m}}{{x}}{{/with}}",
        "{{val 'v' assign='v'}}{{#each parameters.list}}{{v}}{{../v}}{{this.v}}{{@root.v}};{{/each}}",
        "{{#each parameters.list}}{{val x assign='last'}}{{last}};{{/each}}{{last}}",
        "{{val 'v' assign='v'}}{{#each parameters.list as |v|}}{{v}};{{/each}}{{v}}", "{{val 'v' assign='size'}}{{size}}",
        "{{val parameters assign='p'}}{{p.x}}{{#with p}}{{x}}{{/with}}{{#each p.list}}{{x}};{{/each}}",
        "{{val 'v' assign='v'}}{{upper v}}{{val v}}{{val missing or=v}}{{#if v}}y{{/if}}{{#eq v 'v'}}y{{/eq}}",
        "{{v}}{{val 'v' assign='v'}}{{v}}", "{{#if true}}{{val 'v' assign='v'}}{{/if}}{{v}}",
        "{{#with parameters}}{{val 'v' assign='v'}}{{/with}}{{v}}",
        "{{#each (array 1 2)}}{{#if @first}}{{val this assign='v'}}{{/if}}{{v}}{{/each}}",
        "{{val (val 'v' assign='v') or='w'}}{{v}}", "{{#trim}}{{val 'v' assign='v'}}{{/trim}}{{v}}",
        "{{val 'a' assign='v'}}{{#*inline 'p'}}{{v}}{{val 'b' assign='v'}}{{/inline}}{{> p}}{{v}}",
        "{{val null assign='v'}}[{{v}}]", "{{val 'a' assign='v'}}{{val missing assign='v'}}[{{v}}]",
        "{{val 'a' assign='v'}}{{val '' assign='v'}}[{{v}}]",
        "{{val 'a' assign='v'}}{{#each (array 1)}}{{val 'b' assign='v'}}{{v}}{{/each}}{{v}}",
        "{{val (array 1 2) assign='v'}}{{v.0}}{{v.[1]}}{{size v}}", "{{val 'x' assign='v'}}{{@v}}{{this.v}}{{./v}}",
        "{{val 'a' assign='v w'}}{{[v w]}}", "{{#with parameters.o}}{{val 'a' assign='x'}}{{x}}{{/with}}{{x}}",
        "{{#with request}}{{val 'a' assign='method'}}{{method}}{{/with}}{{method}}")
    yield from deep(
        "{{val 'v' assign='x'}}{{#with parameters}}{{#each list}}{{x}}|{{../x}};{{/each}}{{/with}}",
        "{{val 'v' assign='y'}}{{#with parameters}}{{#with o}}{{#with p}}{{y}}{{/with}}{{y}}{{/with}}{{/with}}",
        "{{val 'v' assign='@index'}}{{@index}}{{#each (array 1 2)}}{{@index}}{{/each}}",
        "{{#each (array 1 2)}}{{val @index assign='i'}}{{#each (array 3)}}{{i}}{{@../index}}{{/each}}{{/each}}",
        "{{val 'v' assign='o.x'}}{{[o.x]}}{{o.x}}", "{{#assign 'l'}}a,b{{/assign}}{{l}}{{size l}}{{l.length}}",
        "{{#each (array 1 2 3)}}{{#assign 'all'}}{{all}}{{this}}{{/assign}}{{/each}}{{all}}",
        "{{#with parameters}}{{#assign 'x'}}new{{/assign}}{{x}}{{/with}}{{x}}")
    # Partials see the context of the call, or their parameter, and their arguments.
    yield from deep(
        *("{{#*inline 'p'}}" + text + "{{/inline}}" + call for text, call in (
        ("[{{x}}]", "{{> p}}"), ("[{{x}}]", "{{> p parameters}}"), ("[{{x}}]", "{{> p parameters.o}}"), (
            "[{{x}}{{../parameters.x}}]", "{{> p parameters.o}}"), ("[{{this}}]", "{{> p parameters.a}}"), (
                "[{{x}}{{y}}]", "{{> p x='1' y=parameters.x}}"), (
                    "[{{x}}{{y}}]", "{{> p parameters y='2'}}"), ("[{{x}}{{y}}]", "{{> p parameters x='2'}}"), (
                "[{{this.x}}{{this.y}}]", "{{> p parameters y='2'}}"), ("[{{request.method}}]", "{{> p parameters y='2'}}"), (
            "[{{@index}}{{x}}]", "{{#each parameters.list}}{{> p}}{{/each}}"), (
            "[{{@index}}{{this}}]", "{{#each (array 1 2)}}{{> p this}}{{/each}}"), (
                "[{{v.x}}]", "{{#each parameters.list as |v|}}{{> p}}{{/each}}"), (
                "[{{i}}]", "{{#each parameters.list as |v i|}}{{> p i=i}}{{/each}}"), (
            "[{{../x}}]", "{{#with parameters}}{{#with o}}{{> p}}{{/with}}{{/with}}"), (
                "[{{@root.parameters.x}}]", "{{#with parameters.o}}{{> p}}{{/with}}"), (
            "[{{#each n}}{{this}}{{/each}}]", "{{#each parameters.list}}{{> p}}{{/each}}"), (
                "{{x}}{{#if p}}{{> p p}}{{/if}}", "{{> p parameters.o}}"), (
                "{{y}}{{#if q}}({{> p q}}){{/if}}", "{{> p parameters.o.p}}"), (
                    "[{{x}}]", "{{> p this}}"), ("[{{x}}]", "{{> p .}}"), (
                    "[{{x}}]", "{{> p @root}}"), (
                    "[{{x}}]", "{{#with parameters}}{{> p ../request}}{{/with}}"), ("[{{a}}]", "{{> p a=(upper 'x')}}"), (
                        "[{{a}}{{b}}]", "{{> p a=1 b=true}}"), (
                            "[{{a}}]", "{{> p a=missing}}"), ("[{{a}}]", "{{> p a=null}}"), (
                        "[{{a.x}}]", "{{> p a=parameters.o}}"), ("[{{x}}]", "{{> p 'text'}}"), (
                        "[{{x}}]", "{{> p (lookup parameters 'o')}}"), (
                "[{{> q}}]{{#*inline 'q'}}{{x}}{{/inline}}", "{{> p parameters}}"), (
                    "[{{> @partial-block}}]", "{{#> p}}{{parameters.x}}{{/p}}"), (
                        "[{{> @partial-block}}]", "{{#> p parameters}}{{x}}{{/p}}"), (
                    "[{{> @partial-block}}{{> @partial-block}}]", "{{#> p}}b{{/p}}"), (
            "[{{#each parameters.list}}{{> @partial-block}}{{/each}}]", "{{#> p}}{{x}};{{/p}}"), (
                "[{{> @partial-block x='1'}}]", "{{#> p}}{{x}}{{/p}}"), ("[{{x}}]", "{{#> p x='1'}}b{{/p}}"), (
                "[{{> q}}]", "{{#> p}}{{#*inline 'q'}}y{{/inline}}{{/p}}"))))
    yield from values(
        "{{#*inline 'row'}}{{name}}:{{age}}{{/inline}}{{#each parameters.people}}{{> row}}{{#unless @last}},{{/unless}}{{/each}}",
        "{{#*inline 'tree'}}{{#if b}}({{> tree b}}){{else}}{{#if c}}{{c}}{{/if}}{{/if}}{{/inline}}{{> tree parameters.nested.a}}",
        "{{#block 'a'}}{{parameters.text}}{{/block}}",
        "{{#partial 'a'}}{{parameters.text}}{{/partial}}{{#with parameters.map}}{{#block 'a'}}{{/block}}{{/with}}",
        "{{#partial 'a'}}x{{/partial}}{{#partial 'a'}}y{{/partial}}{{#block 'a'}}{{/block}}",
        "{{#block 'a'}}x{{/block}}{{#partial 'a'}}y{{/partial}}{{#block 'a'}}z{{/block}}",
        "{{#partial 'a'}}x{{/partial}}{{#block 'a'}}{{/block}}{{#block 'a'}}{{/block}}",
        "{{#block parameters.text}}x{{/block}}", "{{#partial parameters.text}}x{{/partial}}{{#block 'hello'}}y{{/block}}",
        "{{#partial 'a'}}[{{x}}]{{/partial}}{{#block 'a' x=1}}y{{/block}}")
