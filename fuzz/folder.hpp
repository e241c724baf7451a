// A private folder for targets that need files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>

#if defined(__unix__) || defined(__APPLE__)
#include <unistd.h>
#endif

#include "bytes.hpp"

namespace fuzz {

/// A private folder, removed at the end of the process; TMPDIR says where, best in memory.
class Folder {
 public:
    Folder() {
#if defined(__unix__) || defined(__APPLE__)
        std::string name = (std::filesystem::temp_directory_path() / "wari-fuzz-XXXXXX").string();
        LAW(::mkdtemp(name.data()) != nullptr);
        path_ = name;
#else
        path_ = std::filesystem::temp_directory_path() / "wari-fuzz";
        std::filesystem::create_directories(path_);
#endif
    }
    ~Folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    std::string file(const char* name) const { return (path_ / name).string(); }

    std::string put(const char* name, std::span<const std::uint8_t> bytes) const {
        const std::string path = file(name);
        std::ofstream out(path, std::ios::binary | std::ios::trunc);
        out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
        return path;
    }

 private:
    std::filesystem::path path_;
};

}  // namespace fuzz
