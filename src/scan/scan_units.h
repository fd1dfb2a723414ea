// ScanUnits: the units of a scan as items to fold, from memory or straight from the files.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "fold/items.h"
#include "sluice/scan.h"
#include "store/aligned.h"
#include "store/unit_reader.h"

namespace sluice::fold {

using store::Unit;

struct FoldOptions {
    Device device = Device::cpu();        ///< threads and instruction set
    std::vector<std::uint8_t> need = {};  ///< blocks to decode when streaming; empty: all
    std::vector<std::uint8_t> skip = {};  ///< [unit], 1: no frame of it is asked for
    index batch = 1;                      ///< most units an add() gets at once
    Progress progress = {};
    Trace* trace = nullptr;
    store::Tally* tally = nullptr;  ///< receives what decoding met, when streaming
};

/// A view: scan and options must outlive it.
class ScanUnits {
  public:
    using Item = Unit;

    /// Makes the units of one worker, or finds them in memory.
    class Reader {
      public:
        Result<Batch<Unit>> read(Range units);

      private:
        friend ScanUnits;
        Reader(Scan const& scan, FoldOptions const& options, int worker)
            : scan_(scan), options_(options), worker_(worker) {}

        bool skips(index unit) const;
        Batch<Unit> from_memory(Range units);
        Result<Unit> make(index unit);
        void prepare();

        Scan const& scan_;
        FoldOptions const& options_;
        int worker_;
        std::vector<Unit> batch_ = {};
        std::optional<store::UnitReader> units_ = {};  // of a scan in memory
        std::unique_ptr<store::UnitMaker> maker_ = {};
        store::AlignedBytes memory_ = {};  // of the unit that is made
    };

    ScanUnits(Scan const& scan, FoldOptions const& options) : scan_(scan), options_(options) {}

    index groups() const;
    Range group(index number) const;
    Reader reader(int worker) const { return {scan_, options_, worker}; }
    void retire(Reader const& reader) const;

  private:
    index group_size() const;

    Scan const& scan_;
    FoldOptions const& options_;
};

}  // namespace sluice::fold
