// What the tests of tables check in one thread and in several: a table against the second algorithm, the
// kernels against each other, a table against its own proof.
#pragma once

#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "table_builder.hpp"
#include "table_oracle.hpp"
#include "wari/isa.hpp"
#include "wari/tablebase.hpp"

namespace table_checks {

using namespace wari;

inline TablebasePtr build(const Rules& rules, int seeds, int threads = 1) {
    BuildOptions options;
    options.seeds = seeds;
    options.threads = threads;
    auto table = Tablebase::build(rules, options);
    REQUIRE(table.has_value());
    return *table;
}

inline void agrees(const Rules& rules, int seeds, int threads = 1) {
    const TablebasePtr table = build(rules, seeds, threads);
    const oracle::Solved solved = oracle::solve(seeds, table_rules(rules));
    int wrong = 0;
    for (int n = 0; n <= seeds; ++n) {
        const auto s = static_cast<std::size_t>(n);
        for (std::uint64_t i = 0; i < boards_with(n); ++i) {
            const auto bounds = table->bounds(board_from_index(n, i));
            Bounds expected{solved.mover[s][i], solved.mover[s][i]};
            if (table->kind() == TableKind::force) {
                expected = {2 * solved.mover[s][i] - n, n - 2 * solved.other[s][i]};
            }
            if (bounds != expected) ++wrong;
        }
    }
    INFO(to_text(rules), ", ", seeds, " seeds");
    CHECK(wrong == 0);
}

// Each instruction set's kernel makes the same bytes.
inline void kernels_agree(const char* text, int seeds) {
    const Rules rules = table_rules(*parse_rules(text));
    std::vector<detail::SweepKernels> kernels = {portable::sweep_kernels()};
#ifdef WARI_X86_KERNELS
    if (best_isa() >= Isa::v3) kernels.push_back(v3::sweep_kernels());
    if (best_isa() >= Isa::v4) kernels.push_back(v4::sweep_kernels());
#endif
    REQUIRE(kernels.size() == static_cast<std::size_t>(best_isa()) + 1);
    std::vector<std::vector<detail::Layer>> made(kernels.size());
    for (std::size_t k = 0; k < kernels.size(); ++k) {
        detail::Progress progress({}, seeds);
        detail::Builder builder(rules, seeds, 2, {}, kernels[k]);
        for (int n = 0; n <= seeds; ++n) {
            auto layer = builder.solve(n, made[k], progress);
            REQUIRE(layer.has_value());
            made[k].push_back(std::move(*layer));
            const detail::Layer& first = made[0][static_cast<std::size_t>(n)];
            const detail::Layer& here = made[k].back();
            REQUIRE(first.mover.size() == here.mover.size());
            REQUIRE(first.other.size() == here.other.size());
            INFO(std::string(text), ", ", n, " seeds, kernel ", k);
            CHECK(std::memcmp(first.mover.data(), here.mover.data(), here.mover.size()) == 0);
            if (here.other) CHECK(std::memcmp(first.other.data(), here.other.data(), here.other.size()) == 0);
        }
    }
}

// Solved again from nothing and compared entry by entry, laps and all.
inline void verified(const Rules& rules, int seeds) {
    VerifyOptions options;
    options.threads = 2;
    const auto failed = build(rules, seeds, 2)->verify(options);
    CHECK(!failed.has_value());
}

}  // namespace table_checks
