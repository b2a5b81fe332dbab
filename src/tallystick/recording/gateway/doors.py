"""Sockets that listen inside a sandbox and are served outside it, so that nothing has to forward between the two."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tallystick.recording.gateway.errors import GatewayError

__all__ = ["DOOR_PORT", "PROXY_PORT", "DoorMaker", "Doors"]

DOOR_PORT: Final = 8080
"""Where an agent finds its models: http://127.0.0.1:8080."""

PROXY_PORT: Final = 8081
"""Where it finds a proxy to the hosts that its run allows."""

_ANSWER_S: Final = 20.0
"""Seconds for a helper to answer: it takes a millisecond, and longer on a machine under heavy load."""


@dataclass(frozen=True, slots=True)
class Doors:
    """The sockets of one sandbox: models, proxy (None where no host is allowed), names."""

    models: socket.socket
    proxy: socket.socket | None
    names: socket.socket


class DoorMaker:
    """Has a helper process make sockets in other network namespaces; the process starts with the first order."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._helper: subprocess.Popen[bytes] | None = None
        self._channel: socket.socket | None = None

    def open(self, pid: int, *, proxy: bool) -> Doors:
        """Sockets in the network namespace of `pid`, which must not have ended.

        Raises:
            GatewayError: the namespace cannot be entered, a port is taken, or the helper is gone.
        """
        ports = (DOOR_PORT, PROXY_PORT) if proxy else (DOOR_PORT,)
        with self._lock:
            text, fds = self._order(" ".join(map(str, (pid, *ports))).encode())
        sockets = [socket.socket(fileno=fd) for fd in fds]
        if len(sockets) != len(ports) + 1:
            for one in sockets:
                one.close()
            raise GatewayError(f"cannot open a door in the sandbox of process {pid}: {text or 'the helper has ended'}")
        return Doors(sockets[0], sockets[1] if proxy else None, sockets[-1])

    def _order(self, order: bytes) -> tuple[str, list[int]]:
        channel = self._channel or self._start()
        try:
            channel.send(order)
            data, fds, _, _ = socket.recv_fds(channel, 256, 3)
        except OSError as error:
            self._forget()
            return f"the helper does not answer ({error})", []
        if not data:
            self._forget()
        return data.decode(errors="replace"), list(fds)

    def _start(self) -> socket.socket:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        ours.settimeout(_ANSWER_S)
        with theirs:
            self._helper = subprocess.Popen(  # noqa: S603 - our own interpreter and file
                [sys.executable, "-I", "-S", str(Path(__file__).with_name("door_helper.py")), str(theirs.fileno())],
                pass_fds=(theirs.fileno(),),
                stdin=subprocess.DEVNULL,
                env={},
                start_new_session=True,  # a signal to the terminal's group is not for it
            )
        self._channel = ours
        return ours

    def _forget(self) -> None:
        """Have the next order go to another helper: a late answer of this one would be taken for that order's."""
        if self._channel is not None:
            self._channel.close()
            self._channel = None
        if self._helper is not None:
            self._helper.kill()
            self._helper.wait()
            self._helper = None

    def close(self) -> None:
        """End the helper: it ends by itself when its channel closes."""
        with self._lock:
            if self._channel is not None:
                self._channel.close()
                self._channel = None
            if self._helper is not None:
                self._helper.wait()
                self._helper = None
