// Jobs as JSON; waves, places and curves as arrays.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/ptychography/told.h"

#include <fmt/format.h>

#include <cstring>

namespace sluice::app {

Json told_job(MonitoredJob const& job, std::uint64_t number) {
    Json stages = Json::array();
    for (auto const& stage : job.stages)
        stages.push_back({{"solver", stage.solver},
                          {"iterations", stage.iterations},
                          {"refines", stage.refines}});
    return {{"number", number},
            {"name", job.name},
            {"patterns", job.patterns},
            {"size", job.size},
            {"window", job.window > 0 ? job.window : job.size},
            {"pixel_nm", job.pixel_nm},
            {"wavelength_nm", job.wavelength_nm},
            {"slices", job.slices},
            {"slice_nm", job.slice_nm},
            {"modes", job.modes},
            {"follows", job.follows},
            {"stages", stages}};
}

void add_wave(ArrayMessage& message, index rows, index cols,
              std::span<std::complex<float> const> plane) {
    std::size_t const count = plane.size();
    std::string bytes(2 * count * sizeof(float), '\0');
    for (std::size_t i = 0; i < count; ++i) {
        float const re = plane[i].real(), im = plane[i].imag();
        std::memcpy(bytes.data() + i * sizeof(float), &re, sizeof(float));
        std::memcpy(bytes.data() + (count + i) * sizeof(float), &im, sizeof(float));
    }
    message.add_bytes("wave", "float32", {2, rows, cols}, std::move(bytes));
}

void add_positions(ArrayMessage& message, std::span<stem4d::Position const> now,
                   std::span<stem4d::Position const> started) {
    bool const known = !started.empty();
    std::vector<double> first, moved;
    for (std::size_t j = 0; j < now.size(); ++j) {
        auto const [row, col] = known ? started[j] : now[j];
        first.insert(first.end(), {row, col});
        if (known) moved.insert(moved.end(), {now[j].row - row, now[j].col - col});
    }
    index const count = std::ssize(now);
    message.add_doubles("started", {count, 2}, first);
    message.add_floats("moved", {known ? count : 0, 2}, moved);
}

void add_curve(ArrayMessage& message, std::span<stem4d::PtychographyRound const> rounds) {
    std::vector<double> r, stages;
    for (auto const& round : rounds) {
        r.push_back(round.r);
        stages.push_back(static_cast<double>(round.stage));
    }
    message.add_floats("r", {std::ssize(r)}, r);
    message.add_counts("stage", {std::ssize(r)}, stages);
}

Error no_such(std::string const& what, std::int64_t number) {
    return {Code::not_found, fmt::format("there is no {} {}", what, number)};
}

}  // namespace sluice::app
