"""cfn-lint on template.yaml, and on what SAM makes of it: each sees faults that the other does not."""

from __future__ import annotations

import json
from pathlib import Path

import cfnlint.api
import cfnlint.config
import pytest
from samtranslator.model.exceptions import InvalidDocumentException

from tests.template.translation import TEMPLATE, translate, translated


def lint(text: str) -> list[str]:
    found = cfnlint.api.lint(text, config=cfnlint.config.ManualArgs(regions=["eu-central-1"]))
    return [f"{match.rule.id} {match.message} at line {match.linenumber}" for match in found]


def gate(text: str) -> list[str]:
    """What is wrong with a SAM template."""
    try:
        return lint(text) + lint(json.dumps(translate(text)))
    except InvalidDocumentException as error:
        return [str(cause.message) for cause in error.causes]


def test_template_is_clean() -> None:
    assert lint(TEMPLATE.read_text()) == []


def test_translated_template_is_clean() -> None:
    assert lint(json.dumps(translated())) == []


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("URLS_TABLE: !Ref UrlsTable", "URLS_TABLE: !Ref UrlTable"),
        ("Timeout: 25", "Timeout: 901"),
        ("MemorySize: 1024", "MemorySise: 1024"),
        ("Runtime: python3.13", "Runtime: python3.7"),
        ("AttributeName: url_hash, KeyType: HASH", "AttributeName: url_hesh, KeyType: HASH"),
        ("RetentionInDays: !Ref LogRetentionDays", "RetentionInDays: 8"),
        ("ProjectionType: KEYS_ONLY", "ProjectionType: KEYS"),
    ],
)
def test_the_gate_sees_a_fault(right: str, wrong: str) -> None:
    text = TEMPLATE.read_text()
    assert right in text

    assert gate(text.replace(right, wrong))


def test_translation_does_not_depend_on_the_working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    assert translate(TEMPLATE.read_text())["Resources"]
