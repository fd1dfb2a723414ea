// A frame source that simulates.
// SPDX-License-Identifier: Apache-2.0
#include "format/synthetic/synthetic.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "format/frame_source.h"
#include "format/synthetic/crystal_pattern.h"
#include "format/synthetic/keys.h"
#include "format/synthetic/pattern.h"

namespace sluice::synthetic {
namespace {

// The microscope that is pretended.
constexpr double energy_kv = 300, convergence_mrad = 25, period_nm = 0.39, dwell_s = 1e-4;
// Of a beam whose disks do not overlap.
constexpr double nearly_parallel_mrad = 1.5;

template <class Sim>
class SyntheticSource final : public FrameSource {
  public:
    template <class Options>
    explicit SyntheticSource(Options const& options) : simulator_(options) {}

    Sim const& simulator() const { return simulator_; }

    Status fetch(index first, std::span<EncodedFrame> out, FetchScratch& scratch) const override {
        SyntheticOptions const& o = simulator_.options();
        expects(first >= 0 && first + static_cast<index>(out.size()) <= o.frames());
        auto const bytes = static_cast<std::size_t>(o.pixels() * size_of(o.dtype));
        scratch.bytes.resize(out.size() * bytes);
        std::vector<std::uint32_t> counts(static_cast<std::size_t>(o.pixels()));
        for (std::size_t i = 0; i < out.size(); ++i) {
            auto const values = std::span(scratch.bytes).subspan(i * bytes, bytes);
            simulator_.values(first + static_cast<index>(i), counts, values);
            out[i] = {.encoding = Encoding::values, .bytes = values};
        }
        return {};
    }

    std::uint64_t stored_bytes() const override {
        SyntheticOptions const& o = simulator_.options();
        return static_cast<std::uint64_t>(o.frames() * o.pixels() * size_of(o.dtype));
    }

  private:
    Sim simulator_;
};

Status check_scan(SyntheticOptions const& made, std::string_view name, OpenOptions const& asked) {
    if (!asked.scan_shape || *asked.scan_shape == made.scan) return {};
    return Error{Code::invalid_argument,
                 fmt::format("the scan asked for is {}x{} (the synthetic one has {}x{} points); "
                             "write synthetic:{}?scan={}x{}",
                             (*asked.scan_shape)[0], (*asked.scan_shape)[1], made.scan[0],
                             made.scan[1], name, (*asked.scan_shape)[0], (*asked.scan_shape)[1])};
}

/// What both kinds tell.
template <class Sim, class Options>
Dataset described(Options const& options, SyntheticOptions const& o) {
    auto const source = std::make_shared<SyntheticSource<Sim>>(options);
    Dataset d;
    d.format = "synthetic";
    d.dtype = o.dtype;
    d.frames = o.frames();
    d.rows = o.detector[0];
    d.cols = o.detector[1];
    d.scan = o.scan;
    d.scan_from = "simulation";
    d.pixel_mask = source->simulator().pixel_mask();
    d.saturation = o.saturation();
    d.sentinel = o.sentinel && o.masked > 0;
    d.energy_kv = energy_kv;
    d.dwell_s = dwell_s;
    d.notes = {"the frames are simulated (no file was read)"};
    d.source = source;
    return d;
}

Result<Dataset> open_crystal(std::string const& path, OpenOptions const& options) {
    SLUICE_TRY(CrystalOptions const parsed, parse_crystal(path));
    SLUICE_CHECK(check_scan(parsed.common, "crystal", options));
    return make(parsed);
}

Result<Dataset> open_stem4d(std::string const& path, OpenOptions const& options) {
    SLUICE_TRY(SyntheticOptions const parsed, parse_path(path));
    SLUICE_CHECK(check_scan(parsed, "stem4d", options));
    return make(parsed);
}

}  // namespace

Result<Dataset> make(SyntheticOptions const& o) {
    SLUICE_CHECK(validate(o));
    Dataset d = described<Simulator>(o, o);
    d.path = "synthetic:stem4d";
    d.semiangle_mrad = convergence_mrad;
    d.scan_step_nm = period_nm / (o.lattice > 0 ? o.lattice : 12);
    d.detector_step_mrad = convergence_mrad / o.radius();
    d.metadata = {{"detector", "simulated", ""},
                  {"dose per frame", fmt::format("{}", o.dose), "electrons"},
                  {"disk radius", fmt::format("{:.4g}", o.radius()), "px"},
                  {"lattice period", fmt::format("{}", o.lattice), "scan points"},
                  {"seed", fmt::format("{}", o.seed), ""}};
    return d;
}

Result<Dataset> make(CrystalOptions const& o) {
    SLUICE_CHECK(validate(o));
    Dataset d = described<CrystalSimulator>(o, o.common);
    d.path = "synthetic:crystal";
    d.sentinel = o.common.sentinel && !d.pixel_mask.empty();
    d.semiangle_mrad = nearly_parallel_mrad;
    d.detector_step_mrad = nearly_parallel_mrad / o.radius();
    d.metadata = {{"detector", "simulated", ""},
                  {"dose per frame", fmt::format("{}", o.common.dose), "electrons"},
                  {"disk radius", fmt::format("{:.4g}", o.radius()), "px"},
                  {"g1", fmt::format("{}, {}", o.g1[0], o.g1[1]), "px"},
                  {"g2", fmt::format("{}, {}", o.g2[0], o.g2[1]), "px"},
                  {"strain", fmt::format("{}", fmt::join(o.strain, ", ")), ""},
                  {"grains", fmt::format("{}", o.grains), ""},
                  {"seed", fmt::format("{}", o.common.seed), ""}};
    return d;
}

bool recognises(std::string_view path, Bytes) {
    return path.starts_with("synthetic:");
}

Result<Dataset> open(std::string const& path, OpenOptions const& options) {
    bool const crystal = name_in(path) == "crystal";
    SLUICE_TRY(Dataset d, crystal ? open_crystal(path, options) : open_stem4d(path, options));
    d.path = path;
    return d;
}

}  // namespace sluice::synthetic
