// Tests of the loader's queue, and of its manners towards a page that starts.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/stem4d/loader.h"

#include <gtest/gtest.h>

#include <thread>

namespace sluice::app {
namespace {

constexpr char const* small = "synthetic:stem4d?scan=4x4&detector=16x16";

// Waits for what an item becomes; false after a minute, which ends what hangs.
bool becomes(Catalog const& catalog, std::string const& id,
             std::function<bool(Item const&)> const& is_so) {
    auto const until = Clock::now() + std::chrono::seconds(60);
    while (!is_so(*catalog.get(id))) {
        if (Clock::now() > until) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return true;
}

LoaderOptions silent() {
    LoaderOptions options;
    options.progress = [](std::string const&, LoadProgress) {};
    return options;
}

TEST(Loader, WhatIsTakenOutOfTheQueueIsStoppedAndSaysSo) {
    auto const subset = std::make_shared<Scan const>(
        Scan::load(open("synthetic:stem4d?scan=4x4&detector=16x16").value()).value());
    for (bool const has_subset : {false, true}) {
        Catalog catalog;
        std::string const id = catalog.add("somewhere.h5");
        catalog.edit(id, [&](Item& item) {
            item.state = State::stopped;
            if (has_subset) item.preview = subset;
        });
        Loader loader(catalog, {});
        loader.load(id);
        EXPECT_EQ(catalog.get(id)->state, has_subset ? State::preview : State::waiting);
        loader.cancel(id);
        EXPECT_EQ(catalog.get(id)->state, State::stopped);
        EXPECT_EQ(catalog.get(id)->message, "loading was stopped");
        EXPECT_EQ(catalog.get(id)->code, Code::cancelled);
    }
}

TEST(Loader, LetsAPageStartAndGoesOnWhenItHasShownSomething) {
    Catalog catalog;
    std::string const id = catalog.add(small);
    Loader loader(catalog, silent());
    loader.give_way();
    auto const start = Clock::now();
    loader.begin();
    // Single frames are there meanwhile.
    ASSERT_TRUE(becomes(catalog, id, [](Item const& i) { return i.files != nullptr; }));
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    if (Clock::now() - start < std::chrono::milliseconds(900)) {
        EXPECT_EQ(catalog.get(id)->full, nullptr);
    }
    loader.go_on();
    EXPECT_TRUE(becomes(catalog, id, [](Item const& i) { return i.full != nullptr; }));
}

TEST(Loader, LetsNoPageHoldItForLongOrKeepItFromEnding) {
    Catalog catalog;
    std::string const id = catalog.add(small);
    {
        Loader loader(catalog, silent());
        loader.give_way();
        loader.begin();
        ASSERT_TRUE(becomes(catalog, id, [](Item const& i) { return i.files != nullptr; }));
    }
    EXPECT_EQ(catalog.get(id)->full, nullptr);
    Loader loader(catalog, silent());
    loader.give_way();
    loader.begin();
    EXPECT_TRUE(becomes(catalog, id, [](Item const& i) { return i.full != nullptr; }));
}

}  // namespace
}  // namespace sluice::app
