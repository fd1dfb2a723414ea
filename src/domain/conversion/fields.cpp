// The table of ScanConvertOptions.
// SPDX-License-Identifier: Apache-2.0
#include "domain/conversion/fields.h"

#include "domain/conversion/words.h"

namespace sluice::stem4d {

namespace {

using config::field;

constexpr config::Field<ScanConvertOptions> of_convert[] = {
    field<&ScanConvertOptions::to>("to", "the format to write; auto: what the name ends with")
        .called("--format"),
    field<&ScanConvertOptions::codec>(
        "codec", "of chunks; auto: blosc-lz4 in Zarr, bslz4 in NXmx, else none"),
    field<&ScanConvertOptions::verify>("verify", "read the output back and compare every value"),
    field<&ScanConvertOptions::resume>("resume", "go on with an unfinished output"),
    field<&ScanConvertOptions::overwrite>("overwrite", "replace what is there").called("--force"),
};

}  // namespace

config::Fields<ScanConvertOptions> convert_fields() {
    return of_convert;
}

}  // namespace sluice::stem4d
