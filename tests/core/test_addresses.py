import ipaddress

import pytest

from pincite_core.addresses import is_public, resolve
from pincite_core.errors import ForbiddenError, UnavailableError


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "127.255.0.9", "0.0.0.0", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1",
        "192.0.0.192", "192.0.2.1", "198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255", "192.88.99.1",
        "::", "::1", "fe80::1", "fe80::1%1", "fc00::1", "fd12::1", "fec0::1", "ff02::1", "2001:db8::1", "100::1",
        "::127.0.0.1", "::10.0.0.1", "::ffff:127.0.0.1", "::ffff:169.254.169.254",
        "64:ff9b::7f00:1", "64:ff9b::a00:1", "64:ff9b:1::808:808", "2002:7f00:1::", "2002:c0a8:101::1",
        "2001:0:4136:e378:8000:63bf:3fff:fdd2", "2606:4700::5efe:127.0.0.1", "2606:4700::200:5efe:10.0.0.1",
        "3fff::1", "4000::1", "5f00::1", "e000::1", "200::1",
    ],
)  # fmt: skip
def test_private_addresses_in_every_disguise_are_refused(address: str) -> None:
    assert not is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize(
    "address",
    [
        "8.8.8.8", "151.101.3.42", "192.0.1.1", "2606:4700::1111", "2a04:4e42::347",
        "::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::1",
    ],
)  # fmt: skip
def test_public_addresses_pass(address: str) -> None:
    assert is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "2130706433", "0x7f000001", "127.1", "0177.0.0.1", "::1"])
def test_spellings_of_loopback_are_refused_after_resolving(host: str) -> None:
    with pytest.raises(ForbiddenError) as caught:
        resolve(host, 80)
    assert "not a public address" in caught.value.seen


def test_the_switch_for_tests_and_intranets_lets_loopback_through() -> None:
    assert resolve("127.0.0.1", 80, allow_private=True) == ["127.0.0.1"]


@pytest.mark.parametrize("host", ["no-such-host.invalid", "a" * 64 + ".org", "bad host"])
def test_a_host_that_does_not_resolve_is_an_outage(host: str) -> None:
    with pytest.raises(UnavailableError):
        resolve(host, 80)
