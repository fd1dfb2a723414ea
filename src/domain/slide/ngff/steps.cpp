// Images, passes, strips and bands in the order in which steps are counted.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/ngff/steps.h"

#include "device/workers.h"
#include "domain/slide/ngff/groups.h"

namespace sluice::slide::ome {

Status Steps::run(Purpose purpose) {
    index step = 0;
    for (std::size_t i = 0; i < work_.plan.images.size(); ++i)
        SLUICE_CHECK(image(i, purpose, step));
    return {};
}

Status Steps::image(std::size_t number, Purpose purpose, index& step) {
    ImagePlan const& plan = work_.plan.images[number];
    SLUICE_TRY(auto levels, open_levels(work_, plan));
    Output output{work_.plan, plan, std::move(levels), purpose, work_.options.fill};
    for (Pass const& p : plan.passes) SLUICE_CHECK(pass(output, p, number, step));
    if (purpose == Purpose::compare) return {};
    return write_image(work_, number);
}

// Of one band of all lanes, in the full resolution.
std::uint64_t Steps::bytes_of(LevelPlan const& source, Pass const& pass, index strip, index band,
                              std::size_t lanes) const {
    return static_cast<std::uint64_t>(
        std::min(work_.plan.block, source.height - band * work_.plan.block) *
        std::min(pass.strip, source.width - strip * pass.strip) * work_.plan.pixel_bytes() *
        static_cast<index>(lanes));
}

Status Steps::begin_strip(std::vector<Cascade>& lanes, Output const& output, index first,
                          index strip, index bands) const {
    for (std::size_t k = 0; k < lanes.size(); ++k)
        SLUICE_CHECK(lanes[k].begin(
            place_of(output.image, first + static_cast<index>(k), work_.plan.samples), strip,
            bands));
    return {};
}

Status Steps::pass(Output& output, Pass const& pass, std::size_t number, index& step) {
    ImagePlan const& image = output.image;
    LevelPlan const& source = image.levels[static_cast<std::size_t>(pass.source)];
    index const strips = ceil_div(source.width, pass.strip);
    index const bands = ceil_div(source.height, work_.plan.block);
    std::vector<Cascade> lanes;
    for (index first = 0; first < image.planes(); first += image.lanes) {
        auto const n = static_cast<std::size_t>(std::min(image.lanes, image.planes() - first));
        while (lanes.size() > n) lanes.pop_back();
        while (lanes.size() < n) lanes.emplace_back(output, pass);
        for (index strip = 0; strip < strips; ++strip) {
            // Whether the lanes hold what came before the band.
            bool current = false;
            for (index b = 0; b < bands; ++b, ++step) {
                if (output.purpose == Purpose::write && work_.kept.contains(step)) {
                    current = false;
                    if (pass.source == 0) work_.done += bytes_of(source, pass, strip, b, n);
                    continue;
                }
                if (!current) SLUICE_CHECK(begin_strip(lanes, output, first, strip, b));
                current = true;
                output.step = {.step = step, .image = static_cast<index>(number)};
                output.step.ranges.resize(image.components.size());
                SLUICE_CHECK(this->step(lanes, output, pass, first));
            }
        }
    }
    return {};
}

// What is written is in the journal, and what is not equal when it is read again is taken out.
Status Steps::step(std::vector<Cascade>& lanes, Output& output, Pass const& pass, index first) {
    Status done = band(lanes, output, pass, first);
    if (output.purpose == Purpose::write) {
        SLUICE_CHECK(done);
        work_.count(output.step);
        return work_.journal->add(output.step);
    }
    work_.report.chunks_verified += output.step.chunks;
    bool const unequal = !done && done.error().code != Code::cancelled;
    if (unequal) SLUICE_CHECK(work_.journal->take_back(output.step.step));
    return done;
}

Status Steps::band(std::vector<Cascade>& lanes, Output& output, Pass const& pass, index first) {
    if (!work_.go_on(0)) return Error{Code::cancelled, "stopped"};
    auto const one = [&](std::size_t k, bool alone) -> Status {
        SLUICE_CHECK(pass.source == 0
                         ? rows_.fill(lanes[k], output, first + static_cast<index>(k), alone)
                         : lanes[k].load());
        return lanes[k].finish();
    };
    std::uint64_t bytes = 0;
    for (Cascade const& lane : lanes)
        bytes += static_cast<std::uint64_t>(lane.where().width * lane.where().height *
                                            work_.plan.pixel_bytes());
    // Reading was told as the first half. Of several lanes nobody knows how far all are together.
    std::uint64_t const half = pass.source == 0 && lanes.size() == 1 ? bytes / 2 : 0;
    std::mutex telling;
    output.go_on = [&](double part) {
        std::unique_lock const lock(telling, std::try_to_lock);
        return !lock.owns_lock() ||
               work_.go_on(half + static_cast<std::uint64_t>(part * static_cast<double>(half)));
    };
    std::vector<Status> statuses(lanes.size());
    if (lanes.size() == 1)
        statuses[0] = one(0, true);
    else
        parallel_for(static_cast<index>(lanes.size()), work_.plan.threads, 1, [&](index k, int) {
            statuses[static_cast<std::size_t>(k)] = one(static_cast<std::size_t>(k), false);
        });
    for (Status& s : statuses)
        if (!s) return std::move(s);
    if (pass.source == 0) work_.done += bytes;
    return {};
}

}  // namespace sluice::slide::ome
