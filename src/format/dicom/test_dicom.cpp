// Datasets of an axial CT.
// SPDX-License-Identifier: Apache-2.0
#include "format/dicom/test_dicom.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "format/dicom/apart_files.h"

namespace sluice::dicom {
namespace {

void put(Dataset& d, Element const& e) {
    remove(d, e.tag);
    d.elements.insert(std::ranges::lower_bound(d.elements, e.tag, {}, &Element::tag), e);
}

}  // namespace

void set(Dataset& d, Tag tag, std::string text) {
    put(d, {tag, std::move(text)});
}
void set(Dataset& d, Tag tag, std::vector<double> numbers) {
    put(d, {tag, {}, std::move(numbers)});
}
void set(Dataset& d, Tag tag, std::vector<Dataset> items) {
    put(d, {tag, {}, {}, std::move(items)});
}
void remove(Dataset& d, Tag tag) {
    std::erase_if(d.elements, [&](Element const& e) { return e.tag == tag; });
}

Dataset ct_dataset(double z, std::string const& series) {
    using Numbers = std::vector<double>;
    Dataset d;
    set(d, tags::sop_class, std::string(classes::ct));
    set(d, tags::sop_instance, fmt::format("{}.{:.0f}", series, 1000 + z));
    set(d, tags::modality, "CT");
    set(d, tags::patient_name, "Nobody");
    set(d, tags::patient_id, "42");
    set(d, tags::slice_thickness, "3");
    set(d, tags::patient_position, "HFS");
    set(d, tags::study_uid, "1.2");
    set(d, tags::series_uid, series);
    set(d, tags::image_position, fmt::format("-10\\20\\{}", z));
    set(d, tags::image_orientation, "1\\0\\0\\0\\1\\0");
    set(d, tags::frame_of_reference, "1.2.9");
    set(d, tags::samples, Numbers{1});
    set(d, tags::photometric, "MONOCHROME2");
    set(d, tags::rows, Numbers{3});
    set(d, tags::columns, Numbers{4});
    set(d, tags::pixel_spacing, "1.5\\2");
    set(d, tags::bits_allocated, Numbers{16});
    set(d, tags::bits_stored, Numbers{16});
    set(d, tags::high_bit, Numbers{15});
    set(d, tags::pixel_representation, Numbers{1});
    set(d, tags::intercept, "-1000");
    set(d, tags::slope, "2");
    return d;
}

void write_file(std::string const& path, Dataset const& d,
                std::vector<std::int16_t> const& pixels) {
    std::vector<std::uint32_t> words(pixels.size() / 2);
    if (!pixels.empty()) std::memcpy(words.data(), pixels.data(), words.size() * sizeof words[0]);
    write_dataset(path, d, words).value();
}

}  // namespace sluice::dicom
