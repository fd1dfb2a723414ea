// The words of conversion's enumerations.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "config/words.h"
#include "sluice/stem4d_convert.h"

namespace sluice::stem4d {

constexpr auto words(ScanFormat /*of_this_type*/) {
    return std::to_array<config::Word<ScanFormat>>({{"auto", ScanFormat::automatic},
                                                    {"zarr", ScanFormat::zarr},
                                                    {"nxmx", ScanFormat::nxmx},
                                                    {"emd", ScanFormat::emd},
                                                    {"hspy", ScanFormat::hspy},
                                                    {"zspy", ScanFormat::zspy},
                                                    {"npy", ScanFormat::npy},
                                                    {"mib", ScanFormat::mib},
                                                    {"raw", ScanFormat::raw}});
}
constexpr auto words(ScanCodec /*of_this_type*/) {
    return std::to_array<config::Word<ScanCodec>>({{"auto", ScanCodec::automatic},
                                                   {"blosc-zstd", ScanCodec::blosc_zstd},
                                                   {"blosc-lz4", ScanCodec::blosc_lz4},
                                                   {"zstd", ScanCodec::zstd},
                                                   {"bslz4", ScanCodec::bslz4},
                                                   {"bszstd", ScanCodec::bszstd},
                                                   {"none", ScanCodec::none}});
}

}  // namespace sluice::stem4d
