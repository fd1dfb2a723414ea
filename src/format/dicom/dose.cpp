// RT doses (PS3.3 C.8.8.3): frames at offsets, pixels that DoseGridScaling makes Gy.
// SPDX-License-Identifier: Apache-2.0
#include "format/dicom/dose.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "format/dicom/apart_files.h"
#include "format/volume/header.h"

namespace sluice::dicom {
namespace {

constexpr int most_frames = 65535;
constexpr double same_offset = 1e-2, uneven_frames = 0.01;

Status check_dose_kind(Values const& v) {
    std::string const sop_class = v.text(tags::sop_class);
    if (sop_class != classes::dose)
        return v.error(fmt::format("is {}; CT images and RT doses are read as volumes",
                                   describe_class(sop_class)),
                       Code::unsupported);
    SLUICE_TRY(std::string const units, v.needed_text(tags::dose_units));
    if (units != "GY")
        return v.wrong(tags::dose_units, "doses in GY are read", "export the dose in Gy",
                       Code::unsupported);
    SLUICE_TRY(std::string const type, v.needed_text(tags::dose_type));
    if (type != "PHYSICAL" && type != "EFFECTIVE")
        return v.wrong(tags::dose_type, "PHYSICAL and EFFECTIVE doses are read",
                       "export one of these", Code::unsupported);
    return {};
}

// The offsets of the frames begin at 0, or at the place of the first (then along z).
Status read_offsets(Values const& v, DoseFile& d) {
    SLUICE_TRY(std::vector<double> const at, v.numbers(tags::frame_offsets));
    if (at.empty()) return v.missing(tags::frame_offsets);
    if (std::ssize(at) != d.frames)
        return v.error(fmt::format("{} has {} values and {} is {}; export the dose again",
                                   name_of(tags::frame_offsets), at.size(), name_of(tags::frames),
                                   d.frames));
    double const z = d.frame.position[2];
    bool const is_place = std::abs(at[0] - z) <= same_offset && d.frame.direction[2][2] > 1 - 1e-6;
    if (std::abs(at[0]) > same_offset && !is_place)
        return v.wrong(tags::frame_offsets,
                       "the first is 0, or the z of ImagePositionPatient of an axial dose",
                       "export the dose again");
    if (at.size() == 1) return {};
    double const step = (at.back() - at[0]) / static_cast<double>(at.size() - 1);
    for (std::size_t i = 0; i < at.size(); ++i)
        if (std::abs(at[i] - at[0] - step * static_cast<double>(i)) >
                std::max(uneven_frames * std::abs(step), same_offset) ||
            std::abs(step) < same_offset)
            return v.wrong(tags::frame_offsets,
                           fmt::format("frames that are equally far apart are read, and number {} "
                                       "is not",
                                       i + 1),
                           "export the dose with even slices", Code::unsupported);
    d.spacing = std::abs(step);
    d.backwards = step < 0;
    for (std::size_t c = 0; d.backwards && c < 3; ++c)
        d.frame.position[c] += d.frame.direction[2][c] * (at.back() - at[0]);
    return {};
}

// A single frame has only a thickness.
Status read_frames(Values const& v, DoseFile& d) {
    SLUICE_TRY(auto const frames, v.number(tags::frames));
    if (!frames) {
        d.frames = 1;
    } else {
        SLUICE_TRY(d.frames, v.needed_whole(tags::frames, 1, most_frames));
    }
    if (d.frames > 1 || v.has(tags::frame_offsets)) SLUICE_CHECK(read_offsets(v, d));
    if (d.frames > 1) return {};
    SLUICE_TRY(auto const thickness, v.number(tags::slice_thickness));
    d.spacing = thickness.value_or(0);
    if (!(d.spacing > 0)) return v.missing(tags::slice_thickness, "export more than one slice");
    return {};
}

std::string plan_of(Values const& v) {
    auto const plans = v.items(tags::ref_plans, "plan");
    return plans.empty() ? std::string() : plans[0].text(tags::ref_sop_instance);
}

}  // namespace

Result<DoseFile> read_dose(Dataset const& dataset, std::string const& file) {
    Values const v(dataset, file);
    SLUICE_CHECK(check_dose_kind(v));
    DoseFile d;
    d.file = file;
    SLUICE_TRY(d.frame, read_frame(v));
    SLUICE_TRY(d.stored, read_stored(v));
    SLUICE_TRY(d.scaling, v.needed_number(tags::dose_scaling));
    if (!(d.scaling > 0)) return v.wrong(tags::dose_scaling, "it is above 0");
    SLUICE_CHECK(read_frames(v, d));
    SLUICE_CHECK(volume::check_sides({d.frame.columns, d.frame.rows, d.frames}));
    d.type = v.text(tags::dose_type);
    d.summation = v.text(tags::dose_summation);
    d.frame_of_reference = v.text(tags::frame_of_reference);
    d.plan_uid = plan_of(v);
    return d;
}

Result<DoseFile> find_dose(std::string const& path) {
    SLUICE_TRY(Dataset const dataset, read_dataset(path));
    return read_dose(dataset, path);
}

Result<Volume> load_dose(DoseFile const& d, std::uint64_t most_bytes) {
    auto const frame = static_cast<std::size_t>(d.frame.rows * d.frame.columns);
    std::uint64_t const count = frame * static_cast<std::uint64_t>(d.frames);
    SLUICE_CHECK(volume::check_memory({d.frame.columns, d.frame.rows, d.frames}, most_bytes));
    Volume v{Array<float>::zeros({d.frames, d.frame.rows, d.frame.columns}),
             {d.frame.column_spacing, d.frame.row_spacing, d.spacing},
             {d.frame.position.begin(), d.frame.position.end()},
             d.frame.direction,
             d.type == "EFFECTIVE" ? "effective dose, Gy" : "dose, Gy"};
    std::size_t const stored = frame * static_cast<std::size_t>(d.stored.bytes);
    SLUICE_CHECK(read_pixels(
        {d.file}, count * static_cast<std::uint64_t>(d.stored.bytes), [&](std::size_t, Bytes all) {
            for (std::size_t z = 0; z < static_cast<std::size_t>(d.frames); ++z) {
                std::size_t const to = d.backwards ? static_cast<std::size_t>(d.frames) - 1 - z : z;
                to_floats(all.subspan(z * stored, stored), d.stored, d.scaling, 0,
                          std::span(v.image.values).subspan(to * frame, frame));
            }
        }));
    return v;
}

}  // namespace sluice::dicom
