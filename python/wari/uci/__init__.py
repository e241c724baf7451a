"""The field's UCI dialect: drive any oware engine with it, or be one (`wari uci`).

Owns: the public names. The parts: `protocol` (lines as values), `state_machine` (which line may
follow which), `process` (the engine's process and its lines), `core` (what every client does),
`client` and `aio` (how each waits), `server` (our engine behind the protocol).
"""

import typing as _typing

from wari.uci.client import Client
from wari.uci.protocol import (
    CENTISEEDS,
    Answer,
    EngineDiedError,
    EngineError,
    EngineTimeoutError,
    Info,
    Option,
    parse_info,
)
from wari.uci.state_machine import SearchOptions

__all__ = [
    "CENTISEEDS",
    "Answer",
    "AsyncClient",
    "Client",
    "EngineDiedError",
    "EngineError",
    "EngineTimeoutError",
    "Info",
    "Option",
    "SearchOptions",
    "parse_info",
]

if _typing.TYPE_CHECKING:
    from wari.uci.aio import AsyncClient as AsyncClient
else:

    def __getattr__(name: str) -> object:
        """The client for asyncio, which is imported only where it is used."""
        if name == "AsyncClient":
            from wari.uci.aio import AsyncClient

            return AsyncClient
        raise AttributeError(f"module 'wari.uci' has no attribute {name!r}")


def __dir__() -> list[str]:
    """The public names, and those of every module."""
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})
