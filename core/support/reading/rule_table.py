"""Relation rules as a table: one row a rule (`relation_rules.tsv`), and the families of predicates
that rows belong to.

A project adds rows of its own in a file of the same form, `relation_rules.tsv` beside its schemas.
A pattern is words, in the small language that the head of the table explains; it has no way to
write an unbounded repetition, so reading a text takes time in proportion to its length.
"""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from pathlib import Path

from core.errors import InputError

FILE = "relation_rules.tsv"
OWN_TABLE = Path(__file__).with_name(FILE)
COLUMNS = (
    "name", "family", "direction", "strength", "weight", "pattern", "example", "counterexample",
)  # fmt: skip
NEEDED = 6  # of them that no row may leave empty
COMPOUND, FORWARD, BACKWARD = "S-O", "S…O", "O…S"
SURE, STATED, HINT = "sure", "stated", "hint"
OWN = "own: "  # begins the name of a rule that curators of a project made from examples
LEAD = "|"  # parts what stands before the first mention from what stands between the two
BEHIND = ">"  # parts what stands between the two from what stands behind the second
DECHALLENGE = "O resolved without S"  # its words say that the subject was taken away
CASE_REPORT = "case of O in a patient on S"  # its words say that the patient came by the object
OF_LACK = "loss of S"  # how the names of rules begin that read what happens without the subject
_MOST_GAP = 8  # words that ..N may stand for
_MOST_WAYS = 1_000  # in which one pattern may match the same words
_WORD_BEGINS = r"(?<![\w-])"
_NOT_BE = r"(?<!\bis )(?<!\bare )(?<!\bwas )(?<!\bwere )(?<!\bbeen )(?<!\bbeing )"


@dataclass(frozen=True, slots=True)
class Family:
    """Predicates of one meaning. `names` recognises them by name, alias or description. `outcome`:
    the object is something that happens to a patient, so a condition that the patient had before is
    not one. `symmetric`: subject and object may change places.
    """

    name: str
    names: str
    outcome: bool = False
    symmetric: bool = False


# In this order: "worsens" is asked for before "causes", as a worsened tremor is not a caused one.
FAMILIES: tuple[Family, ...] = (
    Family("exacerbate", r"exacerbat|aggravat|worsen|deteriorat"),
    Family(
        "cause",
        r"caus|induc|produc|trigger|provok|lead|result|contribut|risk|adverse|side.?effect|toxic",
        outcome=True,
    ),
    Family("treat", r"treat|therap|alleviat|ameliorat|reliev|cure|manag|indicat|palliat"),
    Family("prevent", r"prevent|protect|prophyla"),
    Family("resist", r"resist"),
    Family("sensitise", r"sensiti[vsz]"),
    Family("respond", r"\brespon(?:se|d)\b|pharmacogen"),
    Family(
        "inhibit",
        r"inhibit|suppress|block|repress|down.?regulat|negativ|decreas|reduc|antagon|inactivat"
        r"|attenuat|silenc",
    ),
    Family(
        "activate",
        r"activat|stimulat|up.?regulat|positiv|increas|enhanc|promot|agoni|induc",
    ),
    Family("phosphorylate", r"phosphorylat"),
    Family("bind", r"bind|interact|complex", symmetric=True),
    Family("regulate", r"regulat|control|modulat|affect|influenc"),
    Family(
        "locate",
        r"locat|found.?in|occurs.?in|expressed|part.?of|contain|sampled|isolated|resid|inhabit",
    ),
    Family("associate", r"associat|correlat|relat|link", symmetric=True),
    Family("phenotype", r"phenotyp|symptom|manifest|sign|feature|presents?"),
)


@dataclass(frozen=True, slots=True)
class RelationRule:
    """One row. `weight` is between 0 and 1; `pattern` is matched against case-folded words."""

    name: str
    family: str
    direction: str
    strength: str
    weight: float
    pattern: str
    example: str = ""
    counterexample: str = ""

    @property
    def is_of_lack(self) -> bool:
        """Whether it says what the subject does by what happens without it."""
        return self.name.startswith(OF_LACK)


@dataclass(frozen=True, slots=True)
class _RuleAround:
    """A rule with its patterns: `before` the first mention, `between` the two, `behind` the second;
    an empty pattern asks for nothing.
    """

    rule: RelationRule
    before: re.Pattern[str]
    between: re.Pattern[str]
    behind: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class _RulesOfKind:
    """The rules of one family, direction and strength, ready to read by. `around` are those that
    also ask for words before the first mention or behind the second; `rows` are the others, which
    `either` reads at once: the number of its group is that of the row.
    """

    rows: tuple[RelationRule, ...]
    either: re.Pattern[str]
    around: tuple[_RuleAround, ...]


@dataclass(frozen=True, eq=False)
class RuleTable:
    """Rules in the order of their file; the one that matches first in a text wins, and of two that
    match at one place the earlier row.
    """

    rules: tuple[RelationRule, ...]
    _kinds: dict[tuple[str, str, str], _RulesOfKind] = field(
        init=False, repr=False, compare=False, default_factory=dict
    )

    @cached_property
    def by_name(self) -> dict[str, RelationRule]:
        return {rule.name: rule for rule in self.rules}

    def first(
        self,
        words: str,
        family: str,
        direction: str,
        strength: str,
        *,
        before: str = "",
        behind: str = "",
    ) -> tuple[RelationRule, int, int] | None:
        """The rule of a kind that matches first in case-folded `words`, with where its cue is; one
        that also asks for words `before` the first mention or `behind` the second says more, and
        goes first.
        """
        key = (family, direction, strength)
        if (kind := self._kinds.get(key)) is None:
            kind = self._kinds[key] = _rules_of_kind(self.rules, *key)
        for row in kind.around if before or behind else ():
            met = row.between.search(words)
            if met and row.before.search(before) and row.behind.match(behind):
                return row.rule, met.start(), met.end()
        at_once = direction == COMPOUND
        met = kind.either.match(words) if at_once else kind.either.search(words)
        if met is None or met.lastindex is None:
            return None
        cue = met[0]
        start = met.end() - len(cue.lstrip(" )]\n\t"))
        return kind.rows[met.lastindex - 1], start, met.end()

    def without_lead(self, rule: RelationRule, before: str) -> str:
        """What stands before a pair, without the words that its rule asks for there."""
        lead = pattern_parts(rule.pattern)[0]
        met = _lead(lead).search(before.casefold()) if lead else None
        return before[: met.start()] if met else before

    def with_rows(self, rows: Iterable[RelationRule]) -> RuleTable:
        """These rules and more; a row of a known name takes its place."""
        added = {rule.name: rule for rule in rows}
        return RuleTable(
            (*added.values(), *(rule for rule in self.rules if rule.name not in added))
        )


def _rules_of_kind(
    rules: Iterable[RelationRule], family: str, direction: str, strength: str
) -> _RulesOfKind:
    key = (family, direction, strength)
    own = [rule for rule in rules if (rule.family, rule.direction, rule.strength) == key]
    rows = tuple(rule for rule in own if not {LEAD, BEHIND} & set(rule.pattern))
    # A row begins with its own first letters and ends with its group, so that `re` passes over it
    # where those letters do not stand.
    either = "|".join(f"{_pattern_here(rule.pattern, direction == COMPOUND)}()" for rule in rows)
    start = "" if direction == COMPOUND else _WORD_BEGINS
    return _RulesOfKind(
        rows,
        re.compile(f"{start}(?:{either})" if rows else r"(?!)"),
        tuple(map(_around, [rule for rule in own if rule not in rows])),
    )


@cache
def _lead(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"{compile_pattern(pattern, False)}\s*$")


def _around(rule: RelationRule) -> _RuleAround:
    before, between, behind = pattern_parts(rule.pattern)
    return _RuleAround(
        rule,
        _lead(before) if before else re.compile(""),
        re.compile(compile_pattern(between, False)),
        re.compile(rf"[-\s]{compile_pattern(behind, False)}" if behind else ""),
    )


def pattern_parts(pattern: str) -> tuple[str, str, str]:
    """The parts of a pattern: before the first mention, between the two, behind the second.

    >>> pattern_parts("effect of | on"), pattern_parts("a/an ..2 $ > inhibitor/inhibitors")
    (('effect of', 'on', ''), ('', 'a/an ..2 $', 'inhibitor/inhibitors'))
    """
    rest, _, behind = pattern.partition(BEHIND)
    before, bar, between = rest.partition(LEAD)
    if not bar:
        before, between = "", rest
    return before.strip(), between.strip(), behind.strip()


@cache
def shipped_rules() -> RuleTable:
    """The rules that come with the app."""
    return RuleTable(tuple(read_rules(OWN_TABLE)))


def rules_for(folders: Sequence[Path]) -> RuleTable:
    """The shipped rules with those of these folders, where they hold a table of their own.

    Raises InputError that names the row which cannot be used.
    """
    files = [path for folder in folders if (path := folder / FILE).is_file()]
    return _with_files(tuple((path, path.stat().st_mtime_ns) for path in files))


@lru_cache(maxsize=16)
def _with_files(files: tuple[tuple[Path, int], ...]) -> RuleTable:
    table = shipped_rules()
    for path, _ in files:
        table = table.with_rows(read_rules(path))
    return table


def read_rules(path: Path) -> list[RelationRule]:
    """The rows of a table. Raises InputError with file, row and what is wrong."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read: {error}.", "Save it as UTF-8 text.") from error
    return checked_rules(path, text)


def checked_rules(path: Path, text: str) -> list[RelationRule]:
    """The rows of the text of a table. Raises InputError with file, row and what is wrong."""
    rows = csv.DictReader(
        (line for line in text.splitlines() if line.strip() and not line.startswith("#")),
        delimiter="\t",
        quoting=csv.QUOTE_NONE,
    )
    return [_rule(path, row) for row in rows]


def _rule(path: Path, row: dict[str, str]) -> RelationRule:
    cells = {name: (row.get(name) or "").strip() for name in COLUMNS}
    where = f"{path.name}, rule “{cells['name'] or '?'}”"
    missing = [name for name in COLUMNS[:NEEDED] if not cells[name]]
    if missing:
        raise InputError(f"{where}: {', '.join(missing)} is empty.", "Fill every column.")
    if cells["direction"] not in (COMPOUND, FORWARD, BACKWARD):
        raise InputError(f"{where}: direction {cells['direction']}.", "Write S-O, S…O or O…S.")
    if cells["strength"] not in (SURE, STATED, HINT):
        raise InputError(f"{where}: strength {cells['strength']}.", "Write sure, stated or hint.")
    if cells["family"] not in {family.name for family in FAMILIES}:
        names = ", ".join(family.name for family in FAMILIES)
        raise InputError(f"{where}: there is no family {cells['family']}.", f"Use one of {names}.")
    try:
        weight = float(cells["weight"])
    except ValueError:
        weight = -1.0
    if not 0 <= weight <= 1:
        raise InputError(f"{where}: weight {cells['weight']}.", "Write a number from 0 to 1.")
    for part in filter(None, pattern_parts(cells["pattern"])):
        compile_pattern(part, cells["direction"] == COMPOUND)  # raises for a bad one
    return RelationRule(**(cells | {"weight": weight}))  # type: ignore[arg-type]


def compile_pattern(pattern: str, at_once: bool) -> str:
    """A pattern of the table as a regular expression over case-folded words. `at_once`: right
    behind the first mention, as in S-induced O. Raises InputError for what the language has not.
    """
    return ("" if at_once or pattern.startswith("^") else _WORD_BEGINS) + _pattern_here(
        pattern, at_once
    )


@cache
def _pattern_here(pattern: str, at_once: bool) -> str:
    """`compile_pattern` for a place where a word may begin."""
    tokens = pattern.casefold().split()
    head = tail = ""
    if tokens[:1] == ["~be"]:
        head, tokens = _NOT_BE, tokens[1:]
    if tokens[:1] == ["^"]:
        head, tokens = r"^[\s,(]*", tokens[1:]
    if tokens == ["$"] and at_once:
        return r"\s$"
    if tokens == ["$"] and head:  # nothing but a comma, a colon or a bracket
        return r"^[\s,:(]+$"
    if tokens[-1:] == ["$"]:
        tail, tokens = r"(?=[\s(\"“]*$)", tokens[:-1]
    if not tokens or tokens[0].startswith(".."):
        raise InputError(f"The pattern “{pattern}” begins with no word.", "Begin with a word.")
    if _ways(tokens) > _MOST_WAYS:
        raise InputError(f"“{pattern}” has too many gaps.", "Use fewer of ..3 and a?.")
    body, begun = "", False
    for token in tokens:
        part = _token(token.removesuffix("?"), pattern)
        gap = r"\s+" if begun else ""
        if token.startswith(".."):
            body += part
        elif token.endswith("?"):
            body += rf"(?:{gap}{part})?" if begun else rf"(?:{part}\s+)?"
        else:
            body, begun = body + gap + part, True
    return rf"[\s)\]]*-?\s?{body}{tail}" if at_once else f"{head}{body}{tail}"


def _ways(tokens: Sequence[str]) -> int:
    """In how many ways a pattern may match words that repeat: so often each place is tried."""
    gaps = [int(token[2:]) + 1 for token in tokens if re.fullmatch(r"\.\.\d", token)]
    return math.prod(gaps) << sum(token.endswith("?") for token in tokens)


def _token(token: str, pattern: str) -> str:
    """One token; ..N brings the white space before its words."""
    if gap := re.fullmatch(r"\.\.(\d)", token):
        if int(gap[1]) > _MOST_GAP:
            raise InputError(f"“{pattern}”: {token} is too wide.", f"At most ..{_MOST_GAP}.")
        return rf"(?:\s+[\w-]+){{0,{gap[1]}}}?"
    words = token.split("/")
    if not all(re.fullmatch(r"[^\W_][\w'’-]*\*?", word) for word in words):
        raise InputError(
            f"“{pattern}”: {token} is not a word.",
            "Use words, a*, a/b, a?, ..3, ^, $ and ~be only.",
        )
    either = "|".join(
        re.escape(word.removesuffix("*")) + (r"[\w-]*" if word.endswith("*") else "")
        for word in words
    )
    return rf"(?:{either})(?!\w)"


@cache
def family_of(predicate: str) -> Family | None:
    """The family whose verbs state a predicate of this name, alias or description; the first that
    fits.
    """
    words = predicate.replace("_", " ").casefold()
    return next((family for family in FAMILIES if re.search(rf"\b(?:{family.names})", words)), None)


@cache
def own_words(names: tuple[str, ...]) -> tuple[Family, RuleTable]:
    """A family made of a predicate's own names: `TARGETS` is looked for as target, targets,
    targeted by.
    """
    stems = list(dict.fromkeys(_stem(name) for name in names if len(name.strip()) > 2))
    rules = []
    for stem in stems:
        words = re.findall(r"[^\W_]+", stem)
        if not words:
            continue
        verb = " ".join([f"{words[0]}*", *words[1:]])
        rules += [
            RelationRule(f"S-{stem} O", stem, COMPOUND, strength=SURE, weight=0.7, pattern=verb),
            RelationRule(f"S {stem} O", stem, FORWARD, strength=STATED, weight=0.5, pattern=verb),
            RelationRule(
                f"O {stem} by S",
                stem,
                BACKWARD,
                strength=STATED,
                weight=0.5,
                pattern=f"{verb} by/in/of/to/with",
            ),
        ]
    family = Family(" ".join(stems) or "own", r"(?!)")
    table = RuleTable(
        tuple(
            RelationRule(
                rule.name,
                family.name,
                rule.direction,
                strength=rule.strength,
                weight=rule.weight,
                pattern=rule.pattern,
            )
            for rule in rules
        )
    )
    return family, table


def _stem(name: str) -> str:
    words = name.replace("_", " ").casefold().split()
    head = words[0] if words else ""
    for ending in ("ing", "ed", "es", "s", "e"):
        if head.endswith(ending) and len(head) - len(ending) > 3:
            head = head.removesuffix(ending)
            break
    # Only the verb may vary; the words that follow it ("part of", "results in") stand.
    return " ".join([head, *words[1:]])
