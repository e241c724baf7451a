// The numbers that the search was tuned with, and what each idea behind them was measured to be worth.
//
// Worth is given as the nodes of the bench's thirty positions without the idea, as a multiple of those with
// it (python benchmarks/ideas.py), as points of matches (wari match), or as time; docs/search.md has the
// whole tables.
#pragma once

#include <cstdint>

#include "wari/score.hpp"

namespace wari::parameters {

// Late move reductions: quiet moves late in the order are searched less deep; 5.77 times the nodes without,
// 53 to 60 % of the points with. The first move (from 0) and the least depth for a ply, and for two plies.
inline constexpr int kReductionFirstMove = 2;
inline constexpr int kReductionLeastDepth = 3;
inline constexpr int kTwoPliesFirstMove = 3;
inline constexpr int kTwoPliesLeastDepth = 5;

// Null windows for all but the first move of a PV node: 4.52 times the nodes without.
inline constexpr int kNullWindow = 1;

// Aspiration: the first window at the root, to either side of the last value, four times as wide at each
// failure; 1.01 times the nodes without.
inline constexpr int kAspiration = kSeedUnits / 2;
inline constexpr int kAspirationLeastDepth = 4;
inline constexpr int kAspirationWidest = 24 * kSeedUnits;  ///< as good as infinite

// ABDADA: children that another thread searches are deferred, in nodes of this depth at least; two threads
// reach depth 26 in 1 / 1.65 of the time, without it in 1 / 0.95.
inline constexpr int kInProgressLeastDepth = 6;
inline constexpr int kInProgressBits = 10;  ///< of the number of marks

// Iterations, and questions of a proof, of at least so many plies are shared by the threads: shorter ones
// cost more to start than they save.
inline constexpr int kThreadsLeastDepth = 4;
inline constexpr int kProofThreadsLeastDepth = 8;

// Nodes between two looks at the clock, some 0.5 ms.
inline constexpr std::uint64_t kPollInterval = 4096;

// Table files. A cold block takes as long to unpack as so many nodes to search, the caches that it spoils
// counted (16 to 27 us). Inside the tree one is unpacked from this depth on, for one part in so many of the
// nodes; ahead of the search for these parts of the time passed, and of the time planned before it begins.
inline constexpr std::uint64_t kNodesABlock = 400;
inline constexpr int kUnpackLeastDepth = 4;
inline constexpr std::uint64_t kUnpackOneIn = 8;
inline constexpr double kUnpackShare = 0.1;
inline constexpr double kUnpackFirstShare = 0.04;
inline constexpr double kUnpackFirstSeconds = 0.5;

// Distances within tables: the part of the time in which one is looked for, and the bytes of a layer that are
// solved in a second. Where depth or nodes are the limit no clock may decide: then layers of up to
// kAlwaysSolved bytes (14 seeds; half a second, once), and one byte more for every kNodesAByteSolved nodes of
// the limit.
inline constexpr double kDistanceShare = 0.25;
inline constexpr double kSolvedBytesASecond = 10e6;
inline constexpr std::uint64_t kAlwaysSolved = 9'000'000;
inline constexpr std::uint64_t kNodesAByteSolved = 4;

// A move that nothing can change is searched for so many nodes: enough for a value. A line that a table is
// sure of is searched this deep at most, to have some of it to show.
inline constexpr std::uint64_t kSettledNodes = 20'000;
inline constexpr int kMostPliesToShow = 16;

// Time. Kept back for the way from the last node to the answer, in seconds: of a clock, of the time of one
// search.
inline constexpr double kClockReserve = 0.010;
inline constexpr double kAnswerReserve = 0.003;
// A game has some 60 plies, 30 a side; with fewer moves to go the time is split among those.
inline constexpr double kMovesAhead = 24;
inline constexpr double kIncrementShare = 0.8;
inline constexpr double kMostOfClock = 0.4;
inline constexpr double kHardShares = 2.5;  ///< of the share of one move, until the search ends
/// An iteration takes about twice as long as all before it: past so many shares none is begun.
inline constexpr double kSoftShares = 0.6;

// The first guess of a proof: some 30 ms, and no more than one part in so many of the limit.
inline constexpr std::uint64_t kGuessNodes = 200'000;
inline constexpr std::uint64_t kGuessOneIn = 10;

}  // namespace wari::parameters
