"""Names on the network: how each is spelled, what it covers, where addresses lead to."""

import pytest

from asimi.core.errors import AsimiError
from asimi.core.judging.names import Name, host_of, leads_to, name_of


@pytest.mark.parametrize(
    ("text", "host"),
    [
        ("example.org", "example.org"),
        ("EXAMPLE.org.", "example.org"),
        ("_srv.example.org", "_srv.example.org"),
        ("b\u00fccher.example", "xn--bcher-kva.example"),
        ("xn--bcher-kva.example", "xn--bcher-kva.example"),
        ("ex\u2024ample.org", "ex.ample.org"),  # a letter that is a full stop in the end
        ("example\u3002org", "example.org"),
        ("\uff45xample.org", "example.org"),
        ("127.0.0.1", "127.0.0.1"),
        ("127.0.0.1.", "127.0.0.1"),
        ("0x7f.1", "127.0.0.1"),
        ("0X7F.0.0.1", "127.0.0.1"),
        ("127.1", "127.0.0.1"),
        ("0177.0.0.01", "127.0.0.1"),
        ("2130706433", "127.0.0.1"),
        ("017700000001", "127.0.0.1"),
        ("0x7f000001", "127.0.0.1"),
        ("\uff11\uff12\uff17.1", "127.0.0.1"),
        ("0", "0.0.0.0"),
        ("[::1]", "::1"),
        ("::1", "::1"),
        ("[0:0:0:0:0:0:0:1]", "::1"),
        ("[::ffff:127.0.0.1]", "127.0.0.1"),
        ("[::FFFF:7f00:1]", "127.0.0.1"),
    ],
)
def test_a_host_has_one_spelling(text, host):
    assert host_of(text) == host


@pytest.mark.parametrize(
    "text",
    [
        "", ".", "a..b", "-a", "a-", "a b", "a/b", "a@b", "a%41", "a\0b", "a\nb", "example.08", "1.2.3.4.5",
        "256.1.1.1",
        "1.2.3.0x100", "a.0x", "[fe80::1%eth0]", "[::1", "stra\u00dfe.de", "a\u200db.org", "a" * 64, "a." * 127 + "org",
        "\u2100.org", "\udcff.org",
    ],
)  # fmt: skip
def test_what_has_two_readings_is_no_host(text):
    with pytest.raises(ValueError):  # noqa: PT011 - its words are for some of them only
        host_of(text)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("example.org", Name("example.org")),
        ("Example.ORG:8443", Name("example.org", 8443, private=True)),
        ("*.example.org", Name("*.example.org")),
        ("localhost:5432", Name("localhost", 5432, private=True)),
        ("[::1]:80", Name("::1", 80, private=True)),
        ("10.0.0.1:80", Name("10.0.0.1", 80, private=True)),
    ],
)
def test_a_name_is_written_so(text, name):
    assert name_of(text) == name


@pytest.mark.parametrize(
    "text",
    ["", "*", "*.", "localhost", "a:", "a:0", "a:65536", "a:x", "http://a", "a/b", "a b", "-a", "a*", ":80", "a:1:2"],
)
def test_a_text_that_is_no_name_is_an_error(text):
    with pytest.raises(AsimiError):
        name_of(text)


@pytest.mark.parametrize(
    ("name", "host", "port", "covered"),
    [
        ("example.org", "example.org", 443, True),
        ("example.org", "example.org", 80, True),
        ("example.org", "example.org", 22, False),
        ("example.org", "a.example.org", 443, False),
        ("example.org", "badexample.org", 443, False),
        ("*.example.org", "a.b.example.org", 443, True),
        ("*.example.org", "example.org", 443, False),
        ("*.example.org", "badexample.org", 443, False),
        ("example.org:22", "example.org", 22, True),
        ("example.org:22", "example.org", 443, False),
    ],
)
def test_a_name_covers_what_it_says(name, host, port, covered):
    assert name_of(name).covers(host, port) is covered


@pytest.mark.parametrize(
    ("denied", "host", "port", "covered"),
    [
        ("example.org", "example.org", 22, True),
        ("example.org:22", "example.org", 443, False),
        ("*.example.org", "a.example.org", 8443, True),
        ("10.0.0.0/8", "10.1.2.3", 443, True),
        ("10.0.0.0/8", "11.1.2.3", 443, False),
        ("10.0.0.0/8", "example.org", 443, False),
        ("fd00::/8", "fd00::1", 443, True),
    ],
)
def test_what_denies_holds_for_every_port(denied, host, port, covered):
    assert name_of(denied, blocks=True).covers(host, port, denies=True) is covered


@pytest.mark.parametrize("text", ["10.0.0.0/8", "10.0.0.1/8"])
def test_a_block_is_no_name_to_reach(text):
    with pytest.raises(AsimiError):
        name_of(text)


@pytest.mark.parametrize(
    ("address", "leads"),
    [
        ("1.1.1.1", "public"),
        ("2606:4700::1111", "public"),
        ("64:ff9b::101:101", "public"),
        ("10.0.0.1", "private"),
        ("127.0.0.1", "private"),
        ("100.64.0.1", "private"),
        ("192.168.1.1", "private"),
        ("::1", "private"),
        ("fd00::1", "private"),
        ("64:ff9b::7f00:1", "private"),
        ("64:ff9b:1::1", "private"),
        ("::7f00:1", "private"),
        ("2002:7f00:1::", "private"),
        ("240.0.0.1", "private"),
        ("255.255.255.255", "private"),
        ("0.0.0.0", "never"),
        ("::", "never"),
        ("169.254.169.254", "never"),
        ("fe80::1", "never"),
        ("224.0.0.1", "never"),
        ("ff02::1", "never"),
        ("64:ff9b::a9fe:a9fe", "never"),
        ("64:ff9b:1::a9fe:a9fe", "never"),
        ("2002:a9fe:a9fe::1", "never"),
        ("100.100.100.200", "never"),
        ("168.63.129.16", "never"),
        ("fd00:ec2::254", "never"),
    ],
)
def test_an_address_leads_somewhere(address, leads):
    assert leads_to(address) == leads
