"""The closed lists by which names in Latin letters are told from words.

They hold words of the language and no names, but for tools that people write in small letters.
What must hold: the lists stay short, and a word is in small letters unless its capital says
something.
"""

from typing import Final

from mnemo.text.stopwords import NEGATORS, STOP_WORDS

# Tools whose own name is written small and is no English word: anything longer would be a
# catalogue, anything ambiguous (go, rust, yarn, poetry, cargo) a source of errors.
TOOLS: Final = frozenset(
    str.split("""
    npm pnpm npx nvm git vim nvim neovim emacs tmux docker kubectl kubernetes k8s pip conda bash
    zsh ssh curl wget nginx redis sqlite postgres postgresql mysql mongodb webpack vite eslint
    pytest numpy pytorch jq ripgrep ffmpeg systemd ansible terraform vscode github gitlab
    typescript javascript python golang nodejs kafka linux macos
    """)
)
# Words of the grammar beyond the stop words, greetings, and what a sentence is joined by.
GRAMMAR: Final = frozenset(
    str.split("""
    all also although always another any anyone anything because before after during each either
    else even ever every everybody everyone everything few finally first second third next last
    further furthermore hence here hello hey hi however just later lastly maybe meanwhile more
    moreover most much myself nobody now often once one two three only other others otherwise our
    ours overall perhaps please quite rather really recently same similarly since some somebody
    someone something sometimes soon still such sure thanks thank therefore though through
    throughout thus today together tomorrow tonight too under unless until up upon usually very
    well whatever whenever wherever whether which while within yes yesterday yet yeah ok okay oh
    wow let may there over per via both own again already almost across along among around between
    despite regarding instead unlike besides additionally given plus versus etc mr mrs ms dr prof
    """)
) | {word for word in STOP_WORDS | NEGATORS if word.isascii()}
# Days and months are dates; words for relatives and offices are roles, not names.
NO_NAMES: Final = frozenset(
    str.split("""
    monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri
    sat sun january february march april june july august september october november december jan
    feb mar apr jun jul aug sep sept oct nov dec am pm mom mum dad mommy daddy mama papa grandma
    grandpa granny uncle aunt mother father sister brother mondays tuesdays wednesdays thursdays
    fridays saturdays sundays sir madam miss lord god boss doctor president user users assistant
    people app apps web bug wifi st kb mb gb tb kbps mbps gbps hz khz mhz ghz kg km cm mm
    """)
)
# What notes and questions begin with; as the first word it is a verb or an adjective.
OPENERS: Final = frozenset(
    str.split("""
    use prefer run install deploy avoid add set keep check write read ask call email meet visit
    watch buy remember note see make create build update remove delete fix test try start stop
    open close send get give take put go come look find show tell explain describe list write help
    think want need like love hate know feel work play learn review schedule book order consider
    include follow compare provide suggest recommend generate translate summarize rewrite continue
    imagine assume discuss analyze calculate consider convert define design develop discuss draw
    evaluate according based new old good great best better many several various different certain
    main dear step section chapter figure table part version note warning question answer example
    task project company team problem data price date time name address subject re fw fwd great
    nice good thanks world women men children kids nature life
    """)
)
# Whoever does these is somebody. Verbs that things do as well (needs, works, leads) are left out.
PERSONAL_VERBS: Final = frozenset(
    str.split("""
    prefers likes loves hates dislikes wants says said thinks thought believes believed hopes
    hoped enjoys enjoyed told asked joined met bought knows agreed suggested recommended
    recommends mentioned visited attended wrote decided finds loved liked wanted shared thanked
    invited volunteered encouraged admires adopted
    """)
)
BEFORE_PERSON: Final = frozenset(
    str.split("""
    met meet meets meeting called named ask asked asks tell told tells invited invite thank
    thanked married marry friend colleague coworker brother sister son daughter wife husband
    cousin roommate neighbor neighbour boss manager teammate dear
    """)
)
WITH: Final = frozenset(
    str.split("""
    met meet meets meeting dinner lunch breakfast coffee brunch talk talked talks talking chat
    chatted chatting spoke speak speaking lives live lived walk walked call date dated married
    friends argued agreed party trip
    """)
)
PLACE_HEADS: Final = frozenset(
    str.split("Street Avenue Road River Lake Mountain Mountains City Park Bridge Island Beach Bay "
              "Valley Airport Station Square County")
)  # fmt: skip
BODY_HEADS: Final = frozenset(
    str.split("University College Inc Corp Ltd LLC Company Institute School Bank Hospital "
              "Foundation Committee Association Museum Agency Ministry Church")
)  # fmt: skip
FILE_ENDINGS: Final = frozenset(
    str.split("js ts jsx tsx py rs go md json yaml yml toml sh sql css html ini cfg txt conf lock")
)
# Capitals that are no name: shouted words, times, marks in a margin.
NO_ACRONYMS: Final = frozenset(
    str.split("""
    ok am pm todo fixme note warning important hq asap fyi lol omg imo btw aka tbd eta diy tv id
    faq ps nb wip rip ii iii iv vi vii viii ix xi xii am pm ad bc est pst gmt utc fy
    """)
)
UNNUMBERED: Final = frozenset(
    str.split("version section chapter step figure table part phase item release page vol about")
)
# Small words within names, English, Romance and Germanic: Cliffs of Moher, Route des Grands Crus.
JOINING: Final = frozenset(str.split("of de des du del della di da von van"))
# Harry Potter-related
ATTRIBUTES: Final = frozenset(
    str.split("related based like style inspired themed era friendly specific compatible only wide")
)
