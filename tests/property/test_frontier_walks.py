"""Random networks of redirects: the final rows are those of a plain model of the rules.

The model knows nothing of the product: pages are numbered, and a spelling of a page is a scheme, a slash and a query
that does not count (rules F1, F3, F4, F5).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from feedward.frontier.row import RowStatus
from feedward.frontier.settings import FrontierSettings, MoveOn
from feedward.scheduling.cooldown import RATE_LIMITED_LEAST_S
from feedward.services.collect.fetch_row import fetch_row
from tests.fakes.collecting import FakeCollecting

PAGES = 4


@dataclass(frozen=True)
class Spelling:
    """One of the URLs of a page."""

    page: int
    https: bool
    slash: bool
    query: str

    @property
    def base(self) -> str:
        path = f"/p{self.page}{'/' if self.slash else ''}"
        return f"{'https' if self.https else 'http'}://h{self.page % 2}.example{path}"

    @property
    def url(self) -> str:
        return self.base + self.query


@dataclass
class Row:
    """The model's view of a row."""

    at: Spelling | None
    url: str
    page: int
    status: str = "pending"
    error: str | None = None
    final_url: str | None = None


Answer = int | tuple[int, Spelling]

spellings = st.builds(
    Spelling, page=st.integers(0, PAGES - 1), https=st.booleans(), slash=st.booleans(),
    query=st.sampled_from(["", "", "?utm_source=x", "?fbclid=1"]),
)  # fmt: skip
ends = st.sampled_from([*[200] * 16, 404, 410, 500, 429])
statuses = st.sampled_from([301, 301, 308, 302, 303, 307])
leads = st.sampled_from(["on", "on", "on", "nowhere"])
ways = st.sampled_from([*["on"] * 8, "back", "away"])


@st.composite
def networks(draw: st.DrawFn) -> tuple[dict[Spelling, Answer], list[Spelling]]:
    """A network whose redirects mostly lead on, and sometimes back or away, and the URLs that are submitted."""
    known = draw(st.lists(spellings, min_size=3, max_size=10, unique=True))
    network: dict[Spelling, Answer] = {known[-1]: 200}
    for place, at in enumerate(known[:-1]):
        network[at] = draw(ends) if draw(leads) == "nowhere" else (draw(statuses), draw(targets(known, place)))
    return network, draw(st.lists(st.sampled_from(known), min_size=1, max_size=4))


@st.composite
def targets(draw: st.DrawFn, known: list[Spelling], place: int) -> Spelling:
    """The target of a redirect. All choices are made from strategies that exist: to build one takes longer."""
    way = draw(ways)
    return draw(spellings) if way == "away" else known[draw(st.integers((place + 1) * (way == "on"), len(known) - 1))]


class Model:
    """Rows, and the owner of each page: the rules, read line by line."""

    def __init__(self, network: dict[Spelling, Answer], *, permanent: bool, most: int, follow: bool) -> None:
        self.network, self.permanent, self.most, self.follow = network, permanent, most, follow
        self.has: dict[int, int] = {}
        self.rows: list[Row] = []

    def submit(self, at: Spelling) -> int:
        if at.page not in self.has:
            self.has[at.page] = len(self.rows)
            self.rows.append(Row(at=at, url=at.url, page=at.page))
        return self.has[at.page]

    def fetch(self, number: int) -> None:
        row = self.rows[number]
        assert row.at is not None
        asked, statuses = [row.at], list[int]()
        while isinstance(answer := self.network.get(asked[-1], 404), tuple):
            if not self.follow:
                return self.fail(row, "failed", "unexpected_status")
            status, to = answer
            if to in asked:
                return self.fail(row, "failed", "redirect_loop")
            if len(asked) > self.most:
                return self.fail(row, "failed", "too_many_redirects")
            asked.append(to)
            statuses.append(status)
        if answer == 200:
            return self.succeed(number, asked, statuses)
        names = {404: "not_found", 410: "gone", 500: "server_error", 429: "rate_limited"}
        return self.fail(row, "dead" if answer in (404, 410) else "failed", names[answer])

    def fail(self, row: Row, status: str, error: str) -> None:
        row.status, row.error = status, error

    def succeed(self, number: int, asked: list[Spelling], statuses: list[int]) -> None:
        row, landed = self.rows[number], asked[-1]
        row.status, row.error, row.final_url = "fetched", None, None
        to = landed
        if self.permanent and landed.page != row.page:
            run = next((place for place, status in enumerate(statuses) if status not in (301, 308)), len(statuses))
            to = asked[run]
            row.final_url = None if to == landed else landed.url
        if to.page == row.page:
            self.respell(row, to)
        elif to.page in self.has and self.has[to.page] != number:
            row.final_url = row.final_url or to.url
        else:
            self.has[to.page] = number
            row.page, row.at, row.url = to.page, to, to.url

    def respell(self, row: Row, to: Spelling) -> None:
        assert row.at is not None
        row.at = Spelling(to.page, to.https or row.at.https, to.slash, row.at.query)
        row.url = row.at.url


@settings(max_examples=150)
@given(
    drawn=networks(),
    order=st.lists(st.integers(0, 3), min_size=1, max_size=8),
    permanent=st.booleans(),
    most=st.sampled_from([*[5] * 8, 0, 1, 2, 3, 10]),
    follow=st.sampled_from([*[True] * 9, False]),
)
def test_rows_agree_with_a_plain_model_of_the_specification(
    drawn: tuple[dict[Spelling, Answer], list[Spelling]],
    order: list[int],
    permanent: bool,
    most: int,
    follow: bool,
) -> None:
    network, starts = drawn
    model = Model(network, permanent=permanent, most=most, follow=follow)
    world = FakeCollecting(
        {at.url: _page(at, answer) for at, answer in network.items()},
        settings=FrontierSettings(
            host_pause_s=0.0,
            respect_robots=False,
            max_attempts=100,
            move_on=MoveOn.PERMANENT if permanent else MoveOn.ANY,
        ),
        follow_redirects=follow,
        max_redirects=most,
        answers_404=True,
    )
    for host in (0, 1):
        for scheme in ("http", "https"):
            world.internet.unknown_paths[f"{scheme}://h{host}.example"] = {"status": 404}
    ids: list[str] = []
    for start in starts:
        row = world.add(start.url)
        number = model.submit(start)
        assert number <= len(ids)
        if number == len(ids):
            ids.append(row.row_id)
        assert ids[number] == row.row_id
    for number in (each for each in order if each < len(ids)):
        before = world.row(ids[number])
        world.clock.advance(RATE_LIMITED_LEAST_S)  # by then every host can be asked again
        fetch_row(world.change(before, next_fetch_at=before.next_fetch_at or 1), ports=world.ports)
        model.fetch(number)
        for row_id, told in zip(ids, model.rows, strict=True):
            row = world.row(row_id)
            if row.status is RowStatus.PENDING:
                assert told.status == "pending"
            said = (row.url, row.status.value, row.last_error, row.final_url, row.host)
            assert said == (told.url, told.status, told.error, told.final_url, told.url.split("/")[2])
    _assert_found(model, world, ids, starts)


def _assert_found(model: Model, world: FakeCollecting, ids: list[str], starts: list[Spelling]) -> None:
    """Every URL that a row ever had finds it, and no page has two rows."""
    found = world.ports.frontier.find([Spelling(page, True, False, "").url for page in range(PAGES)])
    assert found == {Spelling(page, True, False, "").url: ids[number] for page, number in model.has.items()}
    assert all(start.page in model.has for start in starts)


def _page(at: Spelling, answer: Answer) -> dict[str, Any]:
    if isinstance(answer, tuple):
        status, to = answer
        return {"status": status, "headers": {"Location": to.url}}
    return {"status": answer, "body": f"<html><body>{at.page}</body></html>" if answer == 200 else ""}
