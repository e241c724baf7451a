// The few things files of tables and proofs ask of the operating system: read, write anew, lock. Errors are
// of kind io and name the file.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "file_system.hpp"
#include "wari/error.hpp"
#include "wari/task.hpp"

namespace wari::detail {

/// Bytes on the heap; null where the system refused them.
struct Buffer {
    std::unique_ptr<std::uint8_t[]> data;
    std::size_t size = 0;

    static Buffer of(std::uint64_t bytes);
    explicit operator bool() const noexcept { return data != nullptr; }
    std::span<std::uint8_t> bytes() noexcept { return {data.get(), size}; }
    std::span<const std::uint8_t> bytes() const noexcept { return {data.get(), size}; }
};

/// A file open for reading at any place. It is read, never mapped: one that is cut off meanwhile, or whose
/// disk fails, is an error and not the end of the process. Any number of threads may read at once.
class InputFile {
 public:
    static Expected<InputFile> open(const std::string& path);
    InputFile() = default;
    ~InputFile();
    InputFile(InputFile&& from) noexcept { swap(from); }
    InputFile& operator=(InputFile&& from) noexcept {
        InputFile moved(std::move(from));
        swap(moved);
        return *this;
    }

    /// Bytes, when it was opened.
    std::uint64_t size() const noexcept { return size_; }
    /// Fills `into` with what stands from `at` on; false when not all of it can be read.
    bool read(std::uint64_t at, std::span<std::uint8_t> into) const noexcept;
    /// The same; the error says what is wrong.
    Status try_read(std::uint64_t at, std::span<std::uint8_t> into) const;

 private:
    void swap(InputFile& other) noexcept {
        std::swap(path_, other.path_);
        std::swap(handle_, other.handle_);
        std::swap(size_, other.size_);
    }

    std::string path_;
    os::Handle handle_ = os::kNone;
    std::uint64_t size_ = 0;
};

/// A file that takes the place of another one when it is whole, or is gone with its writer. Who writes holds
/// a lock, so that nobody else uses the name on the way.
class NewFile {
 public:
    /// `on_the_way` is the name it has in between, in the same folder, where the system has no files without
    /// one. Its mode is that of `heir_of`, whose place it is to take, where that is there; nobody else can
    /// read before that what nobody else may read after it.
    static Expected<NewFile> create(const std::string& on_the_way, const std::string& heir_of);
    NewFile() = default;
    ~NewFile();
    NewFile(NewFile&& from) noexcept { swap(from); }
    NewFile& operator=(NewFile&& from) noexcept {
        NewFile moved(std::move(from));
        swap(moved);
        return *this;
    }

    Status append(std::span<const std::uint8_t> bytes);
    Status sync();  ///< everything appended is on the disk
    /// Takes the place of `to` at once, which is durable then. It may grow, and go to another place,
    /// afterwards.
    Status take_place(const std::string& to);
    /// Cuts off what was appended after the first `size` bytes.
    Status shorten(std::uint64_t size);
    /// Removes it, also from the place it has taken.
    void discard();

 private:
    void swap(NewFile& other) noexcept {
        std::swap(name_, other.name_);
        std::swap(handle_, other.handle_);
        std::swap(named_, other.named_);
        std::swap(placed_, other.placed_);
    }

    std::string name_;  ///< of `named_` files the one they have, else the one they may have for a moment
    os::Handle handle_ = os::kNone;
    bool named_ = false;
    bool placed_ = false;
};

void remove_file(const std::string& path);
bool file_exists(const std::string& path);
/// Does the file belong to who runs this process?
bool is_own_file(const std::string& path);
/// An error where something other than a file, such as a folder or a device, has that name.
Status check_is_file(const std::string& path);
/// The file that a name leads to through symbolic links, which may be one that is not there yet. Links that
/// lead in a circle are an error.
Expected<std::string> behind_links(const std::string& path);
/// Bytes free where `path` lies; 0 when unknown.
std::uint64_t free_disk(const std::string& path);

/// Held by one process at a time; given back on destruction, also when the process dies.
class FileLock {
 public:
    /// With `wait`, waits until the lock is free or `stop` says so. Errors: busy, which says that another
    /// process is `doing` something; cancelled; io.
    static Expected<FileLock> take(const std::string& path, const char* doing, bool wait, const Task<>& task);
    FileLock() = default;
    ~FileLock();
    FileLock(FileLock&& from) noexcept
        : path_(std::move(from.path_)), handle_(std::exchange(from.handle_, os::kNone)) {}
    FileLock& operator=(FileLock&& from) noexcept {
        std::swap(path_, from.path_);
        std::swap(handle_, from.handle_);
        return *this;
    }

 private:
    std::string path_;
    os::Handle handle_ = os::kNone;
};

}  // namespace wari::detail
