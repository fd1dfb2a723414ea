// TablesOnDisk: sums beside a scan that is streamed, out of the file of tables beside it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <mutex>

#include "scan/pattern_sums.h"
#include "scan/ring_sums.h"
#include "scan/tables_file.h"

namespace sluice {

/// Any thread may ask. What is damaged is as if it were not there, and is noted.
class TablesOnDisk {
  public:
    /// The file of a scan: of LoadOptions::tables_file, or beside it. Null: there is none, or it
    /// is of something else or damaged, which `notes` say then.
    static std::unique_ptr<TablesOnDisk> find(Dataset const& dataset, store::Plan const& plan,
                                              LoadOptions const& options,
                                              std::vector<std::string>& notes);

    TablesHead const& head() const { return file_.head(); }
    std::string const& path() const { return file_.path(); }
    std::vector<std::string> notes() const;

    /// [frame]; read when first asked for. Empty: they are damaged.
    std::span<planes::Moment const> moments();
    /// Without sums: with() reads those that are needed. Null: there are none.
    std::shared_ptr<RingSums const> rings();
    std::shared_ptr<PatternSums const> patterns();
    /// Null: some are damaged.
    std::shared_ptr<RingSums const> with(RingSums const& rings,
                                         std::span<std::array<index, 2> const> borders);
    std::shared_ptr<PatternSums const> with(PatternSums const& patterns,
                                            std::span<PatternSums::Square const> squares);

  private:
    TablesOnDisk(TablesFile file, store::Plan const& plan) : file_(std::move(file)), plan_(plan) {}
    /// Empty, and noted: they are damaged.
    std::optional<std::vector<std::byte>> read(Stretch const& stretch);
    std::optional<std::vector<store::Narrow>> read_square(PatternSums const& patterns,
                                                          Stretch const& stretch);
    void note(std::string const& text);

    TablesFile file_;
    store::Plan const& plan_;
    mutable std::mutex mutex_ = {};  // of what follows
    std::vector<std::string> notes_ = {};
    bool moments_read_ = false;
    std::vector<planes::Moment> moments_ = {};
    std::shared_ptr<RingSums const> rings_ = {};
    std::shared_ptr<PatternSums const> patterns_ = {};
};

}  // namespace sluice
