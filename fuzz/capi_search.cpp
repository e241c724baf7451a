// The part of the interpreter over wari.h that calls tables, engines and analyses.
#include "capi_interpreter.hpp"
#include "folder.hpp"

namespace fuzz {

int count_down(void* user_data) { return --*static_cast<int*>(user_data) < 0 ? 1 : 0; }
int count_builds(void* user_data, const wari_build_progress* progress) {
    LAW(progress->struct_size == sizeof *progress && progress->done <= progress->total);
    return count_down(user_data);
}

void Interpreter::new_table() {
    static const Folder folder;
    wari_tablebase*& slot = tables_.any(in_);
    const int choice = in_.below(5);
    if (choice == 0) {
        Struct<wari_build> build(in_);
        int calls = in_.byte();
        build->seeds = in_.below(16) == 15 ? -1 : 1 + in_.below(3);
        build->threads = in_.below(16) == 15 ? 5000 : in_.below(2);
        build->packing = in_.below(4);
        build->flags = static_cast<std::uint32_t>(in_.below(4));
        build->progress = in_.flag() ? count_builds : nullptr;
        build->interrupted = in_.flag() ? count_down : nullptr;
        build->user_data = &calls;
        // Ten seeds, the default of no struct, take too long here.
        if (build.get() == nullptr) return;
        make(slot, [&](wari_tablebase** out, wari_error* error) {
            return wari_tablebase_build(rules(), build.get(), out, error);
        });
    } else if (choice == 1) {
        const std::string path = folder.file("table.wtb");
        const int packing = in_.below(4);
        (void)wari_tablebase_save(slot, path.c_str(), packing, in_.below(3));
        make(slot, [&](wari_tablebase** out, wari_error* error) {
            return wari_tablebase_open(path.c_str(), static_cast<std::uint64_t>(in_.byte()), out, error);
        });
    } else if (choice == 2) {
        const std::string path =
            folder.put("bytes.wtb", in_.rest().first(std::min<std::size_t>(in_.size(), 99)));
        make(slot, [&](wari_tablebase** out, wari_error* error) {
            return wari_tablebase_open(in_.below(8) == 7 ? nullptr : path.c_str(), 0, out, error);
        });
    } else {
        drop(slot);
    }
}

void Interpreter::use_table() {
    const int choice = in_.below(9);
    if (choice < 3) return new_table();
    wari_tablebase* table = tables_.any(in_);
    if (choice == 3) last_error(wari_tablebase_error, table);
    if (choice == 4) {
        Struct<wari_tablebase_data> data(in_);
        LAW((wari_tablebase_get(table, data.get()) == WARI_OK) == (table != nullptr && data.right()));
        copy_text([&](char* buffer, std::size_t size, std::size_t* needed) {
            return wari_tablebase_rules(table, buffer, size, needed);
        });
    }
    if (choice == 5) {
        Struct<wari_verify> verify(in_);
        int calls = in_.byte();
        verify->interrupted = in_.flag() ? count_down : nullptr;
        verify->progress = in_.flag() ? count_builds : nullptr;
        verify->user_data = &calls;
        (void)wari_tablebase_verify(table, verify.get());
    }
    if (choice == 6) {
        Struct<wari_probe> probe(in_);
        if (wari_tablebase_probe(table, positions_.any(in_), probe.get()) == WARI_OK)
            LAW(probe->lower <= probe->upper && probe->best_count >= 0 && probe->best_count <= 6);
    }
    if (choice == 7) {
        Struct<wari_probe> probe(in_);
        (void)wari_tablebase_probe_game(table, games_.any(in_), probe.get());
    }
    if (choice == 8) {
        const auto boards = static_cast<std::size_t>(in_.below(4));
        std::vector<std::uint8_t> pits(boards * 12);
        for (auto& pit : pits)
            pit = static_cast<std::uint8_t>(in_.below(16) == 15 ? in_.byte() : in_.below(2));
        std::vector<std::int8_t> lower(boards);
        std::vector<std::int8_t> upper(boards);
        (void)wari_tablebase_probe_many(table, pits.data(), boards, lower.data(), upper.data(),
                                        in_.below(3) - 1);
    }
}

/// What the callbacks of a search look at.
struct Watch {
    int calls = 0;
    bool throws = false;
    wari_engine* engine = nullptr;
};
int watch_search(void* user_data) {
    auto* watch = static_cast<Watch*>(user_data);
    LAW(wari_engine_free(watch->engine) == WARI_ERROR_BUSY);
    if (--watch->calls >= 0) return 0;
    if (watch->throws) throw 1;
    return 1;
}
int watch_analysis(void* user_data, const wari_analysis* analysis) {
    wari_analysis_data data = WARI_STRUCT(wari_analysis_data);
    LAW(wari_analysis_get(analysis, &data) == WARI_OK && data.lines >= 1);
    return watch_search(user_data);
}
int watch_solution(void* user_data, const wari_solution* solution) {
    LAW(solution->lower <= solution->upper);
    return watch_search(user_data);
}

void Interpreter::new_engine() {
    wari_engine*& slot = engines_.any(in_);
    if (in_.below(4) == 3) return drop(slot);
    Struct<wari_engine_options> options(in_);
    options->threads = in_.below(16) == 15 ? wild() - 300 : in_.below(3);
    options->hash_mb = in_.below(16) == 15 ? -1 : 1;
    options->evaluation = in_.below(5);
    // Tables that an engine builds by itself take too long here.
    options->flags =
        in_.below(16) == 15 ? 8U : WARI_ENGINE_NO_TABLES | static_cast<std::uint32_t>(in_.below(2) * 2);
    options->tablebase = tables_.any(in_);
    if (options.get() == nullptr) return;
    make(slot,
         [&](wari_engine** out, wari_error* error) { return wari_engine_new(options.get(), out, error); });
}

/// An engine that may have tables keeps one that its maker frees.
void Interpreter::give_table() {
    wari_engine* without = engines_.any(in_);
    LAW(wari_engine_add_tablebase(without, tables_.any(in_)) != WARI_OK);
    wari_engine_options options = WARI_STRUCT(wari_engine_options);
    options.hash_mb = 1;
    wari_engine* engine = nullptr;
    LAW(wari_engine_new(&options, &engine, nullptr) == WARI_OK);
    wari_tablebase*& table = tables_.any(in_);
    LAW((wari_engine_add_tablebase(engine, table) == WARI_OK) == (table != nullptr));
    drop(table);
    drop(engine);
}

void Interpreter::search(wari_engine* engine) {
    Struct<wari_search> search(in_);
    if (search.get() == nullptr) return;  // without an end
    Watch watch{in_.byte(), in_.below(8) == 7, engine};
    search->nodes = 1 + in_.number(2) % 500;
    search->depth = in_.below(16) == 15 ? wild() : in_.below(9);
    search->multipv = in_.below(16) == 15 ? wild() : in_.below(4);
    search->seconds = in_.below(16) == 15 ? -1.0 : 0.0;
    search->clock_seconds = in_.below(16) == 15 ? 1.0 : 0.0;
    search->clock_moves_to_go = in_.below(16) == 15 ? wild() : 0;
    search->flags = in_.below(16) == 15 ? 16U : static_cast<std::uint32_t>(in_.below(2) * 2);
    search->moves = in_.below(8) == 7 ? text(6) : nullptr;
    search->progress = in_.flag() ? watch_analysis : nullptr;
    search->interrupted = in_.flag() ? watch_search : nullptr;
    search->user_data = &watch;
    wari_analysis*& slot = analyses_.any(in_);
    if (in_.flag()) {
        const wari_game* game = games_.any(in_);
        derive(slot,
               [&](wari_analysis** out) { return wari_engine_analyse(engine, game, search.get(), out); });
    } else {
        const wari_position* position = positions_.any(in_);
        derive(slot, [&](wari_analysis** out) {
            return wari_engine_analyse_position(engine, position, search.get(), out);
        });
    }
}

void Interpreter::solve(wari_engine* engine) {
    Struct<wari_solve> solve(in_);
    if (solve.get() == nullptr) return;
    Struct<wari_solution> solution(in_);
    Watch watch{in_.byte(), in_.below(8) == 7, engine};
    solve->nodes = 1 + in_.number(2) % 500;
    solve->depth = in_.below(16) == 15 ? wild() : 0;
    solve->flags = static_cast<std::uint32_t>(in_.below(3));
    solve->progress = in_.flag() ? watch_solution : nullptr;
    solve->interrupted = in_.flag() ? watch_search : nullptr;
    solve->user_data = &watch;
    const auto status = wari_engine_solve(engine, games_.any(in_), solve.get(), solution.get());
    if (status == WARI_OK) LAW(solution->lower <= solution->upper);
}

void Interpreter::proof(wari_engine* engine) {
    static const Folder folder;
    const std::string path = folder.file("position.proof");
    const bool saved = wari_engine_save_proof(engine, path.c_str()) == WARI_OK;
    wari_position* about = nullptr;
    const bool loaded = wari_engine_load_proof(engine, path.c_str(), &about) == WARI_OK;
    LAW(loaded == (about != nullptr) && (loaded || !saved));
    wari_position_free(about);
}

void Interpreter::use_engine() {
    const int choice = in_.below(10);
    if (choice < 2) return new_engine();
    wari_engine* engine = engines_.any(in_);
    if (choice < 5) search(engine);
    if (choice == 5) solve(engine);
    if (choice == 6) last_error(wari_engine_error, engine);
    if (choice == 7) give_table();
    if (choice == 8) {
        (void)wari_engine_stop(engine);
        (void)wari_engine_ponder_hit(engine);
        (void)wari_engine_prepare(engine);
    }
    if (choice == 9 && in_.flag()) return proof(engine);
    if (choice == 9) (void)wari_engine_new_game(engine);
}

void Interpreter::use_analysis() {
    wari_analysis*& analysis = analyses_.any(in_);
    Struct<wari_analysis_data> data(in_);
    Struct<wari_line> line(in_);
    const bool got = wari_analysis_get(analysis, data.get()) == WARI_OK;
    LAW(got == (analysis != nullptr && data.right()));
    const auto number = static_cast<std::size_t>(wild());
    if (wari_analysis_line(analysis, number, line.get()) == WARI_OK)
        LAW(line->pv != nullptr && line->pv[0] == line->move);
    // A handle of another type is noticed.
    const auto* other = reinterpret_cast<const wari_game*>(analysis);
    wari_game_data none = WARI_STRUCT(wari_game_data);
    LAW(wari_game_get(other, &none) ==
        (analysis == nullptr ? WARI_ERROR_NULL_ARGUMENT : WARI_ERROR_BAD_HANDLE));
    if (in_.below(8) == 7) drop(analysis);
}

}  // namespace fuzz
