"""Names of files as people give them; every way to write, remove and lock a file."""

from __future__ import annotations

import errno
import os
import re
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


def behind_links(name: str) -> Path:
    """The file that a name leads to through symbolic links, which may not be there yet.

    Raises OSError for links that lead in a circle.
    """
    target = Path(os.path.realpath(name))
    if target.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), name)
    return target


def write_atomically(path: str | os.PathLike[str], data: bytes) -> None:
    """Writes `data` to `path`: into a new file in its folder, synced, which then takes its place.

    Symbolic links are followed; where they lead nowhere the file is made there. On failure what was
    at `path` is unchanged and nothing else is left; what a process that was killed may have left
    goes with the next write. A device or a pipe is written to as it is. Raises StorageError (an
    OSError), InvalidValueError for an impossible name.
    """
    name = checked_name(path)
    try:
        target = behind_links(name)
        try:
            mode = os.stat(name).st_mode  # noqa: PTH116 - links in a circle are an error here
        except FileNotFoundError:
            mode = None
        if mode is not None and not stat.S_ISREG(mode):
            Path(name).write_bytes(data)
        else:
            _replace(target, data, mode)
    except OSError as error:
        words = error.strerror or str(error)
        message = f"cannot write the file ({words}); what was there before is unchanged"
        raise StorageError(error.errno, message, name) from error


def append(path: Path, data: bytes, between: bytes = b"") -> None:
    """Adds `data` to a file, and `between` before it where the file is not empty; synced.

    The file is made where there is none. Raises OSError; what was in the file is still there then,
    and a beginning of the data may follow it.
    """
    is_new = not path.exists()
    with path.open("ab") as file:
        file.write((between if file.tell() else b"") + data)
        file.flush()
        os.fsync(file.fileno())
    if is_new:
        _sync_folder(behind_links(str(path)).parent)


def cut(path: Path, size: int) -> None:
    """Leaves the first `size` bytes of a file, which may have less, and no more. Raises OSError."""
    if path.stat().st_size > size:
        with path.open("r+b") as file:
            file.truncate(size)
            os.fsync(file.fileno())


def remove(path: str | os.PathLike[str], *, through_links: bool = False) -> None:
    """Removes a file, or else the link of that name; a file that is not there is no fault.

    With `through_links` the file that the name leads to goes. Raises OSError.
    """
    (behind_links(os.fspath(path)) if through_links else Path(path)).unlink(missing_ok=True)


_PLACES = 8  # names for files on the way to one place; more writers at once take names by chance


def _replace(target: Path, data: bytes, mode: int | None) -> None:
    """`mode`: that of the file whose place is taken; nobody reads the new one who may not that."""
    names = [target.with_name(f".{target.name}.{number}.tmp") for number in range(_PLACES)]
    for name in names:
        _clear(name)
    permissions = 0o666 if mode is None else 0o600
    temporary: Path | None = None
    descriptor = _unnamed(target.parent, permissions)
    if descriptor is None:
        temporary, descriptor = _named(names, permissions)
    try:
        with os.fdopen(descriptor, "wb") as file:
            if mode is not None and temporary is not None:
                temporary.chmod(stat.S_IMODE(mode))
            elif mode is not None:
                os.fchmod(descriptor, stat.S_IMODE(mode))
            file.write(data)
            file.flush()
            os.fsync(descriptor)
            if temporary is None:
                temporary = _linked(descriptor, target, names)
            if temporary is not None and os.name == "posix":  # while the lock says that it is ours
                temporary.replace(target)
        if temporary is not None and os.name != "posix":
            temporary.replace(target)
    except BaseException:
        if temporary is not None:
            temporary.unlink(missing_ok=True)
        raise
    _sync_folder(target.parent)


def _unnamed(folder: Path, permissions: int) -> int | None:
    """A new file that is gone with its writer, where the system has such; it is locked."""
    if not hasattr(os, "O_TMPFILE"):
        return None
    try:
        descriptor = os.open(folder, os.O_TMPFILE | os.O_WRONLY | os.O_CLOEXEC, permissions)
    except OSError:
        return None
    if Path(f"/proc/self/fd/{descriptor}").exists() and _lock(descriptor):
        return descriptor
    os.close(descriptor)  # it could never get a name
    return None


def _named(names: list[Path], permissions: int) -> tuple[Path, int]:
    """A new file under one of the names, or under one by chance; it is locked."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    for name in _tried(names):
        try:
            descriptor = os.open(name, flags | getattr(os, "O_NOFOLLOW", 0), permissions)
        except FileExistsError:
            continue
        if _lock(descriptor) and _is_at(descriptor, name):
            return name, descriptor
        os.close(descriptor)  # another writer took it for what a dead one has left
    raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))


def _linked(descriptor: int, target: Path, names: list[Path]) -> Path | None:
    """Gives a file without a name its place where nothing is there; else a name, which it gives."""
    source = f"/proc/self/fd/{descriptor}"
    for name in [target, *_tried(names)]:
        try:
            # Python follows the link in /proc only when a folder is given, which plays no part.
            os.link(source, name, src_dir_fd=descriptor, follow_symlinks=True)
        except FileExistsError:
            continue
        return None if name == target else name
    raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))


def _tried(names: list[Path]) -> list[Path]:
    return [*names, names[0].with_name(f"{names[0].name[:-5]}{secrets.token_hex(8)}.tmp")]


def _clear(name: Path) -> None:
    """Removes a file on the way that is our own and that nobody writes any more."""
    try:
        about = name.lstat()
    except OSError:
        return
    if os.name != "posix":
        with suppress(OSError):  # of a file that is open the system refuses it
            name.unlink()
        return
    if not stat.S_ISREG(about.st_mode) or about.st_uid != os.geteuid():
        return
    with suppress(OSError):
        descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        try:
            if _lock(descriptor) and _is_at(descriptor, name):
                name.unlink()
        finally:
            os.close(descriptor)


def _lock(descriptor: int) -> bool:
    """Locks an open file, where the system can; whether no other process has it."""
    try:
        import fcntl
    except ImportError:  # Windows
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _is_at(descriptor: int, name: Path) -> bool:
    """Whether the open file still has that name."""
    try:
        return os.path.samestat(os.fstat(descriptor), name.lstat())
    except FileNotFoundError:
        return False


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


IN_USE = ".in-use"
"""The ending of a lock's name: work on a proof, from its beginning to its end."""
BUILDING = ".lock"
"""The same: writing or removing a table, as the core does it."""


def lock_of(path: str | os.PathLike[str], ending: str) -> Path:
    """The lock of a file, beside what the name leads to."""
    return Path(f"{os.path.realpath(path)}{ending}")


@contextmanager
def held(path: str | os.PathLike[str], ending: str = IN_USE) -> Iterator[bool]:
    """Keeps other processes from holding the same file; whether we do, or another one does.

    Raises OSError where there can be no lock beside the file.
    """
    name = lock_of(path, ending)
    descriptor = _locked(name)
    try:
        yield descriptor is not None
    finally:
        if descriptor is not None:
            with suppress(OSError):  # on Windows it goes with the descriptor
                name.unlink()
            os.close(descriptor)


def holder(path: str | os.PathLike[str], ending: str) -> int | None:
    """The number of the process that holds the lock of a file, where it says so."""
    try:
        with lock_of(path, ending).open("rb") as file:
            holder_text = file.read(32)
    except OSError:
        return None
    return int(holder_text) if re.fullmatch(rb"[1-9][0-9]{0,18}\n", holder_text) else None


def _locked(name: Path) -> int | None:
    """A descriptor that holds the lock of that name, until it is closed or the process ends."""
    if os.name != "posix":
        flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_TEMPORARY", 0)
        try:
            return os.open(name, flags)
        except FileExistsError:
            return None
    while True:
        descriptor = _open_lock(name)
        try:
            if not _lock(descriptor):
                os.close(descriptor)
                return None
            # The holder before us removes the file: only a lock on the one that is there counts.
            if _is_at(descriptor, name):
                with suppress(OSError):  # of another user it may be readable only
                    os.ftruncate(descriptor, 0)
                    os.write(descriptor, b"%d\n" % os.getpid())
                return descriptor
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)


def _open_lock(name: Path) -> int:
    """Of another user it may be readable only; some systems refuse to "create" what is his."""
    try:
        return os.open(name, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o644)
    except PermissionError:
        with suppress(OSError):
            return os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        raise
