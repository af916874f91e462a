"""Source locations of an MLIR module, reduced to names.

JAX locations carry what the author called things (`jit(step)/jvp(fc1)/dot_general`,
`p['w1']`) wrapped around call stacks of file positions. The names are worth
keeping: reports and plans refer to operations by them. The file positions name
directories of the machine that exported the graph, so they go.
"""

from __future__ import annotations

import os
import re

_STRING = r'"(?:[^"\\]|\\.)*"'
_POSITION = re.compile(r":\d+(?::\d+)?(?:\s+to\s+(?:\d+)?(?::\d+)?)?")
_TOKEN = re.compile(_STRING + r"|\bloc\(")
_ALIAS_LINE = re.compile(r"^#loc\d* = loc\(.*\)$\n?", re.MULTILINE)
_ALIAS_NAME = re.compile(r"#loc\d*")
_UNKNOWN = "unknown"


class _Parser:
    """Reads location text from `pos` on; `aliases` maps `#locN` to its name."""

    def __init__(self, text: str, aliases: dict[str, str | None]):
        self.text = text
        self.pos = 0
        self.aliases = aliases

    def _take(self, token: str) -> bool:
        while self.text[self.pos] in " \n":
            self.pos += 1
        if not self.text.startswith(token, self.pos):
            return False
        self.pos += len(token)
        return True

    def _match(self, pattern: str | re.Pattern[str]) -> str | None:
        found = re.compile(pattern).match(self.text, self.pos)
        if not found:
            return None
        self.pos = found.end()
        return found[0]

    def _expect(self, token: str) -> None:
        if not self._take(token):
            near = self.text[self.pos : self.pos + 40]
            raise ValueError(f"expected '{token}' in a location, found '{near}'")

    def name(self) -> str | None:
        """The name of the location at `pos`; None where it has none."""
        if self._take("unknown"):
            return None
        if self._take("callsite("):
            callee = self.name()
            self._expect("at")
            caller = self.name()
            self._expect(")")
            # A composite's decomposition has the name of the composite.
            if caller and callee and (callee + "/").startswith(caller + "/"):
                return callee
            return "/".join(p for p in (caller, callee) if p) or None
        if self._take("fused"):
            self._match(r"<[^>]*>")
            self._expect("[")
            names = [self.name()]
            while self._take(","):
                names.append(self.name())
            self._expect("]")
            return next((n for n in names if n), None)
        alias = self._match(_ALIAS_NAME)
        if alias:
            return self.aliases[alias]
        quoted = self._match(_STRING)
        if quoted is None:
            self._expect("a location")
        if self._match(_POSITION):
            return None
        if self._take("("):
            self.name()
            self._expect(")")
        return quoted[1:-1]


def _read_aliases(text: str) -> dict[str, str | None]:
    """Names of all `#locN = loc(...)` definitions, whatever their order."""
    bodies = dict(re.findall(r"^(#loc\d*) = loc\((.*)\)$", text, re.MULTILINE))
    names: dict[str, str | None] = {}

    class Lazy(dict):
        def __missing__(self, key: str) -> str | None:
            if key not in names:
                names[key] = _Parser(bodies[key] + "\n)", self).name()
            return names[key]

    lazy = Lazy()
    return {key: lazy[key] for key in bodies}


def names_only(text: str) -> str:
    """Printed MLIR `text` with each location replaced by its bare name."""
    parser = _Parser("", _read_aliases(text))
    parser.text = _ALIAS_LINE.sub("", text)
    numbers: dict[str, int] = {}
    pieces, done = [], 0
    while found := _TOKEN.search(parser.text, max(parser.pos, done)):
        if found[0] != "loc(":
            parser.pos = found.end()
            continue
        parser.pos = found.end()
        name = parser.name() or _UNKNOWN
        parser._expect(")")
        number = numbers.setdefault(name, len(numbers))
        pieces += [parser.text[done : found.start()], f"loc(#loc{number})"]
        done = parser.pos
    pieces.append(parser.text[done:])
    quote = lambda n: n if n == _UNKNOWN else f'"{n}"'
    head = [f"#loc{k} = loc({quote(n)})\n" for n, k in numbers.items()]
    return "".join(head + pieces)


def name_of(location: str) -> str | None:
    """The name in one printed `loc(...)`, as `str(op.location)` writes it."""
    parser = _Parser(location, {})
    parser._expect("loc(")
    return parser.name()


def line_of(location: str) -> str | None:
    """`FILE.py:LINE` of the user's code in one printed `loc(...)`.

    Positions come innermost first; none is the user's from the first one in this
    package on, which is where it calls JAX.
    """
    found = re.search(rf"({_STRING}):(\d+)", location)
    if not found:
        return None
    path = found[1][1:-1]
    if os.path.dirname(path) == os.path.dirname(os.path.abspath(__file__)):
        return None
    return f"{os.path.basename(path)}:{found[2]}"
