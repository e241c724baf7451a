"""The field's UCI dialect: drive any oware engine with it, or be one (`wari uci`).

Owns: the public names. The parts: `protocol` (lines as values), `dialogue` (who says what when),
`client` and `aio` (processes), `server` (our engine behind the protocol).
"""

from wari.uci.aio import AsyncClient
from wari.uci.client import Client
from wari.uci.dialogue import Limits
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

__all__ = [
    "CENTISEEDS",
    "Answer",
    "AsyncClient",
    "Client",
    "EngineDiedError",
    "EngineError",
    "EngineTimeoutError",
    "Info",
    "Limits",
    "Option",
    "parse_info",
]
