// What file_io asks of the operating system, once for POSIX and once for Windows. Results are 0 or the
// system's own number of an error, which words() explains. Names are bytes as POSIX takes them, and UTF-8 on
// Windows.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace wari::detail::os {

using Handle = std::intptr_t;
inline constexpr Handle kNone = -1;

std::string words(int error);
/// Was the lock not had because another process has it?
bool is_busy(int error) noexcept;
int too_many_links() noexcept;

std::filesystem::path path_of(const std::string& name);
std::string name_of(const std::filesystem::path& path);

/// A file for reading; a pipe is not waited for, and not opened: then `is_file` is false.
int open_to_read(const std::string& name, Handle& handle, std::uint64_t& size, bool& is_file);
/// `got` is less than asked for at the end of the file only. Any number of threads may read at once.
int read_at(Handle handle, std::uint64_t at, std::span<std::uint8_t> into, std::size_t& got) noexcept;

/// A new file for writing, of the mode of `heir_of` where that is a file: without a name where the system has
/// such files, else `named`. Either way `name` was free, or held a file of our own that is gone now.
int create(const std::string& name, const std::string& heir_of, Handle& handle, bool& named);
int write(Handle handle, std::span<const std::uint8_t> bytes, std::size_t& written);
int sync(Handle handle);
int shorten(Handle handle, std::uint64_t size);
int close(Handle handle);
/// Gives a file without a name the place of `to`, by way of `name` if need be.
int give_place(Handle handle, const std::string& name, const std::string& to);
/// Makes `from` take the place of `to` at once.
int rename(const std::string& from, const std::string& to);
/// Makes the names in the folder of a file durable, where the system lets us.
void sync_folder(const std::string& name);
void remove(const std::string& name);
/// Removes a name if it is that of the open file.
void remove_if_same(Handle handle, const std::string& name);
/// Does the file belong to who runs this process?
bool is_own(const std::string& name);

/// The lock of that name, which goes with the handle and the process. Others can read the number of the
/// process in it.
int lock(const std::string& name, Handle& handle);
void unlock(Handle handle, const std::string& name);
/// The number of the process that holds a lock; 0 where it is not known.
std::uint64_t holder(const std::string& name);

}  // namespace wari::detail::os
