"""Makes listening sockets in the network namespace of another process. `doors` starts it, with a socket as argument.

A process that joins a user namespace must have one thread and cannot come back, so this one forks for each order. An order is
a datagram of numbers, `pid` and then TCP ports; the answer carries the listening sockets in that order and a UDP socket on
port 53, with the text `ok`, or none of them and the reason.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import socket
import sys
from pathlib import Path

NS_GET_USERNS = 0xB701
"""ioctl(2) on a namespace: a descriptor of the user namespace that owns it (Linux 4.9)."""

LOOPBACK = "127.0.0.1"
BACKLOG = 128
DNS_PORT = 53


def main(channel: socket.socket) -> None:
    """Carry out orders until the other side is gone."""
    while order := channel.recv(256):
        child = os.fork()
        if child == 0:
            carry_out(channel, [int(word) for word in order.split()])
        os.waitpid(child, 0)


def carry_out(channel: socket.socket, order: list[int]) -> None:
    """Join the namespace, make the sockets, hand them over; never returns."""
    try:
        join_network(order[0])
        made = [listening(port) for port in order[1:]]
        made.append(datagrams(DNS_PORT))
        socket.send_fds(channel, [b"ok"], [one.fileno() for one in made])
    except OSError as error:
        channel.send((error.strerror or "unknown error").encode()[:200])
    os._exit(0)


def join_network(pid: int) -> None:
    """Enter the network namespace of `pid`, through the user namespace that owns it where that is needed."""
    network = os.open(f"/proc/{pid}/ns/net", os.O_RDONLY | os.O_CLOEXEC)
    if os.path.samestat(os.fstat(network), Path("/proc/self/ns/net").stat()):
        raise OSError(errno.EINVAL, "the program has no network namespace of its own")
    try:
        enter(network)
    except PermissionError:
        enter(fcntl.ioctl(network, NS_GET_USERNS))
        enter(network)


def enter(namespace: int) -> None:
    """setns(2), which Python offers from 3.12 only."""
    if ctypes.CDLL(None, use_errno=True).setns(namespace, 0) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def listening(port: int) -> socket.socket:
    """A TCP socket that listens on the loopback interface."""
    return socket.create_server((LOOPBACK, port), backlog=BACKLOG)


def datagrams(port: int) -> socket.socket:
    """A UDP socket bound on the loopback interface."""
    made = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    made.bind((LOOPBACK, port))
    return made


if __name__ == "__main__":
    main(socket.socket(fileno=int(sys.argv[1])))
