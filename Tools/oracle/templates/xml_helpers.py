"""Helpers for XML."""

from . import cases as asked, values

PATHS = (
    "/outer/inner", "/outer/inner/text()", "/outer/inner[1]", "/outer/inner[2]", "/outer/inner[1]/text()",
    "/outer/inner[2]/text()", "/outer/inner/@id", "/outer/inner[@id='2']/text()", "/outer/empty", "/outer/empty/text()",
    "/outer/deep", "/outer/deep/a", "/outer/deep/*", "/outer/deep/*/text()", "//a", "//a/text()", "/outer/text",
    "/outer/text/text()", "/outer", "/", "/missing", "/outer/missing/text()", "count(/outer/inner)", "count(//a) + 1",
    "sum(/outer/n)", "/outer/n/text() + 1", "string(/outer/n)", "string(/outer/inner[2])", "boolean(/outer/n)",
    "boolean(/missing)", "name(/outer/*[1])", "concat('a','b')", "1 = 1", "1 div 0", "1.5", "2", "string-length(//text)",
    "normalize-space('  a  b ')", "//inner[last()]", "//inner[position()<2]", "", " ", "[", "/outer/", "//", "foo(", "$x",
    "outer/inner", "inner", "//comment()", "//@id", "/outer/inner | /outer/n", "translate('abc','b','x')", "/outer/node()")
BODIES = (
    "<a><b>1</b></a>", "<a>x</a>", "<a/>", "<a></a>", "<a>1<b/>2</a>", "<a><b>1</b><b>2</b></a>", "<a x=\"1\" y='2'>t</a>",
    "<a>\n  <b>1</b>\n</a>", "<a><!-- c --><b/></a>", "<a><![CDATA[<x>]]></a>", "<a>&lt;&amp;&gt;&quot;&apos;&#233;</a>",
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?><a><b/></a>", "<?xml version=\"1.0\"?>\n<!DOCTYPE a><a/>",
    "<a xmlns=\"urn:x\"><b/></a>", "<x:a xmlns:x=\"urn:x\"><x:b>1</x:b></x:a>", "<a><?pi data?></a>", "<a>é中</a>",
    "<a><b><c><d>deep</d></c></b></a>", "<a>  spaced  </a>", "<a><b> </b></a>", "<a>text<b>bold</b>tail</a>", "<a", "<a>",
    "<a></b>", "x", "", " ", "<a/><b/>", "<a>&nope;</a>", "<a b=1/>", "<x:a/>", "<a><b>1</b>\n\n\n<b>2</b></a>")


# Namespaces do not count. An element prints as indented XML with a line end. Several nodes print as the first.
def cases():
    for path in PATHS:
        if "'" in path:
            yield from asked(f'{{{{xPath request.body "{path}"}}}}', request="xml")
        else:
            yield from asked(f"{{{{xPath request.body '{path}'}}}}", request="xml")
    yield from asked(
        "{{xPath request.body}}", "{{xPath}}", "{{xPath request.body missing}}", "{{xPath request.body 1}}",
        "{{xPath missing '/a'}}", "{{xPath '' '/a'}}", "{{xPath ' ' '/a'}}", "{{xPath 'x' '/a'}}", "{{xPath 1 '/a'}}",
        "{{xPath '<a' '/a'}}", "{{xPath '<a></b>' '/a'}}", "{{xPath '{\"a\":1}' '/a'}}", "{{xPath '<a>1</a>' '/a/text()'}}",
        "{{xPath '<a>1</a>' '/a'}}", "{{xPath '<a/>' '/a'}}", "{{xPath '<a x=\"1\"/>' '/a'}}",
        "{{xPath '<a x=\"1\"/>' '/a/@x'}}", "{{xPath '<a> x </a>' '/a/text()'}}", "{{xPath '<a>é</a>' '/a/text()'}}",
        "{{xPath '<a><b/>t<c/></a>' '/a'}}", "{{xPath '<a><![CDATA[<x>]]></a>' '/a/text()'}}",
        "{{xPath '<a><![CDATA[<x>]]></a>' '/a'}}", "{{xPath '<a>&lt;</a>' '/a/text()'}}", "{{xPath '<a>&lt;</a>' '/a'}}",
        "{{xPath '<a xmlns=\"urn:x\"><b>1</b></a>' '/a/b/text()'}}", "{{xPath '<a xmlns=\"urn:x\"><b>1</b></a>' '/a/b'}}",
        "{{xPath '<x:a xmlns:x=\"urn:x\"><x:b>1</x:b></x:a>' '/a/b/text()'}}",
        "{{xPath '<x:a xmlns:x=\"urn:x\"><x:b>1</x:b></x:a>' '/x:a/x:b/text()'}}",
        "{{xPath '<x:a xmlns:x=\"urn:x\"><x:b>1</x:b></x:a>' \"//*[local-name()='b']/text()\"}}",
        "{{xPath '<x:a xmlns:x=\"urn:x\"><x:b>1</x:b></x:a>' '/a'}}",
        "{{xPath '<!DOCTYPE a [<!ENTITY e \"x\">]><a>&e;</a>' '/a/text()'}}", "{{#xPath request.body '/outer/n'}}x{{/xPath}}",
        "{{xPath request.body '/outer/n' 'x'}}", "{{xPath request.body '/missing' default='d'}}",
        "{{#each (xPath request.body '/outer/inner')}}[{{this}}]{{/each}}",
        "{{#each (xPath request.body '/outer/inner/text()')}}[{{this}}]{{/each}}",
        "{{#each (xPath request.body '/outer/inner/text()') as |t|}}[{{t}}]{{/each}}",
        "{{#each (xPath request.body '/outer/inner')}}{{attributes.id}}|{{text}}|{{name}};{{/each}}",
        "{{#each (xPath request.body '/outer/deep/*')}}{{name}}={{text}};{{/each}}",
        "{{#each (xPath request.body '/outer/n')}}[{{this}}]{{/each}}",
        "{{#each (xPath request.body '/missing')}}a{{else}}b{{/each}}",
        "{{#if (xPath request.body '/missing')}}a{{else}}b{{/if}}", "{{#if (xPath request.body '/outer/n')}}a{{else}}b{{/if}}",
        "{{#if (xPath request.body 'boolean(/missing)')}}a{{else}}b{{/if}}", "{{size (xPath request.body '/outer/inner')}}",
        "{{size (xPath request.body '/outer/n')}}", "{{size (xPath request.body '/outer/n/text()')}}",
        "{{join (xPath request.body '/outer/inner/text()') ','}}", "{{lookup (xPath request.body '/outer/inner/text()') 1}}",
        "{{upper (xPath request.body '/outer/inner[1]/text()')}}", "{{upper (xPath request.body '/outer/n')}}",
        "{{math (xPath request.body '/outer/n/text()') '+' 1}}", "{{math (xPath request.body 'count(/outer/inner)') '+' 1}}",
        "{{eq (xPath request.body '/outer/n/text()') '12'}}", "{{toJson (xPath request.body '/outer/inner/text()')}}",
        "{{toJson (xPath request.body '/outer/n/text()')}}", "{{toJson (xPath request.body '/outer/n')}}",
        "{{val (xPath request.body '/outer/n/text()') assign='n'}}{{n}}",
        "{{val (xPath request.body '/outer/inner/text()') assign='n'}}{{n.0}}|{{n.1}}|{{n}}",
        "{{xPath (xPath request.body '/outer/deep') '/deep/a/text()'}}",
        "{{val (xPath request.body '/outer/inner[1]') assign='e'}}{{e.text}}|{{e.name}}|{{e.attributes.id}}|{{e.attributes}}|{{e}}",
        "{{xPath request.parts.x.body '/a'}}", "{{xPath request '/a'}}", request="xml")
    yield from asked(
        "{{soapXPath request.body '/Price/Item/text()'}}", "{{soapXPath request.body '/Price/Item'}}",
        "{{soapXPath request.body '/m:Price/m:Item/text()'}}", "{{soapXPath request.body 'Price/Item/text()'}}",
        "{{soapXPath request.body '/Price/plain/text()'}}", "{{soapXPath request.body '/Price/missing'}}",
        "{{soapXPath request.body '//Item'}}", "{{soapXPath request.body}}", "{{soapXPath}}", "{{soapXPath request.body ''}}",
        "{{soapXPath request.body '['}}", "{{soapXPath missing '/a'}}", "{{soapXPath '<a/>' '/a'}}", "{{soapXPath 'x' '/a'}}",
        "{{soapXPath request.body missing}}", "{{soapXPath request.body 'count(//Item)'}}",
        "{{xPath request.body '/Envelope/Body/Price/Item/text()'}}", "{{xPath request.body '//Item/text()'}}",
        "{{xPath request.body '//m:Item/text()'}}", "{{#each (soapXPath request.body '/Price/*')}}{{name}}={{text}};{{/each}}",
        "{{soapXPath '<Envelope><Body><a>1</a></Body></Envelope>' '/a/text()'}}",
        "{{soapXPath '<Envelope><Body><a>1</a></Body></Envelope>' '/a'}}", request="soap")
    for body in BODIES:
        yield from asked(f"{{{{#formatXml}}}}{body}{{{{/formatXml}}}}")
        if body in BODIES[:12]:
            yield from asked(
                f"{{{{#formatXml format='compact'}}}}{body}{{{{/formatXml}}}}",
                f"{{{{#formatXml format='pretty'}}}}{body}{{{{/formatXml}}}}")
    yield from asked(
        "{{formatXml '<a><b>1</b></a>'}}", "{{formatXml '<a>  <b>1</b>  </a>' format='compact'}}",
        "{{formatXml '<a><b>1</b></a>' format='x'}}", "{{formatXml '<a><b>1</b></a>' format=1}}", "{{formatXml}}",
        "{{formatXml missing}}", "{{formatXml ''}}", "{{formatXml 1}}", "{{formatXml (array 1)}}",
        "{{formatXml '<a><b>1</b></a>' 'x'}}", "{{#formatXml '<a/>'}}<b/>{{/formatXml}}",
        "{{#formatXml format='x'}}<b/>{{/formatXml}}", "{{#formatXml}}<a>{{request.method}}</a>{{/formatXml}}",
        "{{formatXml '<a'}}", "{{formatXml 'x' format='compact'}}", "{{formatXml (xPath '<a><b>1</b></a>' '/a/b')}}")
    yield from asked("{{formatXml request.body}}", "{{formatXml request.body format='compact'}}", request="xml")
    yield from asked("{{formatXml request.body}}", "{{formatXml request.body format='compact'}}", request="soap")
