// validate(): all checks on all devices, on what is simulated and on what the user gives.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/validate.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "base/plural.h"
#include "base/run.h"
#include "bench/stopwatch.h"
#include "planning/subject.h"
#include "validation/check.h"

namespace sluice {
namespace validation {
namespace {

/// A part of a scan as a dataset of its own would be: the checks load it whole.
struct Part {
    Dataset dataset;
    std::shared_ptr<void> files;
};

// Written and read back, so that decoding is checked, too.
Result<Part> simulated(ValidateOptions const& o, std::array<index, 2> scan,
                       std::array<index, 2> detector) {
    SLUICE_TRY(planning::Subject subject,
               planning::subject_of(ScanSize{scan, detector, DType::u16, 4000}, o.folder, 1));
    return Part{std::move(subject.dataset), std::move(subject.files)};
}

class Validating {
  public:
    explicit Validating(ValidateOptions const& options) : options_(options) {}

    Result<Validation> run() {
        double const since = bench::system_clock().wall();
        SLUICE_CHECK(collect());
        auto const hardware = static_cast<int>(std::thread::hardware_concurrency());
        int const threads = options_.threads > 0 ? options_.threads : std::clamp(hardware, 1, 2);
        auto const all = devices(threads);
        for (Device const& d : all) out_.devices.push_back(d.name());
        std::uint64_t done = 0;
        std::uint64_t const steps = checks_.size() * all.size();
        for (Check const& check : checks_) {
            SLUICE_CHECK(tell_progress(options_.progress, done, steps));
            on_all(check, all);
            done += all.size();
        }
        SLUICE_CHECK(tell_progress(options_.progress, steps, steps));
        say_what_is_missing(all);
        out_.seconds = bench::system_clock().wall() - since;
        return std::move(out_);
    }

  private:
    ValidateOptions const& options_;
    std::vector<Check> checks_;
    std::vector<Part> parts_;
    Validation out_;

    Status collect() {
        add_fft(checks_);
        add_slide(checks_);
        SLUICE_TRY(Part whole, simulated(options_, {12, 12}, {96, 96}));
        add_stem4d(whole.dataset, "a simulated scan", checks_);
        add_crystal(whole.dataset, "a simulated scan", checks_);
        SLUICE_TRY(Part small, simulated(options_, {8, 8}, {64, 64}));
        add_ptychography(small.dataset, "a simulated scan", checks_);
        parts_.push_back(std::move(whole));
        parts_.push_back(std::move(small));
        add_orientation(checks_);
        add_proton(checks_);
        return options_.data.empty() ? Status() : add_users_data();
    }

    Status add_users_data() {
        SLUICE_TRY(Dataset dataset, open(options_.data));
        add_stem4d(dataset, options_.data, checks_);
        add_crystal(dataset, options_.data, checks_);
        return {};
    }

    void on_all(Check const& check, std::vector<Device> const& all) {
        auto const reference = check.run(Device::reference());
        for (Device const& device : all) {
            if (device.remote() && !check.remote) continue;
            if (reference) {
                out_.rows.push_back(compare(check, device, *reference));
                continue;
            }
            out_.rows.push_back({.domain = check.domain,
                                 .check = check.name,
                                 .device = device.name(),
                                 .data = check.data,
                                 .tolerance = check.tolerance,
                                 .why = check.why,
                                 .error = "the reference: " + reference.error().text()});
        }
    }

    void say_what_is_missing(std::vector<Device> const& all) {
        if (std::ranges::none_of(all,
                                 [](Device const& d) { return d.kind() == Device::Kind::cuda; }))
            out_.notes.push_back("no GPU was validated: " + Device::cuda().error().message);
        out_.notes.emplace_back(
            "networks of music have a test of their own: `sluice music selftest`");
        out_.notes.emplace_back(
            "JPEG XR, zstd and other codecs without variants per device are not repeated here");
    }
};

}  // namespace
}  // namespace validation

bool Validation::passed() const {
    return std::ranges::all_of(rows, &ValidationRow::passed);
}

Result<Validation> validate(ValidateOptions const& options) {
    return validation::Validating(options).run();
}

}  // namespace sluice
