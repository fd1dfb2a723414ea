// Answers about finished results.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/ptychography/results.h"

#include <fmt/format.h>

#include "app/view/engine.h"
#include "app/view/ptychography/result_facts.h"

namespace sluice::app {
namespace {

using What = MonitorRequest::What;

Status add_plane(ArrayMessage& message, Array<std::complex<float>> const& planes,
                 std::string const& what, std::int64_t number) {
    if (number >= planes.shape[0]) return no_such(what, number);
    index const rows = planes.shape[1], cols = planes.shape[2];
    auto const pixels = static_cast<std::size_t>(rows * cols);
    add_wave(message, rows, cols,
             std::span(planes.values).subspan(static_cast<std::size_t>(number) * pixels, pixels));
    return {};
}

Status add_answer(ArrayMessage& message, MonitorRequest const& request,
                  stem4d::PtychographyResult const& r) {
    switch (request.what) {
        case What::object:
            return add_plane(message, r.object, "slice", request.number);
        case What::probe:
            return add_plane(message, r.probe, "mode", request.number);
        case What::positions:
            add_positions(message, r.positions, r.started);
            return {};
        default:
            auto const from = std::min(static_cast<std::size_t>(request.number), r.rounds.size());
            add_curve(message, std::span(r.rounds).subspan(from));
            return {};
    }
}

}  // namespace

Results::Results(std::vector<ShownResult> results, std::vector<std::string> notes)
    : results_(std::move(results)), notes_(std::move(notes)) {
    expects(!results_.empty());
    for (auto const& one : results_) told_.push_back(told_result(one, told_.size() + 1));
}

Json Results::hello() const {
    return {{"job", told_[0]["job"]}, {"state", told_[0]["state"]}, {"results", told_}};
}

Result<Work> Results::understand(std::string const& op, Fields const& fields) {
    SLUICE_TRY(MonitorRequest const request, parse_monitor_request(op, fields));
    Work work;
    work.echo = echo(request);
    work.at_once = request.what == What::shown;
    work.answer = [this, request](Engine& engine, Job const& job) { answer(request, engine, job); };
    return work;
}

void Results::answer(MonitorRequest const& request, Engine& engine, Job const& job) const {
    if (request.what == What::shown) return engine.done(job);
    // The first one, where a request names none.
    std::size_t const which = request.job > 0 ? static_cast<std::size_t>(request.job) - 1 : 0;
    if (which >= results_.size()) return engine.refuse(job, no_such("job", request.job));
    auto const& result = results_[which].saved.result;
    ArrayMessage message;
    if (auto const added = add_answer(message, request, result); !added)
        return engine.refuse(job, added.error());
    Json header = header_of(job);
    header["job"] = which + 1;
    header["snapshot"] = 1;
    header["iteration"] = result.rounds.size();
    engine.finish(job, message.finish(std::move(header)));
}

}  // namespace sluice::app
