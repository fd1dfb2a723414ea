// RT doses as files: pixels of 32 bits, and what says whose they are.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/hash.h"
#include "base/version.h"
#include "format/dicom/apart_files.h"
#include "format/dicom/grid.h"
#include "sluice/dicom.h"

namespace sluice {
namespace dicom {
namespace {

constexpr std::size_t longest_value = 65534;
constexpr double same = 1e-6;

// A decimal string has 16 characters at most.
std::string decimal(double v) {
    return fmt::format("{:.10g}", v + 0.0);
}

Error unwritable(std::string const& path, std::string_view message) {
    return {Code::invalid_argument, fmt::format("a dose cannot be written as DICOM: {}", message),
            path};
}

Status check(std::string const& path, Volume const& v) {
    if (v.image.shape.size() != 3 || v.spacing.size() != 3 || v.origin.size() != 3)
        return unwritable(path, "it needs three axes, with spacing and origin; give a volume");
    for (std::size_t a = 0; a < 3; ++a)
        if (!(v.spacing[a] > 0 && std::isfinite(v.origin[a])))
            return unwritable(path, "its spacing or origin is no length; give mm");
    for (index const side : v.image.shape)
        if (side < 1 || side > 65535)
            return unwritable(path, "it has 0 or more than 65535 elements along a side; cut it");
    for (float const d : v.image.values)
        if (!(d >= 0 && std::isfinite(d)))
            return unwritable(path, fmt::format("{} Gy is no dose; give values of at least 0", d));
    return {};
}

/// The axes of a file are right-handed: where those of the volume are not, its planes are written
/// in the other order.
struct Axes {
    bool backwards = false;
    Vector3 position{};
};
Result<Axes> axes_of(std::string const& path, Volume const& v) {
    auto const& d = v.direction;
    Vector3 const normal = cross(d[0], d[1]);
    double const along = dot(normal, d[2]);
    if (std::abs(std::abs(along) - 1) > same || std::abs(dot(d[0], d[1])) > same)
        return unwritable(path, "its axes are not square to each other; resample it");
    Axes out{along < 0, {v.origin[0], v.origin[1], v.origin[2]}};
    double const last = static_cast<double>(v.image.shape[0] - 1) * v.spacing[2];
    for (std::size_t c = 0; out.backwards && c < 3; ++c) out.position[c] += last * d[2][c];
    return out;
}

/// Gy of a step: as written, which is what readers multiply with.
struct Scale {
    std::string text;
    double step = 1;
};
Scale scale_of(float most) {
    constexpr double steps = std::numeric_limits<std::uint32_t>::max();
    // A little more than needed, so that the digits that are left out lose nothing.
    double const wanted = most > 0 ? most / steps * (1 + 1e-8) : 1e-9;
    Scale s{fmt::format("{:.9e}", wanted)};
    std::from_chars(s.text.data(), s.text.data() + s.text.size(), s.step);
    return s;
}

std::vector<std::uint32_t> pixels_of(Volume const& v, Axes const& axes, double step) {
    auto const& from = v.image.values;
    auto const planes = static_cast<std::size_t>(v.image.shape[0]);
    std::size_t const plane = from.size() / planes;
    std::vector<std::uint32_t> out(from.size());
    for (std::size_t z = 0; z < planes; ++z) {
        std::size_t const to = axes.backwards ? planes - 1 - z : z;
        for (std::size_t i = 0; i < plane; ++i)
            out[to * plane + i] = static_cast<std::uint32_t>(
                std::llround(static_cast<double>(from[z * plane + i]) / step));
    }
    return out;
}

// UIDs are hashes of all that is written: the same dose has the same one wherever it is written.
std::string uid_of(Dataset const& d, std::vector<std::uint32_t> const& pixels, int which) {
    Xxh64 hash;
    hash.update(std::as_bytes(std::span(&which, 1)));
    for (Element const& e : d.elements) {
        hash.update(std::as_bytes(std::span(&e.tag, 1)));
        hash.update(std::as_bytes(std::span(e.text)));
        hash.update(std::as_bytes(std::span(e.numbers)));
        for (Dataset const& item : e.items)
            for (Element const& inner : item.elements)
                hash.update(std::as_bytes(std::span(inner.text)));
    }
    std::uint64_t const first = hash.digest();
    hash.update(std::as_bytes(std::span(pixels)));
    return fmt::format("2.25.{}{:020}", first, hash.digest());
}

class Writing {
  public:
    void text(Tag tag, std::string value) { add({tag, std::move(value)}); }
    void number(Tag tag, index value) { add({tag, {}, {static_cast<double>(value)}}); }
    void add(Element e) {
        std::erase_if(dataset.elements, [&](Element const& o) { return o.tag == e.tag; });
        dataset.elements.insert(
            std::ranges::lower_bound(dataset.elements, e.tag, {}, &Element::tag), std::move(e));
    }
    Dataset dataset;
};

void write_whose(Writing& w, DicomReference const& of) {
    w.text(tags::patient_name, of.patient_name);
    w.text(tags::patient_id, of.patient_id);
    w.text(tags::birth_date, of.birth_date);
    w.text(tags::sex, of.sex);
    w.text(tags::study_uid, of.study_uid);
    w.text(tags::study_date, of.study_date);
    w.text(tags::study_time, of.study_time);
    w.text(tags::study_id, of.study_id);
    w.text(tags::accession_number, of.accession_number);
    w.text(tags::referring_physician, of.physician);
    w.text(tags::frame_of_reference, of.frame_of_reference);
    w.text(tags::position_reference, "");
    if (of.plan_uid.empty()) return;
    w.add({tags::ref_plans,
           {},
           {},
           {{{{tags::ref_sop_class, std::string(classes::ion_plan)},
              {tags::ref_sop_instance, of.plan_uid}}}}});
}

void write_what(Writing& w, DicomDoseOptions const& options) {
    w.text(tags::character_set, "ISO_IR 192");
    w.text(tags::sop_class, std::string(classes::dose));
    w.text(tags::modality, "RTDOSE");
    w.text(tags::manufacturer, "Sluice");
    w.text(tags::software, fmt::format("{} {}", version, commit));
    w.text(tags::operators, "");
    w.text(tags::series_number, "");
    w.text(tags::instance_number, "1");
    if (!options.description.empty()) w.text(tags::series_description, options.description);
    if (!options.comment.empty()) w.text(tags::dose_comment, options.comment);
    w.text(tags::dose_units, "GY");
    w.text(tags::dose_type, options.effective ? "EFFECTIVE" : "PHYSICAL");
    w.text(tags::dose_summation, "PLAN");
}

Status write_grid(std::string const& path, Writing& w, Volume const& v, Axes const& axes) {
    auto const& d = v.direction;
    std::vector<std::string> six, offsets;
    for (std::size_t a = 0; a < 2; ++a)
        for (double const c : d[a]) six.push_back(decimal(c));
    for (index z = 0; z < v.image.shape[0]; ++z)
        offsets.push_back(decimal(static_cast<double>(z) * v.spacing[2]));
    std::string const all = fmt::format("{}", fmt::join(offsets, "\\"));
    if (all.size() > longest_value)
        return unwritable(path, "it has too many planes for one file; write fewer");
    w.text(tags::slice_thickness, decimal(v.spacing[2]));
    w.text(tags::image_position, fmt::format("{}\\{}\\{}", decimal(axes.position[0]),
                                             decimal(axes.position[1]), decimal(axes.position[2])));
    w.text(tags::image_orientation, fmt::format("{}", fmt::join(six, "\\")));
    w.text(tags::pixel_spacing,
           fmt::format("{}\\{}", decimal(v.spacing[1]), decimal(v.spacing[0])));
    w.text(tags::frames, fmt::format("{}", v.image.shape[0]));
    w.text(tags::frame_pointer, "");  // to the next one
    w.text(tags::frame_offsets, all);
    w.number(tags::rows, v.image.shape[1]);
    w.number(tags::columns, v.image.shape[2]);
    return {};
}

void write_pixel_kind(Writing& w) {
    constexpr int bits = 32;
    w.number(tags::samples, 1);
    w.text(tags::photometric, "MONOCHROME2");
    w.number(tags::bits_allocated, bits);
    w.number(tags::bits_stored, bits);
    w.number(tags::high_bit, bits - 1);
    w.number(tags::pixel_representation, 0);
}

}  // namespace
}  // namespace dicom

Status save_dicom_dose(std::string const& path, Volume const& dose, DicomReference const& of,
                       DicomDoseOptions const& options) {
    using namespace dicom;
    SLUICE_CHECK(check(path, dose));
    SLUICE_TRY(Axes const axes, axes_of(path, dose));
    Scale const scale = scale_of(*std::ranges::max_element(dose.image.values));
    auto const pixels = pixels_of(dose, axes, scale.step);
    Writing w;
    write_what(w, options);
    write_whose(w, of);
    write_pixel_kind(w);
    SLUICE_CHECK(write_grid(path, w, dose, axes));
    w.text(tags::dose_scaling, scale.text);
    enum : int { instance, series, study, coordinates };
    std::string const uid = uid_of(w.dataset, pixels, instance);
    std::string const series_uid = uid_of(w.dataset, pixels, series);
    if (of.study_uid.empty()) w.text(tags::study_uid, uid_of(w.dataset, pixels, study));
    if (of.frame_of_reference.empty())
        w.text(tags::frame_of_reference, uid_of(w.dataset, pixels, coordinates));
    w.text(tags::sop_instance, uid);
    w.text(tags::series_uid, series_uid);
    return write_dataset(path, w.dataset, pixels);
}

}  // namespace sluice
