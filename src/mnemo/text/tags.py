"""Tags that a program made up, told from those that a person gave.

The TypeScript mnemo appended every pair of neighbouring characters of a fact to its tags. Such
pairs are the longest tail of the tags, at least three long, in which each is two characters of
the fact's own text and they follow one another in the text. Everything before that tail is the
person's.
"""

SHORTEST_TAIL = 3


def without_generated(tags: str, content: str) -> str:
    """Return comma separated tags without the generated tail; as they were where there is none."""
    parts = tags.split(",")
    for start in range(len(parts) - SHORTEST_TAIL + 1):
        if _in_text_order(parts[start:], content):
            return ",".join(parts[:start])
    return tags


def _in_text_order(pairs: list[str], content: str) -> bool:
    at = -1
    for pair in pairs:
        at = content.find(pair, at + 1)
        if len(pair) != 2 or at < 0:
            return False
    return True
