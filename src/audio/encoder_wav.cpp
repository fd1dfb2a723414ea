// WAV files: a header, and the samples as they are.
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <utility>
#include <vector>

#include "audio/encoder.h"
#include "audio/wav_header.h"
#include "base/file.h"

namespace sluice::audio {
namespace {

class WavEncoder final : public Encoder {
  public:
    WavEncoder(Target target, NewFile file) : target_(std::move(target)), file_(std::move(file)) {}

    Status begin() { return file_.write(wav_header(target_, 0)); }

    Status write(std::span<int const> whole) override {
        std::size_t const bytes = target_.encoding == Encoding::pcm16 ? 2 : 3;
        block_.resize(whole.size() * bytes);
        std::byte* to = block_.data();
        for (int const v : whole)
            for (std::size_t k = 0; k < bytes; ++k)
                *to++ = static_cast<std::byte>(static_cast<unsigned>(v) >> (8 * k));
        return add(block_);
    }
    Status write(std::span<float const> samples) override { return add(std::as_bytes(samples)); }

    Status finish() override {
        if (bytes_ % 2 != 0) SLUICE_CHECK(file_.write(std::array{std::byte{0}}));
        SLUICE_CHECK(file_.write_at(0, wav_header(target_, bytes_)));
        return file_.commit();
    }

  private:
    Status add(Bytes bytes) {
        bytes_ += bytes.size();
        return file_.write(bytes);
    }

    Target target_;
    NewFile file_;
    std::uint64_t bytes_ = 0;
    std::vector<std::byte> block_;
};

}  // namespace

Result<std::unique_ptr<Encoder>> wav_encoder(std::string const& path, Target const& target) {
    SLUICE_TRY(NewFile file, NewFile::create(path));
    auto encoder = std::make_unique<WavEncoder>(target, std::move(file));
    SLUICE_CHECK(encoder->begin());
    return std::unique_ptr<Encoder>(std::move(encoder));
}

}  // namespace sluice::audio
