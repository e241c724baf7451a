// Files on Windows. Names are UTF-8 here and wide there.
#if defined(_WIN32)

#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <windows.h>

#include <algorithm>
#include <system_error>

#include "file_system.hpp"

namespace wari::detail::os {
namespace {

constexpr DWORD kShareAll = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
constexpr std::size_t kMostAtOnce = std::size_t{1} << 30;

HANDLE native(Handle handle) { return reinterpret_cast<HANDLE>(handle); }
Handle as_handle(HANDLE handle) { return reinterpret_cast<Handle>(handle); }

// Of the call before.
int last_error() {
    const auto error = static_cast<int>(GetLastError());
    return error != 0 ? error : ERROR_GEN_FAILURE;
}

HANDLE opened(const std::string& name, DWORD access, DWORD share, DWORD how, DWORD flags) {
    return CreateFileW(path_of(name).c_str(), access, share, nullptr, how, flags, nullptr);
}

}  // namespace

std::string words(int error) {
    std::string text = std::system_category().message(error);
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == '.'))
        text.pop_back();
    return text;
}
bool is_busy(int error) noexcept { return error == ERROR_SHARING_VIOLATION; }
int too_many_links() noexcept { return ERROR_CANT_RESOLVE_FILENAME; }

std::filesystem::path path_of(const std::string& name) {
    const auto size = static_cast<int>(std::min<std::size_t>(name.size(), 1U << 20));
    const int wide = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, name.data(), size, nullptr, 0);
    std::wstring text(static_cast<std::size_t>(std::max(wide, 0)), L'\0');
    MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, name.data(), size, text.data(), wide);
    return text;  // no name at all where it is not UTF-8: there is no such file
}

std::string name_of(const std::filesystem::path& path) {
    const std::u8string text = path.u8string();
    return {reinterpret_cast<const char*>(text.data()), text.size()};
}

int open_to_read(const std::string& name, Handle& handle, std::uint64_t& size, bool& is_file) {
    const HANDLE found = opened(name, GENERIC_READ, kShareAll, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL);
    is_file = false;
    if (found == INVALID_HANDLE_VALUE) {
        const int failed = last_error();
        const DWORD about = GetFileAttributesW(path_of(name).c_str());
        const bool folder = about != INVALID_FILE_ATTRIBUTES && (about & FILE_ATTRIBUTE_DIRECTORY) != 0;
        return folder ? 0 : failed;
    }
    LARGE_INTEGER bytes{};
    is_file = GetFileType(found) == FILE_TYPE_DISK;
    const int failed = !is_file || GetFileSizeEx(found, &bytes) != 0 ? 0 : last_error();
    if (!is_file || failed != 0) {
        CloseHandle(found);
        return failed;
    }
    size = static_cast<std::uint64_t>(bytes.QuadPart);
    handle = as_handle(found);
    return 0;
}

int read_at(Handle handle, std::uint64_t at, std::span<std::uint8_t> into, std::size_t& got) noexcept {
    got = 0;
    while (got < into.size()) {
        OVERLAPPED place{};
        place.Offset = static_cast<DWORD>(at + got);
        place.OffsetHigh = static_cast<DWORD>((at + got) >> 32);
        const auto size = static_cast<DWORD>(std::min(into.size() - got, kMostAtOnce));
        DWORD read = 0;
        if (ReadFile(native(handle), into.data() + got, size, &read, &place) == 0) {
            return GetLastError() == ERROR_HANDLE_EOF ? 0 : last_error();
        }
        if (read == 0) break;
        got += read;
    }
    return 0;
}

int create(const std::string& name, const std::string&, Handle& handle, bool& named) {
    named = true;
    // Others may rename and remove it while it is open, as we do ourselves when it gets its place.
    const HANDLE made =
        opened(name, GENERIC_READ | GENERIC_WRITE, kShareAll, CREATE_ALWAYS, FILE_ATTRIBUTE_NORMAL);
    if (made == INVALID_HANDLE_VALUE) return last_error();
    handle = as_handle(made);
    return 0;
}

int write(Handle handle, std::span<const std::uint8_t> bytes, std::size_t& written) {
    DWORD wrote = 0;
    const auto size = static_cast<DWORD>(std::min(bytes.size(), kMostAtOnce));
    if (WriteFile(native(handle), bytes.data(), size, &wrote, nullptr) == 0) return last_error();
    written = wrote;
    return wrote != 0 ? 0 : ERROR_WRITE_FAULT;
}

int sync(Handle handle) { return FlushFileBuffers(native(handle)) != 0 ? 0 : last_error(); }

int shorten(Handle handle, std::uint64_t size) {
    LARGE_INTEGER at{};
    at.QuadPart = static_cast<LONGLONG>(size);
    const bool done =
        SetFilePointerEx(native(handle), at, nullptr, FILE_BEGIN) != 0 && SetEndOfFile(native(handle)) != 0;
    return done ? 0 : last_error();
}

int close(Handle handle) { return CloseHandle(native(handle)) != 0 ? 0 : last_error(); }

int give_place(Handle, const std::string& name, const std::string& to) { return rename(name, to); }

int rename(const std::string& from, const std::string& to) {
    constexpr DWORD kHow = MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH;
    return MoveFileExW(path_of(from).c_str(), path_of(to).c_str(), kHow) != 0 ? 0 : last_error();
}

void sync_folder(const std::string&) {}  // renames are written through

void remove(const std::string& name) { DeleteFileW(path_of(name).c_str()); }
void remove_if_same(Handle, const std::string& name) { remove(name); }
bool is_own(const std::string&) { return true; }  // who may not remove it is stopped by the system

int lock(const std::string& name, Handle& handle) {
    // A file that is being removed refuses access for moments.
    constexpr int kTries = 10;
    constexpr DWORD kPause = 20;
    for (int tries = 0;; ++tries) {
        const HANDLE held = opened(name, GENERIC_READ | GENERIC_WRITE | DELETE, 0, OPEN_ALWAYS,
                                   FILE_ATTRIBUTE_NORMAL | FILE_FLAG_DELETE_ON_CLOSE);
        if (held != INVALID_HANDLE_VALUE) {
            handle = as_handle(held);
            return 0;
        }
        const int failed = last_error();
        if (failed != ERROR_ACCESS_DENIED || tries == kTries) return failed;
        Sleep(kPause);
    }
}

void unlock(Handle handle, const std::string&) { CloseHandle(native(handle)); }
std::uint64_t holder(const std::string&) { return 0; }

}  // namespace wari::detail::os

#endif
