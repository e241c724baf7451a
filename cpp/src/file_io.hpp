// The few things table files ask of the operating system: map, append, sync, rename, lock.
// Owns handles only; must not know what the bytes mean. Errors are of kind io and name the file.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "wari/error.hpp"
#include "wari/perft.hpp"

namespace wari::detail {

/// A whole file, read-only.
class MappedFile {
 public:
    static Expected<MappedFile> open(const std::string& path);
    MappedFile() = default;
    ~MappedFile();
    MappedFile(MappedFile&& from) noexcept { swap(from); }
    MappedFile& operator=(MappedFile&& from) noexcept {
        MappedFile moved(std::move(from));
        swap(moved);
        return *this;
    }

    std::span<const std::uint8_t> bytes() const noexcept { return {data_, size_}; }

 private:
    void swap(MappedFile& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
    }

    const std::uint8_t* data_ = nullptr;
    std::size_t size_ = 0;
};

/// A new file, written from its start.
class OutputFile {
 public:
    /// Of the mode of `heir_of`, whose place it is to take, where that is there; nobody else can read
    /// before that what nobody else may read after it.
    static Expected<OutputFile> create(const std::string& path, const std::string& heir_of);
    OutputFile() = default;
    ~OutputFile();
    OutputFile(OutputFile&& from) noexcept
        : path_(std::move(from.path_)), handle_(std::exchange(from.handle_, -1)) {}
    OutputFile& operator=(OutputFile&& from) noexcept {
        std::swap(path_, from.path_);
        std::swap(handle_, from.handle_);
        return *this;
    }

    Status append(std::span<const std::uint8_t> bytes);
    Status sync();  ///< everything appended is on the disk
    Status close();

 private:
    std::string path_;
    int handle_ = -1;
};

/// Makes `from` take the place of `to` at once, and the change durable.
Status replace_file(const std::string& from, const std::string& to);
void remove_file(const std::string& path);
bool file_exists(const std::string& path);
/// An error where something other than a file, such as a folder or a device, has that name.
Status check_is_file(const std::string& path);
/// The file that a name leads to through symbolic links, which may be one that is not there yet.
std::string behind_links(const std::string& path);
/// Bytes free where `path` lies; 0 when unknown.
std::uint64_t free_disk(const std::string& path);

/// Held by one process at a time; given back on destruction, also when the process dies.
class FileLock {
 public:
    /// With `wait`, waits until the lock is free or `stop` says so. Errors: busy, cancelled, io.
    static Expected<FileLock> take(const std::string& path, bool wait, const StopQuery& stop);
    FileLock() = default;
    ~FileLock();
    FileLock(FileLock&& from) noexcept
        : path_(std::move(from.path_)), handle_(std::exchange(from.handle_, -1)) {}
    FileLock& operator=(FileLock&& from) noexcept {
        std::swap(path_, from.path_);
        std::swap(handle_, from.handle_);
        return *this;
    }

 private:
    std::string path_;
    int handle_ = -1;
};

}  // namespace wari::detail
