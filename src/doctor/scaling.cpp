// How much faster all threads are than one, work by work.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "doctor/limits.h"
#include "sluice/doctor.h"

namespace sluice {
namespace {

CoreScaling compared(std::string work, MeasuredRate const& one, MeasuredRate const& all,
                     std::optional<double> expected) {
    CoreScaling out{std::move(work), all.threads, {}, expected, {}};
    for (MeasuredRate const* const rate : {&one, &all})
        if (!rate->taken()) out.not_taken = rate->not_taken;
    if (!out.not_taken.empty() || one.value() <= 0) return out;
    out.factor = all.value() / one.value();
    if (!one.quiet() || !all.quiet())
        out.not_taken = "not of a quiet machine: other programs had processors meanwhile";
    return out;
}

}  // namespace

std::vector<CoreScaling> scaling_of(MachineFacts const& f) {
    using doctor::least_scaling;
    double const cores = std::min<double>(f.cores, f.granted());
    double const should = std::max(least_scaling * cores, std::min(1.0, f.granted()));
    return {compared("computing in registers", f.compute_one, f.compute_all, should),
            compared("decoding bitshuffle and LZ4", f.decode_one, f.decode_all, should),
            compared("Fourier transforms", f.fft_one, f.fft_all, should),
            // One core may fill the channels of its memory.
            compared("copying memory", f.copy_one, f.copy_all, {}),
            compared("reading memory", f.read_one, f.read_all, {})};
}

}  // namespace sluice
