// Tables for C.
#include "wari/tablebase.hpp"

#include "handles.hpp"
#include "structs.hpp"

using namespace wari;
using namespace wari::capi;

namespace {

static_assert(static_cast<int>(TableKind::force) == WARI_TABLE_FORCE);
static_assert(static_cast<int>(TablePacking::dense) == WARI_PACKING_DENSE);
static_assert(static_cast<int>(VerifyLevel::full) == 2);
static_assert(static_cast<int>(ProbeReason::history_ignored) == WARI_REASON_HISTORY_IGNORED);

wari_build_progress as_struct(const BuildProgress& at) {
    return {sizeof(wari_build_progress), at.layer,       at.seeds, at.done, at.total, at.seconds,
            at.boards_per_second,        at.seconds_left};
}

Expected<TablePacking> packing_of(std::int32_t packing) {
    if (packing < WARI_PACKING_AUTO || packing > WARI_PACKING_DENSE) {
        return Error{ErrorKind::bad_value, "packing",
                     "packing: expected 0 to 2, not " + std::to_string(packing)};
    }
    return static_cast<TablePacking>(packing);
}

Problem build(const Rules& rules, const wari_build& wanted, wari_tablebase** out) {
    constexpr std::uint32_t kKnownFlags =
        WARI_BUILD_UNVERIFIED | WARI_BUILD_NO_WAIT | WARI_BUILD_REPAIR | WARI_BUILD_FULL;
    if ((wanted.flags & ~kKnownFlags) != 0) return bad("flags", "unknown flags");
    const auto packing = packing_of(wanted.packing);
    if (!packing) return packing.error();
    Caller caller(wanted.user_data);
    BuildOptions options;
    if (wanted.seeds != 0) options.seeds = wanted.seeds;
    if (wanted.threads != 0) options.threads = wanted.threads;
    options.memory_limit = wanted.memory_limit;
    if (wanted.path != nullptr) options.path = wanted.path;
    options.packing = *packing;
    const bool unverified = (wanted.flags & WARI_BUILD_UNVERIFIED) != 0;
    const bool full = (wanted.flags & WARI_BUILD_FULL) != 0;
    if (unverified && full) return bad("flags", "either WARI_BUILD_UNVERIFIED or WARI_BUILD_FULL");
    options.verify = unverified ? VerifyLevel::none : full ? VerifyLevel::full : VerifyLevel::rebuilt;
    options.wait = (wanted.flags & WARI_BUILD_NO_WAIT) == 0;
    options.repair = (wanted.flags & WARI_BUILD_REPAIR) != 0;
    options.task = caller.task<BuildProgress>(wanted, as_struct);
    auto table = Tablebase::build(rules, options);
    if (Problem thrown = caller.check(); thrown.failed()) return thrown;
    if (!table) return table.error();
    *out = new wari_tablebase(std::move(*table));
    return {};
}

Problem probe(const Tablebase& table, const Position& position, std::size_t quiet_plies, wari_probe* out) {
    if (Problem wrong = check_out(out, "probe"); wrong.failed()) return wrong;
    if (!same_tables(table.rules(), position.rules())) {
        return {WARI_ERROR_WRONG_RULES, "position",
                "position: it is played by " + to_text(position.rules()) + ", the table is for " +
                    to_text(table.rules())};
    }
    const auto found = table.probe(position.board(), static_cast<int>(quiet_plies));
    if (!found) return found.error();
    wari_probe made{};
    made.lower = found->bounds.lower;
    made.upper = found->bounds.upper;
    made.mover = found->mover;
    made.other = found->other;
    made.distance = found->distance;
    made.over = found->over ? 1 : 0;
    made.reason = static_cast<int>(found->reason);
    made.best_count = found->best_count;
    for (std::size_t i = 0; i < static_cast<std::size_t>(found->best_count); ++i) {
        const ProbeMove& move = found->best[i];
        made.best[i] = {position.move_of(move.pit).letter, move.bounds.lower, move.bounds.upper,
                        move.distance};
    }
    give(made, out);
    return {};
}

}  // namespace

wari_status wari_tablebase_build(const char* rules, const wari_build* build, wari_tablebase** out,
                                 wari_error* error) {
    return report(error, [&]() -> Problem {
        if (out == nullptr) return null("out");
        wari_build wanted;
        if (Problem wrong = take(build, wanted, "build"); wrong.failed()) return wrong;
        const auto read = rules_of(rules);
        if (!read) return read.error();
        return ::build(*read, wanted, out);
    });
}

wari_status wari_tablebase_open(const char* path, uint64_t cache_bytes, wari_tablebase** out,
                                wari_error* error) {
    return report(error, [&]() -> Problem {
        if (path == nullptr) return null("path");
        if (out == nullptr) return null("out");
        OpenOptions options;
        if (cache_bytes != 0) options.cache_bytes = cache_bytes;
        auto table = Tablebase::open(path, options);
        if (!table) return table.error();
        *out = new wari_tablebase(std::move(*table));
        return {};
    });
}

void wari_tablebase_free(wari_tablebase* table) { release(table); }

wari_status wari_tablebase_error(const wari_tablebase* table, wari_error* error) {
    return last_error(table, error);
}

wari_status wari_tablebase_get(const wari_tablebase* table, wari_tablebase_data* data) {
    return on(table, [&]() -> Problem {
        if (Problem wrong = check_out(data, "data"); wrong.failed()) return wrong;
        const Tablebase& value = *table->value;
        give(wari_tablebase_data{0, value.seeds(), static_cast<int>(value.kind()), value.file_bytes(),
                                 static_cast<int>(value.verified())},
             data);
        return {};
    });
}

wari_status wari_tablebase_rules(const wari_tablebase* table, char* buffer, size_t size, size_t* needed) {
    return on(table, [&] { return copy_text(to_text(table->value->rules()), buffer, size, needed); });
}

wari_status wari_tablebase_save(const wari_tablebase* table, const char* path, int32_t packing,
                                int32_t threads) {
    return on(table, [&]() -> Problem {
        if (path == nullptr) return null("path");
        const auto chosen = packing_of(packing);
        if (!chosen) return chosen.error();
        return table->value->save(path, *chosen, threads != 0 ? threads : 1);
    });
}

wari_status wari_tablebase_verify(const wari_tablebase* table, const wari_verify* verify) {
    return on(table, [&]() -> Problem {
        wari_verify wanted;
        if (Problem wrong = take(verify, wanted, "verify"); wrong.failed()) return wrong;
        Caller caller(wanted.user_data);
        if (wanted.full < 0 || wanted.full > 1) {
            return bad("full", "expected 0 or 1, not " + std::to_string(wanted.full));
        }
        VerifyOptions options;
        if (wanted.full == 1) options.level = VerifyLevel::full;
        if (wanted.threads != 0) options.threads = wanted.threads;
        options.memory_limit = wanted.memory_limit;
        options.task = caller.task<BuildProgress>(wanted, as_struct);
        const Status failed = table->value->verify(options);
        if (Problem thrown = caller.check(); thrown.failed()) return thrown;
        return failed;
    });
}

wari_status wari_tablebase_probe(const wari_tablebase* table, const wari_position* position,
                                 wari_probe* probe) {
    return on(table, [&]() -> Problem {
        if (Problem wrong = check(position, "position"); wrong.failed()) return wrong;
        return ::probe(*table->value, position->value, 0, probe);
    });
}

wari_status wari_tablebase_probe_game(const wari_tablebase* table, const wari_game* game, wari_probe* probe) {
    return on(table, [&]() -> Problem {
        if (Problem wrong = check(game, "game"); wrong.failed()) return wrong;
        return ::probe(*table->value, game->value.position(), game->value.quiet_plies(), probe);
    });
}

wari_status wari_tablebase_probe_many(const wari_tablebase* table, const uint8_t* pits, size_t boards,
                                      int8_t* lower, int8_t* upper, int32_t threads) {
    return on(table, [&]() -> Problem {
        if (boards == 0) return {};
        if (pits == nullptr) return null("pits");
        if (lower == nullptr) return null("lower");
        if (upper == nullptr) return null("upper");
        if (boards > SIZE_MAX / kPitsInAll) return bad("boards", "more than fit into memory");
        return table->value->probe_many({pits, boards * kPitsInAll}, {lower, boards}, {upper, boards},
                                        threads != 0 ? threads : 1);
    });
}
