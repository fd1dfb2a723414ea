// The attachments of a slide: they are listed once, whoever asks for them.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <atomic>

#include "czi_writer/czi_writer.h"
#include "czi_writer/pixels.h"
#include "sluice/slide.h"

namespace sluice::slide {
namespace {

/// Counts how often it is read.
class CountedSource final : public Source {
  public:
    explicit CountedSource(std::vector<std::byte> bytes)
        : inner_(memory_source("x.czi", std::move(bytes))) {}
    std::string const& name() const override { return inner_->name(); }
    std::uint64_t size() const override { return inner_->size(); }
    Status read(std::uint64_t offset, std::span<std::byte> out) const override {
        ++reads_;
        return inner_->read(offset, out);
    }
    int reads() const { return reads_; }

  private:
    std::shared_ptr<Source const> inner_;
    mutable std::atomic<int> reads_ = 0;
};

TEST(Attachments, AreListedOnce) {
    test::CziFile file;
    test::Tile& tile = file.tiles.emplace_back();
    tile.rect = {0, 0, 8, 8};
    tile.paint = test::paint_by([](test::Point const&) { return 1; });
    file.attachments = {{"Label", "JPG", std::vector<std::byte>(5)},
                        {"TimeStamps", "CZTIMS", test::time_stamps({0.5, 1.25})}};
    auto const source = std::make_shared<CountedSource>(file.bytes());
    Slide const slide = Slide::open(source).value();
    int const opened = source->reads();
    auto const list = slide.attachments().value();
    ASSERT_EQ(list.size(), 2U);
    EXPECT_EQ(list[0].name, "Label");
    int const listed = source->reads();
    EXPECT_GT(listed, opened);
    EXPECT_EQ(slide.time_stamps().value(), (std::vector{0.5, 1.25}));
    EXPECT_EQ(source->reads(), listed + 1);  // the stamps themselves
    EXPECT_EQ(slide.attachments().value().size(), 2U);
    EXPECT_EQ(source->reads(), listed + 1);
}

}  // namespace
}  // namespace sluice::slide
