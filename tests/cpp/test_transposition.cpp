// The transposition table itself: what a bucket holds, and what goes when it is full.
#include <doctest/doctest.h>

#include "transposition.hpp"

namespace {

using namespace wari;

// The keys of one bucket, by number.
std::uint64_t key_of(const TableView& view, std::uint64_t number) {
    return (std::uint64_t{5} << view.rest_bits) + number;
}

void put_at(const TableView& view, std::uint64_t number, int depth) {
    Entry entry;
    entry.value = static_cast<int>(number);
    entry.bound = kBoth;
    entry.depth = depth;
    put(view, key_of(view, number), entry);
}

bool holds(const TableView& view, std::uint64_t number) {
    const Entry found = probe(view, key_of(view, number));
    return found.bound == kBoth && found.value == static_cast<int>(number);
}

int entries(const TranspositionTable& table) {
    int count = 0;
    table.each([&](std::uint64_t, std::uint64_t) { ++count; });
    return count;
}

TEST_CASE("a bucket holds eight boards and a ninth takes the place of the shallowest") {
    for (const int seeds : {48, 96}) {
        TranspositionTable table(TranspositionTable::kWideLeastMebibytes);
        REQUIRE(table.begin_search(seeds));
        const TableView& view = table.view();
        for (std::uint64_t i = 0; i < kBucketEntries; ++i) put_at(view, i, i == 3 ? 4 : 9);
        for (std::uint64_t i = 0; i < kBucketEntries; ++i) CHECK(holds(view, i));
        CHECK(entries(table) == static_cast<int>(kBucketEntries));
        put_at(view, 8, 1);
        for (std::uint64_t i = 0; i <= kBucketEntries; ++i) CHECK(holds(view, i) == (i != 3));
    }
}

TEST_CASE("a board has one entry and the last one stays") {
    TranspositionTable table(1);
    REQUIRE(table.begin_search(48));
    for (const unsigned number : {0U, 1U, 2U}) put_at(table.view(), number, 9);
    put_at(table.view(), 1, 2);
    CHECK(entries(table) == 3);
    CHECK(probe(table.view(), key_of(table.view(), 1)).depth == 2);
}

TEST_CASE("what an older search left goes before what the present one found") {
    TranspositionTable table(1);
    REQUIRE(table.begin_search(48));
    for (std::uint64_t i = 0; i < kBucketEntries; ++i) put_at(table.view(), i, 100);
    REQUIRE(table.begin_search(48));
    for (std::uint64_t i = 10; i < 10 + kBucketEntries; ++i) put_at(table.view(), i, 1);
    for (std::uint64_t i = 10; i < 10 + kBucketEntries; ++i) CHECK(holds(table.view(), i));
    for (std::uint64_t i = 0; i < kBucketEntries; ++i) CHECK(!holds(table.view(), i));
}

}  // namespace
