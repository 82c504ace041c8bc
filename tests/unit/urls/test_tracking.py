"""The list of tracking parameters and the key change only together with their versions (rules C1, L1)."""

from __future__ import annotations

from hashlib import sha256

from feedward.urls.key import KEY_VERSION, key
from feedward.urls.tracking import KEY_PARAMS, OFTEN_FUNCTIONAL, TRACKING_PARAMS, TRACKING_VERSION

# version: hash of the sorted names. A changed list gets a new version and a new line; old lines stay as they are.
TRACKING_LISTS = {"1": "76635193d34966dc1e8f40e43385367e88cd2c56802d758b7473cf635fd51900"}
# version: hash of the keys of GOLDEN
KEYS = {"1": "8851d97249b7bfb1354f06b1fd80177572a1d9c2c0df6bd5dcf0505b21960d6e"}

GOLDEN = (
    "http://www.Example.com:80//a/./b//?utm_source=x&b=2&a=%2f&a=1&cid=3#top",
    "https://example.com:80/%7e%2f%zz%c3%a9/",
    "http://example.com:443/feed",
    "feed:example.com./caf\u00e9?&&",
    "https://user:pw@m\u00fcnchen.example:8443/x;y=1?q=a b+c%20d",
    "https://example.com/?a&amp;b&#38;lt;",
    "http://[2001:DB8::1]/?_=1&ts=2&fbclid=3",
    "htp://example.com/cafe%CC%81/&%6Ct;?lt;=1&a",
)


def digest(lines: list[str]) -> str:
    return sha256("\n".join(lines).encode()).hexdigest()


def test_a_changed_list_has_a_new_version() -> None:
    assert digest(sorted(TRACKING_PARAMS)) == TRACKING_LISTS[TRACKING_VERSION]


def test_a_change_of_any_key_has_a_new_version() -> None:
    listed = [key(f"https://example.com/?{name}=1") for name in sorted(TRACKING_PARAMS)]
    assert digest([*map(key, GOLDEN), *listed]) == KEYS[KEY_VERSION]


def test_the_list_has_152_names_of_which_keys_leave_14_alone() -> None:
    assert len(TRACKING_PARAMS) == 152
    assert len(OFTEN_FUNCTIONAL) == 14
    assert OFTEN_FUNCTIONAL <= TRACKING_PARAMS
    assert KEY_PARAMS == TRACKING_PARAMS - OFTEN_FUNCTIONAL


def test_generic_names_are_not_on_the_list() -> None:
    assert not TRACKING_PARAMS & {"ref", "ref_src", "ref_url", "source", "via", "id", "format", "feed"}
