// Tablebases for Python: long work runs without the GIL, and Ctrl-C ends it.
#include "wari/tablebase.hpp"

#include <pybind11/typing.h>

#include <string>
#include <tuple>

#include "calls.hpp"
#include "convert.hpp"

namespace wari::python {
namespace {

using TableHandle = std::shared_ptr<Tablebase>;
/// Layer, last layer, boards done, boards in all, seconds, boards a second, seconds left, verifying.
using ProgressTuple = std::tuple<int, int, std::uint64_t, std::uint64_t, double, double, double, bool>;
using ProgressCall = std::optional<py::typing::Callable<py::object(ProgressTuple)>>;
/// Letter, lower, upper, distance.
using MoveTuple = std::tuple<std::string, int, int, int>;
/// Lower, upper, mover, other, distance, is the game over, reason, best moves.
using ProbeTuple = std::tuple<int, int, int, int, int, bool, std::string_view, std::vector<MoveTuple>>;

py::tuple progress_tuple(const BuildProgress& at) {
    return py::make_tuple(ProgressTuple{at.layer, at.seeds, at.done, at.total, at.seconds,
                                        at.boards_per_second, at.seconds_left, at.verifying});
}

TableHandle handle(TablebasePtr table) { return std::const_pointer_cast<Tablebase>(std::move(table)); }

TablePacking packing_from(std::string_view text) {
    if (text == "auto") return TablePacking::automatic;
    if (text == "fast") return TablePacking::fast;
    if (text == "dense") return TablePacking::dense;
    raise({ErrorKind::bad_value, "packing",
           "packing: expected 'auto', 'fast' or 'dense', not '" + std::string(text) + "'"});
}

VerifyLevel level_from(std::string_view text) {
    for (const auto level : {VerifyLevel::none, VerifyLevel::rebuilt, VerifyLevel::full}) {
        if (to_text(level) == text) return level;
    }
    raise({ErrorKind::bad_value, "level",
           "level: expected 'rebuilt' or 'full', not '" + std::string(text) + "'"});
}

std::optional<TableKind> kind_from(std::optional<std::string_view> text) {
    if (!text.has_value()) return std::nullopt;
    if (*text == "value") return TableKind::value;
    if (*text == "force") return TableKind::force;
    raise({ErrorKind::bad_value, "kind",
           "kind: expected 'value' or 'force', not '" + std::string(*text) + "'"});
}

TableHandle build(const Rules& rules, int seeds, int threads, std::uint64_t memory, std::string_view verify,
                  FileName path, std::string_view packing, std::optional<std::string_view> kind, bool wait,
                  bool repair, const ProgressCall& progress) {
    Call call;
    BuildOptions options;
    options.seeds = seeds;
    options.threads = threads;
    options.memory_limit = memory;
    options.verify = level_from(verify);
    options.path = std::move(path.bytes);
    options.packing = packing_from(packing);
    options.kind = kind_from(kind);
    options.wait = wait;
    options.repair = repair;
    options.task = call.task<BuildProgress>(progress, progress_tuple);
    return handle(unwrap(call.run([&] { return Tablebase::build(rules, options); })));
}

void verify(const Tablebase& table, std::string_view level, int threads, std::uint64_t memory,
            const ProgressCall& progress) {
    Call call;
    VerifyOptions options;
    options.level = level_from(level);
    options.threads = threads;
    options.memory_limit = memory;
    options.task = call.task<BuildProgress>(progress, progress_tuple);
    check(call.run([&] { return table.verify(options); }));
}

ProbeTuple probe(const Tablebase& table, const Position& position, int quiet_plies) {
    Call call;  // a layer may have to be looked through
    ProbeOptions options;
    options.quiet_plies = quiet_plies;
    const Task<> task = call.task();
    options.task = &task;
    const Probe found = unwrap(call.run([&] { return table.probe(position.board(), options); }));
    std::vector<MoveTuple> moves;
    for (int i = 0; i < found.best_count; ++i) {
        const ProbeMove& move = found.best[static_cast<std::size_t>(i)];
        moves.emplace_back(std::string(1, position.move_of(move.pit).letter), move.bounds.lower,
                           move.bounds.upper, move.distance);
    }
    return {found.bounds.lower, found.bounds.upper, found.mover,           found.other,
            found.distance,     found.over,         to_text(found.reason), std::move(moves)};
}

template <class T>
std::span<T> span_of(const py::buffer_info& info) {
    return {static_cast<T*>(info.ptr), static_cast<std::size_t>(info.size)};
}

// The Python side has made the arrays: contiguous, of the right type. The stub calls them anything, since
// not every Python that wari runs on has a name for buffers.
void probe_many(const Tablebase& table, const py::object& pits, const py::object& lower,
                const py::object& upper, int threads) {
    const py::buffer_info in = pits.cast<py::buffer>().request();
    const py::buffer_info low = lower.cast<py::buffer>().request(true);
    const py::buffer_info high = upper.cast<py::buffer>().request(true);
    Call call;
    check(call.run([&] {
        return table.probe_many(span_of<const std::uint8_t>(in), span_of<std::int8_t>(low),
                                span_of<std::int8_t>(high), threads, call.task());
    }));
}

std::vector<std::tuple<int, int, std::uint64_t>> distribution(const Tablebase& table, int layer,
                                                              int threads) {
    Call call;
    auto result = call.run([&] { return table.distribution(layer, threads, call.task()); });
    std::vector<std::tuple<int, int, std::uint64_t>> entries;
    for (const EntryCount& entry : unwrap(std::move(result))) {
        entries.emplace_back(entry.mover, entry.other, entry.boards);
    }
    return entries;
}

void save(const Tablebase& table, const FileName& path, std::string_view packing, int threads) {
    const TablePacking chosen = packing_from(packing);
    Call call;
    check(call.run([&] { return table.save(path.bytes, chosen, threads, call.task()); }));
}

std::tuple<std::uint64_t, std::uint64_t, std::uint64_t> needs(const Rules& rules, int seeds, int threads,
                                                              bool verify, bool file,
                                                              std::string_view packing) {
    if (seeds < 0 || seeds > kMaxTableSeeds) {
        raise({ErrorKind::bad_value, "seeds",
               "seeds: expected 0 to " + std::to_string(kMaxTableSeeds) + ", not " + std::to_string(seeds)});
    }
    if (threads < 1 || threads > kMaxThreads) {
        raise({ErrorKind::bad_value, "threads",
               "threads: expected 1 to " + std::to_string(kMaxThreads) + ", not " + std::to_string(threads)});
    }
    BuildOptions options;
    options.seeds = seeds;
    options.threads = threads;
    options.verify = verify ? VerifyLevel::rebuilt : VerifyLevel::none;
    options.packing = packing_from(packing);
    if (file) options.path = "table";
    const BuildNeeds needed = build_needs(rules, options);
    return {needed.memory, needed.disk, needed.boards};
}

}  // namespace

void bind_tablebase(py::module_& m) {
    m.attr("MAX_TABLE_SEEDS") = kMaxTableSeeds;
    m.def(
        "table_kind", [](const Rules& rules) { return to_text(kind_of(rules)); }, py::arg("rules"),
        "The kind of table that the rules need.");
    m.def("same_tables", &same_tables, py::arg("a"), py::arg("b"),
          "Do the two rule sets share their tables?");
    m.def("build_needs", &needs, py::arg("rules"), py::arg("seeds"), py::kw_only(), py::arg("threads"),
          py::arg("verify"), py::arg("file"), py::arg("packing"), "Bytes of memory and of disk, and boards.");
    py::class_<Tablebase, TableHandle>(m, "Tablebase", "Endgame tables of one rule set.")
        .def_static("build", &build, py::arg("rules"), py::kw_only(), py::arg("seeds"), py::arg("threads"),
                    py::arg("memory"), py::arg("verify"), py::arg("path"), py::arg("packing"),
                    py::arg("kind"), py::arg("wait"), py::arg("repair"), py::arg("progress"),
                    "Builds all layers up to a number of seeds.")
        .def_static(
            "open",
            [](const FileName& path, std::uint64_t cache_bytes) {
                Call call;
                return handle(unwrap(call.run([&] { return Tablebase::open(path.bytes, {cache_bytes}); })));
            },
            py::arg("path"), py::arg("cache_bytes"), "Opens a table file.")
        .def_property_readonly("seeds", &Tablebase::seeds, "The largest layer.")
        .def_property_readonly(
            "kind", [](const Tablebase& t) { return to_text(t.kind()); }, "value or force.")
        .def_property_readonly(
            "rules", [](const Tablebase& t) { return Rules(t.rules()); }, "The rules.")
        .def_property_readonly(
            "path", [](const Tablebase& t) { return FileName{t.path()}; }, "The file, or ''.")
        .def_property_readonly("file_bytes", &Tablebase::file_bytes, "Size of the file.")
        .def_property_readonly(
            "verified", [](const Tablebase& t) { return to_text(t.verified()); },
            "How the build verified it: none, rebuilt or full.")
        .def("probe", &probe, py::arg("position"), py::arg("quiet_plies"), "All that is known of a position.")
        .def("probe_many", &probe_many, py::arg("pits"), py::arg("lower"), py::arg("upper"),
             py::arg("threads"), "Bounds of many boards.")
        .def("verify", &verify, py::kw_only(), py::arg("level"), py::arg("threads"), py::arg("memory"),
             py::arg("progress"), "Solves the table again and compares; checks by the general rules.")
        .def("distribution", &distribution, py::arg("layer"), py::arg("threads"), "Counts of the entries.")
        .def("save", &save, py::arg("path"), py::arg("packing"), py::arg("threads"),
             "Writes the table as a file.");
}

}  // namespace wari::python
