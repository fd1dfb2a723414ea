// The formats, in the order in which they are asked.
// SPDX-License-Identifier: Apache-2.0
#include "format/table.h"

#include <algorithm>

#include "format/blo/blo.h"
#include "format/dm/dm.h"
#include "format/empad/empad.h"
#include "format/frms6/frms6.h"
#include "format/hdf5/hdf5.h"
#include "format/mib/mib.h"
#include "format/mrc/mrc.h"
#include "format/npy/npy.h"
#include "format/npz/npz_scan.h"
#include "format/nxmx/nxmx.h"
#include "format/raw/raw.h"
#include "format/seq/seq.h"
#include "format/ser/ser.h"
#include "format/stempy/stempy.h"
#include "format/synthetic/synthetic.h"
#include "format/tiff/tiff.h"
#include "format/tpx3/tpx3.h"
#include "format/tvips/tvips.h"
#include "format/zarr/zarr.h"

namespace sluice {
namespace {

constexpr std::array table{
    synthetic::format, npy::format,      nxmx::format,          stempy::format, hdf5::format,
    zarr_scan::format, npz_scan::format, zarr_scan::zip_format, mib::format,    dm::format,
    blo::format,       mrc::format,      tvips::format,         tpx3::format,   frms6::format,
    seq::format,       ser::format,      tiff::format,          empad::format,  raw::format};

}  // namespace

std::span<Format const> formats() {
    return table;
}

bool is_part(std::string const& path) {
    return std::ranges::any_of(table,
                               [&](Format const& f) { return f.is_part && f.is_part(path); });
}

Format const* chosen_format(OpenOptions const& options) {
    for (Format const& f : table)
        if (f.chosen && f.chosen(options)) return &f;
    return nullptr;
}

}  // namespace sluice
