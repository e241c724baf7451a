// Files as tables and proofs use them, whatever the system.
#include "file_io.hpp"

#include <chrono>
#include <new>
#include <system_error>
#include <thread>

namespace wari::detail {
namespace {

constexpr int kMostLinks = 40;
constexpr auto kLockPoll = std::chrono::milliseconds(20);

Error io_error(const std::string& path, const char* what, int error) {
    return {ErrorKind::io, path, path + ": cannot " + what + ": " + os::words(error)};
}

Status io_status(const std::string& path, const char* what, int error) {
    if (error == 0) return std::nullopt;
    return io_error(path, what, error);
}

Error no_file(const std::string& path) { return {ErrorKind::io, path, path + ": not a file"}; }

Error busy_error(const std::string& path, const char* doing) {
    std::string message = path + ": another process is " + doing;
    const std::uint64_t holder = os::holder(path);
    if (holder != 0) message += " (process " + std::to_string(holder) + ')';
    return {ErrorKind::busy, path, std::move(message)};
}

}  // namespace

Buffer Buffer::of(std::uint64_t bytes) {
    Buffer buffer;
    if (bytes > SIZE_MAX / 2) return buffer;
    buffer.data.reset(new (std::nothrow) std::uint8_t[static_cast<std::size_t>(bytes)]);
    if (buffer.data != nullptr) buffer.size = static_cast<std::size_t>(bytes);
    return buffer;
}

Expected<InputFile> InputFile::open(const std::string& path) {
    InputFile file;
    file.path_ = path;
    bool is_file = false;
    const int failed = os::open_to_read(path, file.handle_, file.size_, is_file);
    if (failed != 0) return io_error(path, "open", failed);
    if (!is_file) return no_file(path);
    return file;
}

InputFile::~InputFile() {
    if (handle_ != os::kNone) os::close(handle_);
}

bool InputFile::read(std::uint64_t at, std::span<std::uint8_t> into) const noexcept {
    std::size_t got = 0;
    return os::read_at(handle_, at, into, got) == 0 && got == into.size();
}

Status InputFile::try_read(std::uint64_t at, std::span<std::uint8_t> into) const {
    std::size_t got = 0;
    const int failed = os::read_at(handle_, at, into, got);
    if (failed != 0) return io_error(path_, "read", failed);
    if (got == into.size()) return std::nullopt;
    return Error{ErrorKind::io, path_, path_ + ": cannot read: it was cut off meanwhile"};
}

Expected<NewFile> NewFile::create(const std::string& on_the_way, const std::string& heir_of) {
    NewFile file;
    file.name_ = on_the_way;
    const int failed = os::create(on_the_way, heir_of, file.handle_, file.named_);
    if (failed != 0) return io_error(on_the_way, "create", failed);
    return file;
}

NewFile::~NewFile() {
    if (handle_ == os::kNone) return;
    if (named_ && !placed_) os::remove_if_same(handle_, name_);
    os::close(handle_);
}

Status NewFile::append(std::span<const std::uint8_t> bytes) {
    while (!bytes.empty()) {
        std::size_t written = 0;
        if (const int failed = os::write(handle_, bytes, written)) return io_error(name_, "write", failed);
        bytes = bytes.subspan(written);
    }
    return std::nullopt;
}

Status NewFile::sync() { return io_status(name_, "sync", os::sync(handle_)); }

Status NewFile::take_place(const std::string& to) {
    const int failed = named_ ? os::rename(name_, to) : os::give_place(handle_, name_, to);
    if (failed != 0) return io_error(to, "rename", failed);
    name_ = to;
    named_ = placed_ = true;
    os::sync_folder(to);
    return std::nullopt;
}

Status NewFile::shorten(std::uint64_t size) {
    return io_status(name_, "shorten", os::shorten(handle_, size));
}

void NewFile::discard() {
    placed_ = false;
    NewFile gone(std::move(*this));
}

void remove_file(const std::string& path) { os::remove(path); }

bool file_exists(const std::string& path) {
    std::error_code ignored;
    return std::filesystem::exists(os::path_of(path), ignored);
}

bool is_own_file(const std::string& path) { return os::is_own(path); }

Status check_is_file(const std::string& path) {
    std::error_code ignored;
    const auto found = std::filesystem::status(os::path_of(path), ignored);
    if (!std::filesystem::exists(found) || std::filesystem::is_regular_file(found)) return std::nullopt;
    return no_file(path);
}

Expected<std::string> behind_links(const std::string& path) {
    std::filesystem::path found = os::path_of(path);
    for (int links = 0; links < kMostLinks; ++links) {
        std::error_code failed;
        if (!std::filesystem::is_symlink(found, failed)) return os::name_of(found);
        const auto next = std::filesystem::read_symlink(found, failed);
        if (failed) return Error{ErrorKind::io, path, path + ": cannot follow the link: " + failed.message()};
        found = found.parent_path() / next;  // an absolute name replaces what stands before it
    }
    return io_error(path, "follow the link", os::too_many_links());
}

std::uint64_t free_disk(const std::string& path) {
    std::error_code failed;
    const auto folder = std::filesystem::absolute(os::path_of(path), failed).parent_path();
    const auto space = std::filesystem::space(folder, failed);
    return failed ? 0 : space.available;
}

Expected<FileLock> FileLock::take(const std::string& path, const char* doing, bool wait, const Task<>& task) {
    FileLock lock;
    lock.path_ = path;
    while (true) {
        const int failed = os::lock(path, lock.handle_);
        if (failed == 0) return lock;
        if (!os::is_busy(failed)) return io_error(path, "lock", failed);
        if (!wait) return busy_error(path, doing);
        if (task.stopped()) return Error{ErrorKind::cancelled, "build", "build: stopped"};
        std::this_thread::sleep_for(kLockPoll);
    }
}

FileLock::~FileLock() {
    if (handle_ != os::kNone) os::unlock(handle_, path_);
}

}  // namespace wari::detail
