// Damaged files of every version: a value or an error, never more work than the budget.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <random>

#include "format/hdf5/object/test_master.h"
#include "format/hdf5/object/test_walk.h"

namespace sluice::hdf5::object {
namespace {

using namespace test;

class Damage : public testing::TestWithParam<Writing> {
  protected:
    std::vector<std::byte> master() {
        std::string const path = fresh_folder() + "/x.h5";
        write_everything(path, GetParam(), 1);
        return slurp(path);
    }
    std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }

    std::mt19937_64 random_{12};
};

TEST_P(Damage, EndsInAValueOrAnError) {
    auto const good = master();
    auto const whole = walk_bytes(good, Sums::compare);
    ASSERT_GT(whole.lines.size(), 60u);
    std::size_t changed = 0;
    constexpr int tries = 700;
    for (int i = 0; i < tries; ++i) {
        auto bad = good;
        for (std::size_t n = below(3) + 1; n > 0; --n)
            bad[below(bad.size())] ^= static_cast<std::byte>(1u << below(8));
        if (i % 4 == 0) {
            // A field of eight bytes that says "everything" or nothing at all.
            std::size_t const at = below(bad.size() - 8);
            std::fill_n(bad.begin() + static_cast<long>(at), 8, std::byte(i % 8 == 0 ? 0xff : 0));
        }
        changed += walk_bytes(bad, i % 2 == 0 ? Sums::ignore : Sums::compare).lines != whole.lines;
    }
    EXPECT_GT(changed, tries / 20);
}

TEST_P(Damage, ChecksumsFindEveryFlippedBit) {
    if (GetParam().low < H5F_LIBVER_V110) GTEST_SKIP() << "old files have no checksums";
    auto const good = master();
    auto const whole = walk_bytes(good, Sums::compare);
    // What differs without an error is data, not metadata: no line is lost.
    for (int i = 0; i < 300; ++i) {
        auto bad = good;
        bad[below(bad.size())] ^= static_cast<std::byte>(1u << below(8));
        auto const walk = walk_bytes(bad, Sums::compare);
        // An error that the whole file does not have: it may say "not supported", too.
        bool const told = std::ranges::any_of(walk.lines, [&](std::string const& line) {
            return contains(line, " fails: ") &&
                   std::ranges::find(whole.lines, line) == whole.lines.end();
        });
        if (walk.lines.empty() || told) continue;
        ASSERT_EQ(walk.lines.size(), whole.lines.size());
    }
}

INSTANTIATE_TEST_SUITE_P(
    Object, Damage,
    testing::Values(Writing{"earliest", H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST},
                    Writing{"v18", H5F_LIBVER_V18, H5F_LIBVER_V18},
                    Writing{"shared_v110", H5F_LIBVER_V110, H5F_LIBVER_V110, 0, true}),
    [](auto const& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace sluice::hdf5::object
