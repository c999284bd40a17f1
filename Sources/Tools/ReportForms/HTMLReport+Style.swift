import SDReports

extension HTMLReport {
    /// The hash of `style`: the page's policy allows only this style.
    static let styleHash = "sha256-JluHfOSjrjhcudFKsWgDOeMpmtZAACBp9CV2cJX/tSc="

    /// The page's style, with the colours of the page at `/__admin/ui/`, for light and dark screens and for paper.
    static let style = """
        :root{--back:#f5f6f8;--card:#fff;--text:#1b1f24;--soft:#57606a;--line:#c4cad2;--good:#0b6b4f;--good-back:#dcf5e8;\
        --bad:#b3261e;--bad-back:#ffe3e0;--noted:#8a5300;--noted-back:#fff3dc;--bar:#0b5cad;--code:#eef1f5}
        @media(prefers-color-scheme:dark){:root{--back:#14171c;--card:#1c2027;--text:#e8ebef;--soft:#a3adb9;\
        --line:#39414c;--good:#5fd0a5;--good-back:#123d2f;--bad:#ff8d84;--bad-back:#4a1f1c;--noted:#f0b35a;\
        --noted-back:#3a2c12;--bar:#7ab7ff;--code:#242a33}}
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
        .passed .mark{background:#0b6b4f}.failed .mark{background:#b3261e}
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
        svg{flex:0 1 auto;min-width:0;max-width:100%;height:auto}rect{fill:var(--bar)}
        svg text{fill:var(--soft);font-size:12px;text-anchor:middle}svg .count{fill:var(--text);font-weight:600}
        meter{width:100%;min-width:8rem;height:.7rem;margin-top:.3rem}
        td:has(meter){width:26%}section>table td:first-child{min-width:11rem}
        footer{max-width:1080px;margin:0 auto;padding:1rem 1.5rem 2.5rem;color:var(--soft);font-size:.87em}
        @media(max-width:640px){header{flex-wrap:wrap}.what{margin-left:0;text-align:left}td:has(meter),th:last-child:empty{display:none}}
        @media print{body{background:#fff}.card,.counters li{break-inside:avoid}}
        """
}
