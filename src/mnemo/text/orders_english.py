"""Orders to a model in English: how their clauses begin, their verbs and what they are aimed at."""

from typing import Final

from mnemo.text.orders import CONFIDENT, LIKELY, Rule, any_of

# Where an English clause begins, and the words of courtesy or urgency before its verb.
STARTS: Final = (
    r"(?:^|(?<=[.!?;:,\n，。！？；：、>\]\-—*(（]))[\s\"“'*#_-]{0,4}(?:"
    + any_of("""
        please|now|and|then|also|next|so|ok|okay|hey|just|first|important|attention|system|note
        assistant|admin|warning|from now on|immediately|kindly|simply|instead
        you (?:must|should|will|need to|have to|are to|can)
    """)
    + r"[\s,:]{1,3}){0,4}"
)

_JUST_SAID: Final = any_of("previous|prior|above|earlier|preceding|foregoing")
_SET_AT_FIRST: Final = any_of("existing|original|initial|past|former|current|default|built-in")
_ORDERS: Final = any_of("instructions?|directions|directives?|prompts?|guidelines?")
_RULES: Final = any_of(f"""
    {_ORDERS}|commands|rules|constraints|restrictions|guardrails|programming|training|safeguards
    polic(?:y|ies)
""")
# What may stand between a verb and its object.
_FILL: Final = any_of(
    "all|any|every|each|of|the|your|my|these|those|this|other|and|or|safety|system"
)
_OVERRIDING: Final = any_of("""
    ignore|disregard|forget|override|bypass|discard|neglect|skip|do not follow|don't follow
    do not obey|stop following|pay no attention to
""")
_OVERRIDDEN: Final = any_of(rf"""
    {_JUST_SAID}\s+(?:{_FILL}\s+){{0,2}}(?:\w+\s+)?{_RULES}
    {_SET_AT_FIRST}\s+(?:system\s+)?{_ORDERS}
    (?<=your\s)(?:\w+\s+)?{_RULES}
    (?:(?:what|everything)\s+)?(?:the\s+)?(?:system|developer)\s+(?:{_ORDERS}|message\b)
    safety\s+{_RULES}
    (?<=all\s){_ORDERS}
    (?<=any\s){_ORDERS}
    {_ORDERS}\s+(?:above|before|given|you were)
    (?:what|everything|anything)\s+(?:you\s+(?:were|have been|know|are|was)|above|before|i said)
""")
_VOID: Final = any_of(
    "void|invalid|cancell?ed|obsolete|suspended|revoked|lifted|overridden|deleted"
)

_NOW: Final = any_of(r"""
    you(?:'re| are) now|from (?:now|here|this point|this moment) on(?:wards?)?,? you(?:'re| are)
    you (?:will|shall|must) (?:now )?(?:act|respond|behave) as
""")
_PLAYING: Final = any_of("""
    act as|pretend (?:to be|you are|that you are)|roleplay as|behave (?:as|like)|become|switch to
    enter|enable|activate
""")
_UNBOUND: Final = any_of(r"""
    DAN\b|jailbr\w+|unrestricted|unfiltered|uncensored|amoral|evil\s|god mode|no longer bound
    without (?:any )?(?:restrictions|limits|rules|filters|guardrails)
    free (?:from|of) (?:all |any )?(?:restrictions|rules|constraints)
    (?:AI|assistant|chatbot|model|bot)\b[^.\n]{0,40}(?:without|no |never refuse|must obey)
""")
_MODE: Final = "(?:developer|debug|sudo|admin|root) (?:mode|access)"
_NO_LIMITS: Final = r"no (?:restrictions|rules|limits|filters|guidelines|limitations)"
_ANSWERING: Final = any_of("answer|respond|reply|obey|speak|comply|follow|refuse|execute")

_NOT: Final = "(?:do not|don't|never|you must not|must not|without)"
_READER: Final = "(?:the |your )?(?:user|human|operator|owner)"
# What is to be hidden: this very text, or what the model does; not the things of a program.
_OF_THIS: Final = (
    r"(?=\s*(?:$|[.!,;:?)\n])|\s+(?:(?:about |of |that )?(?:this|it|these|you)\b"
    r"|anything\b|what you\b"
    r"|about the (?:instructions?|prompt|change|memory|note)))"
)
_TELLING: Final = any_of(r"""
    tell(?:ing)?|inform(?:ing)?|alert(?:ing)?|notify(?:ing)?|warn(?:ing)?
    (?:mention|reveal|disclose|report|show)(?:\s+\w+){0,4}\s+to
""")

_REVEALING: Final = any_of("""
    reveal|print|show|output|repeat|display|leak|expose|dump|send|tell me|give me|share|write out
    recite|quote|summari[sz]e|translate|encode|paste
""")
_INNER: Final = any_of(r"""
    (?:your|its)\s+(?:\w+\s+)?(?:prompts?|instructions|secrets?|api keys?|credentials|passwords?)
    (?:your|its)\s+(?:system message|(?:internal|hidden|system) rules|environment variables)
    system prompts?|hidden (?:prompt|instructions)|initial (?:prompt|instructions)
    developer (?:message|prompt)
    (?:user'?s?|stored|saved)\s+(?:passwords?|credentials|secrets|api keys?|private keys?)
""")
_OF_IT: Final = r"(?:(?:all|any|of|the|exact|full|entire|complete|contents?|text|words)\s+){0,5}"
_SECRETS: Final = any_of(r"""
    passwords?|credentials|secrets|api[ _-]?keys?|tokens?|private keys?|ssh keys?|chat history
    environment variables|\.env\b|conversation
""")
_AWAY: Final = r"(?:https?://|[\w.+-]+@|[\w-]+\.(?:com|net|io|org|xyz|ru|cn)\b)"

RULES: Final = (
    Rule("override", CONFIDENT, rf"{_OVERRIDING}\s+(?:{_FILL}\s+){{0,4}}{_OVERRIDDEN}"),
    Rule(
        "override",
        LIKELY,
        r"(?:new|updated|real|actual) (?:system )?(?:instructions?|directive|prompt)\s*:",
    ),
    Rule(
        "override",
        LIKELY,
        rf"(?:all\s+)?(?:of\s+)?your\s+(?:{_JUST_SAID}\s+|{_SET_AT_FIRST}\s+)?{_RULES}\s+"
        rf"(?:(?:are|is|have been|were)\s+(?:now\s+)?{_VOID}|no longer apply)",
    ),
    Rule(
        "new role",
        CONFIDENT,
        rf"{_NOW}\s[^.!?\n]{{0,40}}?"
        rf"(?:{_UNBOUND}|{_MODE}|(?:different|new|another) (?:AI|assistant))",
    ),
    Rule(
        "new role",
        CONFIDENT,
        rf"{_PLAYING}\s+(?:an?\s+|the\s+|in\s+|if you (?:are|were)\s+)?(?:\w+\s+){{0,2}}?"
        rf"(?:{_UNBOUND}|{_MODE}[^.\n]{{0,12}}\b(?:{_ANSWERING}|ignore|reveal)\b)",
    ),
    Rule(
        "new role",
        LIKELY,
        r"you(?:'re| are) now\s[^.!?\n]{2,60}?(?:\bwho\b|\band\b|\bthat\b|,)[^.!?\n]{0,20}"
        rf"(?:must|only|always|never)\s+{_ANSWERING}",
    ),
    Rule(
        "new role",
        CONFIDENT,
        rf"(?:(?:(?:{_ANSWERING}|act|behave) as (?:if|though) )?you (?:had|have) {_NO_LIMITS}"
        r"|you(?:'re| are) no longer (?:an? )?"
        r"(?:AI\b|assistant|language model|chatbot|bound|restricted))",
    ),
    Rule("secrecy", CONFIDENT, rf"{_NOT}\s+(?:ever\s+)?{_TELLING}\s+{_READER}\b{_OF_THIS}"),
    Rule(
        "secrecy",
        CONFIDENT,
        rf"{_NOT}\s+(?:ever\s+)?let(?:ting)?\s+{_READER}\s+"
        rf"(?:know|find out|notice|suspect|see)\b{_OF_THIS}",
    ),
    Rule(
        "secrecy",
        CONFIDENT,
        r"(?:keep|hide|conceal|withhold)\s+(?:this|these|it|that|everything)(?:\s+"
        r"(?:secret|hidden|confidential|private|instructions?|note|memory))?\s+from\s+"
        rf"{_READER}\b",
    ),
    Rule("exfiltration", CONFIDENT, rf"{_REVEALING}\s+(?:me\s+)?{_OF_IT}{_INNER}"),
    Rule(
        "exfiltration",
        LIKELY,
        r"what(?:'s| is| are| was| were) your (?:exact |full )?"
        r"(?:system|initial|hidden) (?:prompt|instructions)",
    ),
    Rule(
        "exfiltration",
        CONFIDENT,
        r"(?:send|post|upload|forward|email|transmit|exfiltrate|submit|copy)\s+(?:[\w']+\s+){0,4}?"
        rf"{_SECRETS}[^.\n]{{0,30}}?\s+to\s+(?:{_AWAY}|this (?:url|address|server))",
    ),
)
