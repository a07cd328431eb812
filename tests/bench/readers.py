"""Who reads a page so many times a second? A process of its own: connections that are kept, each reader due at a time of its own.

A reader's waiting counts from the moment at which it was due, so that a gateway that falls behind is seen to.
"""

from __future__ import annotations

import itertools
import json
import re
import socket
import sys
import threading
import time
from typing import Any

LENGTH, TAG = re.compile(rb"\r\nContent-Length: (\d+)", re.IGNORECASE), re.compile(rb"\r\nETag: (\S+)", re.IGNORECASE)
END = b"\r\n\r\n"


class Reader:
    """One connection, and the tag of the page that was read last."""

    def __init__(self, facts: dict[str, Any]) -> None:
        self._socket = socket.create_connection(("127.0.0.1", facts["port"]), timeout=30)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._ask = f"GET {facts['path']} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: gzip\r\n".encode()
        self._tag = b""

    def read(self, *, fresh: bool) -> tuple[int, int]:
        """Status and size of the answer; a fresh reader has read nothing before."""
        known = b"" if fresh or not self._tag else b"If-None-Match: " + self._tag + b"\r\n"
        self._socket.sendall(self._ask + known + b"\r\n")
        raw = self._socket.recv(65_536)
        while END not in raw:
            raw += self._socket.recv(65_536)
        top, _, body = raw.partition(END)
        status, length, tag = int(top[9:12]), LENGTH.search(top), TAG.search(top)
        size, got = int(length[1]) if length and status == 200 else 0, len(body)
        while got < size:
            got += len(self._socket.recv(min(1 << 20, size - got)))
        self._tag = tag[1] if tag else self._tag
        return status, size


def offered(facts: dict[str, Any]) -> dict[str, Any]:
    """So many readers a second for so many seconds; of each `every`, one is fresh. A rate of 0 offers as many as are answered."""
    slots, told, rate = itertools.count(), list[tuple[float, int, int]](), facts["rate"]
    begun = time.monotonic() + 0.2
    until = begun + facts["seconds"]

    def some() -> None:
        reader = Reader(facts)
        while True:
            slot = next(slots)
            due = begun + slot / rate if rate else max(begun, time.monotonic())
            if due >= until:
                return
            time.sleep(max(0.0, due - time.monotonic()))
            status, size = reader.read(fresh=slot % facts["every"] == 0)
            told.append((time.monotonic() - due, status, size))

    threads = [threading.Thread(target=some) for _ in range(facts["connections"])]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    spent = sorted(one[0] for one in told)
    return {"p50_ms": spent[len(spent) // 2] * 1e3, "p95_ms": spent[len(spent) * 95 // 100] * 1e3, "a_second": len(told) / (time.monotonic() - begun),
            "whole": sum(status == 200 for _, status, _ in told), "unchanged": sum(status == 304 for _, status, _ in told), "asked": len(told),
            "kilobytes": max(size for _, _, size in told) // 1000, "cpu_s": time.process_time()}


def main() -> int:
    sys.stdout.write(json.dumps(offered(json.loads(sys.stdin.read()))))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
