// Values of a scan as arrays have them.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>
#include <optional>

#include "base/with_type.h"
#include "device/workers.h"
#include "kernel/planes/read_frame.h"
#include "sluice/scan_values.h"
#include "store/resident.h"

namespace sluice {
namespace {

constexpr index unit_frames = planes::tile_frames;
// From so many frames of a unit on, decoding all sixteen at once is less work than one by one.
constexpr index whole_unit = 5;

// Where a wanted frame is to go.
struct Place {
    index frame, at;
};

Status check(Scan const& scan, std::span<index const> frames, Region const& part,
             std::size_t bytes) {
    store::Plan const& plan = scan.plan();
    for (index const f : frames)
        if (f < 0 || f >= plan.frames())
            return Error{Code::invalid_argument,
                         fmt::format("frame {} (the scan has {}x{}, numbered from 0)", f,
                                     plan.scan[0], plan.scan[1])};
    if (part.row < 0 || part.col < 0 || part.rows < 0 || part.cols < 0 ||
        part.rows > plan.rows - part.row || part.cols > plan.cols - part.col)
        return Error{Code::invalid_argument,
                     fmt::format("{}x{} pixels from row {}, column {} on (the detector has {}x{})",
                                 part.rows, part.cols, part.row, part.col, plan.rows, plan.cols)};
    if (bytes !=
        static_cast<std::size_t>(std::ssize(frames) * part.rows * part.cols * size_of(plan.dtype)))
        return Error{Code::invalid_argument,
                     fmt::format("{} bytes for {} frames of {}x{} {} pixels", bytes, frames.size(),
                                 part.rows, part.cols, name_of(plan.dtype))};
    return {};
}

// One worker's way from units to the part of a frame.
class Copier {
  public:
    Copier(Scan const& scan, Region const& part, std::span<std::byte> out)
        : scan_(scan),
          plan_(scan.plan()),
          part_(part),
          out_(out),
          element_(size_of(plan_.dtype)),
          frame_bytes_(plan_.pixels() * element_) {}

    Status copy(std::span<Place const> places) {
        index const unit = places.front().frame / unit_frames;
        if (store::Resident const* const resident = scan_.resident_store())
            return from_memory(resident->unit(unit), places);
        if (!maker_) {
            maker_.emplace(scan_.dataset(), plan_, scan_.options().device.host().isa());
            values_.resize(static_cast<std::size_t>(unit_frames * frame_bytes_));
        }
        if (std::ssize(places) >= whole_unit) {
            SLUICE_CHECK(maker_->make_values(unit, values_.data()));
            for (Place const& p : places)
                cut(values_.data() + p.frame % unit_frames * frame_bytes_, p.at);
            return {};
        }
        for (Place const& p : places) {
            SLUICE_CHECK(maker_->make_frame(
                p.frame, std::span(values_).first(static_cast<std::size_t>(frame_bytes_))));
            cut(values_.data(), p.at);
        }
        return {};
    }

  private:
    Status from_memory(store::Unit const& unit, std::span<Place const> places) {
        for (Place const& p : places) {
            index const slot = p.frame % unit_frames;
            if (unit.is_tile) {
                counts_.resize(static_cast<std::size_t>(plan_.pixels()));
                planes::read_frame(unit.tile, plan_.grid(), slot, counts_.data());
                with_detector_type(plan_.dtype, [&]<class T>(T) { cut_counts<T>(p.at); });
            } else {
                cut(static_cast<std::byte const*>(unit.values.data) + slot * frame_bytes_, p.at);
            }
        }
        return {};
    }
    std::byte* target(index at, index row) const {
        return out_.data() + (at * part_.rows + row) * part_.cols * element_;
    }
    void cut(std::byte const* frame, index at) const {
        auto const bytes = static_cast<std::size_t>(part_.cols * element_);
        for (index r = 0; r < part_.rows && bytes > 0; ++r)
            std::memcpy(target(at, r),
                        frame + ((part_.row + r) * plan_.cols + part_.col) * element_, bytes);
    }
    template <class T>
    void cut_counts(index at) const {
        for (index r = 0; r < part_.rows; ++r)
            for (index c = 0; c < part_.cols; ++c) {
                auto const i =
                    static_cast<std::size_t>((part_.row + r) * plan_.cols + part_.col + c);
                T const value = static_cast<T>(counts_[i]);
                std::memcpy(target(at, r) + c * element_, &value, sizeof value);
            }
    }

    Scan const& scan_;
    store::Plan const& plan_;
    Region part_;
    std::span<std::byte> out_;
    index element_, frame_bytes_;
    std::optional<store::UnitMaker> maker_;
    std::vector<std::byte> values_;
    std::vector<double> counts_;
};

}  // namespace

Status read_frames(Scan const& scan, std::span<index const> frames, Region const& part,
                   std::span<std::byte> out, Progress const& progress) {
    SLUICE_CHECK(check(scan, frames, part, out.size()));
    std::vector<Place> places;
    places.reserve(frames.size());
    for (index i = 0; i < std::ssize(frames); ++i)
        places.push_back({frames[static_cast<std::size_t>(i)], i});
    std::ranges::sort(places, {}, &Place::frame);
    std::vector<std::size_t> begins;  // of the places in one unit
    for (std::size_t i = 0; i < places.size(); ++i)
        if (i == 0 || places[i].frame / unit_frames != places[i - 1].frame / unit_frames)
            begins.push_back(i);
    begins.push_back(places.size());

    int const threads = scan.options().device.host().threads();
    std::vector<std::optional<Copier>> copiers(static_cast<std::size_t>(std::max(1, threads)));
    std::mutex mutex;
    Status status;
    std::atomic<bool> stopped = false;
    std::uint64_t done = 0;
    parallel_for(std::ssize(begins) - 1, threads, 1, [&](index unit, int worker) {
        if (stopped) return;
        auto& copier = copiers[static_cast<std::size_t>(worker)];
        if (!copier) copier.emplace(scan, part, out);
        auto const u = static_cast<std::size_t>(unit);
        auto const some = std::span(places).subspan(begins[u], begins[u + 1] - begins[u]);
        Status copied = copier->copy(some);
        std::lock_guard const lock(mutex);
        if (!copied && status) status = std::move(copied), stopped = true;
        done += some.size();
        if (status && progress && !progress(done, places.size())) {
            status = Error{Code::cancelled, "reading frames was cancelled"};
            stopped = true;
        }
    });
    return status;
}

}  // namespace sluice
