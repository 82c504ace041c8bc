"""Which addresses may be dialled (rules A1 to A3)."""

from __future__ import annotations

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedward.urls.safety import is_public_address

REFUSED_BLOCKS = [
    *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "168.63.129.16/32", "169.254.0.0/16"),
    *("172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15"),
    *("198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"),
    *("::/8", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"),
    *("5f00::/16", "fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8"),
]
BETWEEN_BLOCKS = [
    *("1.0.0.0", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0"),
    *("168.63.129.15", "168.63.129.17", "172.15.255.255", "172.32.0.0", "192.0.1.0", "223.255.255.255"),
    *("2000::", "2001:200::", "2001:4860:4860::8888", "2606:4700:4700::1111", "3fff:1000::", "2003::1"),
]


@pytest.mark.parametrize("block", REFUSED_BLOCKS)
def test_first_middle_and_last_address_of_a_refused_block_are_not_public(block: str) -> None:
    network = ipaddress.ip_network(block)
    middle = network[network.num_addresses // 2]
    assert not any(map(is_public_address, map(str, (network[0], middle, network[-1]))))


@pytest.mark.parametrize("address", BETWEEN_BLOCKS)
def test_neighbours_of_refused_blocks_are_public(address: str) -> None:
    assert is_public_address(address)


@pytest.mark.parametrize(
    "text",
    ["", " ", "8.8.8.8 ", "8.8.8", "08.8.8.8", "0x8.8.8.8", "134744072", "fe80::1%eth0", "2606::1%1", "a.b", "[::1]"],
)
def test_text_that_is_no_plain_address_is_not_public(text: str) -> None:
    assert not is_public_address(text)


@given(st.ip_addresses(v=4))
def test_ipv6_form_that_carries_an_ipv4_address_is_never_public(address: ipaddress.IPv4Address) -> None:
    number = int(address)
    carriers = [
        ipaddress.IPv6Address(number),
        ipaddress.IPv6Address(0xFFFF << 32 | number),
        ipaddress.IPv6Address(0xFFFF << 48 | number),
        ipaddress.IPv6Address(0x64FF9B << 96 | number),
        ipaddress.IPv6Address(0x2002 << 112 | number << 80),
    ]
    assert not any(is_public_address(str(carrier)) for carrier in carriers)


@given(st.text())
def test_any_text_has_an_answer(text: str) -> None:
    assert isinstance(is_public_address(text), bool)
