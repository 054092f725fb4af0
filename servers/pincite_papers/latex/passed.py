"""Commands that print nothing of themselves, with the arguments that they take (see ``words.passing``)."""

from pincite_papers.latex.tex import Handler
from pincite_papers.latex.text_commands import passing

_BY_ARGUMENTS = {
    "": """
        acresetall allowbreak backmatter balance balancecolsandclearpage begingroup bfseries bgroup BibitemOpen
        bigbreak bigskip bmdefine boldmath BooleanFalse BooleanTrue bottomrule cal centering cleardoublepage
        clearpage columnbreak displaylimits displaystyle dotfill doublespacing draft egroup eject em
        endgroup everymath expandafter filbreak final FloatBarrier flushbottom flushleft flushright
        footnoterule footnotesize frenchspacing frontmatter fussy global goodbreak hfil hfill hline
        hrulefill hss huge Huge IEEEpeerreviewmaketitle IEEEQED IEEEQEDhere ignorespacesafterend indent it
        itshape jobname large Large LARGE limits linenumbers listoffigures listoftables long mainmatter
        mathstrut mathsurround mdots mdseries makeglossaries medbreak medskip midrule newblock newpage nobibliography
        nobreak noexpand noindent nolimits nolinenumbers nonfrenchspacing nopagebreak normalcolor normalfont
        normalsize NoValue onecolumn onecolumngrid onehalfspacing outer phantomsection printacronyms printglossaries
        printglossary printindex printnoidxglossary qed qedhere raggedbottom raggedleft raggedright samepage sc
        scriptscriptstyle scriptsize scriptstyle scshape selectfont sffamily singlespacing sl sloppy slshape
        small smallbreak smallskip startlongtable strut tableofcontents textstyle thicklines thinlines tiny
        today toprule ttfamily twocolumngrid unboldmath upshape vfil vfill vss
    """,
    "*m": """
        acused acmArticle articletype acmBooktitle acmISBN acmMonth acmNumber acmPrice acmSubmissionID acmVolume acmYear
        allauthors authorrunning BibitemShut bibliographyfont bibliographystyle bstctlcite ccsdesc citestyle
        cline copyrightyear DeclareGraphicsExtensions definechangesauthor enlargethispage floatstyle
        glossary glsadd glsreset glsunset hphantom hspace hypersetup hyphenation hyphenchar includeonly
        index lefthead leftheader linespread lstset markright mathtoolsset mathversion newlength newsavebox noalign
        nocollaboration numberofauthors pagenumbering pagerange pagestyle pdfbookmark pdfinfo pgfplotsset phantom
        pubyear righthead runningauthor runningtitle selectlanguage setcitestyle setcopyright sethlcolor setstretch
        shortauthor shortauthorlist shortauthors shorttitle submitto tablecolumns tabletypesize tablewidth
        theoremstyle thispagestyle tikzset titlerunning tocauthor toctitle urlstyle usetikzlibrary volume
        vphantom vspace
    """,
    "*mm": """
        addtocontents addtolength AtBeginEnvironment colorlet counterwithout crefalias crefname Crefname
        DeclareUnicodeCharacter floatname fontsize markboth newfloat sbox setlength settoheight settowidth
    """,
    "*mmm": "addcontentsline definecolor rowcolors SetSymbolFont crefformat pretocmd specialrule",
    "*mmmm": "titlespacing patchcmd DeclareSymbolFont",
    "omm": "rule savebox acmConference",
    "*om": """
        captionsetup cellcolor cfoot chead color columncolor ExecuteBibliographyOptions fancyfoot fancyhead
        fancyhf floatsetup geometry lfoot lhead marginnote marginpar missingfigure newgeometry orcid ORCID
        orcidID orcidlink pagecolor rfoot rhead rowcolor setmainfont setmonofont setsansfont todo
    """,
    "*o": "authornotemark pagebreak nolinebreak addlinespace allowdisplaybreaks displaybreak tablebreak twocolumn",
    "opm": "cmidrule",
    "t": """
        alert bibfnamefont bibnamefont boxed cancel centerline citenamefont CJKsout clap colhead emph
        fbox hl leftline llap lowercase MakeLowercase MakeTextLowercase eads mailto mkbibemph mkbibquote
        natexlab newterm NoCaseChange nohyphens rightline rlap shortstack smash sout st structure substack
        term textbf textit textlarger textlf textmd textrm textsc textsf textsl textsmaller texttt textup ul
        uline underbar underline uwave vbox vcenter
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
