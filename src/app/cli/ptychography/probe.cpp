// Apertures, aberrations and vacuum images.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/ptychography/probe.h"

#include <fmt/format.h>

#include <cmath>

#include "app/cli/shell/terminal.h"
#include "domain/ptychography/settings/input_fields.h"
#include "format/npy/plane.h"
#include "sluice/stem4d.h"

namespace sluice::cli {
namespace {

// An image in an .npy file, or the mean pattern of a scan.
Result<Array<double>> read_vacuum(std::string const& path, DataOptions data) {
    if (path.ends_with(".npy"))
        if (auto const plane = npy::load_plane(path))
            return Array<double>{plane->shape, {plane->values.begin(), plane->values.end()}};
    data.paths = {path};
    data.series.open.scan_shape.reset();
    data.load.scan_region.reset();
    data.load.scan_bin = data.load.scan_step = 1;
    SLUICE_TRY(Series series, data.open());
    if (series.members.size() != 1)
        return Error{Code::invalid_argument,
                     "is a series of scans (a vacuum image is one) name one of them", path};
    SLUICE_TRY(auto const load, data.load_options(1));
    SLUICE_TRY(Scan const scan, Scan::load(std::move(series.members.front()), load));
    SLUICE_TRY(auto mean, stem4d::diffraction_pattern(scan, stem4d::Pattern::mean));
    auto const bad = scan.bad_pixels();
    for (std::size_t i = 0; i < bad.size(); ++i)
        if (bad[i]) mean.values.values[i] = NAN;
    return std::move(mean.values);
}

}  // namespace

void ProbeOptions::add(Verb const& app) {
    app.add_fields(ptycho::probe_fields(), optics);
    app->add_option(
        "--vacuum", vacuum,
        "instead of --semiangle: an image of the direct beam without specimen, as .npy, "
        "or a scan of it; its roots are the moduli");
}

Status ProbeOptions::choose(stem4d::Patterns const& patterns, DataOptions const& data, Ranks& ranks,
                            stem4d::PtychographyOptions& options, std::vector<std::string>& notes) {
    bool const round = optics.semiangle_mrad > 0;
    if (round && !vacuum.empty())
        return Error{Code::invalid_argument,
                     "--semiangle and --vacuum both say what the aperture is; give one of them"};
    if (!round && vacuum.empty()) {
        if (optics.defocus_nm != 0 || optics.spherical_mm != 0 || !optics.aberrations.empty())
            return Error{Code::invalid_argument,
                         "aberrations are those of an aperture (and none is given); add "
                         "--semiangle or --vacuum"};
        return {};
    }
    if (!vacuum.empty() && options.propagation == stem4d::Propagation::near)
        return Error{Code::unsupported,
                     "--vacuum is the direct beam of far fields (its roots are the moduli of an "
                     "aperture, and a near field shows none) leave it out: the probe begins as the "
                     "mean pattern, carried back to the object"};
    if (!vacuum.empty() && options.detector_bin != 1)
        return Error{Code::unsupported,
                     "--vacuum is on the patterns' own pixels (and detector_bin changes them); use "
                     "--semiangle"};
    if (!vacuum.empty()) {
        SLUICE_TRY(optics.vacuum, read_vacuum(vacuum, data));
        index bad = 0;
        for (double& value : optics.vacuum.values)
            if (std::isnan(value)) {
                value = 0;
                ++bad;
            }
        if (bad > 0)
            notes.push_back(
                fmt::format("{} pixels of the vacuum image were not measured, and the probe begins "
                            "without them",
                            bad));
    }
    SLUICE_TRY(auto const grid, stem4d::ptychography_grid(patterns, options));
    SLUICE_TRY(options.probe,
               optics::probe_of(optics, grid.window, grid.pixel_nm, patterns.wavelength_nm));
    // Its power is that of the patterns; what the object takes is not known yet.
    double mean = 0;
    std::visit(
        [&](auto const& counts) {
            for (auto v : counts) mean += static_cast<double>(v);
        },
        patterns.counts);
    // A rank may have its part of them, or all.
    if (ranks.communicator() && patterns.held() < patterns.count())
        ranks.communicator()->all_reduce_sum(std::span(&mean, 1));
    auto const by = static_cast<float>(std::sqrt(mean / static_cast<double>(patterns.count())));
    for (auto& z : options.probe) z *= by;
    return {};
}

}  // namespace sluice::cli
