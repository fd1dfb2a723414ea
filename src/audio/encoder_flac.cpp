// FLAC files by libsndfile, on the temporary name of a NewFile.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <sndfile.h>

#include <utility>
#include <vector>

#include "audio/encoder.h"
#include "base/file.h"

namespace sluice::audio {
namespace {

class FlacEncoder final : public Encoder {
  public:
    FlacEncoder(std::string path, Target target, NewFile file)
        : path_(std::move(path)), target_(std::move(target)), file_(std::move(file)) {}
    FlacEncoder(FlacEncoder const&) = delete;
    FlacEncoder& operator=(FlacEncoder const&) = delete;
    ~FlacEncoder() override {
        if (handle_) sf_close(handle_);
    }

    Status begin() {
        SF_INFO info{};
        info.samplerate = target_.rate;
        info.channels = static_cast<int>(target_.channels);
        info.format = SF_FORMAT_FLAC | (bits() == 16 ? SF_FORMAT_PCM_16 : SF_FORMAT_PCM_24);
        handle_ = sf_open(file_.temporary().c_str(), SFM_WRITE, &info);
        if (!handle_) return cannot("cannot be written ({})", sf_strerror(nullptr));
        for (TagName const& name : tag_names)
            if (std::string const& text = target_.tags.*name.tag; !text.empty())
                if (int const failed = sf_set_string(handle_, name.number, text.c_str()))
                    return cannot("cannot be written (its tags: {})", sf_error_number(failed));
        return {};
    }

    // libsndfile takes what it stores from the upper bits of 32.
    Status write(std::span<int const> whole) override {
        block_.clear();
        for (int const v : whole) block_.push_back(v * (1 << (32 - bits())));
        auto const count = static_cast<sf_count_t>(block_.size());
        if (sf_write_int(handle_, block_.data(), count) != count)
            return cannot("cannot be written ({}) is the disk full?", sf_strerror(handle_));
        return {};
    }
    Status write(std::span<float const>) override {
        expects(false);  // kind_to_write() refuses floats
        return {};
    }

    Status finish() override {
        if (int const failed = sf_close(std::exchange(handle_, nullptr)); failed != 0)
            return cannot("cannot be written ({}) is the disk full?", sf_error_number(failed));
        return file_.commit();
    }

  private:
    int bits() const { return target_.encoding == Encoding::pcm16 ? 16 : 24; }
    Error cannot(char const* what, char const* why) const {
        return {Code::io, fmt::format(fmt::runtime(what), why), path_};
    }

    std::string path_;
    Target target_;
    NewFile file_;
    SNDFILE* handle_ = nullptr;
    std::vector<int> block_;
};

}  // namespace

Result<std::unique_ptr<Encoder>> flac_encoder(std::string const& path, Target const& target) {
    SLUICE_TRY(NewFile file, NewFile::create(path));
    auto encoder = std::make_unique<FlacEncoder>(path, target, std::move(file));
    SLUICE_CHECK(encoder->begin());
    return std::unique_ptr<Encoder>(std::move(encoder));
}

}  // namespace sluice::audio
