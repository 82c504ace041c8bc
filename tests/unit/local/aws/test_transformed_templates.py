"""A template is transformed once: another one, other parameters or a damaged file are transformed again."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from feedward_local.aws.transformed_templates import KEPT_TEMPLATES, transform_templates_once


class Handlers(ModuleType):
    """MiniStack's handlers, which count the transforms and change what they are given."""

    def __init__(self, answer: Any = None) -> None:
        super().__init__("handlers")
        self.asked: list[tuple[Any, ...]] = []
        self.answer = answer
        self._apply_transforms = self.transform

    def transform(self, *asked: Any) -> Any:
        self.asked.append(asked)
        return self.answer or {"Resources": {"of": asked[0]["name"]}}


def started(folder: Path, answer: Any = None) -> Handlers:
    """A new MiniStack."""
    handlers = Handlers(answer)
    transform_templates_once(handlers, folder)
    return handlers


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "transformed"


def test_a_template_is_transformed_once_for_all_starts(folder: Path) -> None:
    first, second = started(folder), started(folder)

    results = [each._apply_transforms({"name": "a"}, [{"key": "X", "value": "1"}]) for each in (first, second, second)]

    assert results == [{"Resources": {"of": "a"}}] * 3
    assert (len(first.asked), len(second.asked)) == (1, 0)
    assert results[1] is not results[2]  # MiniStack changes a template


@pytest.mark.parametrize(
    "asked", [({"name": "b"}, []), ({"name": "a"}, [{"key": "X"}]), ({"name": "a"}, [], {"X": "1"})]
)
def test_another_template_or_other_parameters_are_transformed(folder: Path, asked: tuple[Any, ...]) -> None:
    started(folder)._apply_transforms({"name": "a"}, [])
    handlers = started(folder)

    assert handlers._apply_transforms(*asked) == {"Resources": {"of": asked[0]["name"]}}
    assert handlers.asked == [asked]


def test_another_version_of_the_transform_is_asked_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started(folder)._apply_transforms({"name": "a"})
    monkeypatch.setattr("feedward_local.aws.transformed_templates.version", lambda _package: "99")
    handlers = started(folder)

    handlers._apply_transforms({"name": "a"})

    assert len(handlers.asked) == 1


@pytest.mark.parametrize("text", ["", '{"Resources": {', "\ufffd"])
def test_a_damaged_file_is_written_again(folder: Path, text: str) -> None:
    started(folder)._apply_transforms({"name": "a"})
    (file,) = folder.iterdir()
    file.write_text(text)

    assert started(folder)._apply_transforms({"name": "a"}) == {"Resources": {"of": "a"}}
    assert started(folder)._apply_transforms({"name": "a"}) == {"Resources": {"of": "a"}}
    assert list(folder.iterdir()) == [file]


@pytest.mark.parametrize("answer", [object(), {"Resources": {1: "a"}}, {"Resources": ("a",)}])
def test_what_is_not_the_same_as_json_is_not_kept(folder: Path, answer: Any) -> None:
    for _ in range(2):
        handlers = started(folder, answer)
        assert handlers._apply_transforms({"name": "a"}) is answer
        assert len(handlers.asked) == 1


def test_the_oldest_go(folder: Path) -> None:
    for number in range(KEPT_TEMPLATES + 2):
        started(folder)._apply_transforms({"name": str(number)})

    handlers = started(folder)
    handlers._apply_transforms({"name": str(KEPT_TEMPLATES + 1)})
    assert (len(list(folder.iterdir())), handlers.asked) == (KEPT_TEMPLATES, [])


def test_a_folder_that_cannot_be_written_costs_only_the_time(folder: Path) -> None:
    folder.write_text("a file in its place")

    assert started(folder)._apply_transforms({"name": "a"}) == {"Resources": {"of": "a"}}
    assert folder.read_text() == "a file in its place"
