"""Commands that print nothing of themselves, with the arguments that they take (see ``words.passing``)."""

from pincite_papers.latex.tex import Handler
from pincite_papers.latex.words import passing

_BY_ARGUMENTS = {
    "": """
        centering raggedright raggedleft noindent indent newpage clearpage cleardoublepage sloppy fussy small
        footnotesize scriptsize tiny normalsize large Large LARGE huge Huge bfseries itshape slshape scshape sffamily
        ttfamily mdseries em it sl sc normalfont boldmath unboldmath displaystyle textstyle scriptstyle
        scriptscriptstyle limits nolimits displaylimits nobreak allowbreak smallskip medskip bigskip vfill hfill hfil
        vfil hss vss tableofcontents listoffigures listoftables bgroup egroup begingroup endgroup flushbottom raggedbottom backmatter mainmatter frontmatter onecolumn doublespacing singlespacing
        onehalfspacing linenumbers nolinenumbers footnoterule frenchspacing nonfrenchspacing balance goodbreak
        filbreak eject hrulefill dotfill global long outer strut mathstrut printindex printglossary printglossaries
        samepage everymath BibitemOpen cal today jobname expandafter noexpand startlongtable IEEEpeerreviewmaketitle qed qedhere
        phantomsection FloatBarrier twocolumngrid onecolumngrid hline toprule midrule bottomrule smallbreak medbreak
        bigbreak draft final mathsurround columnbreak selectfont thinlines thicklines BooleanTrue BooleanFalse NoValue
        newblock ignorespacesafterend nopagebreak normalcolor upshape bmdefine nobibliography
        balancecolsandclearpage IEEEQED IEEEQEDhere flushleft flushright mdots
    """,
    "*m": """
        pagerange pubyear volume
        vspace hspace vphantom hphantom phantom enlargethispage pagestyle thispagestyle pagenumbering
        bibliographystyle hyphenation index glossary usetikzlibrary linespread selectlanguage hypersetup lstset
        newlength newsavebox urlstyle mathtoolsset tikzset pgfplotsset includeonly setcitestyle titlerunning
        authorrunning runningtitle runningauthor shorttitle shortauthors setstretch cline tablewidth tabletypesize
        tablecolumns ccsdesc tocauthor toctitle pdfbookmark mathversion lefthead righthead leftheader markright
        BibitemShut citestyle setcopyright copyrightyear acmYear acmVolume acmNumber acmArticle acmMonth acmISBN
        acmPrice acmSubmissionID bstctlcite DeclareGraphicsExtensions pdfinfo floatstyle theoremstyle noalign
        numberofauthors acmBooktitle allauthors shortauthor shortauthorlist
        bibliographyfont sethlcolor hyphenchar definechangesauthor
    """,
    "*mm": """
        setlength addtolength settowidth settoheight crefname Crefname markboth addtocontents fontsize newfloat
        floatname DeclareUnicodeCharacter colorlet sbox counterwithout crefalias AtBeginEnvironment
       
    """,
    "*mmm": "addcontentsline definecolor rowcolors SetSymbolFont crefformat pretocmd specialrule",
    "*mmmm": "titlespacing patchcmd DeclareSymbolFont",
    "omm": "rule savebox acmConference",
    "*om": """
        captionsetup floatsetup cellcolor rowcolor columncolor color pagecolor fancyhead fancyfoot fancyhf lhead rhead
        chead lfoot rfoot cfoot todo missingfigure setmainfont setsansfont setmonofont geometry newgeometry marginpar
        marginnote orcid orcidID orcidlink ORCID ExecuteBibliographyOptions
    """,
    "*o": "authornotemark pagebreak nolinebreak addlinespace allowdisplaybreaks displaybreak tablebreak twocolumn",
    "opm": "cmidrule",
    "t": """
        emph textbf textit textsl textsc texttt textrm textsf textmd textup textlf vbox fbox underline uline sout st hl
        ul uwave underbar lowercase shortstack cancel smash boxed substack MakeLowercase MakeTextLowercase citenamefont
        bibnamefont bibfnamefont centerline leftline rightline llap rlap clap vcenter natexlab mkbibemph mkbibquote
        CJKsout alert structure textsmaller textlarger nohyphens added highlight NoCaseChange newterm term colhead
    """,
    "ot": "makecell thead Thead",
    "omt": "textcolor colorbox rotatebox foreignlanguage",
    "mt": "bibinfo bibfield",
    "moot": "raisebox",
    "mot": "scalebox",
    "mmt": "fcolorbox",
    "*mmt": "resizebox",
    "ooomt": "parbox",
    "oot": "makebox framebox",
}


def handlers() -> dict[str, Handler]:
    """The commands of the table, by their names with the backslash."""
    return {"\\" + name: passing(arguments) for arguments, names in _BY_ARGUMENTS.items() for name in names.split()}
