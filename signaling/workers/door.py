"""How a worker is reached: by sockets that all workers share, and by one of its own."""

from dataclasses import dataclass
from socket import socket

from rt_avatar.signaling.workers.siblings import Siblings


@dataclass(frozen=True, slots=True)
class SharedDoor:
    """What a worker listens on.

    Attributes:
        calls: Bound to ``server.port``.
        watching: Bound to ``metrics.port``.
        siblings: The other workers, and the socket that they reach this one by.
    """

    calls: socket
    watching: socket
    siblings: Siblings
