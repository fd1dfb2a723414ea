// Images, passes, planes, runs and bands in the order in which steps are counted.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/ngff/steps.h"

#include "device/share_out.h"
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
    output.step.image = static_cast<index>(number);
    for (Pass const& p : plan.passes) SLUICE_CHECK(pass(output, p, step));
    if (purpose == Purpose::compare) return {};
    return write_image(work_, number);
}

Status Steps::pass(Output& output, Pass const& pass, index& step) {
    ImagePlan const& image = output.image;
    std::vector<Cascade> lanes;
    for (std::size_t first = 0; first < image.planes.size();) {
        std::size_t const n =
            std::min(static_cast<std::size_t>(image.lanes), image.planes.size() - first);
        Planes const planes = Planes(image.planes).subspan(first, n);
        while (lanes.size() > n) lanes.pop_back();
        while (lanes.size() < n) lanes.emplace_back(output, pass);
        for (BandRun const& r : runs_of(image, pass, work_.plan.block, planes))
            SLUICE_CHECK(run(lanes, output, pass, planes, r, step));
        first += n;
    }
    return {};
}

Status Steps::run(std::vector<Cascade>& lanes, Output& output, Pass const& pass, Planes planes,
                  BandRun const& run, index& step) {
    // Whether the lanes hold what came before the band.
    bool current = false;
    for (index b = run.first; b < run.first + run.bands; ++b, ++step) {
        if (output.purpose == Purpose::write && work_.kept.contains(step)) {
            current = false;
            if (pass.source == 0)
                work_.done += bytes_of(work_.plan, output.image, run, b) * planes.size();
            continue;
        }
        for (std::size_t k = 0; k < lanes.size() && !current; ++k)
            SLUICE_CHECK(lanes[k].begin(place_of(planes[k], work_.plan.samples), run, b));
        current = true;
        output.step = {.step = step, .image = output.step.image};
        SLUICE_CHECK(this->step(lanes, output, pass, planes));
    }
    return {};
}

// Written files are in the journal; a file that differs when it is read again is taken out.
Status Steps::step(std::vector<Cascade>& lanes, Output& output, Pass const& pass, Planes planes) {
    Status done = band(lanes, output, pass, planes);
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

Status Steps::band(std::vector<Cascade>& lanes, Output& output, Pass const& pass, Planes planes) {
    if (!work_.go_on(0)) return cancelled();
    bool const alone = lanes.size() == 1;
    auto const one = [&](index i, int) -> Status {
        auto const k = static_cast<std::size_t>(i);
        SLUICE_CHECK(pass.source == 0 ? rows_.fill(lanes[k], output, planes[k], alone)
                                      : lanes[k].load());
        return lanes[k].finish();
    };
    std::uint64_t bytes = 0;
    for (Cascade const& lane : lanes)
        bytes += static_cast<std::uint64_t>(lane.where().width * lane.where().height *
                                            work_.plan.pixel_bytes());
    // Reading was reported as the first half. With several lanes the total progress is not known.
    std::uint64_t const half = pass.source == 0 && alone ? bytes / 2 : 0;
    Run asked([&](index) { return work_.go_on(0); });
    output.go_on = [&](double part) {
        if (!alone) return asked.wanted();
        return work_.go_on(half + static_cast<std::uint64_t>(part * static_cast<double>(half)));
    };
    SLUICE_CHECK(alone ? one(0, 0) : share_out(std::ssize(lanes), work_.plan.threads, one));
    if (pass.source == 0) work_.done += bytes;
    return {};
}

}  // namespace sluice::slide::ome
