// Queues, places and mirrors; the fake device catches what a GPU would.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <limits>
#include <numeric>

#include "device/fake.h"
#include "device/mirror.h"
#include "device/workers.h"

namespace sluice {
namespace {

std::vector<int> const numbers{1, 2, 3, 4, 5};

Queue open() {
    return Queue::of(Device::fake()).value();
}

// Adds `by` to each number.
struct Add {
    int* to;
    int by;
    Work work(index n) const {
        return {n, std::as_bytes(std::span(this, 1)),
                [](void const* kernel, index first, index end, index step) {
                    auto const& k = *static_cast<Add const*>(kernel);
                    for (index i = first; i != end; i += step) k.to[i] += k.by;
                },
                nullptr, nullptr};
    }
};

TEST(FakeDeviceDeathTest, HostAccessEndsTheProgram) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    Queue queue = open();
    auto const place = Place<int>::of(queue, numbers);
    ASSERT_TRUE(place);
    EXPECT_EQ(place->count(), 5);
    ASSERT_TRUE(queue.wait());
    int const volatile* const p = place->data();
    EXPECT_DEATH((void)*p, "");
    EXPECT_DEATH(*place->data() = 3, "");
    EXPECT_DEATH((void)p[4], "");
}

TEST(FakeDevice, NothingHappensBeforeWait) {
    Queue queue = open(), other = open();
    auto const place = Place<int>::of(queue, numbers);
    ASSERT_TRUE(place);
    std::vector<int> out(5, -1);
    ASSERT_TRUE(queue.run(Add{place->data(), 10}.work(5)));
    ASSERT_TRUE(place->download(queue, out));
    EXPECT_EQ(out, std::vector<int>(5, -1));
    ASSERT_TRUE(other.wait());
    EXPECT_EQ(out, std::vector<int>(5, -1)) << "another queue's wait() does not count";
    ASSERT_TRUE(queue.wait());
    EXPECT_EQ(out, (std::vector<int>{11, 12, 13, 14, 15}));
    out.assign(5, -1);
    ASSERT_TRUE(queue.wait());
    EXPECT_EQ(out, std::vector<int>(5, -1)) << "work was done twice";
}

TEST(FakeDevice, WorkIsDoneInTheOrderItWasGiven) {
    Queue queue = open();
    auto place = Place<int>::make(queue, 5);
    ASSERT_TRUE(place);
    std::vector<int> const first{1, 1, 1, 1, 1}, second{2, 2, 2, 2, 2};
    std::vector<int> between(5), after(5);
    int* const p = place->data();
    ASSERT_TRUE(queue.upload(p, std::as_bytes(std::span(first))));
    ASSERT_TRUE(queue.run(Add{p + 3, 10}.work(1)));
    ASSERT_TRUE(place->download(queue, between));
    ASSERT_TRUE(queue.upload(p, std::as_bytes(std::span(second))));
    ASSERT_TRUE(place->download(queue, after));
    ASSERT_TRUE(queue.wait());
    EXPECT_EQ(between, (std::vector<int>{1, 1, 1, 11, 1}));
    EXPECT_EQ(after, second);
}

TEST(FakeDevice, ElementsRunInAnOrderNobodyWouldChoose) {
    for (index const n : {0, 1, 2, 5, 6}) {
        std::vector<index> order;
        struct Note {
            std::vector<index>* order;
        } const note{&order};
        Work const work{n, std::as_bytes(std::span(&note, 1)),
                        [](void const* kernel, index first, index end, index step) {
                            for (index i = first; i != end; i += step)
                                static_cast<Note const*>(kernel)->order->push_back(i);
                        },
                        nullptr, nullptr};
        Queue queue = open();
        ASSERT_TRUE(queue.run(work));
        ASSERT_TRUE(queue.wait());
        std::vector<index> expected;
        for (index const odd : {1, 0})
            for (index i = n - 1; i >= 0; --i)
                if (i % 2 == odd) expected.push_back(i);
        EXPECT_EQ(order, expected);
    }
}

TEST(FakeDevice, WhatNobodyWaitedForIsForgotten) {
    std::vector<int> out(5, -1);
    {
        Queue queue = open();
        auto const place = Place<int>::of(queue, numbers);
        ASSERT_TRUE(place);
        ASSERT_TRUE(place->download(queue, out));
    }
    EXPECT_EQ(out, std::vector<int>(5, -1));
}

TEST(FakeDevice, QueuesOfSeveralThreads) {
    std::vector<int> sums(16);
    parallel_for(16, 4, 1, [&](index t, int) {
        Queue queue = open();
        for (int round = 0; round < 20; ++round) {
            auto place = Place<int>::of(queue, numbers);
            std::vector<int> out(5);
            ASSERT_TRUE(place && queue.run(Add{place->data(), static_cast<int>(t)}.work(5)));
            ASSERT_TRUE(place->download(queue, out));
            ASSERT_TRUE(queue.wait());
            sums[static_cast<std::size_t>(t)] += std::accumulate(out.begin(), out.end(), 0);
        }
    });
    for (int t = 0; t < 16; ++t) EXPECT_EQ(sums[static_cast<std::size_t>(t)], 20 * (15 + 5 * t));
}

TEST(FakeDevice, EmptyPlacesAndAbsurdOnes) {
    Queue queue = open();
    auto const none = Place<int>::of(queue, {});
    ASSERT_TRUE(none);
    ASSERT_TRUE(queue.wait());
    auto const absurd = Place<std::byte>::make(queue, index{1} << 60);
    ASSERT_FALSE(absurd);
    EXPECT_EQ(absurd.error().code, Code::out_of_memory);
}

TEST(Place, Moves) {
    for (Device const& device : {Device::fake(), Device::cpu(2), Device::reference()}) {
        Queue queue = Queue::of(device).value();
        auto a = Place<int>::of(queue, numbers);
        auto b = Place<int>::make(queue, 2);
        ASSERT_TRUE(a && b);
        Place<int> moved = std::move(*a);
        EXPECT_EQ(a->data(), nullptr);
        *b = std::move(moved);
        EXPECT_EQ(b->count(), 5);
        EXPECT_EQ(b->read(queue).value(), numbers);
    }
}

TEST(Place, PutTakesTheMemoryThereIs) {
    Queue queue = open();
    Place<int> place;
    ASSERT_TRUE(place.put(queue, numbers));
    int const* const memory = place.data();
    ASSERT_TRUE(place.put(queue, {7, 8}));  // both are copied: the queue keeps them
    EXPECT_EQ(place.data(), memory);
    EXPECT_EQ(place.read(queue).value(), (std::vector<int>{7, 8}));
    EXPECT_EQ(place.bytes(), 20u);
    ASSERT_TRUE(place.put(queue, {1, 2, 3, 4, 5, 6}));
    EXPECT_EQ(place.count(), 6);
}

TEST(Mirror, LetsViewsPointAtTheDevice) {
    struct Views {
        int const* numbers;
        double const* halves;
    } views{numbers.data(), nullptr};
    Queue queue = open();
    Mirror mirror;
    ASSERT_TRUE(mirror.carry(queue, views.numbers, 5));
    ASSERT_TRUE(mirror.carry(queue, views.halves, std::vector<double>{0.5}));
    EXPECT_NE(views.numbers, numbers.data());
    EXPECT_EQ(mirror.bytes(), 5 * sizeof(int) + sizeof(double));
    std::vector<int> ints(5);
    double half = 0;
    ASSERT_TRUE(queue.download(std::as_writable_bytes(std::span(ints)), views.numbers));
    ASSERT_TRUE(queue.download(std::as_writable_bytes(std::span(&half, 1)), views.halves));
    ASSERT_TRUE(queue.wait());
    EXPECT_EQ(ints, numbers);
    EXPECT_EQ(half, 0.5);
}

TEST(Queue, CountsWhatItMoves) {
    Device const device = Device::fake();
    Traffic const before = traffic_of(device).value();
    Queue queue = open();
    auto place = Place<int>::of(queue, numbers);
    ASSERT_TRUE(place && queue.run(Add{place->data(), 1}.work(5)));
    EXPECT_TRUE(place->read(queue));
    Traffic const moved = traffic_of(device).value() - before;
    EXPECT_EQ(moved.uploaded, 20u);
    EXPECT_EQ(moved.downloaded, 20u);
    EXPECT_EQ(moved.launches, 1u);
    EXPECT_EQ(moved.waits, 1u);
}

TEST(Queue, ARecordingRunsAsOftenAsItIsAskedFor) {
    for (Device const& device : {Device::fake(), Device::cpu(2), Device::reference()}) {
        Queue queue = Queue::of(device).value();
        auto const place = Place<int>::of(queue, numbers);
        ASSERT_TRUE(place && queue.begin_recording());
        for (int const by : {10, 20}) {
            Add const add{place->data(), by};  // gone before it is replayed
            ASSERT_TRUE(queue.run(add.work(5)));
        }
        auto const recording = queue.end_recording();
        ASSERT_TRUE(recording);
        EXPECT_EQ(place->read(queue).value(), numbers) << "noted, not done";
        for (int i = 0; i < 2; ++i) ASSERT_TRUE(queue.replay(**recording));
        EXPECT_EQ(place->read(queue).value(), (std::vector<int>{61, 62, 63, 64, 65}));
        ASSERT_TRUE(queue.run(Add{place->data(), 1}.work(5)));
        EXPECT_EQ(place->read(queue).value().front(), 62) << device.name();
    }
}

TEST(FakeDevice, SaysWhatIsFree) {
    Queue queue = open();
    EXPECT_FALSE(queue.backend()->available());
    std::size_t const before = fake_backend()->taken();
    fake_backend()->set_limit(before + 100'000);
    EXPECT_EQ(queue.backend()->available(), 100'000u);
    {
        auto const place = Place<std::byte>::make(queue, 50'000);
        EXPECT_EQ(fake_backend()->taken() - before, 53'248u) << "whole pages";
        EXPECT_EQ(queue.backend()->available(), 100'000u - 53'248u);
    }
    EXPECT_EQ(queue.backend()->available(), 100'000u);
    fake_backend()->set_limit(std::numeric_limits<std::size_t>::max());
}

TEST(Backend, KeptCopiesGiveWayTheLongestUnusedFirst) {
    Queue queue = open();
    Backend& fake = *queue.backend();
    int owners[3] = {};
    auto const copy = [&] {
        return std::make_shared<Place<std::byte>>(Place<std::byte>::make(queue, 100'000).value());
    };
    fake_backend()->set_limit(350'000);
    fake.keep(&owners[0], copy());
    fake.keep(&owners[1], copy());
    auto const used = copy();
    fake.keep(&owners[2], used);
    EXPECT_TRUE(fake.kept(&owners[0]));
    EXPECT_TRUE(Place<std::byte>::make(queue, 100'000));
    EXPECT_TRUE(fake.kept(&owners[0]));
    EXPECT_FALSE(fake.kept(&owners[1])) << "the longest unused";
    EXPECT_FALSE(Place<std::byte>::make(queue, 300'000)) << "somebody uses a copy";
    EXPECT_FALSE(fake.kept(&owners[0])) << "that helped nothing, and nobody knew";
    auto const place = Place<std::byte>::make(queue, 200'000);
    EXPECT_TRUE(place);
    fake_backend()->set_limit(std::numeric_limits<std::size_t>::max());
    fake.forget(&owners[2]);
    fake.forget(&owners[1]);
    EXPECT_FALSE(fake.kept(&owners[2]));
}

}  // namespace
}  // namespace sluice
