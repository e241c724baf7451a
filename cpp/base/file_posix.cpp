// Files on POSIX systems.
#if !defined(_WIN32)

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <system_error>

#include "file_system.hpp"

namespace wari::detail::os {
namespace {

int number(Handle handle) { return static_cast<int>(handle); }

bool same_file(const struct stat& a, const struct stat& b) {
    return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

bool is_here(int handle, const char* name) {
    struct stat held{};
    struct stat there{};
    return ::fstat(handle, &held) == 0 && ::lstat(name, &there) == 0 && same_file(held, there);
}

std::string folder_of(const std::string& name) {
    const auto folder = std::filesystem::path(name).parent_path();
    return folder.empty() ? "." : folder.string();
}

// The name by which a process can link what has none.
std::string number_as_name(int handle) { return "/proc/self/fd/" + std::to_string(handle); }

int open_unnamed(const std::string& name, mode_t mode) {
#if defined(O_TMPFILE)
    const int handle = ::open(folder_of(name).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
    if (handle < 0 || ::access(number_as_name(handle).c_str(), F_OK) == 0) return handle;
    ::close(handle);  // without /proc it could never get a name
#else
    (void)name;
    (void)mode;
#endif
    return -1;
}

// Of another user the lock may be readable only, and some systems refuse to "create" what is his.
int open_lock(const char* name) {
    constexpr int kFlags = O_CLOEXEC | O_NOFOLLOW;
    const int handle = ::open(name, O_RDWR | O_CREAT | kFlags, 0644);
    if (handle >= 0 || (errno != EACCES && errno != EPERM)) return handle;
    const int refused = errno;
    const int readable = ::open(name, O_RDONLY | O_NONBLOCK | kFlags);
    if (readable < 0) errno = refused;
    return readable;
}

}  // namespace

std::string words(int error) { return std::generic_category().message(error); }
bool is_busy(int error) noexcept { return error == EWOULDBLOCK || error == EINTR; }
int too_many_links() noexcept { return ELOOP; }

std::filesystem::path path_of(const std::string& name) { return name; }
std::string name_of(const std::filesystem::path& path) { return path.string(); }

int open_to_read(const std::string& name, Handle& handle, std::uint64_t& size, bool& is_file) {
    const int opened = ::open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (opened < 0) return errno;
    struct stat about{};
    const int failed = ::fstat(opened, &about) == 0 ? 0 : errno;
    is_file = failed == 0 && S_ISREG(about.st_mode);
    if (!is_file) {
        ::close(opened);
        return failed;
    }
    size = static_cast<std::uint64_t>(about.st_size);
    handle = opened;
    return 0;
}

int read_at(Handle handle, std::uint64_t at, std::span<std::uint8_t> into, std::size_t& got) noexcept {
    constexpr std::size_t kMost = std::size_t{1} << 30;
    got = 0;
    while (got < into.size()) {
        const auto rest = into.subspan(got, std::min(into.size() - got, kMost));
        const auto read = ::pread(number(handle), rest.data(), rest.size(), static_cast<off_t>(at + got));
        if (read == 0) break;
        if (read < 0 && errno != EINTR) return errno;
        if (read > 0) got += static_cast<std::size_t>(read);
    }
    return 0;
}

int create(const std::string& name, const std::string& heir_of, Handle& handle, bool& named) {
    // Names that can be foretold: in a folder that others may write to, a link or a file that is theirs
    // must not lead us elsewhere. What an earlier run of ours has left goes, with its mode.
    struct stat left{};
    if (::lstat(name.c_str(), &left) == 0) {
        if (!S_ISREG(left.st_mode) || left.st_uid != ::geteuid()) return EEXIST;
        ::unlink(name.c_str());
    }
    struct stat old{};
    const bool heir = ::stat(heir_of.c_str(), &old) == 0 && S_ISREG(old.st_mode);
    const mode_t mode = heir ? S_IRUSR | S_IWUSR : 0666;
    int opened = open_unnamed(name, mode);
    named = opened < 0;
    if (named) opened = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
    if (opened < 0) return errno;
    if (heir) ::fchmod(opened, old.st_mode & 0777);  // not every file system has modes
    handle = opened;
    return 0;
}

int write(Handle handle, std::span<const std::uint8_t> bytes, std::size_t& written) {
    written = 0;
    const auto wrote = ::write(number(handle), bytes.data(), bytes.size());
    if (wrote < 0) return errno == EINTR ? 0 : errno;
    if (wrote == 0) return EIO;
    written = static_cast<std::size_t>(wrote);
    return 0;
}

int sync(Handle handle) { return ::fsync(number(handle)) == 0 ? 0 : errno; }
int shorten(Handle handle, std::uint64_t size) {
    if (::ftruncate(number(handle), static_cast<off_t>(size)) != 0) return errno;
    return ::lseek(number(handle), 0, SEEK_END) >= 0 ? 0 : errno;
}
int close(Handle handle) { return ::close(number(handle)) == 0 ? 0 : errno; }

int give_place(Handle handle, const std::string& name, const std::string& to) {
    const std::string unnamed = number_as_name(number(handle));
    if (::linkat(AT_FDCWD, unnamed.c_str(), AT_FDCWD, to.c_str(), AT_SYMLINK_FOLLOW) == 0) return 0;
    if (errno != EEXIST) return errno;
    if (::linkat(AT_FDCWD, unnamed.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) != 0) return errno;
    const int failed = rename(name, to);
    if (failed != 0) ::unlink(name.c_str());
    return failed;
}

int rename(const std::string& from, const std::string& to) {
    return ::rename(from.c_str(), to.c_str()) == 0 ? 0 : errno;
}

void sync_folder(const std::string& name) {
    const int handle = ::open(folder_of(name).c_str(), O_RDONLY | O_CLOEXEC);
    if (handle < 0) return;
    ::fsync(handle);
    ::close(handle);
}

void remove(const std::string& name) { ::unlink(name.c_str()); }

void remove_if_same(Handle handle, const std::string& name) {
    if (is_here(number(handle), name.c_str())) ::unlink(name.c_str());
}

bool is_own(const std::string& name) {
    struct stat about{};
    return ::lstat(name.c_str(), &about) == 0 && about.st_uid == ::geteuid();
}

int lock(const std::string& name, Handle& handle) {
    while (true) {
        const int opened = open_lock(name.c_str());
        if (opened < 0) return errno;
        const int failed = ::flock(opened, LOCK_EX | LOCK_NB) == 0 ? 0 : errno;
        // The holder before us removes the file: only a lock on the file that is there counts.
        if (failed == 0 && is_here(opened, name.c_str())) {
            const std::string holder = std::to_string(::getpid()) + '\n';
            if (::ftruncate(opened, 0) == 0) (void)!::write(opened, holder.data(), holder.size());
            handle = opened;
            return 0;
        }
        ::close(opened);
        if (failed != 0) return failed;
    }
}

void unlock(Handle handle, const std::string& name) {
    remove_if_same(handle, name);
    ::close(number(handle));
}

std::uint64_t holder(const std::string& name) {
    const int opened = ::open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (opened < 0) return 0;
    char text[32];
    const auto size = ::read(opened, text, sizeof text);
    ::close(opened);
    std::uint64_t found = 0;
    if (size <= 1 || text[size - 1] != '\n') return 0;
    const auto [end, failed] = std::from_chars(text, text + size - 1, found);
    return failed == std::errc{} && end == text + size - 1 ? found : 0;
}

}  // namespace wari::detail::os

#endif
