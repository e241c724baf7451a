"""Names of files as people give them, and writing one so that it is the old or the whole new one.

Owns: the temporary file. Must not know: what is written.
"""

from __future__ import annotations

import os
import secrets
import stat
from pathlib import Path

from wari.errors import StorageError


def expanded(name: str | os.PathLike[str]) -> Path:
    """The path with a leading `~` made the home folder; as it is where no such user can be."""
    path = Path(name)
    try:
        return path.expanduser()
    except (RuntimeError, ValueError):
        return path


def write_atomically(path: str | os.PathLike[str], data: bytes) -> None:
    """Writes `data` to `path`: into a new file beside it, synced, then renamed over it.

    On failure what was at `path` is unchanged and no temporary file is left. A device or a pipe is
    written to as it is. Raises StorageError (an OSError).
    """
    target = Path(os.path.realpath(path))
    try:
        mode = target.stat().st_mode if target.exists() else None
        if mode is not None and not stat.S_ISREG(mode):
            target.write_bytes(data)
        else:
            _replace(target, data, mode)
    except OSError as error:
        words = error.strerror or str(error)
        message = f"cannot write the file ({words}); what was there before is unchanged"
        raise StorageError(error.errno, message, os.fspath(path)) from error


def _replace(target: Path, data: bytes, mode: int | None) -> None:
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(8)}.tmp")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            temporary.chmod(stat.S_IMODE(mode))
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    _sync_folder(target.parent)


def _sync_folder(folder: Path) -> None:
    """Makes the rename itself durable, where the system lets a folder be opened."""
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(descriptor)
    except OSError:
        pass
    finally:
        os.close(descriptor)
