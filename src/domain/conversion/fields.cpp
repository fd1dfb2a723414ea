// The table of ConvertOptions.
// SPDX-License-Identifier: Apache-2.0
#include "domain/conversion/fields.h"

#include "domain/conversion/words.h"

namespace sluice::stem4d {

namespace {

using config::field;

constexpr config::Field<ConvertOptions> of_convert[] = {
    field<&ConvertOptions::to>("to", "the format to write; auto: what the name ends with")
        .called("--format"),
    field<&ConvertOptions::codec>("codec",
                                  "of chunks; auto: blosc-zstd in Zarr, bslz4 in NXmx, else none"),
    field<&ConvertOptions::verify>("verify", "read the output back and compare every value"),
    field<&ConvertOptions::resume>("resume", "go on with an unfinished output"),
    field<&ConvertOptions::overwrite>("overwrite", "replace what is there").called("--force"),
};

}  // namespace

config::Fields<ConvertOptions> convert_fields() {
    return of_convert;
}

}  // namespace sluice::stem4d
