// Fuzz target: any bytes as a DICOM file, by DCMTK within this process.
// SPDX-License-Identifier: Apache-2.0
#include "format/dicom/dcmtk/files.h"
#include "format/dicom/packed.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace sluice;
    auto const d = dicom::parse_by_dcmtk(std::as_bytes(std::span(data, size)));
    if (d) expects(dicom::unpack(dicom::pack(*d)).has_value());
    return 0;
}
