// Tests of the loader's queue, without its thread.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/stem4d/loader.h"

#include <gtest/gtest.h>

namespace sluice::app {
namespace {

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

}  // namespace
}  // namespace sluice::app
