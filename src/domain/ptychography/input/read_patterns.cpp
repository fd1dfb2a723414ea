// read_patterns(): one format's frames as patterns, in pixels of the object.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "domain/ptychography/input/cut_window.h"
#include "domain/ptychography/input/frames_in.h"
#include "domain/ptychography/input/given_optics.h"
#include "format/kinds/kinds.h"
#include "format/kinds/ptychography.h"
#include "optics/window.h"

namespace sluice::ptycho {

namespace {

using stem4d::PatternFile;
using stem4d::PatternFileOptions;
using stem4d::Patterns;
using stem4d::Position;

// Null where the file is of another kind.
PatternReader* reader_of(Look const& look) {
    auto const form = pattern_form(look);
    if (!form) return nullptr;
    constexpr PatternReader* readers[] = {read_npz, read_ptyd, read_cxi};
    return readers[static_cast<std::size_t>(*form)];
}

bool is_near(PatternFileOptions const& options) {
    return options.propagation == stem4d::Propagation::near;
}

// Of the object, for windows of `size`; 0: not known. That of a near field is the detector's.
double pixel_of(FoundPatterns const& found, PatternFileOptions const& options, index size,
                double wavelength_nm) {
    if (is_near(options)) {
        if (options.detector_pixel_um > 0) return options.detector_pixel_um * 1e3;
        return found.detector_nm > 0 ? found.detector_nm : found.pixel_nm;
    }
    double const angle =
        options.detector_step_mrad > 0 ? options.detector_step_mrad * 1e-3 : found.detector_rad;
    index const side = std::max(found.frames->detector[0], found.frames->detector[1]);
    if (found.pixel_nm > 0)
        return found.pixel_nm * static_cast<double>(side) / static_cast<double>(size);
    return wavelength_nm > 0 && angle > 0 ? wavelength_nm / (static_cast<double>(size) * angle) : 0;
}

// Wavelength and pixel, of windows of `size`.
Status find_geometry(FoundPatterns const& found, PatternFileOptions const& options, index size,
                     std::string const& path, Patterns& patterns) {
    patterns.wavelength_nm = wavelength_of(options.kilovolts, options.wavelength_nm);
    if (!options.says_wavelength()) patterns.wavelength_nm = found.wavelength_nm;
    patterns.pixel_nm = pixel_of(found, options, size, patterns.wavelength_nm);
    patterns.propagation = options.propagation;
    if (is_near(options)) patterns.distance_mm = found.distance_mm;
    bool const possible = std::isfinite(patterns.pixel_nm) &&
                          std::isfinite(patterns.wavelength_nm) &&
                          std::isfinite(patterns.distance_mm);
    if (found.metres && !(possible && patterns.pixel_nm > 0))
        return wrong_file(
            path, Code::invalid_argument,
            is_near(options)
                ? "does not state the size of a detector pixel (the object has the same pixels in "
                  "a near field, and positions are in metres) give the detector pixel in um"
                : "does not state the wavelength and the angle of a detector pixel (they set the "
                  "pixel of the object, and positions are in metres) give the energy "
                  "in kV and the detector step in mrad");
    if (!possible || patterns.pixel_nm < 0 || patterns.wavelength_nm < 0)
        return wrong_file(path, Code::corrupt,
                          "its wavelength or pixel size is not a finite number");
    return {};
}

void place(FoundPatterns const& found, PatternFileOptions const& options, index size,
           Patterns& patterns) {
    index const side = std::max(found.frames->detector[0], found.frames->detector[1]);
    // Wider windows have smaller pixels, but those of a near field.
    double const by = found.metres       ? 1e9 / patterns.pixel_nm
                      : is_near(options) ? 1
                                         : static_cast<double>(size) / static_cast<double>(side);
    for (Position p : found.positions) {
        p = {p.row * by, p.col * by};
        if (options.transpose) std::swap(p.row, p.col);
        if (options.flip_rows) p.row = -p.row;
        if (options.flip_cols) p.col = -p.col;
        patterns.positions.push_back(p);
    }
}

// Of a far field, where the direct beam is; nothing: zero frequency is at [0][0].
Result<std::optional<Position>> beam_of(FoundPatterns const& found,
                                        PatternFileOptions const& options,
                                        std::string const& path) {
    if (found.corners && !options.center) return std::optional<Position>();
    Position const center = options.center.value_or(found.center);
    if (is_near(options) || (std::abs(center.row) < 1e6 && std::abs(center.col) < 1e6))
        return std::optional(center);
    return wrong_file(path, Code::invalid_argument, "the direct beam is far off the detector");
}

Status in_file(Status status, std::string const& path) {
    if (!status) status.error().file = path;
    return status;
}

Result<PatternFile> as_patterns(FoundPatterns found, PatternFileOptions const& options,
                                std::string const& path, std::vector<std::string>* notes) {
    auto const detector = found.frames->detector;
    index const side = std::max(detector[0], detector[1]);
    bool const probe_fits = !found.probe.empty() && found.probe_side == side &&
                            (options.size == 0 || options.size == side);
    PatternFile file;
    Patterns& patterns = file.patterns;
    patterns.size = probe_fits ? side : optics::size_of_window(options.size, detector);
    SLUICE_CHECK(in_file(check_window(patterns.size, Code::unsupported), path));
    if (std::ssize(found.positions) != found.frames->count)
        return wrong_file(path, Code::corrupt,
                          fmt::format("has {} positions for {} patterns (each needs one) correct "
                                      "the file",
                                      found.positions.size(), found.frames->count));
    SLUICE_CHECK(find_geometry(found, options, patterns.size, path, patterns));
    place(found, options, patterns.size, patterns);
    SLUICE_TRY(auto const beam, beam_of(found, options, path));
    auto const from = cut_window(patterns, detector, beam, found.notes);
    SLUICE_CHECK(gather_counts(found, from, options, path, patterns));
    if (!mark_bad(from, found.bad, patterns, found.notes))
        return wrong_file(path, Code::invalid_argument,
                          "its mask leaves no pixel of the patterns (its values may be inverted) "
                          "correct the mask");
    SLUICE_CHECK(in_file(stem4d::keep_measured(patterns, &found.notes), path));
    if (probe_fits)
        file.probe = std::move(found.probe);
    else if (!found.probe.empty())
        found.notes.push_back(
            fmt::format("the file's probe of {} pixels does not fit patterns of {} and is left out",
                        found.probe_side, patterns.size));
    file.format = found.format;
    if (notes) notes->insert(notes->end(), found.notes.begin(), found.notes.end());
    return file;
}

}  // namespace

Error wrong_file(std::string const& path, Code code, std::string message) {
    return {code, std::move(message), path};
}

}  // namespace sluice::ptycho

namespace sluice::stem4d {

bool holds_patterns(std::string const& path) {
    return pattern_form(Look(path)).has_value();
}

Result<PatternFile> read_patterns(std::string const& path, PatternFileOptions const& options,
                                  std::vector<std::string>* notes) {
    Look const look(path);
    SLUICE_CHECK(look.readable());
    auto* const read = ptycho::reader_of(look);
    if (!read && kinds::scan.recognises(look))
        return Error{Code::unsupported,
                     "is a scan and not a file of patterns (CXI with translations, ptyd and npz "
                     "are read) open a scan with load() and patterns_of()",
                     path};
    if (!read) return no_such_kind(look, kinds::patterns);
    Step const step(options.trace, Phase::read, 0);
    SLUICE_CHECK(ptycho::check_optics(ptycho::given_optics(options)));
    SLUICE_TRY(auto found, read(path, options));
    return ptycho::as_patterns(std::move(found), options, path, notes);
}

}  // namespace sluice::stem4d
