"""Every citation leads to a rule of docs/rules.md, none leads out of the repository, and each rule is cited."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RULES_MD = (ROOT / "docs" / "rules.md").read_text()
FOLDERS = ("layers", "functions", "local", "bench", "tests")

LETTERS = (*"ABCDFGHIKLMNPQRSTUVWX", "AK", "EX", "IM", "PG", "QT", "TN", "TP")
LETTER = f"(?:{'|'.join(sorted(LETTERS, key=len, reverse=True))})"
RULE = rf"{LETTER}\d{{1,2}}(?:\.\d)?"
# "rule H3", "rules C7.4, C7.5", "rules U1 to U7", "rule I1 or I3"; a line may end anywhere in it.
CITATION = re.compile(rf"\b[Rr]ules?\s+({RULE}(?:(?:,| to| or| and)\s+(?:(?:and|or)\s+)?{RULE}\b)*)")
RANGE = re.compile(rf"({LETTER})(\d+)\s+to\s+\1(\d+)\b(?!\.\d)")
UNMARKED = re.compile(rf"(?<![\w#/.`%&-]){RULE}\b(?!-)")
IN_BRACKETS = re.compile(rf"\((?:[^()`]*[,;] )?({RULE})(?=[,;)])")
OUTSIDE = re.compile(
    r"\bspecs?\s+(?:[A-Z]\d|\")|\bspec/|\bthe\s+specifications?\b(?!\s+of\s+(?:HTML|HTTP|URLs?))"
    r"|\bdesign\s+(?:sections?\s+)?\d|\bresearch\s*(?:section|:)|\bsecurity\s+(?:section|[A-Z]\d?\b)"
    r"|\brequirements?\s+[A-Z]\d|\binvariants?\s+I\d|\bcontract\s+(?:sections?\s+)?\d|\bnormalization\s+contract\b"
    r"|frontier-redirects|discovery-directory|normalization-contract|progressive-canonicalization|design\.md"
    r"|security\.md"
)
# Tests that have a rule's number in their name: `test_rule_v3_1_items_of_one_version_are_compared`.
OF_A_RULE = re.compile(r"^def test_rule_([a-z]{1,2})(\d+)(?:_(\d))?_", re.MULTILINE)
# Enough of Python's grammar to tell comments and docstrings from other strings, and much faster than its tokenizer.
LONG_STRING = r'"""(?:\\.|[^\\])*?"""'
STRINGS = rf"""{LONG_STRING}|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'"""
COMMENTS = r"#[^\n]*(?:\n[ \t]*#[^\n]*)*"
LEXEMES = re.compile(
    rf"(?m:^[ \t]*(?P<docstring>{LONG_STRING}))|(?P<comment>{COMMENTS})|{STRINGS}",
    re.DOTALL,
)
# Texts that look like the number of a rule: the C1 control characters of ISO 6429, and the store of objects.
NO_RULES = re.compile(r"\bC1 controls\b|\bS3\b")


def rules() -> list[str]:
    return re.findall(rf"^ *- \*\*({RULE})\b", RULES_MD, re.MULTILINE)


KNOWN = frozenset(rules())


def letter_of(rule: str) -> str:
    return re.split(r"\d", rule)[0]


def for_readers() -> set[str]:
    """The rules that need no citation, as docs/rules.md lists them."""
    return set(re.findall(rf"\b{RULE}\b", RULES_MD.partition("## Rules for readers")[2]))


def cited(text: str) -> Iterator[str]:
    """The numbers of all rules that `text` cites, including those within a range."""
    for citation in CITATION.finditer(text):
        for letter, first, last in RANGE.findall(citation[1]):
            yield from (f"{letter}{number}" for number in range(int(first), int(last) + 1))
        yield from re.findall(RULE, citation[1])


def faults(text: str, *, is_document: bool = False) -> list[str]:
    """The faults of the citations in `text`. Documents may number their lists; code may not."""
    outside = [found[0] for found in OUTSIDE.finditer(text)]
    unknown = [rule for rule in cited(text) if rule not in KNOWN]
    rest = NO_RULES.sub("", CITATION.sub("", text))
    unmarked = IN_BRACKETS.findall(rest) if is_document else UNMARKED.findall(rest)
    return [
        *(f"{found!r} is not in the repository" for found in outside),
        *(f"there is no rule {rule}" for rule in unknown),
        *(f"{rule} does not say that it is a rule" for rule in unmarked),
    ]


def prose_of_python(source: str) -> Iterator[str]:
    """Docstrings, comments, and the rules that tests are named after. Comments below each other are one text."""
    for found in LEXEMES.finditer(source):
        if found["comment"]:
            yield re.sub(r"^[ \t]*# ?", "", found["comment"], flags=re.MULTILINE)
        elif found["docstring"]:
            yield found["docstring"][3:-3]
    for letter, number, part in OF_A_RULE.findall(source):
        yield f"rule {letter.upper()}{number}" + (f".{part}" if part else "")


def prose_of_comments(source: str) -> Iterator[str]:
    """The comments of YAML and of a Makefile."""
    yield from re.findall(r"(?:^|\s)#+ (.*)", source)


def prose_of_document(source: str) -> Iterator[str]:
    """Markdown without its blocks of code."""
    yield re.sub(r"^```.*?^```", "", source, flags=re.MULTILINE | re.DOTALL)


def prose() -> Iterator[tuple[Path, str]]:
    """Every text that may cite, with its file."""
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            if path != Path(__file__) and ".aws-sam" not in path.parts:
                yield from ((path, text) for text in prose_of_python(path.read_text()))
    for name in ("template.yaml", "Makefile"):
        yield from ((ROOT / name, text) for text in prose_of_comments((ROOT / name).read_text()))
    for path in (ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted(ROOT.glob("docs/*.md"))):
        if path.name != "rules.md":
            yield from ((path, text) for text in prose_of_document(path.read_text()))


@pytest.fixture(scope="module")
def texts() -> list[tuple[Path, str]]:
    return list(prose())


def test_every_citation_leads_to_a_rule_of_the_repository(texts: list[tuple[Path, str]]) -> None:
    found = [
        f"{path.relative_to(ROOT)}: {fault}"
        for path, text in texts
        for fault in faults(text, is_document=path.suffix == ".md")
    ]
    assert not found, "\n".join(found)


def test_every_rule_is_cited_or_is_for_readers(texts: list[tuple[Path, str]]) -> None:
    named = {rule for _, text in texts for rule in cited(text)}
    assert KNOWN - named - for_readers() == set()


def test_rules_for_readers_are_rules() -> None:
    assert for_readers() <= KNOWN


def test_a_number_is_given_once_and_in_order() -> None:
    def place(rule: str) -> list[int]:
        return [int(number) for number in rule.removeprefix(letter_of(rule)).split(".")]

    assert len(rules()) == len(KNOWN)
    for letter in LETTERS:
        places = [place(rule) for rule in rules() if letter_of(rule) == letter]
        assert places == sorted(places), letter


def test_rules_refer_to_rules() -> None:
    text = RULES_MD.partition("## C: ")[2]
    assert {rule for rule in UNMARKED.findall(NO_RULES.sub("", text)) if rule not in KNOWN} == set()


def test_the_letters_are_explained() -> None:
    explained = re.findall(r"(?<=\| )([A-Z]{1,2})(?= \|)", RULES_MD.partition("## C: ")[0])
    assert sorted(explained) == sorted(LETTERS)
    assert {letter_of(rule) for rule in KNOWN} == set(LETTERS)


@pytest.mark.parametrize(
    "text",
    [
        "When a feed is checked next (rule H3).",
        "Pure (rules C7.4, C7.5, F1).",
        "Refused before any look-up (rules U1 to\nU7).",
        "What breaks rule I1 or I3, and rules L2 and V3.2",
        "The C1 controls that stand for Windows-1252; RFC 3986 section 6.2.2; rule by rule; by design.",
        "Bodies lie in S3, encoded as %C3%BC, and `D1` is an attribute.",
    ],
)
def test_a_good_citation_has_no_fault(text: str) -> None:
    assert faults(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "(rule H99)",
        "(rules H3, H99)",
        "(rules H3 to H99)",
        "(rules H3,\n  H99)",
        "(rule C7.9)",
        "(spec H3)",
        "Plain text as spec P1 wants it",
        'what it knows of a feed (spec "feeds")',
        "the formula of the specification",
        "(design section 3, Sweep)",
        "(design 3)",
        "(research section 7)",
        "(security T13)",
        "(requirements X1, X2)",
        "(contract 6.1)",
        "the rules are those of the normalization contract",
        "(frontier-redirects.md section 2)",
        "(H3)",
        "it sorts by time (rule R8; H3)",
        "what breaks I3",
    ],
)
def test_a_bad_citation_is_found(text: str) -> None:
    assert faults(text) != []


@pytest.mark.parametrize("text", ["Discovery does so (D4), and so", "(rule D99)", "(a feed; D4)", "(spec D4)"])
def test_a_bad_citation_is_found_in_a_document(text: str) -> None:
    assert faults(text, is_document=True) != []


def test_a_document_may_number_its_list() -> None:
    assert faults("| V3.1 items of one version | are compared |", is_document=True) == []


def test_comments_and_docstrings_are_read_and_strings_are_not() -> None:
    source = '"""A (rule H3)."""\n\nx = "(H4)"  # b\ny = 1  # (rules C1,\n# C2)\n'
    assert [text for text in prose_of_python(source) if text] == ["A (rule H3).", "b", "(rules C1,\nC2)"]


@pytest.mark.parametrize(
    ("name", "rule"), [("test_rule_v3_1_edges", "V3.1"), ("test_rule_v5_bumps", "V5"), ("test_rule_n12_heads", "N12")]
)
def test_the_name_of_a_test_may_cite(name: str, rule: str) -> None:
    assert [*cited(" ".join(prose_of_python(f"def {name}() -> None: ...")))] == [rule]


def test_comments_of_a_template_are_read() -> None:
    assert list(prose_of_comments("# why (rule N1)\nKey: '#no' # because (H3)\n")) == ["why (rule N1)", "because (H3)"]
