"""SPIRES' recursion in parallel waves: every inlined object is a question of its own (SPIRES §3,
Algorithm 1).

Deviation: the paper asks one question after another. Here a question is asked as soon as its parent
is answered, equal questions are asked once, depth, calls and tokens are bounded, and a question
that fails leaves the rest alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field

from core.errors import BadAnswer, Filtered, GroundworkError, OverBudget, Stopped
from core.extraction.assemble import value_path
from core.extraction.block import Block, ParsedAnswer
from core.extraction.budget import BudgetMeter
from core.extraction.engine import Check, Progress
from core.extraction.spires.parse import parse_answer
from core.extraction.spires.prompt import asked_slots
from core.llm.completer import Completer, Message, Reply, Request
from core.llm.token_count import tokens_in
from core.llm.unfinished import unfinished_problem, whole_part
from core.model import Problem, Severity, fold_words
from core.schema.definition import RangeKind, Schema, Slot
from core.text.count import counted
from core.text.quote import find_whole_words, sentence_at

Prompt = Callable[..., str]
TICK = 0.1  # seconds between looks at Stop
Key = tuple[str, str, str]


@dataclass
class SpiresQuestion:
    """One place of the tree to be filled: `line` holds the (class, words) of all that is above."""

    path: str
    cls: str
    text: str
    depth: int
    context: str = ""
    line: frozenset[tuple[str, str]] = frozenset()
    answers: list[PendingBlock] = field(default_factory=list)

    @property
    def key(self) -> Key:
        return self.cls, fold_words(self.text), self.context


@dataclass
class PendingBlock:
    """A block whose nested questions are still being answered."""

    cls: str
    text: str
    fields: list[tuple[Slot, list[str | PendingBlock | SpiresQuestion]]] = field(
        default_factory=list
    )


class Recursion:
    """Fills one class from one text. Not for reuse: one Recursion is one extraction."""

    def __init__(
        self,
        schema: Schema,
        completer: Completer,
        prompt: Prompt,
        meter: BudgetMeter,
        *,
        check: Check,
        progress: Progress,
        place: str,
    ):
        self.schema, self.completer, self.prompt, self.meter = schema, completer, prompt, meter
        self.check, self.progress, self.place = check, progress, place
        self.limits = meter.limits
        self.problems: list[Problem] = []
        self.done = self.total = 0
        self._source = ""  # the whole text
        self._asked: dict[Key, list[SpiresQuestion]] = {}
        self._answered: dict[Key, ParsedAnswer] = {}
        self._waiting: dict[Future[Reply], Key] = {}

    def run(self, cls: str, text: str) -> Block:
        """Everything that the model says about `text`, nested. Raises what the first question
        raises.
        """
        self._source = text
        root = SpiresQuestion("", cls, text, 0, line=frozenset({(cls, fold_words(text))}))
        pool = ThreadPoolExecutor(self.limits.parallel, thread_name_prefix="spires")
        try:
            self._ask(root, pool)
            while self._waiting:
                finished, _ = wait(self._waiting, timeout=TICK, return_when=FIRST_COMPLETED)
                self.check()
                for future in finished:
                    self._take(future, pool)
        finally:
            for future in self._waiting:
                future.cancel()
            pool.shutdown(wait=False, cancel_futures=True)
        return merged_block(cls, root)

    # ---------------------------------------------------------- asking

    def _ask(self, question: SpiresQuestion, pool: ThreadPoolExecutor) -> None:
        key = question.key
        if key in self._answered:
            self._answer(question, self._answered[key], pool)
        elif key in self._asked:
            self._asked[key].append(question)
        else:
            words = self.prompt(self.schema, question.cls, question.text, context=question.context)
            tokens = tokens_in(words)
            if not self.meter.take(tokens):
                self._refuse(question)
                return
            request = Request(
                (Message("user", words),),
                max_tokens=self.limits.max_tokens,
                path=self.place + question.path,
            )
            self._asked[key] = [question]
            self.total += 1
            self._waiting[pool.submit(self.completer.complete, request)] = key

    def _refuse(self, question: SpiresQuestion) -> None:
        limits = self.limits
        message = (
            f"The run's budget of {counted(limits.calls, 'call')} and"
            f" {counted(limits.tokens, 'token')} is used up."
        )
        if question.depth == 0:
            raise OverBudget(message, "Raise the budget or shorten the text.")
        self._problem(
            "over-budget", f"{message} Not asked about: {question.text[:100]}", question.path
        )

    def _take(self, future: Future[Reply], pool: ThreadPoolExecutor) -> None:
        key = self._waiting.pop(future)
        questions = self._asked[key]
        self.done += 1
        try:
            reply = future.result()
        except Stopped:
            raise
        except GroundworkError as error:
            self._failed(questions, error)
            return
        finally:
            self.progress(self.done, self.total)
        self.meter.add(reply.usage.tokens_out)
        first_question = questions[0]
        if not reply.text.strip():
            self._failed(
                questions,
                BadAnswer("The model gave no answer.", "Run it again, or try another model."),
            )
            return
        text, dropped = whole_part(reply)
        if problem := unfinished_problem(reply, first_question.path, dropped):
            self.problems.append(problem)
        parsed = parse_answer(self.schema, first_question.cls, text, source=self._source)
        self.problems += [
            Problem(p.code, p.message, p.severity, where=first_question.path, hint=p.hint)
            for p in parsed.problems
        ]
        self._answered[key] = parsed
        for question in list(questions):
            self._answer(question, parsed, pool)

    def _failed(self, questions: list[SpiresQuestion], error: GroundworkError) -> None:
        if any(question.depth == 0 for question in questions):
            raise error
        code = "filtered" if isinstance(error, Filtered) else "call-failed"
        for question in questions:
            self._problem(code, f"No answer about “{question.text[:100]}”: {error}", question.path)

    # ---------------------------------------------------------- answers

    def _answer(
        self, question: SpiresQuestion, parsed: ParsedAnswer, pool: ThreadPoolExecutor
    ) -> None:
        root = question.depth == 0
        blocks = (
            (parsed.as_one_block(self.schema.classes[question.cls]),) if root else parsed.blocks
        )
        for number, block in enumerate(blocks):
            at = question.path if number == 0 else f"{question.path}+{number}"
            question.answers.append(self._draft(question, block, at, pool))

    def _draft(
        self, parent: SpiresQuestion, block: Block, path: str, pool: ThreadPoolExecutor
    ) -> PendingBlock:
        cls = self.schema.definition(block.cls)
        draft = PendingBlock(block.cls, block.text or (parent.text if parent.depth else ""))
        for slot in cls.slots:
            items: list[str | PendingBlock | SpiresQuestion] = []
            for number, item in enumerate(block.get(slot.name)):
                at = value_path(path, slot, number)
                items.append(self._item(parent, slot, item, at, pool=pool))
            if items:
                draft.fields.append((slot, items))
        return draft

    def _item(
        self,
        parent: SpiresQuestion,
        slot: Slot,
        item: str | Block,
        at: str,
        *,
        pool: ThreadPoolExecutor,
    ) -> str | PendingBlock | SpiresQuestion:
        if isinstance(item, Block):
            nested = SpiresQuestion(at, item.cls, item.text, parent.depth + 1, line=parent.line)
            return self._draft(nested, item, at, pool)
        if not self._nests(slot):
            return item
        below = SpiresQuestion(
            at,
            slot.range,
            item,
            depth=parent.depth + 1,
            context=self._context(parent, item),
            line=parent.line,
        )
        mark = (below.cls, fold_words(item))
        if mark in parent.line:
            self._problem(
                "cycle",
                f"“{item[:100]}” was already asked about; its words were kept as text.",
                at,
                Severity.NOTE,
            )
        elif below.depth > self.limits.depth:
            self._problem(
                "too-deep", f"“{item[:100]}” is nested too deeply; its words were kept.", at
            )
        else:
            below.line = parent.line | {mark}
            self._ask(below, pool)
        return below

    def _nests(self, slot: Slot) -> bool:
        cls = self.schema.classes.get(slot.range)
        return (
            slot.kind is RangeKind.OBJECT
            and slot.recurse
            and cls is not None
            and bool(asked_slots(cls))
        )

    def _context(self, parent: SpiresQuestion, item: str) -> str:
        if not self.limits.context:
            return ""
        quote_match = find_whole_words(parent.text, item)
        sentence = (
            sentence_at(parent.text, quote_match.spans[0]).quote(parent.text) if quote_match else ""
        )
        return "" if fold_words(sentence) == fold_words(item) else " ".join(sentence.split())

    def _problem(
        self, code: str, message: str, path: str, severity: Severity = Severity.WARNING
    ) -> None:
        severity = Severity.ERROR if code in ("call-failed", "filtered") else severity
        self.problems.append(Problem(code, message, severity, path))


def merged_block(cls: str, root: SpiresQuestion) -> Block:
    return block_of(root.answers[0]) if root.answers else Block(cls)


def block_of(draft: PendingBlock) -> Block:
    """The finished block. Further blocks that one question was answered with come after the items
    of its slot.
    """
    fields = []
    for slot, items in draft.fields:
        finished: list[str | Block] = []
        extra: list[str | Block] = []
        for item in items:
            blocks = list(finish_value(item))
            finished += blocks[:1]
            extra += blocks[1:]
        fields.append((slot.name, tuple(finished + extra)))
    return Block(draft.cls, tuple(fields), draft.text)


def finish_value(item: str | PendingBlock | SpiresQuestion) -> Iterator[str | Block]:
    """A value: text as it is; an object, as many as were answered; the words of one that was not
    answered.
    """
    if isinstance(item, str):
        yield item
    elif isinstance(item, PendingBlock):
        yield block_of(item)
    elif item.answers:
        yield from (block_of(answer) for answer in item.answers)
    else:
        yield item.text
