// Compares series while further ones come.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/stem4d/live/series_drift.h"

#include <cmath>

namespace sluice::app {
namespace {

constexpr std::size_t most_found = 500;

// JSON has no NaN.
Json number(double value) {
    return std::isfinite(value) ? Json(value) : Json();
}

}  // namespace

void SeriesDrift::begin(std::function<void()> told) {
    told_ = std::move(told);
    thread_ = std::thread([this] { run(); });
}

SeriesDrift::~SeriesDrift() {
    {
        std::lock_guard lock(mutex_);
        stop_ = true;
        changed_.notify_all();
    }
    if (thread_.joinable()) thread_.join();
}

void SeriesDrift::add(std::string id) {
    std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(id));
    changed_.notify_all();
}

Json SeriesDrift::describe() const {
    std::lock_guard lock(mutex_);
    return Json(found_);
}

void SeriesDrift::run() {
    for (;;) {
        std::string id;
        {
            std::unique_lock lock(mutex_);
            changed_.wait(lock, [&] { return stop_ || !waiting_.empty(); });
            if (stop_) return;
            id = std::move(waiting_.front());
            waiting_.pop_front();
        }
        // Memory may be short where series fill it: that is no end of the viewer.
        try {
            measure(id);
        } catch (std::exception const&) {
            continue;
        }
    }
}

void SeriesDrift::measure(std::string const& id) {
    auto const item = catalog_.get(id);
    if (!item || !item->full || !item->disk) return;
    auto const detector = stem4d::parse_detector("bf");
    auto const found =
        stem4d::virtual_image(*item->full, std::span(&*detector, 1), {.disk = item->disk});
    if (!found || stop_) return;
    auto const shape = item->full->scan_shape();
    Array<double> const image{{shape[0], shape[1]}, found->values.values};
    auto step = series_.add(image);
    if (!step) {
        series_ = {};
        step = series_.add(image);
    }
    if (!step || stop_) return;
    index const place = std::ssize(series_.steps()) - 1;
    if (place == 0) first_ = id;
    stem4d::ImageShift const& shift = step->shift;
    {
        std::lock_guard lock(mutex_);
        found_.push_back({{"dataset", id},
                          {"first", first_},
                          {"scan", place + 1},
                          {"text", stem4d::describe(*step, place)},
                          {"row", number(shift.by.row)},
                          {"col", number(shift.by.col)},
                          {"row_error", number(shift.error.row)},
                          {"col_error", number(shift.error.col)}});
        if (found_.size() > most_found) found_.pop_front();
    }
    told_();
}

}  // namespace sluice::app
