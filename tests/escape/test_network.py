"""Nothing outside can be reached by any kind of socket."""

from __future__ import annotations

import socket
import textwrap
from collections.abc import Iterator

import pytest

from .conftest import Attack


@pytest.fixture
def listener() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def test_tcp_to_the_host_and_beyond_fails(attack: Attack, listener: int) -> None:
    seen = attack(
        f"""
        import socket
        for address in (('127.0.0.1', {listener}), ('192.0.2.1', 80), ('8.8.8.8', 53)):
            try:
                socket.create_connection(address, timeout=3); print('connected')
            except OSError as error:
                print(error.strerror)
        """
    )
    assert seen.said.splitlines() == ["Connection refused", "Network is unreachable", "Network is unreachable"]


def test_udp_fails(attack: Attack) -> None:
    seen = attack(
        """
        import socket
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('192.0.2.1', 53))
        """
    )
    assert b"Network is unreachable" in seen.outcome.stderr.data


def test_names_do_not_resolve(attack: Attack) -> None:
    seen = attack(
        """
        import socket
        print(socket.gethostbyname('localhost'), socket.gethostname())
        socket.gethostbyname('example.com')
        """
    )
    assert seen.said == "127.0.0.1 tally\n"
    assert b"gaierror" in seen.outcome.stderr.data


def test_abstract_unix_socket_of_the_host_is_not_there(attack: Attack) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("\0tally-escape-test")
        server.listen()
        seen = attack("import socket; socket.socket(socket.AF_UNIX).connect('\\0tally-escape-test')")
    assert b"ConnectionRefusedError" in seen.outcome.stderr.data


def test_the_only_interface_is_loopback(attack: Attack) -> None:
    seen = attack("import socket; print(socket.if_nameindex())")
    assert seen.said == "[(1, 'lo')]\n"


# linux/socket.h; by number, because a Python that was built without a family's header does not name it
FAMILIES = {"AF_VSOCK": 40, "AF_PACKET": 17, "AF_ALG": 38, "AF_BLUETOOTH": 31, "AF_CAN": 29, "AF_TIPC": 30}


@pytest.mark.parametrize("family", FAMILIES)
def test_families_that_no_namespace_holds_are_refused(attack: Attack, family: str) -> None:
    kind = "SOCK_STREAM" if family == "AF_VSOCK" else "SOCK_RAW"
    seen = attack(f"import socket; socket.socket({FAMILIES[family]}, socket.{kind})")
    assert b"Address family not supported" in seen.outcome.stderr.data


def test_netlink_sees_nothing_of_the_host(attack: Attack) -> None:
    """A route dump lists loopback only; kernel events of the host (group 1 of NETLINK_KOBJECT_UEVENT) do not arrive."""
    source = textwrap.dedent(
        """
        import socket, struct
        route = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)
        route.sendto(struct.pack('=IHHII', 17, 18, 0x301, 1, 0) + b'\\0', (0, 0))
        print(b'eth' in route.recv(65536))
        """
    )
    assert attack(source).said == "False\n"
