// A detector for tests: it sends what the test says, when it says it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cmath>

#include "net/dectris/messages.h"
#include "net/socket.h"
#include "sluice/stem4d.h"

namespace sluice::app {

/// A bright disk whose counts are 1 + image % 97, on a dark field.
class TestSender {
  public:
    static constexpr index size = 32;

    explicit TestSender(std::array<index, 2> scan) {
        start_.images = scan[0] * scan[1];
        start_.rows = start_.cols = size;
        start_.dtype = DType::u16;
        start_.channels = {"threshold_1"};
        start_.frame_time_s = 1e-3;
        start_.arm_date = "2026-01-01T00:00:00Z";
        start_.scan = scan;
    }

    std::string const& address() const { return push_.address(); }
    void begin(std::uint64_t series = 7) {
        start_.series_id = series;
        start_.series_unique_id = "s" + std::to_string(series);
        send(net::dectris::write_start(start_));
    }
    /// Images first .. last - 1.
    void images(index first, index last) {
        cbor::TypedArray const array{.dtype = start_.dtype, .dimensions = 2, .shape = {size, size}};
        for (index i = first; i < last; ++i) {
            auto const values = frame_of(drift_ ? blobs(i) : count(i));
            auto const bytes = std::as_bytes(std::span(values));
            send(write_image({.image_id = static_cast<std::uint64_t>(i), .data = array}, start_,
                             bytes));
        }
    }
    void end() { send(net::dectris::write_end(start_)); }
    /// From now on the counts of the disk are those of blobs on a floor, which lie so far from
    /// their places (in scan points).
    void show_blobs(stem4d::Point drift) { drift_ = drift; }

    static bool inside(index row, index col) {
        index const dr = row - size / 2, dc = col - size / 2;
        return dr * dr + dc * dc <= 36;
    }
    static std::uint16_t count(index image) { return static_cast<std::uint16_t>(1 + image % 97); }
    /// Of the pixels of a frame in the disk.
    static double sum(index image) {
        index pixels = 0;
        for (index r = 0; r < size; ++r)
            for (index c = 0; c < size; ++c) pixels += inside(r, c) ? 1 : 0;
        return static_cast<double>(pixels * count(image));
    }

    static std::vector<std::uint16_t> counts(index image) { return frame_of(count(image)); }

  private:
    static std::vector<std::uint16_t> frame_of(std::uint16_t in_disk) {
        std::vector<std::uint16_t> values;
        for (index r = 0; r < size; ++r)
            for (index c = 0; c < size; ++c) values.push_back(inside(r, c) ? in_disk : 0);
        return values;
    }
    std::uint16_t blobs(index image) const {
        constexpr std::array<std::array<double, 3>, 6> all{{{7.3, 9.1, 900},
                                                            {19.8, 6.4, 500},
                                                            {13.2, 17.7, 700},
                                                            {24.1, 21.9, 800},
                                                            {5.6, 25.2, 600},
                                                            {27.4, 12.5, 400}}};
        index const cols = start_.scan.value()[1], row = image / cols, col = image % cols;
        double value = 100;
        for (auto const& [its_row, its_col, height] : all) {
            double const dr = static_cast<double>(row) - its_row - drift_->row,
                         dc = static_cast<double>(col) - its_col - drift_->col;
            value += height * std::exp(-(dr * dr + dc * dc) / 8);
        }
        return static_cast<std::uint16_t>(value + 0.5);
    }
    void send(std::vector<std::byte> message) {
        ASSERT_TRUE(push_.send(std::move(message), std::chrono::seconds(20)).value());
    }

    net::Socket push_ = net::Socket::push("tcp://127.0.0.1:*").value();
    net::dectris::Start start_ = {};
    std::optional<stem4d::Point> drift_ = {};
};

}  // namespace sluice::app
