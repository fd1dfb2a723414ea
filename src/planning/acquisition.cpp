// A chain of detector, network, decoding and disk, and the link of it that breaks first.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/acquisition.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/plural.h"
#include "doctor/amounts.h"
#include "doctor/disk.h"
#include "doctor/work.h"

namespace sluice {
namespace {

Status check(AcquisitionOptions const& o) {
    if (!(o.rate >= 0 && o.rate < 1e12))
        return Error{Code::invalid_argument, "the rate is a number of frames or hits a second"};
    if (!(o.compression >= 1 && o.compression < 1e6))
        return Error{Code::invalid_argument,
                     "the compression is how many times smaller frames are sent; give 1 or more"};
    return {};
}

std::string advice_for(AcquisitionStage const& s, DetectorModel const& d) {
    std::string const many =
        doctor::amount(s.frames_per_s, d.hits() ? "hits/s" : "frames/s") + " pass";
    if (s.name == "detector") return "the detector makes no more: ask for less";
    if (s.name == "network")
        return fmt::format(
            "{}: a faster network, compression in the detector, fewer bits or a "
            "smaller region of it",
            many);
    if (s.name == "decoding")
        return fmt::format(
            "{}: more cores, or record first and look later (`sluice live "
            "--record`)",
            many);
    return fmt::format("{}: a faster disk, several disks, or results alone without the frames",
                       many);
}

class Chain {
  public:
    Chain(AcquisitionPlan& plan, double compression) : plan_(plan), compression_(compression) {}

    // `values` are bytes as they are before and after they are sent.
    void add(std::string name, double can, bool values, std::string basis) {
        if (can <= 0) return;
        double const unit = plan_.detector.bytes() / (values ? 1 : compression_);
        plan_.stages.push_back({std::move(name), plan_.rate * unit, can, can / unit,
                                can / (plan_.rate * unit), std::move(basis)});
    }

  private:
    AcquisitionPlan& plan_;
    double compression_;
};

}  // namespace

Result<AcquisitionPlan> plan_acquisition(DetectorModel const& detector,
                                         AcquisitionOptions const& o) {
    SLUICE_CHECK(check(o));
    AcquisitionPlan plan;
    plan.detector = detector;
    plan.rate = o.rate > 0 ? o.rate : detector.most_per_s;
    if (plan.rate <= 0)
        return Error{Code::invalid_argument,
                     fmt::format("no source says how fast {} is; give --rate", detector.name)};
    Chain chain(plan, o.compression);
    chain.add("detector", detector.most_per_s * detector.bytes(), true, detector.source);
    chain.add("network", o.network.bytes_per_s, false,
              fmt::format("{}, 1460 of 1538 bytes are data", o.network.name));
    chain.add("decoding", o.decode_bytes_per_s, true, o.decode_basis);
    chain.add("disk", o.disk_bytes_per_s, false, o.disk_basis);
    if (plan.stages.empty())
        return Error{Code::invalid_argument,
                     "there is nothing that could break (no network, disk or greatest rate is "
                     "known) give --network or --disk"};
    for (std::size_t i = 0; i < plan.stages.size(); ++i)
        if (plan.stages[i].room < plan.stages[plan.least].room) plan.least = i;
    plan.breaks = plan.stages[plan.least].room < 1;
    for (AcquisitionStage const& s : plan.stages)
        if (s.room < 1) plan.advice.push_back(s.name + ": " + advice_for(s, detector));
    return plan;
}

Status measure_acquisition(AcquisitionOptions& o, std::string const& folder, int threads) {
    if (o.decode_bytes_per_s <= 0) {
        constexpr int frames = 64, rounds = 7;
        SLUICE_TRY(auto const found, doctor::measure_decoding(threads, frames, rounds, 1));
        o.decode_bytes_per_s = found.all.value();
        o.decode_basis = fmt::format("measured: bitshuffle and LZ4 of 192x192 counts, {}{}",
                                     plural(threads, "thread"),
                                     found.all.quiet() ? "" : "; not on a quiet machine");
    }
    if (o.disk_bytes_per_s <= 0) {
        constexpr std::uint64_t most = std::uint64_t{512} << 20;
        std::uint64_t const bytes = std::min(most, doctor::free_bytes(folder) / 8);
        SLUICE_TRY(auto const disk, doctor::measure_disk(folder, bytes, {.most_s = 0.7}));
        o.disk_bytes_per_s = disk.write.taken() ? disk.write.value() : 0;
        o.disk_basis = fmt::format("measured: written in order and flushed, in {}", folder);
    }
    return {};
}

}  // namespace sluice
