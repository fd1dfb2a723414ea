// SeriesDrift: by how far each series of a stream lies from the first one.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <thread>

#include "app/view/stem4d/catalog.h"
#include "sluice/stem4d_drift.h"

namespace sluice::app {

/// Series are compared on a thread of its own, one after the other, by their bright-field images:
/// whoever receives the next one does not wait for it. A series of another shape begins anew.
class SeriesDrift {
  public:
    explicit SeriesDrift(Catalog& catalog) : catalog_(catalog) {}
    SeriesDrift(SeriesDrift const&) = delete;
    SeriesDrift& operator=(SeriesDrift const&) = delete;
    ~SeriesDrift();

    /// `told` hears that describe() changed.
    void begin(std::function<void()> told);
    /// An item that has ended, with a disk. One that leaves memory before its turn is left out.
    void add(std::string id);
    /// [{dataset, first, scan, text, row, col, row_error, col_error}] in scan points, as
    /// docs/protocol.md has it.
    Json describe() const;

  private:
    void run();
    void measure(std::string const& id);

    Catalog& catalog_;
    std::function<void()> told_ = {};
    mutable std::mutex mutex_;  // of the next three
    std::condition_variable changed_;
    std::deque<std::string> waiting_ = {};
    std::deque<Json> found_ = {};
    std::atomic<bool> stop_ = false;
    stem4d::DriftSeries series_ = {};  // of the thread alone, as the next one
    std::string first_ = {};           // the item that `series_` began with
    std::thread thread_;
};

}  // namespace sluice::app
