# Reports every unconditional import of full Foundation, which would add 40 MB and milliseconds of start-up.
#
# Only the `#else` branch of `#if canImport(FoundationEssentials)` may import it, for platforms without the small library.
# Exits with 1 if a file breaks the rule.

FNR == 1 { depth = 0 }

/^[ \t]*#if/ {
    depth++
    essentials[depth] = ($0 ~ /canImport\(FoundationEssentials\)/ && $0 !~ /!canImport/)
    other[depth] = 0
}
/^[ \t]*#else/ { other[depth] = 1 }
/^[ \t]*#endif/ { depth-- }

# An import with any attributes and modifiers, then the module, alone or with one of its declarations.
/^[ \t]*([@a-z][A-Za-z_()]*[ \t]+)*import[ \t]/ && /[ \t]Foundation(Networking|XML)?([ \t.;\/]|$)/ {
    allowed = 0
    for (level = 1; level <= depth; level++)
        if (essentials[level] && other[level]) allowed = 1
    if (!allowed) {
        printf "%s:%d: error: full Foundation in a daemon target; ", FILENAME, FNR
        print "import FoundationEssentials where it exists"
        failed = 1
    }
}

END { exit failed }
