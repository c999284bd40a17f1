"""Random values, of which only the form is recorded, and values of the system."""

from . import cases as asked, values

# A type's characters, without `uppercase`.
TYPES = (
    ("", "[a-z0-9]+"), ("ALPHANUMERIC", "[a-z0-9]+"), ("ALPHABETIC", "[a-z]+"), ("NUMERIC", "[0-9]+"),
    ("HEXADECIMAL", "[0-9a-f]+"), ("UUID", "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"),
    ("ALPHANUMERIC_AND_SYMBOLS", "[!-}]+"), ("alphabetic", "[a-z]+"), ("nonsense", "\\\\p{ASCII}+"), ("ASCII", "\\\\p{ASCII}+"))


# All but UUIDs have the length that was asked for, 36 by itself.
def cases():
    for name, form in TYPES:
        kind = f" type='{name}'" if name else ""
        form = form.replace("\\\\", "\\")
        yield from asked(
            f"{{{{size (randomValue{kind})}}}}", f"{{{{size (randomValue length=10{kind})}}}}",
            f"{{{{matches (randomValue length=500{kind}) '(?s){form}'}}}}", f"{{{{size (randomValue length=0{kind})}}}}",
            f"{{{{matches (randomValue length=500{kind} uppercase=true) '(?s)[^a-z]*'}}}}",
            f"{{{{matches (randomValue length=500{kind} uppercase=false) '(?s)[^A-Z]*'}}}}")
    yield from asked(
        "{{size (randomValue length='10')}}", "{{size (randomValue length=-1)}}", "{{size (randomValue length=1.5)}}",
        "{{size (randomValue length=missing)}}", "{{size (randomValue 5)}}", "{{size (randomValue 'x' length=5)}}",
        "{{size (randomValue type=1)}}", "{{size (randomValue type=missing)}}",
        "{{matches (randomValue type='UUID' uppercase=true) '[0-9A-F-]{36}'}}",
        "{{matches (randomValue type='UUID' uppercase='true') '[0-9a-fA-F-]{36}'}}",
        "{{matches (randomValue uppercase=true length=400) '[A-Z0-9]+'}}",
        "{{matches (randomValue type='HEXADECIMAL' uppercase=true length=400) '[A-F0-9]+'}}",
        "{{matches (randomValue type='ALPHANUMERIC_AND_SYMBOLS' length=2000) '(?s).*[A-Z].*'}}",
        "{{matches (randomValue type='ALPHANUMERIC_AND_SYMBOLS' length=2000 uppercase=true) '(?s).*[a-z].*'}}",
        "{{eq (randomValue) (randomValue)}}", "{{#randomValue length=0}}x{{/randomValue}}",
        "{{size (randomValue length=1000)}}", "{{matches (randomValue type='NUMERIC' length=3) '[0-9]{3}'}}",
        "{{size (randomValue type='UUID' length=5)}}", "{{matches (randomValue length=1) '.'}}")
    yield from asked(
        "{{matches (randomInt) '-?[0-9]+'}}", "{{randomInt lower=5 upper=6}}", "{{matches (randomInt lower=1 upper=3) '[12]'}}",
        "{{matches (randomInt upper=1) '-[0-9]+|0'}}", "{{matches (randomInt lower=0) '[0-9]+'}}",
        "{{randomInt lower=5 upper=5}}", "{{randomInt lower=6 upper=5}}", "{{randomInt lower='5' upper='6'}}",
        "{{randomInt lower='a'}}", "{{randomInt lower=5.5 upper=6.5}}", "{{matches (randomInt 1 2) '-?[0-9]+'}}",
        "{{math (randomInt lower=5 upper=6) '+' 1}}", "{{randomInt lower=-3 upper=-2}}",
        "{{randomInt lower=2147483646 upper=2147483647}}", "{{#randomInt lower=5 upper=6}}x{{/randomInt}}",
        "{{randomInt lower=true}}", "{{#if (gt (randomInt lower=1 upper=9) 0)}}y{{/if}}",
        "{{matches (randomDecimal) '[0-9.E-]+'}}", "{{matches (randomDecimal lower=1 upper=2) '1\\.[0-9]+'}}",
        "{{matches (randomDecimal lower=-10.1 upper=-0.9) '-[0-9]+\\.[0-9]+'}}", "{{randomDecimal lower=5 upper=5}}",
        "{{randomDecimal lower=6 upper=5}}", "{{matches (randomDecimal lower='1' upper='2') '1\\.[0-9]+'}}",
        "{{randomDecimal lower='a'}}", "{{matches (randomDecimal upper=0.5) '[0-9.E-]+'}}",
        "{{matches (randomDecimal lower=1e3) '.*'}}", "{{randomDecimal lower=1.0 upper=1.0}}", "{{randomDecimal lower=true}}",
        "{{pickRandom 'a'}}", "{{pickRandom 'a' 'a' 'a'}}", "{{matches (pickRandom 'a' 'b' 'c') '[abc]'}}",
        "{{pickRandom (array 'a')}}", "{{matches (pickRandom (array 'a' 'b')) '[ab]'}}", "{{pickRandom (array)}}",
        "{{pickRandom}}", "{{pickRandom missing}}", "{{pickRandom 1}}", "{{pickRandom true}}",
        "{{pickRandom (parseJson '{\"a\":1}')}}", "{{pickRandom (parseJson '[7]')}}", "{{pickRandom (array 'a') 'b'}}x",
        "{{pickRandom 'a' count=1}}", "{{size (pickRandom 'a' 'b' 'c' count=2)}}", "{{size (pickRandom 'a' 'b' 'c' count=9)}}",
        "{{size (pickRandom 'a' 'b' 'c' count=3)}}", "{{size (pickRandom (array 1 2 3) count=2)}}",
        "{{pickRandom 'a' 'a' count=2}}", "{{pickRandom 'a' count=0}}", "{{pickRandom 'a' count=-1}}",
        "{{pickRandom 'a' count='1'}}", "{{pickRandom 'a' count=1.5}}", "{{pickRandom 'a' count=missing}}",
        "{{pickRandom 'a' count=true}}", "{{toJson (pickRandom 'a' 'a' count=2)}}",
        "{{#each (pickRandom 'a' 'a' count=2)}}{{this}};{{/each}}", "{{#pickRandom 'a'}}x{{/pickRandom}}",
        "{{pickRandom (range 5 5)}}", "{{upper (pickRandom 'a')}}",
        "{{pickRandom missing 'a'}}x", "{{pickRandom ''}}")
    # Keys have to match one of the permitted patterns, by default `wiremock.*`, whatever their case.
    system = (
        "{{systemValue key='WIREMOCK_SHOWN'}}", "{{systemValue key='wiremock_shown'}}",
        "{{systemValue key='WIREMOCK_SHOWN' type='ENVIRONMENT'}}", "{{systemValue key='WIREMOCK_SHOWN' type='PROPERTY'}}",
        "{{systemValue key='wiremock.shown' type='PROPERTY'}}", "{{systemValue key='wiremock.shown'}}",
        "{{systemValue key='wiremock.shown' type='property'}}", "{{systemValue key='wiremock.shown' type='nonsense'}}",
        "{{systemValue type='PROPERTY' key='wiremock.missing'}}",
        "{{systemValue type='PROPERTY' key='wiremock.missing' default='d'}}",
        "{{systemValue key='WIREMOCK_MISSING' default='d'}}", "{{systemValue key='WIREMOCK_MISSING'}}",
        "{{systemValue key='PATH'}}", "{{systemValue key='PATH' default='d'}}",
        "{{systemValue key='user.timezone' type='PROPERTY'}}", "{{systemValue key='user.language' type='PROPERTY'}}",
        "{{systemValue key='xwiremock' type='PROPERTY'}}", "{{systemValue}}", "{{systemValue key=''}}",
        "{{systemValue key=missing}}", "{{systemValue key=1}}", "{{systemValue 'WIREMOCK_SHOWN'}}",
        "{{systemValue key='WIREMOCK_SHOWN' type=1}}", "{{systemValue key='wiremock.shown' type='ENV'}}",
        "{{#systemValue key='WIREMOCK_SHOWN'}}x{{/systemValue}}",
        "{{systemValue key='wiremock.missing' type='PROPERTY' default=1}}")
    yield from asked(*system)
    yield from asked(*system[:8], *system[12:17], flags=["--permitted-system-keys", "user\\.time.*,WIREMOCK_SH.WN"])
    yield from asked(
        "{{#if (hostname)}}y{{/if}}", "{{eq (hostname) (hostname)}}", "{{eq (hostname 'x') (hostname)}}",
        "{{matches (hostname) '[^ ]+'}}")
