// A scan of a strained crystal in files, a viewer of it, and what the library finds there.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/view/stem4d/test_scans.h"
#include "sluice/disks.h"
#include "sluice/strain.h"

namespace sluice::app {

// A scan of a strained crystal as a detector writes it: the right half is pulled along the rows.
inline char const* const simulated =
    "synthetic:crystal?scan=9x12&detector=96x96&disk_radius=5&g1=19,2&g2=-2,18&dose=8000&masked=0&"
    "field=step&strain=0.02,0,0,1";

inline void write_crystal(std::string const& prefix) {
    Dataset const from = open(simulated).value();
    Scan const scan = Scan::load(from, {}).value();
    nxmx::Acquisition a;
    a.prefix = prefix;
    a.scan = scan.scan_shape();
    a.rows = a.cols = 96;
    a.dtype = DType::u16;
    auto const files = nxmx::write(a, [&](index frame, std::span<std::byte> values) -> Status {
        SLUICE_TRY(auto const counts, stem4d::frame(scan, frame / 12, frame % 12));
        for (std::size_t i = 0; i < counts.values.size(); ++i) {
            auto const v = static_cast<std::uint16_t>(counts.values[i]);
            std::memcpy(values.data() + 2 * i, &v, 2);
        }
        return {};
    });
    ASSERT_TRUE(files) << files.error().text();
}

inline std::vector<double> column_of(Reply const& reply, std::size_t column) {
    std::vector<double> const all = reply.values();
    std::vector<double> one;
    for (std::size_t i = column; i < all.size(); i += 9) one.push_back(all[i]);
    return one;
}

// What the library finds, as the command line asks it.
struct Found {
    stem4d::DiskSetup setup;
    stem4d::BraggVectors vectors;
};
inline Found found_in(Scan const& scan, stem4d::DiskOptions const& options = {}) {
    auto const probe = stem4d::fit_template(scan).value().probe;
    Found f{stem4d::plan_disks(scan, probe, options).value(), {}};
    f.vectors = stem4d::find_disks(scan, f.setup).value();
    return f;
}

inline void expect_pattern(Reply const& reply, stem4d::BraggVectors const& all, index pattern) {
    auto const p = static_cast<std::size_t>(pattern);
    std::vector<float> stem4d::BraggVectors::*const columns[] = {
        &stem4d::BraggVectors::row,         &stem4d::BraggVectors::col,
        &stem4d::BraggVectors::intensity,   &stem4d::BraggVectors::background,
        &stem4d::BraggVectors::var_row,     &stem4d::BraggVectors::var_col,
        &stem4d::BraggVectors::cov_row_col, &stem4d::BraggVectors::intensity_error,
        &stem4d::BraggVectors::score};
    ASSERT_EQ(reply.header["op"], "disks") << reply.header.dump();
    EXPECT_EQ(reply.header["reason"], stem4d::name_of(all.reason[p]));
    for (std::size_t c = 0; c < 9; ++c) {
        std::vector<float> const& of = all.*columns[c];
        EXPECT_EQ(column_of(reply, c),
                  std::vector<double>(of.begin() + all.first[p], of.begin() + all.first[p + 1]));
    }
}

class CrystalsTest : public ScansFixture {
  protected:
    CrystalsTest() : folder_("crystals_" + std::string(name())) {
        write_crystal(folder_.path + "/scan");
        path_ = folder_.path + "/scan_master.h5";
    }
    static char const* name() {
        return testing::UnitTest::GetInstance()->current_test_info()->name();
    }
    Scan loaded(LoadOptions const& options = {}) const {
        return Scan::load(open(path_).value(), options).value();
    }

    Folder folder_;
    std::string path_;
};

}  // namespace sluice::app
