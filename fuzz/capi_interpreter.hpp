// The interpreter that bytes drive over wari.h: its handles, and arguments right and wrong.
#pragma once

#include <array>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "bytes.hpp"
#include "wari.h"

namespace fuzz {

inline constexpr std::size_t kSlots = 3;

/// A block of exactly the bytes asked for, so that a sanitizer sees what goes beyond.
template <class T>
class Struct {
 public:
    /// Mostly of the right size; else of one that is too small, too large, or from a longer header.
    explicit Struct(Bytes& input) {
        const int choice = input.below(16);
        std::size_t said = sizeof(T);
        std::size_t bytes = sizeof(T);
        if (choice == 1) said = 0;
        if (choice == 2) said = sizeof(T) - 1;
        if (choice == 3) said = SIZE_MAX;
        if (choice == 4) said = bytes = sizeof(T) + 24;
        null_ = choice == 5;
        right_ = said == bytes && !null_;
        memory_ = std::make_unique<char[]>(bytes);
        std::memcpy(memory_.get(), &said, sizeof said);
    }
    T* get() noexcept { return null_ ? nullptr : reinterpret_cast<T*>(memory_.get()); }
    T* operator->() noexcept { return reinterpret_cast<T*>(memory_.get()); }
    bool right() const noexcept { return right_; }

 private:
    std::unique_ptr<char[]> memory_;
    bool null_ = false;
    bool right_ = false;
};

/// Handles of one type; a slot may be empty.
template <class T>
struct Slots {
    std::array<T*, kSlots> handles{};

    T*& any(Bytes& input) { return handles[static_cast<std::size_t>(input.below(kSlots))]; }
};

class Interpreter {
 public:
    explicit Interpreter(Bytes& input) : in_(input) {}
    ~Interpreter() {
        // Engines and analyses keep what they need, so tables may go first.
        for (auto* table : tables_.handles) wari_tablebase_free(table);
        for (auto* position : positions_.handles) wari_position_free(position);
        for (auto* game : games_.handles) wari_game_free(game);
        for (auto* engine : engines_.handles) LAW(wari_engine_free(engine) == WARI_OK);
        for (auto* analysis : analyses_.handles) wari_analysis_free(analysis);
    }
    Interpreter(const Interpreter&) = delete;
    Interpreter& operator=(const Interpreter&) = delete;

    void step() {
        switch (in_.below(8)) {
            case 0: words(); break;
            case 1: new_position(); break;
            case 2: use_position(); break;
            case 3: new_game(); break;
            case 4: use_game(); break;
            case 5: use_table(); break;
            case 6: use_engine(); break;
            default: use_analysis(); break;
        }
    }

 private:
    // --- arguments ------------------------------------------------------------------------------------

    /// A text, sometimes none.
    const char* text(int most) {
        text_ = in_.text(most);
        return in_.below(16) == 15 ? nullptr : text_.c_str();
    }
    const char* rules() {
        const int choice = in_.below(12);
        if (choice == 0) return nullptr;
        if (choice == 1) return text(40);
        rules_ = wari::to_text(in_.rules());
        return rules_.c_str();
    }
    char letter() {
        return in_.below(8) == 7 ? static_cast<char>(in_.byte())
                                 : kLetters[static_cast<std::size_t>(in_.below(13))];
    }
    std::int32_t wild() {
        const auto value = static_cast<std::int32_t>(in_.number(in_.below(8) == 7 ? 4 : 1));
        return in_.below(8) == 7 ? static_cast<std::int32_t>(0U - static_cast<std::uint32_t>(value)) : value;
    }

    /// Calls `get(buffer, size, needed)` with room enough, too little and none.
    template <class Get>
    void copy_text(const Get& get) {
        std::size_t needed = 0;
        const wari_status asked = get(nullptr, 0, &needed);
        if (asked != WARI_OK) return;
        LAW(needed >= 1);
        const std::size_t size = static_cast<std::size_t>(in_.below(4) == 3 ? in_.byte() : 1000);
        const auto buffer = std::make_unique<char[]>(size);
        std::size_t again = 0;
        const wari_status status = get(buffer.get(), size, &again);
        LAW(again == needed && status == (size >= needed ? WARI_OK : WARI_ERROR_TOO_SMALL));
        if (status == WARI_OK) LAW(std::strlen(buffer.get()) + 1 == needed);
        LAW(get(nullptr, 5, nullptr) == WARI_ERROR_NULL_ARGUMENT);
    }

    /// Puts a new handle where an old one may be.
    template <class T>
    void keep(T*& slot, T* made) {
        if (made == nullptr) return;
        drop(slot);
        slot = made;
    }
    static void drop(wari_position*& slot) { wari_position_free(std::exchange(slot, nullptr)); }
    static void drop(wari_game*& slot) { wari_game_free(std::exchange(slot, nullptr)); }
    static void drop(wari_tablebase*& slot) { wari_tablebase_free(std::exchange(slot, nullptr)); }
    static void drop(wari_engine*& slot) { LAW(wari_engine_free(std::exchange(slot, nullptr)) == WARI_OK); }
    static void drop(wari_analysis*& slot) { wari_analysis_free(std::exchange(slot, nullptr)); }

    /// A call that makes a handle and reports to a wari_error.
    template <class T, class Make>
    void make(T*& slot, const Make& call) {
        Struct<wari_error> error(in_);
        T* made = nullptr;
        const bool no_out = in_.below(16) == 15;
        const wari_status status = call(no_out ? nullptr : &made, error.get());
        LAW((status == WARI_OK) == (made != nullptr));
        if (status != WARI_OK && error.right()) {
            LAW(error->status == status);
            LAW(std::memchr(error->message, 0, sizeof error->message) != nullptr && error->message[0] != 0);
        }
        keep(slot, made);
    }
    /// A call that makes a handle from another one, which keeps the failure.
    template <class T, class Make>
    void derive(T*& slot, const Make& call) {
        T* made = nullptr;
        const wari_status status = call(in_.below(16) == 15 ? nullptr : &made);
        LAW((status == WARI_OK) == (made != nullptr));
        keep(slot, made);
    }

    template <class T>
    void last_error(wari_status (*get)(const T*, wari_error*), const T* handle) {
        Struct<wari_error> error(in_);
        const wari_status status = get(handle, error.get());
        LAW((status == WARI_OK) == (handle != nullptr && error.right()));
    }

    // --- the functions of wari.h, by topic --------------------------------------------------------------

    void words();
    void new_position();
    void use_position();
    void new_game();
    void use_game();
    void new_table();
    void use_table();
    void new_engine();
    void give_table();
    void search(wari_engine* engine);
    void solve(wari_engine* engine);
    void proof(wari_engine* engine);
    void use_engine();
    void use_analysis();

    Bytes& in_;
    std::string text_;
    std::string rules_;
    Slots<wari_position> positions_;
    Slots<wari_game> games_;
    Slots<wari_tablebase> tables_;
    Slots<wari_engine> engines_;
    Slots<wari_analysis> analyses_;
};

}  // namespace fuzz
