// What a configuration and the command line of `sluice stem4d analyze` say together.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/stem4d/analyze_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "app/cli/shell/terminal.h"
#include "domain/stem4d/words.h"
#include "format/fields.h"
#include "store/fields.h"

namespace sluice::cli {
namespace {

using Given = std::vector<Verb::Given>;

bool has(Given const& given, std::string_view option) {
    return std::ranges::any_of(given, [&](Verb::Given const& one) { return one.option == option; });
}

// Takes the values of the fields that the command line does not give.
template <class T>
Status take(config::Fields<T> fields, T const& from, Given const& given, T& into) {
    T const usual{};
    for (auto const& field : fields) {
        std::string const text = field.text(from);
        if (has(given, option_of(field, usual).name) || text == field.text(usual)) continue;
        SLUICE_CHECK(field.set(into, text));
    }
    return {};
}

// Two names may differ and still be saved under one.
Status check_names(stem4d::AnalysisPlan const& plan) {
    std::vector<std::string> names;
    for (auto const& part : plan.images)
        for (auto const& d : part.detectors) names.push_back(d.name);
    for (auto const& part : plan.patterns)
        for (auto const kind : part.kinds)
            names.push_back(
                stem4d::name_in(part.name, fmt::format("pattern_{}", config::word_of(kind))));
    for (auto const& part : plan.moments)
        for (char const* const picture : {"com", "com_rotated"})
            names.push_back(stem4d::name_in(part.name, picture));
    std::map<std::string, std::string> taken;
    for (std::string const& name : names) {
        auto const [other, fresh] = taken.emplace(file_name_of(name), name);
        if (!fresh)
            return Error{Code::invalid_argument,
                         fmt::format("'{}' and '{}' would be saved under one name; name their "
                                     "parts apart",
                                     other->second, name)};
    }
    return {};
}

}  // namespace

Result<stem4d::AnalysisPlan> read_plan(std::string const& path, Given const& given,
                                       Stem4dJob& job) {
    SLUICE_TRY(stem4d::AnalysisConfig config, stem4d::read_analysis(path));
    for (std::string const& note : config.notes) say(stderr, "sluice: warning: {}\n", note);
    if (Status s = check_names(config.plan); !s)
        return Error{s.error().code, s.error().message, path};
    DataOptions& data = job.data;
    if (data.paths.empty()) data.paths = config.scan;
    if (data.paths.empty())
        return Error{Code::invalid_argument,
                     "names no scan; add scan = \"scan_master.h5\" before the first table, or name "
                     "it behind the file",
                     path};
    SLUICE_CHECK(take(open_fields(), config.open, given, data.series.open));
    SLUICE_CHECK(take(load_fields(), config.load, given, data.load));
    SLUICE_CHECK(take(config::Fields<LoadOptions>(&detector_step_field(), 1), config.load, given,
                      data.load));
    if (!has(given, "--mask")) data.mask = config.mask;
    if (!has(given, "--stream")) data.load.residency = config.load.residency;
    for (auto& part : config.plan.disks) part.open_vacuum = data.series.open;
    if (job.output.folder.empty()) job.output.folder = std::filesystem::path(path).stem().string();
    return std::move(config.plan);
}

}  // namespace sluice::cli
