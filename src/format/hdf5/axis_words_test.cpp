// What files say of the order of their axes.
// SPDX-License-Identifier: Apache-2.0
#include "format/hdf5/axis_words.h"

#include <gtest/gtest.h>

#include "format/hdf5/hdf5.h"
#include "format/hdf5/test_files.h"

namespace sluice::hdf5 {
namespace {

using boxes::FrameAxes;

TEST(AxisWords, HyperSpysReversedOrderIsRead) {
    auto const a =
        axes_named({{"kx", "[1_/_n_m]"}, {"ky", "[1_/_n_m]"}, {"x", "[n_m]"}, {"y", "[n_m]"}});
    ASSERT_TRUE(a) << a.error().message;
    EXPECT_EQ(*a, (FrameAxes{{3, 2}, 1, 0}));
}

TEST(AxisWords, TheUsualOrderStaysWhateverItsNames) {
    for (auto const& words :
         {std::vector<AxisWords>{{"R_x", "nm"}, {"R_y", "nm"}, {"Q_x", "A^-1"}, {"Q_y", "A^-1"}},
          std::vector<AxisWords>{{"x", "nm"}, {"y", "nm"}, {"", "mrad"}, {"", ""}},
          std::vector<AxisWords>{{"", ""}, {"", ""}, {"", ""}, {"", ""}},
          std::vector<AxisWords>{{"", ""}, {"", ""}, {"", ""}}, std::vector<AxisWords>{}}) {
        auto const a = axes_named(words);
        ASSERT_TRUE(a) << a.error().message;
        EXPECT_FALSE(*a);
    }
}

TEST(AxisWords, AnOrderThatIsHalfNamedIsAnError) {
    for (auto const& words :
         {std::vector<AxisWords>{{"", "1/nm"}, {"", "1/nm"}, {"", "nm"}, {"", "nm"}},
          std::vector<AxisWords>{{"kx", ""}, {"ky", ""}, {"", ""}, {"", ""}},
          std::vector<AxisWords>{{"x", "nm"}, {"kx", "mrad"}, {"y", "nm"}, {"k", "mrad"}}}) {
        auto const a = axes_named(words);
        ASSERT_FALSE(a);
        EXPECT_TRUE(test::contains(a.error().message, "--axis-order"));
    }
}

TEST(AxisWords, TheUserDecides) {
    std::string const path = test::fresh_folder() + "/x.h5";
    {
        Handle const file = test::create_file(path);
        test::write_all(test::make_dataset(file.id(), "/d", {.extent = {2, 3, 4, 5}}),
                        H5T_NATIVE_UINT16, test::frames<std::uint16_t>(6, 20));
    }
    auto const d = open(path, {.axis_order = "dc,dr,sc,sr"});
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_EQ(d->rows, 3);
    EXPECT_EQ(d->cols, 2);
    EXPECT_EQ(d->scan, (std::array<index, 2>{5, 4}));
    EXPECT_TRUE(test::noted(*d, "as the user says"));
    auto const got = test::read_frames<std::uint16_t>(*d, 0, 20);
    ASSERT_TRUE(got);
    auto const all = test::frames<std::uint16_t>(6, 20);
    for (std::size_t f = 0; f < 20; ++f)
        for (std::size_t r = 0; r < 3; ++r)
            for (std::size_t c = 0; c < 2; ++c) {
                std::size_t const row = f / 4, col = f % 4;
                ASSERT_EQ((*got)[f * 6 + r * 2 + c], all[((c * 3 + r) * 4 + col) * 5 + row]);
            }
    auto const wrong = open(path, {.axis_order = "dc,dr,sc"});
    ASSERT_FALSE(wrong);
    EXPECT_EQ(wrong.error().code, Code::invalid_argument);
}

}  // namespace
}  // namespace sluice::hdf5
