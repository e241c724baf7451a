// The ways to value a leaf, by name.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "wari/error.hpp"
#include "wari/export.hpp"

namespace wari {

/// How leaves are valued, weakest first.
enum class EvaluationKind : std::uint8_t { material, linear, network };
inline constexpr EvaluationKind kBestEvaluation = EvaluationKind::network;
/// The names of the kinds, in their order.
WARI_API std::span<const std::string_view> evaluations() noexcept;
WARI_API std::string_view to_text(EvaluationKind kind) noexcept;
WARI_API Expected<EvaluationKind> parse_evaluation(std::string_view text);

}  // namespace wari
