// Lines of JSON, which are read with suspicion: people edit such files.
// SPDX-License-Identifier: Apache-2.0
#include "bench/history.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "base/file.h"

namespace sluice::bench {
namespace {

constexpr std::uint64_t most_bytes = std::uint64_t{64} << 20;
constexpr std::size_t most_rounds = 100000;

Error wrong(std::string_view what) {
    return {Code::corrupt, fmt::format("{} (a run of a history has it) take the line out", what)};
}

Result<std::string> text_of(Json const& j, char const* key) {
    auto const at = j.find(key);
    if (at == j.end() || !at->is_string()) return wrong(fmt::format("'{}' is no text", key));
    return at->get<std::string>();
}

Result<HistoryRow> row_of(Json const& j) {
    if (!j.is_object()) return wrong("a row is no object");
    HistoryRow row;
    SLUICE_TRY(row.benchmark, text_of(j, "benchmark"));
    SLUICE_TRY(row.name, text_of(j, "name"));
    row.rival = j.contains("rival") && j["rival"].is_boolean() && j["rival"].get<bool>();
    if (j.contains("missing")) {
        SLUICE_TRY(row.missing, text_of(j, "missing"));
    }
    auto const rounds = j.find("rounds_s");
    if (rounds == j.end()) return row;
    if (!rounds->is_array() || rounds->size() > most_rounds) return wrong("'rounds_s' is no list");
    for (Json const& s : *rounds) {
        if (!s.is_number() || !std::isfinite(s.get<double>()) || s.get<double>() < 0)
            return wrong("'rounds_s' has something that is no time");
        row.rounds_s.push_back(s.get<double>());
    }
    return row;
}

}  // namespace

std::string line_of(HistoryRun const& run) {
    Json j{{"time", run.time},           {"sluice", run.version},
           {"processor", run.processor}, {"load_before", run.load_before},
           {"session", run.session},     {"rows", Json::array()}};
    for (HistoryRow const& row : run.rows) {
        Json r{{"benchmark", row.benchmark}, {"name", row.name}, {"rival", row.rival}};
        if (row.missing.empty())
            r["rounds_s"] = row.rounds_s;
        else
            r["missing"] = row.missing;
        j["rows"].push_back(std::move(r));
    }
    return j.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<HistoryRun> parse_line(std::string_view line) {
    Json const j = Json::parse(line, nullptr, false);
    if (!j.is_object()) return wrong("it is no object of JSON");
    HistoryRun run;
    SLUICE_TRY(run.time, text_of(j, "time"));
    SLUICE_TRY(run.version, text_of(j, "sluice"));
    SLUICE_TRY(run.processor, text_of(j, "processor"));
    SLUICE_TRY(run.session, text_of(j, "session"));
    auto const load = j.find("load_before");
    if (load == j.end() || !load->is_number()) return wrong("'load_before' is no number");
    run.load_before = load->get<double>();
    auto const rows = j.find("rows");
    if (rows == j.end() || !rows->is_array()) return wrong("'rows' is no list");
    for (Json const& row : *rows) {
        SLUICE_TRY(HistoryRow one, row_of(row));
        run.rows.push_back(std::move(one));
    }
    return run;
}

Result<std::vector<HistoryRun>> load_history(std::string const& path) {
    std::vector<HistoryRun> runs;
    std::error_code error;
    if (!std::filesystem::exists(path, error)) return runs;
    SLUICE_TRY(auto const bytes, read_file(path, most_bytes));
    std::string_view text(reinterpret_cast<char const*>(bytes.data()), bytes.size());
    for (int line = 1; !text.empty(); ++line) {
        std::size_t const end = std::min(text.find('\n'), text.size());
        std::string_view const one = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (one.find_first_not_of(" \t\r") == one.npos) continue;
        auto run = parse_line(one);
        if (!run)
            return Error{run.error().code, fmt::format("line {}: {}", line, run.error().message),
                         path};
        runs.push_back(*std::move(run));
    }
    return runs;
}

Status add_to_history(std::string const& path, HistoryRun const& run) {
    SLUICE_TRY(auto const runs, load_history(path));
    std::string text;
    for (HistoryRun const& one : runs) text += line_of(one) + "\n";
    text += line_of(run) + "\n";
    return save_text(path, text);
}

}  // namespace sluice::bench
