// The targets without libFuzzer: feeds the files named, and those of the folders named, to one of them.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "bytes.hpp"

namespace {

/// How many were fed: none where there is no file.
int feed(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) return 0;
    const std::vector<char> bytes{std::istreambuf_iterator<char>(in), {}};
    // A copy of exactly this size: a sanitizer then sees a read beyond the end.
    const std::vector<std::uint8_t> exact(bytes.begin(), bytes.end());
    std::fprintf(stderr, "%s\n", path.string().c_str());  // the last one named is the one that broke
    LLVMFuzzerTestOneInput(exact.data(), exact.size());
    return 1;
}

}  // namespace

int main(int count, char** arguments) {
    int fed = 0;
    for (int i = 1; i < count; ++i) {
        if (!std::filesystem::is_directory(arguments[i])) {
            fed += feed(arguments[i]);
            continue;
        }
        for (const auto& entry : std::filesystem::directory_iterator(arguments[i])) fed += feed(entry.path());
    }
    LLVMFuzzerTestOneInput(nullptr, 0);
    return fed > 0 ? 0 : 1;  // an empty corpus tests nothing
}
