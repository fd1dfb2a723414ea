// Fuzz target: any answer of the process that reads files, as images, doses and structures.
// SPDX-License-Identifier: Apache-2.0
#include "format/dicom/ct.h"
#include "format/dicom/dose.h"
#include "format/dicom/mark.h"
#include "format/dicom/packed.h"
#include "format/dicom/structures.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace sluice;
    Bytes const bytes = std::as_bytes(std::span(data, size));
    (void)dicom::class_of(bytes);
    auto const d = dicom::unpack(bytes);
    if (!d) return 0;
    expects(dicom::unpack(dicom::pack(*d)).has_value());
    if (auto image = dicom::read_image(*d, "f")) {
        auto other = *image;
        other.slice.frame.position[2] += 3;
        if (auto const series = dicom::series_of({*image, other})) expects(series->spacing > 0);
    }
    if (auto const dose = dicom::read_dose(*d, "f"))
        expects(dose->spacing > 0 && dose->frames > 0 && dose->scaling > 0);
    if (auto const set = dicom::read_structures(*d, "f"))
        for (Structure const& s : set->structures) {
            (void)volume_cm3(s);
            Volume const grid{Array<float>::zeros({4, 5, 6}), {3, 3, 3}, {-6, -6, -6}};
            if (auto const in = structure_parts(s, grid))
                for (float const part : in->parts.values) expects(part >= 0 && part <= 1);
        }
    return 0;
}
