// Scans in files with tables beside them, and questions to both, for the tests of tables.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>

#include "format/nxmx/writer.h"
#include "scan/scan_tables.h"
#include "sluice/stem4d_tables.h"

namespace sluice::stem4d::tables_test {

namespace fs = std::filesystem;

inline constexpr index rows = 40, cols = 44;

// A disk over few counts, and a hot pixel.
inline void fill(index image, std::span<std::byte> bytes) {
    std::mt19937 random(static_cast<unsigned>(image) + 1);
    std::vector<std::uint16_t> counts(bytes.size() / 2);
    for (std::size_t i = 0; i < counts.size(); ++i) {
        auto const r = static_cast<double>(i) / cols - 19, c = static_cast<double>(i % cols) - 22;
        counts[i] = static_cast<std::uint16_t>(random() % (r * r + c * c < 100 ? 9 : 2));
    }
    counts[5 * cols + 7] = 900;
    std::memcpy(bytes.data(), counts.data(), bytes.size());
}

class TablesOfFiles : public testing::Test {
  protected:
    void SetUp() override {
        std::string name = (fs::temp_directory_path() / "sluice-tables-XXXXXX").string();
        folder_ = ::mkdtemp(name.data());
    }
    void TearDown() override { fs::remove_all(folder_); }

    std::string nxmx(std::array<index, 2> scan, nxmx::Damage damage = nxmx::Damage::none) {
        nxmx::Acquisition a;
        a.prefix = (folder_ / "si").string();
        a.scan = scan, a.rows = rows, a.cols = cols;
        a.frames_per_file = 300;
        a.pixel_mask.assign(rows * cols, 0);
        a.pixel_mask[33] = a.pixel_mask[900] = 1;
        a.damage = damage;
        a.threads = 1;
        auto const made = nxmx::write(a, [](index image, std::span<std::byte> bytes) -> Status {
            fill(image, bytes);
            return {};
        });
        EXPECT_TRUE(made) << made.error().text();
        return a.prefix + "_master.h5";
    }

    std::string raw(index frames) {
        std::string const path = (folder_ / "scan.raw").string();
        std::ofstream file(path, std::ios::binary);
        std::vector<std::byte> bytes(rows * cols * 2);
        for (index f = 0; f < frames; ++f) {
            fill(f, bytes);
            file.write(reinterpret_cast<char const*>(bytes.data()), std::ssize(bytes));
        }
        return path;
    }

    fs::path folder_;
};

inline OpenOptions raw_options(std::array<index, 2> scan) {
    return {.scan_shape = scan,
            .format = RawOptions{.raw_dtype = "uint16", .raw_frame = {{rows, cols}}}};
}

inline Scan streamed(std::string const& path, OpenOptions const& open, LoadOptions load,
                     Tables tables = Tables::automatic) {
    load.residency = Residency::stream;
    load.tables = tables;
    load.device = Device::cpu(2);
    return Scan::load(sluice::open(path, open).value(), load).value();
}

inline TablesMade make(std::string const& path, OpenOptions const& open = {},
                       LoadOptions const& load = {}, TablesOptions options = {}) {
    options.device = Device::cpu(2);
    auto made = tables(streamed(path, open, load, Tables::none), options);
    EXPECT_TRUE(made) << made.error().text();
    return made ? *made : TablesMade{};
}

inline std::vector<LoadOptions> loads() {
    std::vector<LoadOptions> all(7);
    all[1].det_bin = 2;
    all[2].scan_region = Region{3, 5, 13, 20};
    all[2].detector_region = Region{2, 3, 33, 36};
    all[3].scan_bin = 2;
    all[4].scan_step = 2;
    all[5].user_mask = Array<std::uint8_t>::zeros({rows, cols});
    for (std::size_t i = 0; i < all[5].user_mask.values.size(); i += 7)
        all[5].user_mask.values[i] = 1;
    all[6].hot_pixels = true;
    return all;
}

inline Detector annulus(Point center, double inner, double outer) {
    Detector d;
    d.shape = Detector::Shape::annulus;
    d.center = center;
    d.inner = inner, d.outer = outer;
    return d;
}

inline bool same(std::span<double const> a, std::span<double const> b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

/// Asks two scans for the same things. Says how many answers came without any frame.
inline int compare(Scan const& with, Scan const& without, Point center) {
    int from_tables = 0;
    auto const ask = [&](auto const& question, auto const& equal) {
        Trace trace(2);
        Options o;
        o.device = Device::cpu(2);
        auto const expected = question(without, o);
        o.trace = &trace;
        auto const found = question(with, o);
        ASSERT_TRUE(expected) << expected.error().text();
        ASSERT_TRUE(found) << found.error().text();
        equal(*found, *expected);
        // A pass leaves out what no answer needs, and then meets less than the tables' pass did.
        if (with.plan().lost.empty()) {
            EXPECT_EQ(found->notes, expected->notes);
        }
        auto const spans = trace.spans();
        from_tables +=
            std::ranges::all_of(spans, [](Span const& s) { return s.phase == Phase::tables; });
    };
    ask([](Scan const& s, Options const& o) { return center_of_mass(s, {}, o); },
        [](CenterOfMass const& a, CenterOfMass const& b) {
            for (std::size_t i = 0; i < 4; ++i)
                EXPECT_TRUE(same(a.maps()[i]->values, b.maps()[i]->values)) << i;
        });
    ask([](Scan const& s,
           Options const& o) { return diffraction_pattern(s, Pattern::mean, {}, o); },
        [](DiffractionPattern const& a, DiffractionPattern const& b) {
            EXPECT_TRUE(same(a.values.values, b.values.values));
            EXPECT_EQ(a.frames, b.frames);
        });
    std::mt19937 random(3);
    for (int i = 0; i < 12; ++i) {
        double const inner = i == 0 ? 0 : static_cast<double>(random() % 12);
        double const outer = inner + 2 + static_cast<double>(random() % 14);
        std::vector<Detector> const d{annulus(center, inner, outer), annulus(center, 0, outer)};
        ask([&](Scan const& s, Options const& o) { return virtual_image(s, d, o); },
            [&](VirtualImages const& a, VirtualImages const& b) {
                EXPECT_TRUE(same(a.values.values, b.values.values)) << inner << ".." << outer;
            });
    }
    return from_tables;
}

}  // namespace sluice::stem4d::tables_test
