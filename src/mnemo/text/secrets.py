"""Secrets in a text: keys by the formats that their issuers publish, passwords by what is said.

Knows formats and the words that introduce a password; refuses to know whether a secret is valid.
What must hold: a word about a secret is none, and neither is a hash, an id, a placeholder or a
variable; what is found is the secret alone, without the words around it.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final, cast

from mnemo.text.findings import Finding, FindingKind, apart
from mnemo.text.normal import fold

# The published shape of each issuer's keys. What comes before the first capture is shown when a
# secret is shortened, so that a reader knows whose key it was.
_FORMATS: Final = (
    ("AWS access key", r"(?:AKIA|ASIA)[0-9A-Z]{16}"),
    ("GitHub token", r"gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{22,255}"),
    ("GitLab token", r"gl(?:pat|dt|rt|cbt)-[A-Za-z0-9_-]{20,100}"),
    ("Anthropic key", r"sk-ant-[A-Za-z0-9_-]{20,200}"),
    ("API key", r"(?:sk|pk)-(?=[A-Za-z_-]*[0-9])[A-Za-z0-9_-]{20,200}(?:\.[A-Za-z0-9_-]{4,200})*"),
    ("Stripe key", r"(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,200}|whsec_[A-Za-z0-9]{20,100}"),
    ("Slack token", r"xox[abeoprs]-[A-Za-z0-9-]{10,250}|xapp-[0-9]-[A-Za-z0-9-]{10,250}"),
    ("Google API key", r"AIza[0-9A-Za-z_-]{35}|GOCSPX-[A-Za-z0-9_-]{28}"),
    ("npm token", r"npm_[A-Za-z0-9]{36}"),
    ("PyPI token", r"pypi-AgE[A-Za-z0-9_-]{50,250}"),
    ("Hugging Face token", r"hf_[A-Za-z0-9]{30,50}"),
    ("SendGrid key", r"SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{32,64}"),
    ("DigitalOcean token", r"do[opr]_v1_[a-f0-9]{64}"),
    ("Alibaba Cloud key", r"LTAI[A-Za-z0-9]{12,24}"),
    ("Tencent Cloud key", r"AKID[A-Za-z0-9]{32}"),
    ("JSON web token", r"eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}"),
)
_FORMATTED: Final = (
    r"(?<![A-Za-z0-9_-])(?:"
    + "|".join(f"(?P<f{at}>{shape})" for at, (_, shape) in enumerate(_FORMATS))
    + r")(?![A-Za-z0-9_])"
)
# Whole, or cut short after some of its lines.
_PRIVATE_KEY: Final = (
    r"-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:"
    r"(?:(?!-----)[A-Za-z0-9+/=\s:,.-])*+-----END (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----"
    r"|(?:\s*[A-Za-z0-9+/=]{16,})++)"
)
_IN_ADDRESS: Final = (
    r"[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s:/@]{0,64}:(?P<value>[^\s/@]{3,128})@[^\s@]"
)
_BEARER: Final = (
    r"(?i:\b(?:bearer|basic)) (?P<value>(?=[A-Za-z_.~+/-]*[0-9])[A-Za-z0-9_.~+/-]{20,}={0,2})"
)

_VALUE: Final = r"[!-~]{4,128}"
_ASSIGNED: Final = rf"""
    (?P<name>
        (?i:(?<![A-Za-z])[A-Za-z0-9_-]{{0,40}}?(?:password|passwd|passphrase|passcode|pwd))
      | (?i:(?<![A-Za-z])[A-Za-z0-9_-]{{0,40}}?
          (?:secret|token|credentials?|(?:api|access|private|secret)[ _-]?key))
      | [密秘]码|口令|[密秘]钥|令牌|密碼|金鑰|密鑰|凭证
    )
    ["']?
    (?:[ ](?:for|of|to|on)[ ](?:the[ ]|my[ ]|our[ ])?[\w.-]{{1,30}}(?:[ ][\w.-]{{1,30}})?)?
    (?:[ ]?[(（][^()（）\n]{{1,20}}[)）])?
    (?:\s?(?::=|=>|=|:|：)|[ ](?:is|was)(?:[ ](?:set[ ]to|now))?(?=[ ]|:)
      |[ ]?(?:改?成了?|改为了?|设[成为置]了?为?|换成了?|就是|是|为)[:：]?)
    [ ]?["'“「`]?
    (?P<value>{_VALUE})
    """
# Without one of these there is no secret, or no name of one: they are tried first, being quick.
_SIGNS: Final = re.compile(
    r"AKIA|ASIA|AKID|LTAI|AIza|GOCSPX|gh[pousr]_|github_pat|gl(?:pat|dt|rt|cbt)-|[sp]k-|[sr]k_"
    r"|whsec|xox|xapp|npm_|pypi-|hf_|SG\.|do[opr]_v1|eyJ|PRIVATE KEY|://"
    r"|(?i:bearer|basic|pass|pwd|secret|token|key|credential)|[码碼钥鑰]|口令|令牌|凭证"
)
_NAME_SIGN: Final = re.compile(
    r"(?i:pass|pwd|secret|token|key|credential)|[码碼钥鑰]|口令|令牌|凭证"
)
_PASSWORD_NAME: Final = re.compile(r"(?i:pass|pwd)|[码碼]|口令")
_CLOSING: Final = "\"'`.,;:!?)>]}*"
# What stands in the place of a secret: a variable, a pattern to fill in, a call, a path.
_PLACEHOLDER: Final = (
    r"[$<{\[(%]|.*[<{(\[$]|(?i:your|my|example|changeme|placeholder|x{3,}|\*{3,}|\.{3,}|redacted|none\b|null\b"
    r"|process\.|os\.|env\b|env[._:]|true\b|false\b|string\b|https?://|~/|\./|/)|.*\.(?:env|json|ya?ml|txt|md|pem|py|ts|js)$"
)
# Bits a character below which a mixed string is rather a word with a number in it.
_LEAST_ENTROPY: Final = 2.2
_HEX: Final = re.compile(r"[0-9a-f]{7,64}|[0-9A-F]{7,64}")
_DATE_OR_TIME: Final = (
    r"[0-9]{4}-[0-9]{2}(?:-[0-9]{2})?|[0-9]{1,2}:[0-9]{2}.*|[0-9]+(?:d|h|m|s|min|days?|hours?)"
)


def secret_findings(text: str) -> Iterator[Finding]:
    """Yield the secrets in ``text``, in no particular order; one may be found by two rules."""
    if not _SIGNS.search(text):
        return
    if "PRIVATE KEY" in text:
        for match in re.finditer(_PRIVATE_KEY, text):
            yield _found(*match.span(), "private key", 0.99)
    for match in re.finditer(_FORMATTED, text):
        label = _FORMATS[int((match.lastgroup or "f0")[1:])][0]
        yield _found(*match.span(), label, 0.95)
    if "://" in text:
        for match in re.finditer(_IN_ADDRESS, text):
            if not re.match(_PLACEHOLDER, match["value"]) and match["value"].lower() not in _WORDS:
                yield _found(*match.span("value"), "password in an address", 0.9)
    for match in re.finditer(_BEARER, text):
        yield _found(*match.span("value"), "bearer token", 0.85)
    yield from _assigned(text)


def _assigned(text: str) -> Iterator[Finding]:
    if not _NAME_SIGN.search(text):
        return
    for match in re.finditer(_ASSIGNED, text, re.VERBOSE):
        start = match.start("value")
        value = match["value"].rstrip(_CLOSING)
        # An exclamation mark is often a password's last character.
        if match["value"][len(value) :].startswith("!") and any(map(str.isdigit, value)):
            value += "!"
        is_password = bool(_PASSWORD_NAME.search(match["name"]))
        confidence = _likelihood(value, is_password=is_password)
        if confidence:
            label = "password" if is_password else "token"
            yield _found(start, start + len(value), label, confidence)


_WORDS: Final = frozenset(str.split("password pass passwd secret token user pwd key value"))


def _likelihood(value: str, *, is_password: bool) -> float:
    """How likely it is that a value beside such a name is the secret itself; 0.0 for not."""
    if len(value) < 4 or re.match(_PLACEHOLDER, value) or value.lower() in _WORDS:
        return 0.0
    if re.fullmatch(_DATE_OR_TIME, value):
        return 0.0
    digits = sum(map(str.isdigit, value))
    letters = sum(map(str.isalpha, value))
    if digits == len(value):
        # 密码是 8 位: a length. A row of four or more is a code; as a token it is a count.
        return 0.7 if is_password and len(value) >= 4 else 0.0
    if not digits and letters + sum(map(value.count, "-_.")) == len(value):
        return 0.0  # a word or an attribute: "required", "access-token", "self.password"
    if not digits and not is_password:
        return 0.0
    if not is_password and (len(value) < 12 or (_HEX.fullmatch(value) and len(value) < 16)):
        return 0.0
    if len(value) < 6 and not digits:
        return 0.0
    return 0.8 if _entropy(value) >= _LEAST_ENTROPY else 0.0


def _entropy(value: str) -> float:
    """Shannon's entropy of the characters of a string, in bits a character."""
    counts = Counter(value).values()
    return -sum(n / len(value) * math.log2(n / len(value)) for n in counts)


def _found(start: int, end: int, label: str, confidence: float) -> Finding:
    return Finding(start, end, FindingKind.SECRET, label, confidence)


_PREFIX: Final = (
    r"sk-ant-|sk-proj-|sk-|[srp]k_(?:live|test)_|github_pat_|gl[a-z]{2,3}-|xox[a-z]-|AKIA|ASIA|AKID|LTAI|AIza"
    r"|-----BEGIN|eyJ|[A-Za-z]{2,6}[-_](?=[A-Za-z0-9]{3})|SG\."
)
_SHOWN: Final = 4  # characters at the end of a long secret that tell it from others
_LONG: Final = 20


def shortened(secret: str) -> str:
    """A secret as it may be shown: whose it is and its last four characters, where it is long
    enough that these give nothing away; ``…`` for a short one.
    """
    if len(secret) < _LONG:
        return "…"
    prefix = re.match(_PREFIX, secret)
    if prefix and prefix.group() == "-----BEGIN":
        return "…"
    return f"{prefix.group() if prefix else ''}…{secret[-_SHOWN:]}"


def redact(text: str) -> str:
    """The text with every secret shortened, as ``sk-…abcd``; personal data stays."""
    while True:
        shorter = _redacted_once(text)
        if shorter == text:
            return text
        text = shorter


def _redacted_once(text: str) -> str:
    for finding in sorted(apart(secret_findings(text)), reverse=True):
        shown = shortened(text[finding.start : finding.end])
        text = text[: finding.start] + shown + text[finding.end :]
    return text


def unless_secret(words: str, text: str) -> str:
    """Words of a text as a report may say them: ``…`` where one is part of a secret in it."""
    secrets = [fold(text[found.start : found.end]) for found in secret_findings(text)]
    if not secrets:
        return words
    parts = [part for part in fold(words).split() if len(part) >= _TELLING]
    return "…" if any(part in secret for part in parts for secret in secrets) else words


_TELLING: Final = 3  # characters of a secret that say something about it


def redacted(value: Any) -> Any:
    """A JSON value with every text within it redacted."""
    match value:
        case str():
            return redact(value)
        case dict():
            items = cast("dict[Any, Any]", value).items()
            return {name: redacted(inner) for name, inner in items}
        case list() | tuple():
            return [redacted(inner) for inner in cast("list[Any]", value)]
        case _:
            return value
