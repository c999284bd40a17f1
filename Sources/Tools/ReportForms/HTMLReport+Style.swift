import SDReports

extension HTMLReport {
    /// The page's style, for light and dark screens and for paper.
    static let style = """
        :root{--back:#f6f7f9;--card:#fff;--text:#1b2330;--soft:#5d6877;--line:#e1e5eb;--good:#1a7f4b;--good-back:#e7f6ee;\
        --bad:#c0322b;--bad-back:#fdecea;--noted:#9a6700;--noted-back:#fff6dc;--bar:#4a7dd8;--code:#eef1f5}
        @media(prefers-color-scheme:dark){:root{--back:#12161c;--card:#1b2129;--text:#e4e9f0;--soft:#98a4b3;\
        --line:#2c3540;--good:#4cc38a;--good-back:#132a20;--bad:#ff7b72;--bad-back:#33191a;--noted:#e3b341;\
        --noted-back:#2d2510;--bar:#6c9bf0;--code:#252d37}}
        *{box-sizing:border-box}
        body{margin:0;background:var(--back);color:var(--text);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,\
        "Helvetica Neue",sans-serif}
        code,.method,.place{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:.88em}
        code{background:var(--code);border-radius:4px;padding:.1em .35em;overflow-wrap:anywhere}
        header{display:flex;gap:1.1rem;align-items:center;padding:1.6rem max(1.5rem,calc((100vw - 1080px)/2 + 1.5rem));\
        border-bottom:1px solid var(--line)}
        header.passed{background:var(--good-back)}header.failed{background:var(--bad-back)}
        .mark{width:3.2rem;height:3.2rem;flex:none;border-radius:50%;color:#fff;font-size:1.7rem;line-height:3.2rem;\
        text-align:center}
        .passed .mark{background:#1a7f4b}.failed .mark{background:#c0322b}
        h1{margin:0;font-size:1.7rem;line-height:1.2}.passed h1{color:var(--good)}.failed h1{color:var(--bad)}
        header p{margin:.15rem 0 0}.what{margin-left:auto;text-align:right;color:var(--soft);overflow-wrap:anywhere}
        main{max-width:1080px;margin:0 auto;padding:0 1.5rem}
        .counters{list-style:none;display:grid;grid-template-columns:repeat(auto-fit,minmax(7.5rem,1fr));gap:.7rem;\
        margin:1.4rem 0;padding:0}
        .counters li{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:.7rem .9rem;\
        color:var(--soft)}
        .counters b{display:block;font-size:1.6rem;line-height:1.2;color:var(--text);font-variant-numeric:tabular-nums}
        .counters .bad{background:var(--bad-back)}.counters .bad b{color:var(--bad)}
        .counters .noted{background:var(--noted-back)}.counters .noted b{color:var(--noted)}
        section{margin:2rem 0}h2{font-size:1.15rem;margin:0 0 .7rem}summary h2{display:inline}
        .count{background:var(--code);color:var(--soft);border-radius:99px;padding:.1em .6em;font-size:.8em;\
        font-weight:600;white-space:nowrap}
        .card,section>table,section>details>table,.stubs,.times{background:var(--card);border:1px solid var(--line);\
        border-radius:10px}
        .card{padding:.75rem 1rem;margin:0 0 .7rem;border-left:4px solid var(--bad)}
        summary{cursor:pointer}.request{font-size:1.02rem}.method{font-weight:700;color:var(--bad)}
        td .method{color:inherit}
        .change{margin:.7rem 0 .2rem;font-weight:600;overflow-wrap:anywhere}.nearest{margin:.2rem 0 .7rem}
        .place,small,.note{color:var(--soft)}
        table{width:100%;border-collapse:separate;border-spacing:0}
        th,td{padding:.5rem .9rem;text-align:left;vertical-align:top;border-top:1px solid var(--line);\
        overflow-wrap:anywhere}
        thead th{border-top:0;color:var(--soft);font-weight:500;font-size:.87em}
        .diff th,.diff td{padding:.3rem .5rem}.diff th[scope]{font-weight:500;white-space:nowrap}
        .diff .same{color:var(--soft)}.diff .other{background:var(--bad-back)}
        .sign{width:2rem;text-align:center}.same .sign{color:var(--good)}.other .sign{color:var(--bad);font-weight:700}
        .stubs{list-style:none;margin:0;padding:.4rem 0}.stubs li{padding:.3rem .9rem}
        .times{display:flex;flex-wrap:wrap;gap:1rem 2.5rem;align-items:end;padding:.9rem 1.1rem;margin:0 0 .7rem}
        dl{margin:0;display:grid;gap:.6rem}dt{color:var(--soft);font-size:.87em}
        dd{margin:0;font-size:1.25rem;font-weight:600;font-variant-numeric:tabular-nums}
        svg{flex:1 1 20rem;min-width:0;height:auto}rect{fill:var(--bar)}
        svg text{fill:var(--soft);font-size:12px;text-anchor:middle}svg .count{fill:var(--text);font-weight:600}
        .bar{background:var(--code);border-radius:4px;min-width:8rem;margin-top:.4rem}
        .bar div{background:var(--bar);border-radius:4px;height:.55rem}
        td:has(.bar){width:26%}section>table td:first-child{min-width:11rem}
        footer{max-width:1080px;margin:0 auto;padding:1rem 1.5rem 2.5rem;color:var(--soft);font-size:.87em}
        @media(max-width:640px){header{flex-wrap:wrap}.what{margin-left:0;text-align:left}td:has(.bar),th:last-child:empty{display:none}}
        @media print{body{background:#fff}.card,.counters li{break-inside:avoid}}
        """
}
