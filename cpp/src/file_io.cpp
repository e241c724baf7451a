// File access on POSIX systems and on Windows.
#include "file_io.hpp"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <thread>

#if defined(_WIN32)
#define NOMINMAX
#include <windows.h>

#include <fcntl.h>
#include <io.h>
#include <share.h>
#include <sys/stat.h>
#else
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace wari::detail {
namespace {

constexpr int kMostLinks = 40;
constexpr auto kLockPoll = std::chrono::milliseconds(20);

Error io_error(const std::string& path, const char* what) {
    return {ErrorKind::io, path, path + ": cannot " + what + ": " + std::generic_category().message(errno)};
}

Error busy_error(const std::string& path) {
    return {ErrorKind::busy, path, path + ": another process is building this table"};
}

#if defined(_WIN32)
int write_some(int handle, const std::uint8_t* data, std::size_t size) {
    return _write(handle, data, static_cast<unsigned>(size < 1U << 30 ? size : 1U << 30));
}
int open_new(const std::string& path, const std::string&) {
    int handle = -1;
    _sopen_s(&handle, path.c_str(), _O_WRONLY | _O_CREAT | _O_TRUNC | _O_BINARY, _SH_DENYNO,
             _S_IREAD | _S_IWRITE);
    return handle;
}
int sync_handle(int handle) { return _commit(handle); }
int close_handle(int handle) { return _close(handle); }
#else
ssize_t write_some(int handle, const std::uint8_t* data, std::size_t size) {
    return ::write(handle, data, size);
}
int open_new(const std::string& path, const std::string& heir_of) {
    // Names that can be foretold: in a folder that others may write to, a link or a file that is theirs
    // must not lead us elsewhere. What an earlier run of ours has left goes, with its mode.
    struct stat left{};
    if (::lstat(path.c_str(), &left) == 0 && S_ISREG(left.st_mode) && left.st_uid == ::geteuid()) {
        ::unlink(path.c_str());
    }
    struct stat old{};
    const bool heir = ::stat(heir_of.c_str(), &old) == 0 && S_ISREG(old.st_mode);
    const int handle = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
                              heir ? S_IRUSR | S_IWUSR : 0666);
    if (handle >= 0 && heir) ::fchmod(handle, old.st_mode & 0777);  // not every file system has modes
    return handle;
}
int sync_handle(int handle) { return ::fsync(handle); }
int close_handle(int handle) { return ::close(handle); }
#endif

}  // namespace

Expected<OutputFile> OutputFile::create(const std::string& path, const std::string& heir_of) {
    OutputFile file;
    file.path_ = path;
    file.handle_ = open_new(path, heir_of);
    if (file.handle_ < 0) return io_error(path, "create");
    return file;
}

OutputFile::~OutputFile() {
    if (handle_ >= 0) close_handle(handle_);
}

Status OutputFile::append(std::span<const std::uint8_t> bytes) {
    while (!bytes.empty()) {
        const auto written = write_some(handle_, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return io_error(path_, "write");
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    return std::nullopt;
}

Status OutputFile::sync() {
    if (sync_handle(handle_) != 0) return io_error(path_, "sync");
    return std::nullopt;
}

Status OutputFile::close() {
    const int handle = std::exchange(handle_, -1);
    if (handle >= 0 && close_handle(handle) != 0) return io_error(path_, "close");
    return std::nullopt;
}

void remove_file(const std::string& path) {
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
}

bool file_exists(const std::string& path) {
    std::error_code ignored;
    return std::filesystem::exists(path, ignored);
}

Status check_is_file(const std::string& path) {
    std::error_code ignored;
    const auto found = std::filesystem::status(path, ignored);
    if (!std::filesystem::exists(found) || std::filesystem::is_regular_file(found)) return std::nullopt;
    return Error{ErrorKind::io, path, path + ": not a file"};
}

std::string behind_links(const std::string& path) {
    std::filesystem::path found = path;
    for (int links = 0; links < kMostLinks; ++links) {
        std::error_code failed;
        if (!std::filesystem::is_symlink(found, failed)) return found.string();
        const auto next = std::filesystem::read_symlink(found, failed);
        if (failed) break;
        found = found.parent_path() / next;  // an absolute name replaces what stands before it
    }
    return path;
}

std::uint64_t free_disk(const std::string& path) {
    std::error_code failed;
    const auto folder = std::filesystem::absolute(path, failed).parent_path();
    const auto space = std::filesystem::space(folder, failed);
    return failed ? 0 : space.available;
}

Status replace_file(const std::string& from, const std::string& to) {
    std::error_code failed;
    std::filesystem::rename(from, to, failed);
    if (failed) return Error{ErrorKind::io, to, to + ": cannot rename: " + failed.message()};
#if !defined(_WIN32)
    // The new name itself is durable only when its folder is.
    const std::string folder = std::filesystem::absolute(to, failed).parent_path().string();
    const int handle = ::open(folder.c_str(), O_RDONLY | O_CLOEXEC);
    if (handle >= 0) {
        ::fsync(handle);
        ::close(handle);
    }
#endif
    return std::nullopt;
}

#if defined(_WIN32)

Expected<MappedFile> MappedFile::open(const std::string& path) {
    MappedFile file;
    const HANDLE handle = CreateFileA(path.c_str(), GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_DELETE,
                                      nullptr, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
    if (handle == INVALID_HANDLE_VALUE) {
        errno = ENOENT;
        return io_error(path, "open");
    }
    LARGE_INTEGER size{};
    const bool sized = GetFileSizeEx(handle, &size) != 0;
    const HANDLE mapping = sized && size.QuadPart > 0
                               ? CreateFileMappingA(handle, nullptr, PAGE_READONLY, 0, 0, nullptr)
                               : nullptr;
    if (mapping != nullptr) {
        file.data_ = static_cast<const std::uint8_t*>(MapViewOfFile(mapping, FILE_MAP_READ, 0, 0, 0));
        CloseHandle(mapping);
    }
    CloseHandle(handle);
    if (sized && file.data_ != nullptr) file.size_ = static_cast<std::size_t>(size.QuadPart);
    if (!sized || (size.QuadPart > 0 && file.data_ == nullptr)) {
        errno = EIO;
        return io_error(path, "map");
    }
    return file;
}

MappedFile::~MappedFile() {
    if (data_ != nullptr) UnmapViewOfFile(data_);
}

Expected<FileLock> FileLock::take(const std::string& path, bool wait, const StopQuery& stop) {
    FileLock lock;
    lock.path_ = path;
    while (true) {
        if (_sopen_s(&lock.handle_, path.c_str(), _O_RDWR | _O_CREAT | _O_TEMPORARY, _SH_DENYRW,
                     _S_IREAD | _S_IWRITE) == 0) {
            return lock;
        }
        lock.handle_ = -1;
        if (errno != EACCES) return io_error(path, "lock");
        if (!wait) return busy_error(path);
        if (stop.stopped()) return Error{ErrorKind::cancelled, "build", "build: stopped"};
        std::this_thread::sleep_for(kLockPoll);
    }
}

FileLock::~FileLock() {
    if (handle_ >= 0) _close(handle_);
}

#else

Expected<MappedFile> MappedFile::open(const std::string& path) {
    const int handle =
        ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // a pipe must not be waited for
    if (handle < 0) return io_error(path, "open");
    struct stat about{};
    if (::fstat(handle, &about) != 0) {
        const Error failed = io_error(path, "read");
        ::close(handle);
        return failed;
    }
    if (!S_ISREG(about.st_mode)) {
        ::close(handle);
        return Error{ErrorKind::io, path, path + ": not a file"};
    }
    MappedFile file;
    const auto size = static_cast<std::size_t>(about.st_size);
    if (size > 0) {
        void* at = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, handle, 0);
        if (at == MAP_FAILED) {
            const Error failed = io_error(path, "map");
            ::close(handle);
            return failed;
        }
        file.data_ = static_cast<const std::uint8_t*>(at);
        file.size_ = size;
    }
    ::close(handle);
    return file;
}

MappedFile::~MappedFile() {
    if (data_ != nullptr) ::munmap(const_cast<std::uint8_t*>(data_), size_);
}

Expected<FileLock> FileLock::take(const std::string& path, bool wait, const StopQuery& stop) {
    while (true) {
        FileLock lock;
        lock.path_ = path;
        lock.handle_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
        if (lock.handle_ < 0) return io_error(path, "create");
        if (::flock(lock.handle_, LOCK_EX | LOCK_NB) == 0) {
            // The holder before us removes the file: only a lock on the file that is there counts.
            struct stat held{};
            struct stat there{};
            if (::fstat(lock.handle_, &held) == 0 && ::stat(path.c_str(), &there) == 0 &&
                held.st_ino == there.st_ino) {
                return lock;
            }
            ::close(std::exchange(lock.handle_, -1));
            continue;
        }
        const int failure = errno;
        ::close(std::exchange(lock.handle_, -1));
        errno = failure;
        if (failure != EWOULDBLOCK && failure != EINTR) return io_error(path, "lock");
        if (!wait) return busy_error(path);
        if (stop.stopped()) return Error{ErrorKind::cancelled, "build", "build: stopped"};
        std::this_thread::sleep_for(kLockPoll);
    }
}

FileLock::~FileLock() {
    if (handle_ < 0) return;
    ::unlink(path_.c_str());
    ::close(handle_);
}

#endif

}  // namespace wari::detail
