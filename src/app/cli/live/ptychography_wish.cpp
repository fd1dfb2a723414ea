// What `sluice live --ptychography` is asked for.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "app/cli/live/ptychography.h"

namespace sluice::cli {
namespace {

// Words that `sluice live` uses for something else.
std::map<std::string, std::string> other_names() {
    std::map<std::string, std::string> names;
    for (std::string const word : {"positions", "rotation", "set", "transpose", "vacuum"})
        names["--" + word] = "--ptychography-" + word;
    return names;
}

Error wrong(std::string message) {
    return {Code::invalid_argument, std::move(message)};
}

}  // namespace

void PtychographyWish::add(Verb const& app) {
    std::vector<std::string> const before = app.names();
    app.add_flag("--ptychography", wanted,
                 "also object and probe, as `sluice stem4d ptychography`: of what has come, again "
                 "and again, and of the finished scan. All frames stay in memory");
    std::vector<std::string> const itself = app.names();
    app.add_option("--look-iterations", look_iterations,
                   "of what has come, each time, from where the last time ended; 0: only the "
                   "finished scan is reconstructed")
        ->check(in_range(0, 1000))
        ->capture_default_str();
    command.add_of_stream(app.calling(other_names()));
    command.set_name = other_names().at("--set");
    for (std::string const& name : app.names())
        if (std::ranges::find(itself, name) == itself.end()) names.push_back(name);
}

Status PtychographyWish::prepare(Stem4dJob const& job, index scans) {
    for (Verb::Given const& one : given)
        if (!wanted && std::ranges::find(names, one.option) != names.end())
            return wrong(
                fmt::format("{} has no effect (it is about ptychography) ask for that "
                            "with --ptychography",
                            one.option));
    if (!wanted) return {};
    if (!job.references.dark.empty() || !job.references.gain.empty())
        return wrong(
            "--ptychography takes frames as they are read (its noise is that of counts) leave "
            "--dark and --gain out");
    if (!command.options.checkpoint.empty() && scans != 1)
        return wrong(
            "a --checkpoint belongs to one scan (and several are received) reconstruct their "
            "recordings one after the other");
    if (command.probe.optics.semiangle_mrad > 0 && !command.probe.vacuum.empty())
        return wrong(
            "--semiangle and --ptychography-vacuum both say what the aperture is; give one of "
            "them");
    command.job = job;
    SLUICE_CHECK(command.prepare());
    std::string const& vacuum = command.probe.vacuum;
    std::error_code lacks;
    if (!vacuum.empty() && !std::filesystem::exists(vacuum, lacks))
        return Error{Code::not_found, "there is no such file (--ptychography-vacuum)", vacuum};
    return {};
}

Status PtychographyWish::serve() {
    if (!wanted) return {};
    SLUICE_TRY(auto monitor, JobMonitor::start(command.monitor));
    command.watched = std::make_shared<JobMonitor>(std::move(monitor));
    return {};
}

void PtychographyWish::conclude(Status const& status) const {
    if (command.watched) command.watched->conclude(status);
}

}  // namespace sluice::cli
