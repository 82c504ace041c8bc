"""Normalization and its version change together, and CHANGELOG.md reports it (rules V2, L1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from feedward.lineage import content
from feedward.lineage.version import CURRENT
from feedward.urls.key import KEY_VERSION
from feedward.urls.tracking import TRACKING_PARAMS
from tests.golden import golden_set
from tests.golden.guard import Outputs, Present, Recorded, faults, unrecordable

V1 = "http_snapshot_url_v1_text_v1"
URL_V2 = "http_snapshot_url_v2_text_v1"
TEXT_V1_1 = "http_snapshot_url_v1_text_v1.1"
OUTPUTS: Outputs = {"url": {"query": "https://a.example/?a=1", "path": "https://a.example/x"}, "text": {"page": "a b"}}
RECORDED = Recorded(versions=[V1], fixes=[], outputs=OUTPUTS)
FIX = "- Normalization fix in `text`, `page`: a block separated nothing (rule L4)."


def changed(component: str, entry: str, output: str = "another") -> Outputs:
    return {**OUTPUTS, component: {**OUTPUTS[component], entry: output}}


def bump_line(version: str) -> str:
    return f"- Normalization version `{version}`: other outputs.\n"


def found(outputs: Outputs = OUTPUTS, *, version: str = V1, changelog: str = "", recorded: Recorded = RECORDED) -> str:
    """The reasons to refuse recording, as one text."""
    return "\n".join(unrecordable(recorded, Present(version=version, outputs=outputs, changelog=changelog)))


# --- outputs of this code ------------------------------------------------------------------------


def test_outputs_version_and_changelog_agree() -> None:
    golden = golden_set.read()
    wrong = faults(golden_set.recorded(golden), golden_set.present(golden))
    assert not wrong, "\n\n".join(wrong)


def test_the_golden_set_is_large_enough_and_states_the_purpose_of_each_entry() -> None:
    golden = golden_set.read()
    assert len(golden["urls"]) >= 60
    assert len(golden["pages"]) >= 25
    for entries in (golden["urls"], golden["pages"]):
        assert len({entry["id"] for entry in entries}) == len(entries)
        assert all(entry["why"] for entry in entries)


def test_the_key_s_own_version_is_the_url_component_s() -> None:
    """A raised `url` re-keys the registry, which uses KEY_VERSION."""
    (url,) = [component for component in CURRENT.components if component.name == "url"]
    assert url.number == KEY_VERSION


# --- when a version is to be bumped ----------------------------------------------------------------


def test_rule_v2_1_a_changed_key_asks_for_a_bump_of_url() -> None:
    told = found(changed("url", "query"))
    assert "bump the component `url`" in told
    assert "query: was 'https://a.example/?a=1', is 'another'" in told
    assert "path" not in told.partition("bump")[0]
    assert all(step in told for step in (URL_V2, "http_snapshot_url_v1.1_text_v1", "KEY_VERSION", "make golden"))
    assert "CHANGELOG.md" in told


@pytest.mark.parametrize(
    "names", [TRACKING_PARAMS | {"golden_click_id"}, TRACKING_PARAMS - {"fbclid"}], ids=["added", "removed"]
)
def test_rule_v2_1_a_changed_tracking_list_asks_for_a_bump_of_url(
    names: frozenset[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(golden_set, "TRACKING_PARAMS", names)
    golden = golden_set.read()
    (told,) = unrecordable(golden_set.recorded(golden), golden_set.present(golden))
    assert told.startswith("`url` gives other outputs:\n  tracking list: ")
    assert "bump the component `url`" in told


@pytest.mark.parametrize(
    ("part", "broken"),
    [("text_form", str.strip), ("text_form", str.lower), ("is_shown_as_page", lambda *_: False)],
    ids=["white space", "case", "markup"],
)
def test_rule_v2_2_a_changed_text_asks_for_a_bump_of_text(
    part: str, broken: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(content, part, broken)
    golden = golden_set.read()
    (told,) = unrecordable(golden_set.recorded(golden), golden_set.present(golden))
    assert told.startswith("`text` gives other outputs:")
    assert "bump the component `text`" in told


def test_rule_v2_2_another_hash_asks_for_a_bump_of_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(content, "sha256", lambda data: sha256(data + b"\n"))
    golden = golden_set.read()
    (told,) = unrecordable(golden_set.recorded(golden), golden_set.present(golden))
    assert all(f"\n  {page['id']}: was " in told for page in golden["pages"])


def test_rule_v2_3_a_fix_that_the_changelog_tells_of_needs_no_bump() -> None:
    assert "bump the component `text`" in found(changed("text", "page"))
    assert not found(changed("text", "page"), changelog=FIX)


@pytest.mark.parametrize(
    "line",
    [
        "- Normalization fix in `url`, `page`: another component.",
        "- Normalization fix in `text`, `other`: another entry.",
        "- Normalization fix in `text`, `page`:",
        "- Normalization fix in `text`: no entry.",
        "A Normalization fix in `text`, `page`: no line of its own.",
    ],
)
def test_rule_v2_3_a_fix_names_its_component_its_entries_and_its_reason(line: str) -> None:
    assert "bump the component `text`" in found(changed("text", "page"), changelog=line)


def test_rule_v2_3_a_fix_counts_once() -> None:
    after = Recorded(versions=[V1], fixes=[FIX], outputs=changed("text", "page"))
    assert not faults(after, Present(version=V1, outputs=changed("text", "page"), changelog=FIX))
    assert "bump the component `text`" in found(changed("text", "page", "a third"), changelog=FIX, recorded=after)


@pytest.mark.parametrize(
    ("line", "idle"),
    [
        (FIX, "`page`"),
        ("- Normalization fix in `url`, `query`, `path`: a dot segment stayed (rule C3).", "`path`"),
        ("- Normalization fix in `text`, `no-such-entry`: a block separated nothing (rule L4).", "`no-such-entry`"),
        ("- Normalization fix in `image`, `page`: no such component.", "`page`"),
    ],
)
def test_rule_v2_3_a_fix_that_covers_nothing_is_refused(line: str, idle: str) -> None:
    """A fix written in advance would let the next change of its entries pass."""
    told = found(changed("url", "query"), version=URL_V2, changelog=bump_line(URL_V2) + line)
    assert told.startswith(f"CHANGELOG.md tells of a fix of {idle} in ")


def test_rule_v2_3_a_fix_told_in_other_words_is_neither_new_nor_refused() -> None:
    after = Recorded(versions=[V1], fixes=[FIX], outputs=changed("text", "page"))
    reworded = FIX.replace("separated nothing", "did not separate")
    assert not found(after.outputs, changelog=reworded, recorded=after)
    assert "bump the component `text`" in found(changed("text", "page", "third"), changelog=reworded, recorded=after)


def test_rule_v2_3_several_entries_may_be_of_one_fix() -> None:
    both = {**OUTPUTS, "url": {"query": "x", "path": "y"}}
    assert not found(both, changelog="- Normalization fix in `url`, `query`, `path`: a dot segment stayed (rule C3).")


def test_rule_v2_3_unchanged_outputs_need_no_changelog_line() -> None:
    assert not faults(RECORDED, Present(version=V1, outputs=OUTPUTS, changelog=""))


# --- requirements of a bump --------------------------------------------------------------------------


def test_a_bump_passes_only_with_its_line_in_the_changelog() -> None:
    assert f"no line `- Normalization version `{URL_V2}`" in found(changed("url", "query"), version=URL_V2)
    assert not found(changed("url", "query"), version=URL_V2, changelog=bump_line(URL_V2))


def test_a_bump_of_one_component_excuses_no_other() -> None:
    told = found(changed("text", "page"), version=URL_V2, changelog=bump_line(URL_V2))
    assert "bump the component `text`" in told


def test_a_patch_is_a_bump() -> None:
    assert not found(changed("text", "page"), version=TEXT_V1_1, changelog=bump_line(TEXT_V1_1))


def test_every_version_since_the_first_stays_in_the_changelog() -> None:
    history = replace(RECORDED, versions=[V1, TEXT_V1_1, URL_V2])
    told = found(version=URL_V2, changelog=bump_line(URL_V2), recorded=history)
    assert f"`{TEXT_V1_1}`" in told
    assert "add it" in told


@pytest.mark.parametrize(
    ("versions", "version", "told"),
    [
        ([V1, URL_V2], V1, "`url` went back"),
        ([TEXT_V1_1], V1, "`text` went back"),
        ([V1], "http_snapshot_url_v1_text_v1_image_v1", "has not the collector and components"),
        ([V1], "snapshot_url_v1_text_v1", "has not the collector and components"),
    ],
)
def test_a_version_goes_forward(versions: list[str], version: str, told: str) -> None:
    assert told in found(version=version, recorded=replace(RECORDED, versions=versions))


def test_outputs_are_recorded_with_the_change() -> None:
    bumped = Present(version=URL_V2, outputs=changed("url", "query"), changelog=bump_line(URL_V2))
    assert all("run `make golden`" in fault for fault in faults(RECORDED, bumped))
    assert faults(RECORDED, bumped)
    recorded = Recorded(versions=[V1, URL_V2], fixes=[], outputs=bumped.outputs)
    assert not faults(recorded, bumped)


def test_a_new_entry_is_recorded() -> None:
    more: Mapping[str, Mapping[str, str]] = {**OUTPUTS, "url": {**OUTPUTS["url"], "new": "https://a.example/"}}
    assert not found(more)
    assert faults(RECORDED, Present(version=V1, outputs=more, changelog=""))


# --- the command ---------------------------------------------------------------------------------------


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The golden set and the changelog, as files that a test may write."""
    golden, changelog = tmp_path / "normalization.json", tmp_path / "CHANGELOG.md"
    golden.write_text(golden_set.FILE.read_text())
    changelog.write_text(golden_set.CHANGELOG.read_text())
    monkeypatch.setattr(golden_set, "FILE", golden)
    monkeypatch.setattr(golden_set, "CHANGELOG", changelog)
    return changelog


def test_the_command_leaves_recorded_outputs_unchanged(copied: Path) -> None:
    before = golden_set.FILE.read_text()
    assert golden_set.main() == 0
    assert golden_set.FILE.read_text() == before


def test_the_command_refuses_a_change_without_a_version(
    copied: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = golden_set.FILE.read_text()
    monkeypatch.setattr(golden_set, "TRACKING_PARAMS", TRACKING_PARAMS | {"golden_click_id"})
    assert golden_set.main() == 1
    assert "bump the component `url`" in capsys.readouterr().err
    assert golden_set.FILE.read_text() == before


def test_the_command_records_a_bump(copied: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    after = str(CURRENT.bump("url", "breaking"))
    monkeypatch.setattr(golden_set, "TRACKING_PARAMS", TRACKING_PARAMS | {"golden_click_id"})
    monkeypatch.setattr(golden_set, "CURRENT_VERSION", after)
    copied.write_text(f"{copied.read_text()}\n{bump_line(after)}")

    assert golden_set.main() == 0

    golden = golden_set.read()
    assert golden["versions"][-1] == after
    assert not faults(golden_set.recorded(golden), golden_set.present(golden))


def test_the_command_records_a_fix(copied: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    line = f"- Normalization fix in `url`, `{golden_set.TRACKING_LIST}`: a name was misspelled (rule C1)."
    monkeypatch.setattr(golden_set, "TRACKING_PARAMS", TRACKING_PARAMS | {"golden_click_id"})
    copied.write_text(f"{copied.read_text()}\n{line}\n")

    assert golden_set.main() == 0
    assert golden_set.read()["fixes"][-1] == line
