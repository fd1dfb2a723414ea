// FlatTarget: frames at known places of one file, which threads fill.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>

#include "domain/conversion/part_file.h"
#include "domain/conversion/targets.h"

namespace sluice::conversion {

/// Where frames lie, and what stands around them.
struct FlatForm {
    std::uint64_t offset = 0;                             ///< of the first frame
    std::uint64_t header_bytes = 0;                       ///< before each frame
    std::function<std::string(index frame)> header = {};  ///< of so many bytes
    bool big_endian = false;
    std::string beginning = {};  ///< of the file, before the offset
    /// Makes a file that is not only values, and says where they begin; null: `beginning` does.
    std::function<Result<std::uint64_t>(std::string const& part)> lay_out = {};
    std::function<Result<Dataset>(std::string const& part)> reopen = {};
    /// Files beside it: the final name and the text.
    std::vector<std::pair<std::string, std::string>> beside = {};
    std::vector<std::string> notes = {};
};

class FlatTarget final : public Target {
  public:
    FlatTarget(Wish wish, Places places, FlatForm form)
        : wish_(std::move(wish)), places_(std::move(places)), form_(std::move(form)) {}

    std::string codec() const override { return "none"; }
    index blocks() const override;
    Block block(index number) const override;
    /// Not while the file is being laid out: only then it is known where values begin.
    bool resumable() const override { return !form_.lay_out || kept_offset(); }
    Status begin(bool anew) override;
    Result<Stored> write(index number, FrameReader& frames) override;
    std::uint64_t worker_bytes(double /*packed*/) const override {
        return static_cast<std::uint64_t>(per_block()) * stride();
    }
    Result<Stored> read_back(index number) const override;
    std::string main() const override { return places_.part; }
    Result<Dataset> reopen() const override { return form_.reopen(places_.part); }
    std::uint64_t bytes() const override;
    std::vector<std::pair<std::string, std::string>> others() const override;
    std::vector<std::string> notes() const override { return form_.notes; }

  private:
    std::uint64_t stride() const {
        return form_.header_bytes + static_cast<std::uint64_t>(wish_.frame_bytes());
    }
    std::uint64_t place_of(index frame) const {
        return form_.offset + static_cast<std::uint64_t>(frame) * stride();
    }
    index per_block() const;
    std::string offset_name() const { return places_.part + ".offset"; }
    std::optional<std::uint64_t> kept_offset() const;

    Wish wish_;
    Places places_;
    FlatForm form_;
    std::optional<PartFile> file_ = {};
};

/// Error: the wish names a codec.
Result<std::unique_ptr<Target>> flat_target(Wish const& wish, Places const& places, FlatForm form);

}  // namespace sluice::conversion
