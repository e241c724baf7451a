"""Names of files as people give them, and writing one so that it is the old or the whole new one.

Owns: the temporary file, the lock. Must not know: what is written, how files are read.
"""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from wari._check import shown
from wari.errors import InvalidValueError, StorageError


def expanded(name: str | os.PathLike[str]) -> Path:
    """The path with a leading `~` made the home folder; as it is where no such user can be."""
    path = Path(name)
    try:
        return path.expanduser()
    except (RuntimeError, ValueError):
        return path


def checked_name(value: object) -> str:
    """The name of a file as text. Raises InvalidValueError for what can be none."""
    if not isinstance(value, (str, bytes, os.PathLike)):
        raise InvalidValueError(f"path: expected a path, not {shown(value)}", "path")
    try:
        name = os.fsdecode(value)
        os.fsencode(name)  # raises for what no system writes in a name
    except UnicodeError:
        name = ""
    if not name or "\0" in name:
        raise InvalidValueError(f"path: {shown(value)} cannot be the name of a file", "path")
    return name


def write_atomically(path: str | os.PathLike[str], data: bytes) -> None:
    """Writes `data` to `path`: into a new file beside it, synced, then renamed over it.

    On failure what was at `path` is unchanged and no temporary file is left. A device or a pipe is
    written to as it is. Raises StorageError (an OSError), InvalidValueError for an impossible name.
    """
    name = checked_name(path)
    try:
        mode = Path(name).stat().st_mode if Path(name).exists() else None
        if mode is not None and not stat.S_ISREG(mode):
            Path(name).write_bytes(data)
        else:
            _replace(Path(os.path.realpath(name)), data, mode)
    except OSError as error:
        words = error.strerror or str(error)
        message = f"cannot write the file ({words}); what was there before is unchanged"
        raise StorageError(error.errno, message, name) from error


def _replace(target: Path, data: bytes, mode: int | None) -> None:
    """`mode`: that of the file whose place is taken; nobody reads the new one who may not that."""
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(8)}.tmp")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    descriptor = os.open(temporary, flags, 0o666 if mode is None else 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            if mode is not None:
                temporary.chmod(stat.S_IMODE(mode))
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
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


@contextmanager
def held(path: Path) -> Iterator[bool]:
    """Keeps other processes from holding the same file; whether we do, or another one does.

    Raises OSError where there can be no lock beside the file.
    """
    name = f"{os.path.realpath(path)}.in-use"
    descriptor = _locked(name)
    try:
        yield descriptor is not None
    finally:
        if descriptor is not None:
            with suppress(OSError):  # on Windows it goes with the descriptor
                Path(name).unlink()
            os.close(descriptor)


def _locked(name: str) -> int | None:
    """A descriptor that holds the lock of that name, until it is closed or the process ends."""
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
    try:
        import fcntl
    except ImportError:  # Windows
        try:
            return os.open(name, flags | os.O_EXCL | getattr(os, "O_TEMPORARY", 0))
        except FileExistsError:
            return None
    while True:
        descriptor = os.open(name, flags, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # The holder before us removes the file: only a lock on the one that is there counts.
            if os.path.samestat(os.fstat(descriptor), Path(name).stat()):
                return descriptor
        except BlockingIOError:
            os.close(descriptor)
            return None
        except FileNotFoundError:
            pass
        os.close(descriptor)
