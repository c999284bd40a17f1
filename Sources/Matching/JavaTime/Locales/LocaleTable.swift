// swift-format-ignore-file

/// The locales of Java 17, from CLDR 39: written by `Tools/oracle/LocaleTable.java`, not by hand.
///
/// A row is a name, the parent row, and fields, separated by tabs. Lists in a field are separated by bars. `signs` are
/// the decimal and grouping separators, the minus, percent and per mille signs, the separators of amounts of money, and
/// the exponent sign; `week` is its first day, from 1 for Monday, and the minimum number of days in the first week of a
/// year; `dates`, `times` and `joins` are patterns from full to short; a key such as `MMMM` is a pattern's letter with
/// its names, empty if stand-alone names equal those within a date.
enum LocaleTable {
    static let text = #"""
        root		signs=.,-%‰.,E	number=#,##0.###	percent=#,##0%	currency=¤ #,##0.00	symbol=¤	code=XXX	decimals=2	week=71	dates=y MMMM d, EEEE|y MMMM d|y MMM d|y-MM-dd	times=HH:mm:ss zzzz|HH:mm:ss z|HH:mm:ss|HH:mm	joins={1} {0}|{1} {0}|{1} {0}|{1} {0}	MMMM=Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec	MMM=Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec	MMMMM=1|2|3|4|5|6|7|8|9|10|11|12	LLLL=	LLL=	LLLLL=	EEEE=Mon|Tue|Wed|Thu|Fri|Sat|Sun	EEE=Mon|Tue|Wed|Thu|Fri|Sat|Sun	EEEEE=M|T|W|T|F|S|S	cccc=	ccc=	ccccc=	QQQQ=Q1|Q2|Q3|Q4	QQQ=Q1|Q2|Q3|Q4	QQQQQ=1|2|3|4	qqqq=	qqq=1|2|3|4	qqqqq=	GGGG=BCE|CE	G=BC|AD	GGGGG=BCE|CE	a=AM|PM	UTC=Coordinated Universal Time
        cs	root	signs=, -%‰, E	percent=#,##0 %	currency=#,##0.00 ¤	dates=EEEE d. MMMM y|d. MMMM y|d. M. y|dd.MM.yy	times=H:mm:ss zzzz|H:mm:ss z|H:mm:ss|H:mm	MMMM=ledna|února|března|dubna|května|června|července|srpna|září|října|listopadu|prosince	MMM=led|úno|bře|dub|kvě|čvn|čvc|srp|zář|říj|lis|pro	LLLL=leden|únor|březen|duben|květen|červen|červenec|srpen|září|říjen|listopad|prosinec	EEEE=pondělí|úterý|středa|čtvrtek|pátek|sobota|neděle	EEE=po|út|st|čt|pá|so|ne	EEEEE=P|Ú|S|Č|P|S|N	QQQQ=1. čtvrtletí|2. čtvrtletí|3. čtvrtletí|4. čtvrtletí	qqq=	GGGG=př. n. l.|n. l.	G=př.Kr.|po Kr.	GGGGG=př.n.l.|n.l.	a=dop.|odp.	UTC=Koordinovaný světový čas
        cs_CZ	cs	symbol=Kč	code=CZK	week=14
        da	root	signs=,.-%‰,.E	percent=#,##0 %	currency=#,##0.00 ¤	dates=EEEE 'den' d. MMMM y|d. MMMM y|d. MMM y|dd.MM.y	times=HH.mm.ss zzzz|HH.mm.ss z|HH.mm.ss|HH.mm	joins={1} 'kl'. {0}|{1} 'kl'. {0}|{1} {0}|{1} {0}	MMMM=januar|februar|marts|april|maj|juni|juli|august|september|oktober|november|december	MMM=jan.|feb.|mar.|apr.|maj|jun.|jul.|aug.|sep.|okt.|nov.|dec.	MMMMM=J|F|M|A|M|J|J|A|S|O|N|D	EEEE=mandag|tirsdag|onsdag|torsdag|fredag|lørdag|søndag	EEE=man.|tir.|ons.|tor.|fre.|lør.|søn.	EEEEE=M|T|O|T|F|L|S	ccc=man|tir|ons|tor|fre|lør|søn	QQQQ=1. kvartal|2. kvartal|3. kvartal|4. kvartal	QQQ=1. kvt.|2. kvt.|3. kvt.|4. kvt.	qqq=	GGGG=f.Kr.|e.Kr.	G=f.Kr.|e.Kr.	GGGGG=fKr|eKr	UTC=Koordineret universaltid
        da_DK	da	symbol=kr.	code=DKK	week=14
        da_GL	da	symbol=kr.	code=DKK	week=11
        de	root	signs=,.-%‰,.E	percent=#,##0 %	currency=#,##0.00 ¤	dates=EEEE, d. MMMM y|d. MMMM y|dd.MM.y|dd.MM.yy	joins={1} 'um' {0}|{1} 'um' {0}|{1}, {0}|{1}, {0}	MMMM=Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember	MMM=Jan.|Feb.|März|Apr.|Mai|Juni|Juli|Aug.|Sept.|Okt.|Nov.|Dez.	MMMMM=J|F|M|A|M|J|J|A|S|O|N|D	LLL=Jan|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez	EEEE=Montag|Dienstag|Mittwoch|Donnerstag|Freitag|Samstag|Sonntag	EEE=Mo.|Di.|Mi.|Do.|Fr.|Sa.|So.	EEEEE=M|D|M|D|F|S|S	ccc=Mo|Di|Mi|Do|Fr|Sa|So	QQQQ=1. Quartal|2. Quartal|3. Quartal|4. Quartal	qqq=	GGGG=v. Chr.|n. Chr.	G=v. Chr.|n. Chr.	GGGGG=v. Chr.|n. Chr.	UTC=Koordinierte Weltzeit
        de_AT	de	signs=, -%‰,.E	currency=¤ #,##0.00	symbol=€	code=EUR	week=14	MMMM=Jänner|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember	MMM=Jän.|Feb.|März|Apr.|Mai|Juni|Juli|Aug.|Sep.|Okt.|Nov.|Dez.	LLL=Jän|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez
        de_BE	de	symbol=€	code=EUR	week=14
        de_CH	de	signs=.’-%‰.’E	percent=#,##0%	currency=¤ #,##0.00;¤-#,##0.00	symbol=CHF	code=CHF	week=14
        de_DE	de	symbol=€	code=EUR	week=14
        de_IT	de	symbol=€	code=EUR	week=14	MMMM=Jänner|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember	MMM=Jän.|Feb.|März|Apr.|Mai|Juni|Juli|Aug.|Sep.|Okt.|Nov.|Dez.	LLL=Jän|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez
        de_LI	de	signs=.’-%‰.’E	percent=#,##0%	currency=¤ #,##0.00	symbol=CHF	code=CHF	week=14
        de_LU	de	symbol=€	code=EUR	week=14
        el	root	signs=,.-%‰,.e	currency=#,##0.00 ¤	dates=EEEE, d MMMM y|d MMMM y|d MMM y|d/M/yy	times=h:mm:ss a zzzz|h:mm:ss a z|h:mm:ss a|h:mm a	joins={1} - {0}|{1} - {0}|{1}, {0}|{1}, {0}	MMMM=Ιανουαρίου|Φεβρουαρίου|Μαρτίου|Απριλίου|Μαΐου|Ιουνίου|Ιουλίου|Αυγούστου|Σεπτεμβρίου|Οκτωβρίου|Νοεμβρίου|Δεκεμβρίου	MMM=Ιαν|Φεβ|Μαρ|Απρ|Μαΐ|Ιουν|Ιουλ|Αυγ|Σεπ|Οκτ|Νοε|Δεκ	MMMMM=Ι|Φ|Μ|Α|Μ|Ι|Ι|Α|Σ|Ο|Ν|Δ	LLLL=Ιανουάριος|Φεβρουάριος|Μάρτιος|Απρίλιος|Μάιος|Ιούνιος|Ιούλιος|Αύγουστος|Σεπτέμβριος|Οκτώβριος|Νοέμβριος|Δεκέμβριος	LLL=Ιαν|Φεβ|Μάρ|Απρ|Μάι|Ιούν|Ιούλ|Αύγ|Σεπ|Οκτ|Νοέ|Δεκ	EEEE=Δευτέρα|Τρίτη|Τετάρτη|Πέμπτη|Παρασκευή|Σάββατο|Κυριακή	EEE=Δευ|Τρί|Τετ|Πέμ|Παρ|Σάβ|Κυρ	EEEEE=Δ|Τ|Τ|Π|Π|Σ|Κ	QQQQ=1ο τρίμηνο|2ο τρίμηνο|3ο τρίμηνο|4ο τρίμηνο	QQQ=Τ1|Τ2|Τ3|Τ4	qqq=	GGGG=προ Χριστού|μετά Χριστόν	G=π.Χ.|μ.Χ.	GGGGG=π.Χ.|μ.Χ.	a=π.μ.|μ.μ.	UTC=Συντονισμένη Παγκόσμια Ώρα
        el_CY	el	symbol=€	code=EUR	week=11
        el_GR	el	symbol=€	code=EUR	week=14
        en	root	currency=¤#,##0.00	dates=EEEE, MMMM d, y|MMMM d, y|MMM d, y|M/d/yy	times=h:mm:ss a zzzz|h:mm:ss a z|h:mm:ss a|h:mm a	joins={1} 'at' {0}|{1} 'at' {0}|{1}, {0}|{1}, {0}	MMMM=January|February|March|April|May|June|July|August|September|October|November|December	MMMMM=J|F|M|A|M|J|J|A|S|O|N|D	EEEE=Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday	QQQQ=1st quarter|2nd quarter|3rd quarter|4th quarter	qqq=	GGGG=Before Christ|Anno Domini	GGGGG=B|A
        en_001	en	week=11	dates=EEEE, d MMMM y|d MMMM y|d MMM y|dd/MM/y	a=am|pm
        en_150	en_001	currency=#,##0.00 ¤	times=HH:mm:ss zzzz|HH:mm:ss z|HH:mm:ss|HH:mm
        en_AE	en_001	symbol=AED	code=AED	week=61	a=AM|PM
        en_AG	en_001	symbol=$	code=XCD	week=71
        en_AI	en_150	currency=¤#,##0.00	symbol=$	code=XCD
        en_AS	en	symbol=$	code=USD
        en_AT	en_150	signs=,.-%‰,.E	percent=#,##0 %	currency=¤ #,##0.00	symbol=€	code=EUR	week=14
        en_AU	en	signs=.,-%‰.,e	symbol=$	code=AUD	dates=EEEE, d MMMM y|d MMMM y|d MMM y|d/M/yy	MMM=Jan|Feb|Mar|Apr|May|June|July|Aug|Sept|Oct|Nov|Dec	LLL=Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec	EEEEE=M.|Tu.|W.|Th.|F.|Sa.|Su.	a=am|pm
        en_BB	en_001	symbol=$	code=BBD
        en_BE	en_150	signs=,.-%‰,.E	symbol=€	code=EUR	week=14	dates=EEEE, d MMMM y|d MMMM y|dd MMM y|dd/MM/yy
        en_BI	en	currency=¤#,##0	symbol=FBu	code=BIF	decimals=0	week=11	times=HH:mm:ss zzzz|HH:mm:ss z|HH:mm:ss|HH:mm
        en_BM	en_001	symbol=$	code=BMD
        en_BS	en_001	symbol=$	code=BSD	week=71
        en_BW	en_150	currency=¤#,##0.00	symbol=P	code=BWP	week=71	dates=EEEE, dd MMMM y|dd MMMM y|dd MMM y|dd/MM/yy
        en_BZ	en_150	currency=¤#,##0.00	symbol=$	code=BZD	week=71	dates=EEEE, dd MMMM y|dd MMMM y|dd-MMM-y|dd/MM/yy
        en_CA	en	signs=.,-%‰.,e	symbol=$	code=CAD	dates=EEEE, MMMM d, y|MMMM d, y|MMM d, y|y-MM-dd	MMM=Jan.|Feb.|Mar.|Apr.|May|Jun.|Jul.|Aug.|Sep.|Oct.|Nov.|Dec.	EEE=Mon.|Tue.|Wed.|Thu.|Fri.|Sat.|Sun.	a=a.m.|p.m.
        en_CC	en_150	currency=¤#,##0.00	symbol=$	code=AUD
        en_CH	en_150	signs=.’-%‰.’E	currency=¤ #,##0.00;¤-#,##0.00	symbol=CHF	code=CHF	week=14
        en_CK	en_150	currency=¤#,##0.00	symbol=$	code=NZD
        en_CM	en_150	currency=¤#,##0	symbol=FCFA	code=XAF	decimals=0
        en_CX	en_150	currency=¤#,##0.00	symbol=$	code=AUD
        en_CY	en_001	symbol=€	code=EUR
        en_DE	en_150	signs=,.-%‰,.E	percent=#,##0 %	symbol=€	code=EUR	week=14
        en_DG	en_150	currency=¤#,##0.00
        en_DK	en_150	signs=,.-%‰,.E	percent=#,##0 %	symbol=kr.	code=DKK	week=14	times=HH.mm.ss zzzz|HH.mm.ss z|HH.mm.ss|HH.mm
        en_DM	en_001	symbol=$	code=XCD	week=71
        en_ER	en_001	symbol=Nfk	code=ERN
        en_FI	en_150	signs=, -%‰, E	percent=#,##0 %	symbol=€	code=EUR	week=14	times=H.mm.ss zzzz|H.mm.ss z|H.mm.ss|H.mm
        en_FJ	en_001	symbol=$	code=FJD	week=14
        en_FK	en_150	currency=¤#,##0.00	symbol=£	code=FKP
        en_FM	en_001	symbol=US$	code=USD
        en_GB	en_150	currency=¤#,##0.00	symbol=£	code=GBP	week=14	MMM=Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept|Oct|Nov|Dec
        en_GD	en_001	symbol=$	code=XCD
        en_GG	en_150	currency=¤#,##0.00	symbol=£	code=GBP	week=14
        en_GH	en_001	symbol=GH₵	code=GHS
        en_GI	en_150	currency=¤#,##0.00	symbol=£	code=GIP	week=14
        en_GM	en_001	symbol=D	code=GMD
        en_GU	en	symbol=$	code=USD
        en_GY	en_001	symbol=$	code=GYD
        en_HK	en	symbol=HK$	code=HKD	dates=EEEE, d MMMM y|d MMMM y|d MMM y|d/M/y	a=am|pm
        en_IE	en_150	currency=¤#,##0.00	symbol=€	code=EUR	week=14	dates=EEEE d MMMM y|d MMMM y|d MMM y|dd/MM/y	a=a.m.|p.m.
        en_IL	en_001	symbol=₪	code=ILS	week=71	times=H:mm:ss zzzz|H:mm:ss z|H:mm:ss|H:mm
        en_IM	en_150	currency=¤#,##0.00	symbol=£	code=GBP	week=14
        en_IN	en	symbol=₹	code=INR	dates=EEEE, d MMMM, y|d MMMM y|dd-MMM-y|dd/MM/yy	a=am|pm
        en_IO	en_150	currency=¤#,##0.00	symbol=US$	code=USD
        en_JE	en_150	currency=¤#,##0.00	symbol=£	code=GBP	week=14
        en_JM	en_001	symbol=$	code=JMD	week=71
        en_KE	en_150	currency=¤#,##0.00	symbol=Ksh	code=KES	week=71
        en_KI	en_001	symbol=$	code=AUD
        en_KN	en_001	symbol=$	code=XCD
        en_KY	en_001	symbol=$	code=KYD
        en_LC	en_001	symbol=$	code=XCD
        en_LR	en_001	symbol=$	code=LRD
        en_LS	en_001	symbol=LSL	code=LSL
        en_MG	en_150	currency=¤#,##0.00	symbol=Ar	code=MGA
        en_MH	en	symbol=$	code=USD
        en_MO	en_001	symbol=MOP$	code=MOP	week=71
        en_MP	en	symbol=$	code=USD	week=11
        en_MS	en_150	currency=¤#,##0.00	symbol=$	code=XCD
        en_MT	en_150	currency=¤#,##0.00	symbol=€	code=EUR	week=71	dates=EEEE, d MMMM y|dd MMMM y|dd MMM y|dd/MM/y
        en_MU	en_150	currency=¤#,##0.00	symbol=Rs	code=MUR
        en_MW	en_001	symbol=MK	code=MWK
        en_MY	en_001	symbol=RM	code=MYR
        en_NA	en_001	symbol=$	code=NAD
        en_NF	en_150	currency=¤#,##0.00	symbol=$	code=AUD
        en_NG	en_150	currency=¤#,##0.00	symbol=₦	code=NGN
        en_NL	en_150	signs=,.-%‰,.E	currency=¤ #,##0.00;¤ -#,##0.00	symbol=€	code=EUR	week=14
        en_NR	en_150	currency=¤#,##0.00	symbol=$	code=AUD
        en_NU	en_150	currency=¤#,##0.00	symbol=$	code=NZD
        en_NZ	en_001	symbol=$	code=NZD	dates=EEEE, d MMMM y|d MMMM y|d/MM/y|d/MM/yy
        en_PG	en_001	symbol=K	code=PGK
        en_PH	en_001	symbol=₱	code=PHP	week=71
        en_PK	en	symbol=Rs	code=PKR	dates=EEEE, d MMMM y|d MMMM y|dd-MMM-y|dd/MM/y	a=am|pm
        en_PN	en_150	currency=¤#,##0.00	symbol=$	code=NZD
        en_PR	en	symbol=$	code=USD
        en_PW	en_001	symbol=US$	code=USD
        en_RW	en_150	currency=¤#,##0	symbol=RF	code=RWF	decimals=0
        en_SB	en_001	symbol=$	code=SBD
        en_SC	en_150	currency=¤#,##0.00	symbol=SR	code=SCR
        en_SD	en_001	symbol=SDG	code=SDG	week=61
        en_SE	en_150	signs=, -%‰, ×10^	percent=#,##0 %	symbol=kr	code=SEK	week=14	dates=EEEE, d MMMM y|d MMMM y|d MMM y|y-MM-dd
        en_SG	en	symbol=$	code=SGD	dates=EEEE, d MMMM y|d MMMM y|d MMM y|d/M/yy	a=am|pm
        en_SH	en_150	currency=¤#,##0.00	symbol=£	code=SHP
        en_SI	en_150	signs=,.-%‰,.e	symbol=€	code=EUR
        en_SL	en_001	symbol=SLE	code=SLE
        en_SS	en_001	symbol=£	code=SSP
        en_SX	en_150	currency=¤#,##0.00	symbol=XCG	code=XCG
        en_SZ	en_001	symbol=E	code=SZL
        en_TC	en_001	symbol=US$	code=USD
        en_TK	en_150	currency=¤#,##0.00	symbol=$	code=NZD
        en_TO	en_001	symbol=T$	code=TOP
        en_TT	en_001	symbol=$	code=TTD	week=71
        en_TV	en_150	currency=¤#,##0.00	symbol=$	code=AUD
        en_TZ	en_150	currency=¤#,##0.00	symbol=TSh	code=TZS
        en_UG	en_150	currency=¤#,##0	symbol=USh	code=UGX	decimals=0
        en_UM	en	symbol=$	code=USD
        en_US	en	symbol=$	code=USD
        en_VC	en_001	symbol=$	code=XCD
        en_VG	en_001	symbol=US$	code=USD
        en_VI	en	symbol=$	code=USD
        en_VU	en_001	currency=¤#,##0	symbol=VT	code=VUV	decimals=0
        en_WS	en_001	symbol=WS$	code=WST	week=71
        en_ZA	en_150	signs=, -%‰, E	currency=¤#,##0.00	symbol=R	code=ZAR	week=71	dates=EEEE, dd MMMM y|dd MMMM y|dd MMM y|y/MM/dd
        en_ZM	en_001	symbol=K	code=ZMW
        en_ZW	en_150	currency=¤#,##0.00	symbol=ZWG	code=ZWG	week=71	dates=EEEE, dd MMMM y|dd MMMM y|dd MMM,y|d/M/y
        es	root	signs=,.-%‰,.E	percent=#,##0 %	currency=#,##0.00 ¤	dates=EEEE, d 'de' MMMM 'de' y|d 'de' MMMM 'de' y|d MMM y|d/M/yy	times=H:mm:ss (zzzz)|H:mm:ss z|H:mm:ss|H:mm	joins={1}, {0}|{1}, {0}|{1} {0}|{1} {0}	MMMM=enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre	MMM=ene|feb|mar|abr|may|jun|jul|ago|sept|oct|nov|dic	MMMMM=E|F|M|A|M|J|J|A|S|O|N|D	EEEE=lunes|martes|miércoles|jueves|viernes|sábado|domingo	EEE=lun|mar|mié|jue|vie|sáb|dom	EEEEE=L|M|X|J|V|S|D	QQQQ=1.er trimestre|2.º trimestre|3.er trimestre|4.º trimestre	QQQ=T1|T2|T3|T4	qqq=	GGGG=antes de Cristo|después de Cristo	G=antes de Cristo|anno Dómini	GGGGG=a. C.|d. C.	a=a. m.|p. m.	UTC=tiempo universal coordinado
        es_419	es	signs=.,-%‰.,E	currency=¤#,##0.00	week=11	times=HH:mm:ss zzzz|HH:mm:ss z|HH:mm:ss|HH:mm	MMM=ene.|feb.|mar.|abr.|may.|jun.|jul.|ago.|sep.|oct.|nov.|dic.	EEEEE=l|m|m|j|v|s|d	ccc=lun.|mar.|mié.|jue.|vie.|sáb.|dom.	ccccc=L|M|M|J|V|S|D	QQQQ=1.º trimestre|2.º trimestre|3.º trimestre|4.º trimestre	QQQ=1.º trimestre|2.º trimestre|3.º trimestre|4.º trimestre	qqq=T1|T2|T3|T4	UTC=hora universal coordinada
        es_AR	es_419	signs=,.-%‰,.E	currency=¤ #,##0.00	symbol=$	code=ARS	EEEEE=L|M|M|J|V|S|D	ccccc=	QQQQ=1.er trimestre|2.º trimestre|3.er trimestre|4.º trimestre	QQQ=1.er trimestre|2.º trimestre|3.er trimestre|4.º trimestre
        es_BO	es_419	signs=,.-%‰,.E	symbol=Bs	code=BOB	dates=EEEE, d 'de' MMMM 'de' y|d 'de' MMMM 'de' y|d MMM 'de' y|d/M/yy
        es_BR	es_419	symbol=R$	code=BRL	week=71
        es_BZ	es_419	symbol=$	code=BZD	week=71
        es_CL	es_419	signs=,.-%‰,.E	currency=¤#,##0;¤-#,##0	symbol=$	code=CLP	decimals=0	dates=EEEE, d 'de' MMMM 'de' y|d 'de' MMMM 'de' y|dd-MM-y|dd-MM-yy	LLL=ene.|feb.|mar.|abr.|may.|jun.|jul.|ago.|sept.|oct.|nov.|dic.	qqqq=1.° trimestre|2.° trimestre|3.° trimestre|4.º trimestre
        es_CO	es_419	signs=,.-%‰,.E	currency=¤ #,##0.00	symbol=$	code=COP	week=71	dates=EEEE, d 'de' MMMM 'de' y|d 'de' MMMM 'de' y|d/MM/y|d/MM/yy	times=h:mm:ss a zzzz|h:mm:ss a z|h:mm:ss a|h:mm a	joins={1}, {0}|{1}, {0}|{1}, {0}|{1}, {0}	LLL=ene.|feb.|mar.|abr.|may.|jun.|jul.|ago.|sept.|oct.|nov.|dic.	EEEEE=L|M|M|J|V|S|D	ccccc=l|m|m|j|v|s|d
        es_CR	es_419	signs=, -%‰, E	symbol=₡	code=CRC
        es_CU	es_419	symbol=$	code=CUP
        es_DO	es_419	symbol=RD$	code=DOP	week=71	times=h:mm:ss a zzzz|h:mm:ss a z|h:mm:ss a|h:mm a	EEEEE=L|M|M|J|V|S|D	ccccc=	QQQ=Q1|Q2|Q3|Q4	qqq=
        es_EA	es	week=11
        es_EC	es_419	signs=,.-%‰,.E	currency=¤#,##0.00;¤-#,##0.00	symbol=$	code=USD
        es_ES	es	symbol=€	code=EUR	week=14
        es_GQ	es	currency=¤#,##0	symbol=FCFA	code=XAF	decimals=0	week=11
        es_GT	es_419	symbol=Q	code=GTQ	week=71	dates=EEEE, d 'de' MMMM 'de' y|d 'de' MMMM 'de' y|d/MM/y|d/MM/yy
        es_HN	es_419	symbol=L	code=HNL	week=71	dates=EEEE dd 'de' MMMM 'de' y|dd 'de' MMMM 'de' y|d MMM y|d/M/yy
        es_IC	es	week=11
        es_MX	es_419	symbol=$	code=MXN	week=71	dates=EEEE, d 'de' MMMM 'de' y|d 'de' MMMM 'de' y|d MMM y|dd/MM/yy	EEEEE=L|M|M|J|V|S|D	ccccc=	QQQQ=1.er trimestre|2.º trimestre|3.er trimestre|4.º trimestre	QQQ=1.er trimestre|2.º trimestre|3.er trimestre|4.º trimestre	QQQQQ=1T|2T|3T|4T
        es_NI	es_419	symbol=C$	code=NIO	week=71
        es_PA	es_419	symbol=B/.	code=PAB	week=71	dates=EEEE, d 'de' MMMM 'de' y|d 'de' MMMM 'de' y|MM/dd/y|MM/dd/yy	times=h:mm:ss a zzzz|h:mm:ss a z|h:mm:ss a|h:mm a	QQQQ=1er. trimestre|2do. trimestre|3er. trimestre|4.º trimestre	QQQ=1er. trimestre|2do. trimestre|3er. trimestre|4.º trimestre
        es_PE	es_419	currency=¤ #,##0.00	symbol=S/	code=PEN	week=71	dates=EEEE, d 'de' MMMM 'de' y|d 'de' MMMM 'de' y|d MMM y|d/MM/yy	MMMM=enero|febrero|marzo|abril|mayo|junio|julio|agosto|setiembre|octubre|noviembre|diciembre	MMM=ene.|feb.|mar.|abr.|may.|jun.|jul.|ago.|set.|oct.|nov.|dic.	LLLL=Enero|Febrero|Marzo|Abril|Mayo|Junio|Julio|Agosto|Setiembre|Octubre|Noviembre|Diciembre	LLL=Ene.|Feb.|Mar.|Abr.|May.|Jun.|Jul.|Ago.|Set.|Oct.|Nov.|Dic.
        es_PH	es	symbol=₱	code=PHP	times=h:mm:ss a zzzz|h:mm:ss a z|h:mm:ss a|h:mm a
        es_PR	es_419	symbol=$	code=USD	week=71	dates=EEEE, d 'de' MMMM 'de' y|d 'de' MMMM 'de' y|MM/dd/y|MM/dd/yy	times=h:mm:ss a zzzz|h:mm:ss a z|h:mm:ss a|h:mm a
        es_PY	es_419	signs=,.-%‰,.E	currency=¤ #,##0;¤ -#,##0	symbol=Gs.	code=PYG	decimals=0	week=71	MMM=ene.|feb.|mar.|abr.|may.|jun.|jul.|ago.|sept.|oct.|nov.|dic.
        es_SV	es_419	symbol=C	code=SVC	week=71
        es_US	es_419	symbol=$	code=USD	week=71	dates=EEEE, d 'de' MMMM 'de' y|d 'de' MMMM 'de' y|d MMM y|d/M/y	times=h:mm:ss a zzzz|h:mm:ss a z|h:mm:ss a|h:mm a	EEEEE=L|M|M|J|V|S|D	ccccc=	QQQQ=1.er trimestre|2.º trimestre|3.er trimestre|4.º trimestre	QQQ=1.er trimestre|2.º trimestre|3.er trimestre|4.º trimestre	qqqq=1.er trimestre|2º. trimestre|3.er trimestre|4.º trimestre	G=a.C.|d.C.
        es_UY	es_419	signs=,.-%‰,.E	currency=¤ #,##0.00	symbol=$	code=UYU	MMMM=enero|febrero|marzo|abril|mayo|junio|julio|agosto|setiembre|octubre|noviembre|diciembre	MMM=ene.|feb.|mar.|abr.|may.|jun.|jul.|ago.|set.|oct.|nov.|dic.	LLLL=Enero|Febrero|Marzo|Abril|Mayo|Junio|Julio|Agosto|Setiembre|Octubre|Noviembre|Diciembre	LLL=Ene.|Feb.|Mar.|Abr.|May.|Jun.|Jul.|Ago.|Set.|Oct.|Nov.|Dic.
        es_VE	es_419	signs=,.-%‰,.E	currency=¤#,##0.00;¤-#,##0.00	symbol=Bs.S	code=VES	week=71	times=h:mm:ss a zzzz|h:mm:ss a z|h:mm:ss a|h:mm a	MMM=ene.|feb.|mar.|abr.|may.|jun.|jul.|ago.|sept.|oct.|nov.|dic.	QQQQ=1er trimestre|2do trimestre|3er trimestre|4to trimestre	QQQ=1er trimestre|2do trimestre|3er trimestre|4to trimestre
        fi	root	signs=, −%‰, E	percent=#,##0 %	currency=#,##0.00 ¤	dates=cccc d. MMMM y|d. MMMM y|d.M.y|d.M.y	times=H.mm.ss zzzz|H.mm.ss z|H.mm.ss|H.mm	joins={1} 'klo' {0}|{1} 'klo' {0}|{1} 'klo' {0}|{1} {0}	MMMM=tammikuuta|helmikuuta|maaliskuuta|huhtikuuta|toukokuuta|kesäkuuta|heinäkuuta|elokuuta|syyskuuta|lokakuuta|marraskuuta|joulukuuta	MMM=tammik.|helmik.|maalisk.|huhtik.|toukok.|kesäk.|heinäk.|elok.|syysk.|lokak.|marrask.|jouluk.	MMMMM=T|H|M|H|T|K|H|E|S|L|M|J	LLLL=tammikuu|helmikuu|maaliskuu|huhtikuu|toukokuu|kesäkuu|heinäkuu|elokuu|syyskuu|lokakuu|marraskuu|joulukuu	LLL=tammi|helmi|maalis|huhti|touko|kesä|heinä|elo|syys|loka|marras|joulu	EEEE=maanantaina|tiistaina|keskiviikkona|torstaina|perjantaina|lauantaina|sunnuntaina	EEE=ma|ti|ke|to|pe|la|su	EEEEE=M|T|K|T|P|L|S	cccc=maanantai|tiistai|keskiviikko|torstai|perjantai|lauantai|sunnuntai	QQQQ=1. neljännes|2. neljännes|3. neljännes|4. neljännes	QQQ=1. nelj.|2. nelj.|3. nelj.|4. nelj.	qqq=	GGGG=ennen Kristuksen syntymää|jälkeen Kristuksen syntymän	G=eKr.|jKr.	GGGGG=eKr|jKr	a=ap.|ip.	UTC=UTC-yleisaika
        fi_FI	fi	symbol=€	code=EUR	week=14
        fr	root	signs=, -%‰, E	percent=#,##0 %	currency=#,##0.00 ¤	dates=EEEE d MMMM y|d MMMM y|d MMM y|dd/MM/y	joins={1} 'à' {0}|{1} 'à' {0}|{1}, {0}|{1} {0}	MMMM=janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre	MMM=janv.|févr.|mars|avr.|mai|juin|juil.|août|sept.|oct.|nov.|déc.	MMMMM=J|F|M|A|M|J|J|A|S|O|N|D	EEEE=lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche	EEE=lun.|mar.|mer.|jeu.|ven.|sam.|dim.	EEEEE=L|M|M|J|V|S|D	QQQQ=1er trimestre|2e trimestre|3e trimestre|4e trimestre	QQQ=T1|T2|T3|T4	qqq=	GGGG=avant Jésus-Christ|après Jésus-Christ	G=BC|ap. J.-C.	GGGGG=av. J.-C.|ap. J.-C.	UTC=Temps universel coordonné
        fr_BE	fr	symbol=€	code=EUR	week=14	dates=EEEE d MMMM y|d MMMM y|d MMM y|d/MM/yy	times=H 'h' mm 'min' ss 's' zzzz|HH:mm:ss z|HH:mm:ss|HH:mm
        fr_BF	fr	currency=#,##0 ¤	symbol=F CFA	code=XOF	decimals=0	week=11
        fr_BI	fr	currency=#,##0 ¤	symbol=FBu	code=BIF	decimals=0	week=11
        fr_BJ	fr	currency=#,##0 ¤	symbol=F CFA	code=XOF	decimals=0	week=11
        fr_BL	fr	symbol=€	code=EUR	week=11
        fr_CA	fr	signs=, -%‰, E	symbol=$ CA	code=CAD	dates=EEEE d MMMM y|d MMMM y|d MMM y|y-MM-dd	times=HH 'h' mm 'min' ss 's' zzzz|HH 'h' mm 'min' ss 's' z|HH 'h' mm 'min' ss 's'|HH 'h' mm	MMM=janv.|févr.|mars|avr.|mai|juin|juill.|août|sept.|oct.|nov.|déc.	a=a.m.|p.m.	UTC=temps universel coordonné
        fr_CD	fr	symbol=FC	code=CDF	week=11
        fr_CF	fr	currency=#,##0 ¤	symbol=FCFA	code=XAF	decimals=0	week=11
        fr_CG	fr	currency=#,##0 ¤	symbol=FCFA	code=XAF	decimals=0	week=11
        fr_CH	fr	signs=, -%‰. E	percent=#,##0%	symbol=CHF	code=CHF	week=14	dates=EEEE, d MMMM y|d MMMM y|d MMM y|dd.MM.yy	times=HH.mm:ss 'h' zzzz|HH:mm:ss z|HH:mm:ss|HH:mm
        fr_CI	fr	currency=#,##0 ¤	symbol=F CFA	code=XOF	decimals=0	week=11
        fr_CM	fr	currency=#,##0 ¤	symbol=FCFA	code=XAF	decimals=0	week=11	a=matin|soir
        fr_DJ	fr	currency=#,##0 ¤	symbol=Fdj	code=DJF	decimals=0	week=61	times=h:mm:ss a zzzz|h:mm:ss a z|h:mm:ss a|h:mm a
        fr_DZ	fr	symbol=DA	code=DZD	week=61	times=h:mm:ss a zzzz|h:mm:ss a z|h:mm:ss a|h:mm a
        fr_FR	fr	symbol=€	code=EUR	week=14
        fr_GA	fr	currency=#,##0 ¤	symbol=FCFA	code=XAF	decimals=0	week=11
        fr_GF	fr	symbol=€	code=EUR	week=14
        fr_GN	fr	currency=#,##0 ¤	symbol=FG	code=GNF	decimals=0	week=11
        fr_GP	fr	symbol=€	code=EUR	week=14
        fr_GQ	fr	currency=#,##0 ¤	symbol=FCFA	code=XAF	decimals=0	week=11
        fr_HT	fr	symbol=G	code=HTG	week=11
        fr_KM	fr	currency=#,##0 ¤	symbol=CF	code=KMF	decimals=0	week=11
        fr_LU	fr	signs=,.-%‰,.E	symbol=€	code=EUR	week=14
        fr_MA	fr	signs=,.-%‰,.E	symbol=MAD	code=MAD	week=11	MMM=jan.|fév.|mar.|avr.|mai|jui.|juil.|août|sept.|oct.|nov.|déc.	a=a.m.|p.m.
        fr_MC	fr	symbol=€	code=EUR	week=14
        fr_MF	fr	symbol=€	code=EUR	week=11
        fr_MG	fr	symbol=Ar	code=MGA	week=11
        fr_ML	fr	currency=#,##0 ¤	symbol=F CFA	code=XOF	decimals=0	week=11	joins={1} 'à' {0}|{1} 'à' {0}|{1}, {0}|{1}, {0}	QQQQ=le 1er trimestre|le 2ème trimestre|le 3ème trimestre|le 4ème trimestre	QQQ=le 1er trimestre|le 2ème trimestre|le 3ème trimestre|le 4ème trimestre	qqqq=1er trimestre|2ème trimestre|3ème trimestre|4ème trimestre	qqq=T1|T2|T3|T4
        fr_MQ	fr	symbol=€	code=EUR	week=14
        fr_MR	fr	symbol=UM	code=MRU	week=11	times=h:mm:ss a zzzz|h:mm:ss a z|h:mm:ss a|h:mm a
        fr_MU	fr	symbol=Rs	code=MUR	week=11
        fr_NC	fr	currency=#,##0 ¤	symbol=FCFP	code=XPF	decimals=0	week=11
        fr_NE	fr	currency=#,##0 ¤	symbol=F CFA	code=XOF	decimals=0	week=11
        fr_PF	fr	currency=#,##0 ¤	symbol=FCFP	code=XPF	decimals=0	week=11
        fr_PM	fr	symbol=€	code=EUR	week=11
        fr_RE	fr	symbol=€	code=EUR	week=14
        fr_RW	fr	currency=#,##0 ¤	symbol=RF	code=RWF	decimals=0	week=11
        fr_SC	fr	symbol=SR	code=SCR	week=11
        fr_SN	fr	currency=#,##0 ¤	symbol=F CFA	code=XOF	decimals=0	week=11
        fr_SY	fr	symbol=LS	code=SYP	week=61	times=h:mm:ss a zzzz|h:mm:ss a z|h:mm:ss a|h:mm a
        fr_TD	fr	currency=#,##0 ¤	symbol=FCFA	code=XAF	decimals=0	week=11	times=h:mm:ss a zzzz|h:mm:ss a z|h:mm:ss a|h:mm a
        fr_TG	fr	currency=#,##0 ¤	symbol=F CFA	code=XOF	decimals=0	week=11
        fr_TN	fr	currency=#,##0.000 ¤	symbol=DT	code=TND	decimals=3	week=11	times=h:mm:ss a zzzz|h:mm:ss a z|h:mm:ss a|h:mm a
        fr_VU	fr	currency=#,##0 ¤	symbol=VT	code=VUV	decimals=0	week=11	times=h:mm:ss a zzzz|h:mm:ss a z|h:mm:ss a|h:mm a
        fr_WF	fr	currency=#,##0 ¤	symbol=FCFP	code=XPF	decimals=0	week=11
        fr_YT	fr	symbol=€	code=EUR	week=11
        hu	root	signs=, -%‰, E	currency=#,##0.00 ¤	dates=y. MMMM d., EEEE|y. MMMM d.|y. MMM d.|y. MM. dd.	times=H:mm:ss zzzz|H:mm:ss z|H:mm:ss|H:mm	MMMM=január|február|március|április|május|június|július|augusztus|szeptember|október|november|december	MMM=jan.|febr.|márc.|ápr.|máj.|jún.|júl.|aug.|szept.|okt.|nov.|dec.	MMMMM=J|F|M|Á|M|J|J|A|Sz|O|N|D	EEEE=hétfő|kedd|szerda|csütörtök|péntek|szombat|vasárnap	EEE=H|K|Sze|Cs|P|Szo|V	EEEEE=H|K|Sz|Cs|P|Sz|V	QQQQ=I. negyedév|II. negyedév|III. negyedév|IV. negyedév	QQQ=I. n.év|II. n.év|III. n.év|IV. n.év	QQQQQ=I.|II.|III.|IV.	qqqq=1. negyedév|2. negyedév|3. negyedév|4. negyedév	qqq=1. n.év|2. n.év|3. n.év|4. n.év	qqqqq=1.|2.|3.|4.	GGGG=időszámításunk előtt|időszámításunk szerint	G=i.e.|i.u.	GGGGG=ie.|isz.	a=de.|du.	UTC=koordinált világidő
        hu_HU	hu	symbol=Ft	code=HUF	week=14
        it	root	signs=,.-%‰,.E	currency=#,##0.00 ¤	dates=EEEE d MMMM y|d MMMM y|d MMM y|dd/MM/yy	joins={1} {0}|{1} {0}|{1}, {0}|{1}, {0}	MMMM=gennaio|febbraio|marzo|aprile|maggio|giugno|luglio|agosto|settembre|ottobre|novembre|dicembre	MMM=gen|feb|mar|apr|mag|giu|lug|ago|set|ott|nov|dic	MMMMM=G|F|M|A|M|G|L|A|S|O|N|D	EEEE=lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica	EEE=lun|mar|mer|gio|ven|sab|dom	EEEEE=L|M|M|G|V|S|D	QQQQ=1º trimestre|2º trimestre|3º trimestre|4º trimestre	QQQ=T1|T2|T3|T4	qqq=	GGGG=a.C.|d.C.	G=BC|dopo Cristo	GGGGG=aC|dC	UTC=Tempo coordinato universale
        it_CH	it	signs=.’-%‰.’E	currency=¤ #,##0.00;¤-#,##0.00	symbol=SFr.	code=CHF	week=14	dates=EEEE, d MMMM y|d MMMM y|d MMM y|dd.MM.yy
        it_IT	it	symbol=€	code=EUR	week=14
        it_SM	it	symbol=€	code=EUR	week=14
        it_VA	it	symbol=€	code=EUR	week=14
        ja	root	currency=¤#,##0.00	dates=y年M月d日EEEE|y年M月d日|y/MM/dd|y/MM/dd	times=H時mm分ss秒 zzzz|H:mm:ss z|H:mm:ss|H:mm	MMMM=1月|2月|3月|4月|5月|6月|7月|8月|9月|10月|11月|12月	MMM=1月|2月|3月|4月|5月|6月|7月|8月|9月|10月|11月|12月	EEEE=月曜日|火曜日|水曜日|木曜日|金曜日|土曜日|日曜日	EEE=月|火|水|木|金|土|日	EEEEE=月|火|水|木|金|土|日	QQQQ=第1四半期|第2四半期|第3四半期|第4四半期	qqq=	GGGG=紀元前|西暦	G=紀元前|西暦	GGGGG=BC|AD	a=午前|午後	UTC=協定世界時
        ja_JP	ja	currency=¤#,##0	symbol=￥	code=JPY	decimals=0
        ko	root	currency=¤#,##0.00	dates=y년 M월 d일 EEEE|y년 M월 d일|y. M. d.|yy. M. d.	times=a h시 m분 s초 zzzz|a h시 m분 s초 z|a h:mm:ss|a h:mm	MMMM=1월|2월|3월|4월|5월|6월|7월|8월|9월|10월|11월|12월	MMM=1월|2월|3월|4월|5월|6월|7월|8월|9월|10월|11월|12월	MMMMM=1월|2월|3월|4월|5월|6월|7월|8월|9월|10월|11월|12월	EEEE=월요일|화요일|수요일|목요일|금요일|토요일|일요일	EEE=월|화|수|목|금|토|일	EEEEE=월|화|수|목|금|토|일	QQQQ=제 1/4분기|제 2/4분기|제 3/4분기|제 4/4분기	QQQ=1분기|2분기|3분기|4분기	qqq=	GGGG=기원전|서기	G=기원전|서기	GGGGG=BC|AD	a=오전|오후	UTC=협정 세계시
        ko_KP	ko	symbol=KPW	code=KPW	week=11
        ko_KR	ko	currency=¤#,##0	symbol=₩	code=KRW	decimals=0
        nb	root	signs=, −%‰, E	percent=#,##0 %	dates=EEEE d. MMMM y|d. MMMM y|d. MMM y|dd.MM.y	joins={1} 'kl'. {0}|{1} 'kl'. {0}|{1}, {0}|{1}, {0}	MMMM=januar|februar|mars|april|mai|juni|juli|august|september|oktober|november|desember	MMM=jan.|feb.|mar.|apr.|mai|jun.|jul.|aug.|sep.|okt.|nov.|des.	MMMMM=J|F|M|A|M|J|J|A|S|O|N|D	LLL=jan|feb|mar|apr|mai|jun|jul|aug|sep|okt|nov|des	EEEE=mandag|tirsdag|onsdag|torsdag|fredag|lørdag|søndag	EEE=man.|tir.|ons.|tor.|fre.|lør.|søn.	EEEEE=M|T|O|T|F|L|S	QQQQ=1. kvartal|2. kvartal|3. kvartal|4. kvartal	QQQ=K1|K2|K3|K4	QQQQQ=1.|2.|3.|4.	qqq=	GGGG=før Kristus|etter Kristus	G=f.Kr.|e.Kr.	GGGGG=f.Kr.|e.Kr.	a=a.m.|p.m.	UTC=koordinert universaltid
        nb_NO	nb	symbol=kr	code=NOK	week=14
        nb_SJ	nb	symbol=kr	code=NOK	week=14
        nl	root	signs=,.-%‰,.E	currency=¤ #,##0.00;¤ -#,##0.00	dates=EEEE d MMMM y|d MMMM y|d MMM y|dd-MM-y	joins={1} 'om' {0}|{1} 'om' {0}|{1} {0}|{1} {0}	MMMM=januari|februari|maart|april|mei|juni|juli|augustus|september|oktober|november|december	MMM=jan.|feb.|mrt.|apr.|mei|jun.|jul.|aug.|sep.|okt.|nov.|dec.	MMMMM=J|F|M|A|M|J|J|A|S|O|N|D	EEEE=maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag	EEE=ma|di|wo|do|vr|za|zo	EEEEE=M|D|W|D|V|Z|Z	QQQQ=1e kwartaal|2e kwartaal|3e kwartaal|4e kwartaal	QQQ=K1|K2|K3|K4	qqq=	GGGG=voor Christus|na Christus	G=v. Chr.|n. Chr.	GGGGG=v.C.|n.C.	a=a.m.|p.m.	UTC=gecoördineerde wereldtijd
        nl_AW	nl	symbol=Afl.	code=AWG	week=11
        nl_BE	nl	symbol=€	code=EUR	week=14	dates=EEEE d MMMM y|d MMMM y|d MMM y|d/MM/y
        nl_BQ	nl	symbol=$	code=USD	week=11
        nl_CW	nl	symbol=XCG	code=XCG	week=11
        nl_NL	nl	symbol=€	code=EUR	week=14
        nl_SR	nl	symbol=$	code=SRD	week=11
        nl_SX	nl	symbol=XCG	code=XCG	week=11
        pl	root	signs=, -%‰, E	currency=#,##0.00 ¤	dates=EEEE, d MMMM y|d MMMM y|d MMM y|dd.MM.y	joins={1} {0}|{1} {0}|{1}, {0}|{1}, {0}	MMMM=stycznia|lutego|marca|kwietnia|maja|czerwca|lipca|sierpnia|września|października|listopada|grudnia	MMM=sty|lut|mar|kwi|maj|cze|lip|sie|wrz|paź|lis|gru	MMMMM=s|l|m|k|m|c|l|s|w|p|l|g	LLLL=styczeń|luty|marzec|kwiecień|maj|czerwiec|lipiec|sierpień|wrzesień|październik|listopad|grudzień	LLLLL=S|L|M|K|M|C|L|S|W|P|L|G	EEEE=poniedziałek|wtorek|środa|czwartek|piątek|sobota|niedziela	EEE=pon.|wt.|śr.|czw.|pt.|sob.|niedz.	EEEEE=p|w|ś|c|p|s|n	ccccc=P|W|Ś|C|P|S|N	QQQQ=I kwartał|II kwartał|III kwartał|IV kwartał	QQQ=I kw.|II kw.|III kw.|IV kw.	qqq=	GGGG=p.n.e.|n.e.	G=p.n.e.|n.e.	GGGGG=p.n.e.|n.e.	UTC=uniwersalny czas koordynowany
        pl_PL	pl	symbol=zł	code=PLN	week=14
        pt	root	signs=,.-%‰,.E	dates=EEEE, d 'de' MMMM 'de' y|d 'de' MMMM 'de' y|d 'de' MMM 'de' y|dd/MM/y	MMMM=janeiro|fevereiro|março|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro	MMM=jan.|fev.|mar.|abr.|mai.|jun.|jul.|ago.|set.|out.|nov.|dez.	MMMMM=J|F|M|A|M|J|J|A|S|O|N|D	EEEE=segunda-feira|terça-feira|quarta-feira|quinta-feira|sexta-feira|sábado|domingo	EEE=seg.|ter.|qua.|qui.|sex.|sáb.|dom.	EEEEE=S|T|Q|Q|S|S|D	QQQQ=1º trimestre|2º trimestre|3º trimestre|4º trimestre	QQQ=T1|T2|T3|T4	qqq=	GGGG=antes de Cristo|depois de Cristo	G=a.C.|d.C.	GGGGG=a.C.|d.C.	UTC=Horário Universal Coordenado
        pt_AO	pt	signs=, -%‰, E	currency=#,##0.00 ¤	symbol=Kz	code=AOA	week=11	dates=EEEE, d 'de' MMMM 'de' y|d 'de' MMMM 'de' y|dd/MM/y|dd/MM/yy	joins={1} 'às' {0}|{1} 'às' {0}|{1}, {0}|{1}, {0}	EEE=segunda|terça|quarta|quinta|sexta|sábado|domingo	QQQQ=1.º trimestre|2.º trimestre|3.º trimestre|4.º trimestre	QQQ=1.º trimestre|2.º trimestre|3.º trimestre|4.º trimestre	qqq=T1|T2|T3|T4	a=da manhã|da tarde	UTC=Hora Coordenada Universal
        pt_BR	pt	symbol=R$	code=BRL
        pt_CH	pt	signs=, -%‰, E	currency=#,##0.00 ¤	symbol=CHF	code=CHF	week=14	dates=EEEE, d 'de' MMMM 'de' y|d 'de' MMMM 'de' y|dd/MM/y|dd/MM/yy	joins={1} 'às' {0}|{1} 'às' {0}|{1}, {0}|{1}, {0}	EEE=segunda|terça|quarta|quinta|sexta|sábado|domingo	QQQQ=1.º trimestre|2.º trimestre|3.º trimestre|4.º trimestre	QQQ=1.º trimestre|2.º trimestre|3.º trimestre|4.º trimestre	qqq=T1|T2|T3|T4	a=da manhã|da tarde	UTC=Hora Coordenada Universal
        pt_CV	pt	signs=, -%‰, E	currency=#,##0.00 ¤	symbol=​	code=CVE	week=11	dates=EEEE, d 'de' MMMM 'de' y|d 'de' MMMM 'de' y|dd/MM/y|dd/MM/yy	joins={1} 'às' {0}|{1} 'às' {0}|{1}, {0}|{1}, {0}	EEE=segunda|terça|quarta|quinta|sexta|sábado|domingo	QQQQ=1.º trimestre|2.º trimestre|3.º trimestre|4.º trimestre	QQQ=1.º trimestre|2.º trimestre|3.º trimestre|4.º trimestre	qqq=T1|T2|T3|T4	a=da manhã|da tarde	UTC=Hora Coordenada Universal
        pt_GQ	pt	signs=, -%‰, E	currency=#,##0 ¤	symbol=FCFA	code=XAF	decimals=0	week=11	dates=EEEE, d 'de' MMMM 'de' y|d 'de' MMMM 'de' y|dd/MM/y|dd/MM/yy	joins={1} 'às' {0}|{1} 'às' {0}|{1}, {0}|{1}, {0}	EEE=segunda|terça|quarta|quinta|sexta|sábado|domingo	QQQQ=1.º trimestre|2.º trimestre|3.º trimestre|4.º trimestre	QQQ=1.º trimestre|2.º trimestre|3.º trimestre|4.º trimestre	qqq=T1|T2|T3|T4	a=da manhã|da tarde	UTC=Hora Coordenada Universal
        pt_GW	pt	signs=, -%‰, E	currency=#,##0 ¤	symbol=F CFA	code=XOF	decimals=0	week=11	dates=EEEE, d 'de' MMMM 'de' y|d 'de' MMMM 'de' y|dd/MM/y|dd/MM/yy	joins={1} 'às' {0}|{1} 'às' {0}|{1}, {0}|{1}, {0}	EEE=segunda|terça|quarta|quinta|sexta|sábado|domingo	QQQQ=1.º trimestre|2.º trimestre|3.º trimestre|4.º trimestre	QQQ=1.º trimestre|2.º trimestre|3.º trimestre|4.º trimestre	qqq=T1|T2|T3|T4	a=da manhã|da tarde	UTC=Hora Coordenada Universal
        pt_LU	pt	signs=, -%‰, E	currency=#,##0.00 ¤	symbol=€	code=EUR	week=14	dates=EEEE, d 'de' MMMM 'de' y|d 'de' MMMM 'de' y|dd/MM/y|dd/MM/yy	joins={1} 'às' {0}|{1} 'às' {0}|{1}, {0}|{1}, {0}	EEE=segunda|terça|quarta|quinta|sexta|sábado|domingo	QQQQ=1.º trimestre|2.º trimestre|3.º trimestre|4.º trimestre	QQQ=1.º trimestre|2.º trimestre|3.º trimestre|4.º trimestre	qqq=T1|T2|T3|T4	a=da manhã|da tarde	UTC=Hora Coordenada Universal
        pt_MO	pt	signs=, -%‰, E	currency=#,##0.00 ¤	symbol=MOP$	code=MOP	dates=EEEE, d 'de' MMMM 'de' y|d 'de' MMMM 'de' y|dd/MM/y|dd/MM/yy	times=h:mm:ss a zzzz|h:mm:ss a z|h:mm:ss a|h:mm a	joins={1} 'às' {0}|{1} 'às' {0}|{1}, {0}|{1}, {0}	EEE=segunda|terça|quarta|quinta|sexta|sábado|domingo	QQQQ=1.º trimestre|2.º trimestre|3.º trimestre|4.º trimestre	QQQ=1.º trimestre|2.º trimestre|3.º trimestre|4.º trimestre	qqq=T1|T2|T3|T4	a=da manhã|da tarde	UTC=Hora Coordenada Universal
        pt_MZ	pt	signs=, -%‰, E	currency=#,##0.00 ¤	symbol=MTn	code=MZN	dates=EEEE, d 'de' MMMM 'de' y|d 'de' MMMM 'de' y|dd/MM/y|dd/MM/yy	joins={1} 'às' {0}|{1} 'às' {0}|{1}, {0}|{1}, {0}	EEE=segunda|terça|quarta|quinta|sexta|sábado|domingo	QQQQ=1.º trimestre|2.º trimestre|3.º trimestre|4.º trimestre	QQQ=1.º trimestre|2.º trimestre|3.º trimestre|4.º trimestre	qqq=T1|T2|T3|T4	a=da manhã|da tarde	UTC=Hora Coordenada Universal
        pt_PT	pt	signs=, -%‰, E	currency=#,##0.00 ¤	symbol=€	code=EUR	week=74	dates=EEEE, d 'de' MMMM 'de' y|d 'de' MMMM 'de' y|dd/MM/y|dd/MM/yy	joins={1} 'às' {0}|{1} 'às' {0}|{1}, {0}|{1}, {0}	EEE=segunda|terça|quarta|quinta|sexta|sábado|domingo	QQQQ=1.º trimestre|2.º trimestre|3.º trimestre|4.º trimestre	QQQ=1.º trimestre|2.º trimestre|3.º trimestre|4.º trimestre	qqq=T1|T2|T3|T4	a=da manhã|da tarde	UTC=Hora Coordenada Universal
        pt_ST	pt	signs=, -%‰, E	currency=#,##0.00 ¤	symbol=Db	code=STN	week=11	dates=EEEE, d 'de' MMMM 'de' y|d 'de' MMMM 'de' y|dd/MM/y|dd/MM/yy	joins={1} 'às' {0}|{1} 'às' {0}|{1}, {0}|{1}, {0}	EEE=segunda|terça|quarta|quinta|sexta|sábado|domingo	QQQQ=1.º trimestre|2.º trimestre|3.º trimestre|4.º trimestre	QQQ=1.º trimestre|2.º trimestre|3.º trimestre|4.º trimestre	qqq=T1|T2|T3|T4	a=da manhã|da tarde	UTC=Hora Coordenada Universal
        pt_TL	pt	signs=, -%‰, E	currency=#,##0.00 ¤	symbol=US$	code=USD	week=11	dates=EEEE, d 'de' MMMM 'de' y|d 'de' MMMM 'de' y|dd/MM/y|dd/MM/yy	joins={1} 'às' {0}|{1} 'às' {0}|{1}, {0}|{1}, {0}	EEE=segunda|terça|quarta|quinta|sexta|sábado|domingo	QQQQ=1.º trimestre|2.º trimestre|3.º trimestre|4.º trimestre	QQQ=1.º trimestre|2.º trimestre|3.º trimestre|4.º trimestre	qqq=T1|T2|T3|T4	a=da manhã|da tarde	UTC=Hora Coordenada Universal
        ro	root	signs=,.-%‰,.E	percent=#,##0 %	currency=#,##0.00 ¤	dates=EEEE, d MMMM y|d MMMM y|d MMM y|dd.MM.y	joins={1}, {0}|{1}, {0}|{1}, {0}|{1}, {0}	MMMM=ianuarie|februarie|martie|aprilie|mai|iunie|iulie|august|septembrie|octombrie|noiembrie|decembrie	MMM=ian.|feb.|mar.|apr.|mai|iun.|iul.|aug.|sept.|oct.|nov.|dec.	MMMMM=I|F|M|A|M|I|I|A|S|O|N|D	EEEE=luni|marți|miercuri|joi|vineri|sâmbătă|duminică	EEE=lun.|mar.|mie.|joi|vin.|sâm.|dum.	EEEEE=L|M|M|J|V|S|D	QQQQ=trimestrul I|trimestrul al II-lea|trimestrul al III-lea|trimestrul al IV-lea	QQQ=trim. I|trim. II|trim. III|trim. IV	QQQQQ=I|II|III|IV	qqq=	GGGG=înainte de Hristos|după Hristos	G=d.C.|î.d.C.	GGGGG=î.Hr.|d.Hr.	a=a.m.|p.m.	UTC=Timpul universal coordonat
        ro_MD	ro	symbol=L	code=MDL	week=11	EEE=Lun|Mar|Mie|Joi|Vin|Sâm|Dum	EEEEE=L|Ma|Mi|J|V|S|D	QQQQ=trimestrul 1|trimestrul 2|trimestrul 3|trimestrul 4	QQQ=trim. 1|trim. 2|trim. 3|trim. 4	qqqq=Trimestrul 1|Trimestrul 2|Trimestrul 3|Trimestrul 4	qqq=Trim. 1|Trim. 2|Trim. 3|Trim. 4
        ro_RO	ro	symbol=RON	code=RON	week=11
        ru	root	signs=, -%‰, E	percent=#,##0 %	currency=#,##0.00 ¤	dates=EEEE, d MMMM y 'г'.|d MMMM y 'г'.|d MMM y 'г'.|dd.MM.y	joins={1}, {0}|{1}, {0}|{1}, {0}|{1}, {0}	MMMM=января|февраля|марта|апреля|мая|июня|июля|августа|сентября|октября|ноября|декабря	MMM=янв.|февр.|мар.|апр.|мая|июн.|июл.|авг.|сент.|окт.|нояб.|дек.	MMMMM=Я|Ф|М|А|М|И|И|А|С|О|Н|Д	LLLL=январь|февраль|март|апрель|май|июнь|июль|август|сентябрь|октябрь|ноябрь|декабрь	LLL=янв.|февр.|март|апр.|май|июнь|июль|авг.|сент.|окт.|нояб.|дек.	EEEE=понедельник|вторник|среда|четверг|пятница|суббота|воскресенье	EEE=пн|вт|ср|чт|пт|сб|вс	EEEEE=пн|вт|ср|чт|пт|сб|вс	ccccc=П|В|С|Ч|П|С|В	QQQQ=1-й квартал|2-й квартал|3-й квартал|4-й квартал	QQQ=1-й кв.|2-й кв.|3-й кв.|4-й кв.	qqq=	GGGG=до Рождества Христова|от Рождества Христова	G=до н.э.|н.э.	GGGGG=до н.э.|н.э.	UTC=Всемирное координированное время
        ru_BY	ru	symbol=Br	code=BYN	week=11
        ru_KG	ru	symbol=сом	code=KGS	week=11
        ru_KZ	ru	symbol=₸	code=KZT	week=11
        ru_MD	ru	symbol=L	code=MDL	week=11
        ru_RU	ru	symbol=₽	code=RUB	week=14
        ru_UA	ru	symbol=₴	code=UAH	week=11
        sv	root	signs=, −%‰, ×10^	percent=#,##0 %	currency=#,##0.00 ¤	dates=EEEE d MMMM y|d MMMM y|d MMM y|y-MM-dd	MMMM=januari|februari|mars|april|maj|juni|juli|augusti|september|oktober|november|december	MMM=jan.|feb.|mars|apr.|maj|juni|juli|aug.|sep.|okt.|nov.|dec.	MMMMM=J|F|M|A|M|J|J|A|S|O|N|D	EEEE=måndag|tisdag|onsdag|torsdag|fredag|lördag|söndag	EEE=mån|tis|ons|tors|fre|lör|sön	EEEEE=M|T|O|T|F|L|S	QQQQ=1:a kvartalet|2:a kvartalet|3:e kvartalet|4:e kvartalet	QQQ=K1|K2|K3|K4	qqq=	GGGG=före Kristus|efter Kristus	G=före Kristus|efter Kristus	GGGGG=f.Kr.|e.Kr.	a=fm|em	UTC=koordinerad universell tid
        sv_AX	sv	symbol=€	code=EUR	week=14
        sv_FI	sv	symbol=€	code=EUR	week=14	QQQ=Q1|Q2|Q3|Q4
        sv_SE	sv	symbol=kr	code=SEK	week=14
        tr	root	signs=,.-%‰,.E	percent=%#,##0	currency=¤#,##0.00	dates=d MMMM y EEEE|d MMMM y|d MMM y|d.MM.y	MMMM=Ocak|Şubat|Mart|Nisan|Mayıs|Haziran|Temmuz|Ağustos|Eylül|Ekim|Kasım|Aralık	MMM=Oca|Şub|Mar|Nis|May|Haz|Tem|Ağu|Eyl|Eki|Kas|Ara	MMMMM=O|Ş|M|N|M|H|T|A|E|E|K|A	EEEE=Pazartesi|Salı|Çarşamba|Perşembe|Cuma|Cumartesi|Pazar	EEE=Pzt|Sal|Çar|Per|Cum|Cmt|Paz	EEEEE=P|S|Ç|P|C|C|P	QQQQ=1. çeyrek|2. çeyrek|3. çeyrek|4. çeyrek	QQQ=Ç1|Ç2|Ç3|Ç4	QQQQQ=1.|2.|3.|4.	qqq=	GGGG=Milattan Önce|Milattan Sonra	G=MÖ|MS	GGGGG=MÖ|MS	a=ÖÖ|ÖS	UTC=Eş Güdümlü Evrensel Zaman
        tr_CY	tr	symbol=€	code=EUR	week=11	times=h:mm:ss a zzzz|h:mm:ss a z|h:mm:ss a|h:mm a
        tr_TR	tr	symbol=₺	code=TRY	week=11
        uk	root	signs=, -%‰, Е	currency=#,##0.00 ¤	dates=EEEE, d MMMM y 'р'.|d MMMM y 'р'.|d MMM y 'р'.|dd.MM.yy	joins={1} 'о' {0}|{1} 'о' {0}|{1}, {0}|{1}, {0}	MMMM=січня|лютого|березня|квітня|травня|червня|липня|серпня|вересня|жовтня|листопада|грудня	MMM=січ.|лют.|бер.|квіт.|трав.|черв.|лип.|серп.|вер.|жовт.|лист.|груд.	MMMMM=с|л|б|к|т|ч|л|с|в|ж|л|г	LLLL=січень|лютий|березень|квітень|травень|червень|липень|серпень|вересень|жовтень|листопад|грудень	LLL=січ|лют|бер|кві|тра|чер|лип|сер|вер|жов|лис|гру	LLLLL=С|Л|Б|К|Т|Ч|Л|С|В|Ж|Л|Г	EEEE=понеділок|вівторок|середа|четвер|пʼятниця|субота|неділя	EEE=пн|вт|ср|чт|пт|сб|нд	EEEEE=П|В|С|Ч|П|С|Н	QQQQ=1-й квартал|2-й квартал|3-й квартал|4-й квартал	QQQ=1-й кв.|2-й кв.|3-й кв.|4-й кв.	qqq=	GGGG=до нашої ери|нашої ери	G=до н.е.|після н.е.	GGGGG=до н.е.|н.е.	a=дп|пп	UTC=за всесвітнім координованим часом
        uk_UA	uk	symbol=₴	code=UAH	week=11
        zh	root	currency=¤#,##0.00	dates=y年M月d日EEEE|y年M月d日|y年M月d日|y/M/d	times=zzzz ah:mm:ss|z ah:mm:ss|ah:mm:ss|ah:mm	MMMM=一月|二月|三月|四月|五月|六月|七月|八月|九月|十月|十一月|十二月	MMM=1月|2月|3月|4月|5月|6月|7月|8月|9月|10月|11月|12月	EEEE=星期一|星期二|星期三|星期四|星期五|星期六|星期日	EEE=周一|周二|周三|周四|周五|周六|周日	EEEEE=一|二|三|四|五|六|日	QQQQ=第一季度|第二季度|第三季度|第四季度	QQQ=1季度|2季度|3季度|4季度	qqq=	GGGG=公元前|公元	G=公元前|公元	GGGGG=公元前|公元	a=上午|下午	UTC=协调世界时
        zh_CN	zh	symbol=¥	code=CNY
        zh_HK	zh	symbol=HK$	code=HKD	dates=y年M月d日EEEE|y年M月d日|y年M月d日|d/M/y	times=ah:mm:ss [zzzz]|ah:mm:ss [z]|ah:mm:ss|ah:mm	MMMM=1月|2月|3月|4月|5月|6月|7月|8月|9月|10月|11月|12月	EEE=週一|週二|週三|週四|週五|週六|週日	QQQQ=第1季|第2季|第3季|第4季	QQQ=Q1|Q2|Q3|Q4	UTC=世界標準時間
        zh_MO	zh	symbol=MOP$	code=MOP	dates=y年M月d日EEEE|y年M月d日|y年M月d日|d/M/y	times=ah:mm:ss [zzzz]|ah:mm:ss [z]|ah:mm:ss|ah:mm	MMMM=1月|2月|3月|4月|5月|6月|7月|8月|9月|10月|11月|12月	EEE=週一|週二|週三|週四|週五|週六|週日	QQQQ=第1季|第2季|第3季|第4季	QQQ=Q1|Q2|Q3|Q4	UTC=世界標準時間
        zh_SG	zh	symbol=$	code=SGD	dates=y年M月d日EEEE|y年M月d日|y年M月d日|dd/MM/yy
        zh_TW	zh	symbol=$	code=TWD	dates=y年M月d日 EEEE|y年M月d日|y年M月d日|y/M/d	times=ah:mm:ss [zzzz]|ah:mm:ss [z]|ah:mm:ss|ah:mm	MMMM=1月|2月|3月|4月|5月|6月|7月|8月|9月|10月|11月|12月	EEE=週一|週二|週三|週四|週五|週六|週日	QQQQ=第1季|第2季|第3季|第4季	QQQ=第1季|第2季|第3季|第4季	GGGG=西元前|西元	G=西元前|西元	GGGGG=西元前|西元	UTC=世界標準時間
        """#
}
