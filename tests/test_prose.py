"""Texts are plain technical English: phrases that were replaced do not come back."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FILES = [
    *(ROOT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md")),
    *(path for folder in ("src", "docs", "examples", "benchmarks") for path in (ROOT / folder).rglob("*")),
]
PHRASES = {  # pattern: what to write instead
    r"constraints? too many|(?:rows?|equations?) too many": "redundant constraints, redundant rows",
    r"(?:is|are|that is|what is) no potentials?\b|no potential forces?": "non-conservative",
    r"(?<!there) (?:is|are) no (?:joints?|folders?|modules?|multiples?|files?|settings?|literal|count)\b": "is not a ..., other than a ...",
    r"at the begin\b|the begin of": "at the beginning",
    r"\bdearer\b|\bdearest\b": "more expensive",
    r"(?:be|are|is) gone on with|goes? on bit for bit|goes? on from (?:there|here|another)": "resumed, continued",
    r"what was computed": "the results so far, the results until then",
    r"(?:in|that) forbidden motion|that the joints forbid|in words at the door": "velocities that the joints do not allow",
    r"energy in motion": "energy scale",
    r"does not even wander|should not even wander|leaking energy": "the energy does not drift",
    r"no grip on": "do not control",
    r"hold by themselves": "are always satisfied",
    r"nowhere can|who knows what|nobody counts": "say it directly",
    r"never without notice|without a word\b": "silently",
    r"(?:must|that) stand in `": "are in",
    r"what is less new than": "smaller than",
    r"(?:compiled|chosen|made) anew": "compiled again, re-selected",
    r"no size of the steps|any size of the steps": "no step size, any step size",
    r"numbers of a computer": "double precision",
    r"by so many steps|to so many metres": "the number, by its name",
    r"over each other": "overlaid",
    r"exact: the coordinates are the joints'|estimate_error=True does": "exact (joint coordinates); set estimate_error=True",
    r"gravity is always said|where it is said\b": "given",
}
NAMES = r"\bdef (?:said|told|kept|begun|meant|blamed|tallied|carrying)\b|\.(?:said|told|begun)\b"


def texts():
    for path in FILES:
        if path.suffix in (".py", ".md", ".js", ".html", ".yaml") and path.name != "three.bundle.js":
            yield path.relative_to(ROOT), path.read_text(encoding="utf-8")


@pytest.mark.parametrize("phrase", PHRASES)
def test_phrases_that_were_replaced_stay_away(phrase):
    spaced = re.compile(phrase.replace(" ", r"\s+(?:[#*/]+\s+)?"), re.IGNORECASE)  # also over the end of a line
    found = [f"{path}: {match.group()!r}" for path, text in texts() for match in spaced.finditer(text)]
    assert not found, f"write instead: {PHRASES[phrase]}\n" + "\n".join(found)


def test_names_are_not_participles_of_saying():
    found = [f"{path}: {match.group()!r}" for path, text in texts() if path.suffix == ".py" for match in re.finditer(NAMES, text)]
    assert not found, "name what it is, such as describe_value\n" + "\n".join(found)
