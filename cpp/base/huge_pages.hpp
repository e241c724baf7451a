// Large byte buffers on huge pages where the system has them: for tables and the search's hash table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

namespace wari::detail {

/// Zero-filled bytes, movable, freed on destruction. data() is null when the system refused; it is aligned to
/// a cache line, in buffers of 2 MiB and more to a huge page.
class Bytes {
 public:
    Bytes() = default;
    explicit Bytes(std::size_t size);
    ~Bytes();
    Bytes(Bytes&& from) noexcept { swap(from); }
    Bytes& operator=(Bytes&& from) noexcept {
        Bytes moved(std::move(from));
        swap(moved);
        return *this;
    }

    std::uint8_t* data() noexcept { return data_; }
    const std::uint8_t* data() const noexcept { return data_; }
    std::size_t size() const noexcept { return size_; }
    explicit operator bool() const noexcept { return data_ != nullptr; }

    /// All bytes are 0 again. Large buffers hand their pages back to the system, which takes as long as was
    /// used of them.
    void clear() noexcept;

    /// What a buffer of so many bytes takes at most: large ones take whole huge pages.
    static std::size_t taken(std::size_t size) noexcept;

 private:
    void swap(Bytes& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(heap_, other.heap_);
        std::swap(size_, other.size_);
        std::swap(mapped_, other.mapped_);
    }

    std::uint8_t* data_ = nullptr;
    void* heap_ = nullptr;  ///< what the heap gave, null when from a system mapping
    std::size_t size_ = 0;
    std::size_t mapped_ = 0;  ///< bytes of a system mapping, 0 when from the heap
};

/// Bytes of memory that can still be used without pushing other programs out; 0 when unknown.
std::uint64_t free_memory();

}  // namespace wari::detail
