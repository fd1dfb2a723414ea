// Work: one conversion, from its beginning to its names.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/conversion/journal.h"
#include "domain/conversion/targets.h"

namespace sluice::conversion {

class Work {
  public:
    static Result<Work> plan(Scan const& scan, std::string path,
                             stem4d::ScanConvertOptions const& options);
    Result<stem4d::ScanConvertReport> run();
    /// Bytes of the blocks of all threads, where encoded values take `packed` of theirs, and of
    /// pixel masks. The readers' decoders are not counted.
    std::uint64_t bytes(double packed = 1) const;
    bool compresses() const { return target_->codec() != "none"; }

  private:
    Work(Scan const& scan, stem4d::ScanConvertOptions const& options, Places places, Wish wish,
         std::unique_ptr<Target> target)
        : scan_(scan),
          options_(options),
          places_(std::move(places)),
          wish_(std::move(wish)),
          target_(std::move(target)) {}

    // begin.cpp
    Status begin();
    Status check_free() const;
    Status check_memory() const;
    Result<bool> resume();
    std::string identity() const;
    std::string journal_name() const { return places_.part + ".journal"; }
    void remove_part() const;
    Status check_final_names() const;
    Status give_names();

    Status write();
    Status verify(Dataset const& made);
    Status compare(Scan const& made, Block const& block, std::vector<std::byte>& own,
                   std::vector<std::byte>& its, FrameReader& from, FrameReader& to) const;
    int threads() const { return wish_.threads; }

    Scan const& scan_;
    stem4d::ScanConvertOptions const& options_;
    Places places_;
    Wish wish_;
    std::unique_ptr<Target> target_;
    std::optional<Journal> journal_ = {};
    std::map<index, Stored> kept_ = {};  ///< blocks of the unfinished output
    store::Tally tally_ = {};
    stem4d::ScanConvertReport report_ = {};
};

}  // namespace sluice::conversion
