// Decoder by libsndfile, which reads through our positioned reads.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <sndfile.h>

#include <algorithm>
#include <utility>

#include "audio/decoder.h"
#include "audio/wav_extent.h"

namespace sluice::audio {
namespace {

class BySndfile final : public Decoder {
  public:
    explicit BySndfile(Input input) : input_(std::move(input)) {}
    BySndfile(BySndfile const&) = delete;
    BySndfile& operator=(BySndfile const&) = delete;
    ~BySndfile() override {
        if (handle_) sf_close(handle_);
    }

    Status open();
    Sound const& sound() const override { return sound_; }
    Result<index> read(float* out, index frames) override;
    Status end(index position) override;

  private:
    static SF_VIRTUAL_IO access();
    static BySndfile& of(void* user) { return *static_cast<BySndfile*>(user); }
    sf_count_t seek(sf_count_t offset, int whence);
    sf_count_t take(void* out, sf_count_t count);
    Status describe(SF_INFO const& info);

    Input input_;
    std::uint64_t at_ = 0;
    Status failed_;  ///< what the system said, which libsndfile does not pass on
    Sound sound_;
    SNDFILE* handle_ = nullptr;
};

// The text of libsndfile ends in a full stop, or not.
std::string reason(SNDFILE* handle) {
    std::string text = sf_strerror(handle);
    while (!text.empty() && (text.back() == '.' || text.back() == '\n')) text.pop_back();
    return text;
}

SF_VIRTUAL_IO BySndfile::access() {
    return {
        [](void* user) { return static_cast<sf_count_t>(of(user).input_.size()); },
        [](sf_count_t offset, int whence, void* user) { return of(user).seek(offset, whence); },
        [](void* out, sf_count_t count, void* user) { return of(user).take(out, count); },
        [](void const*, sf_count_t, void*) -> sf_count_t { return 0; },
        [](void* user) { return static_cast<sf_count_t>(of(user).at_); },
    };
}

sf_count_t BySndfile::seek(sf_count_t offset, int whence) {
    auto const end = static_cast<sf_count_t>(input_.size());
    sf_count_t const from = whence == SEEK_SET   ? 0
                            : whence == SEEK_CUR ? static_cast<sf_count_t>(at_)
                                                 : end;
    // Hostile headers may give any size: a place outside of the file is not read.
    if (offset < -from || offset > end - from) return -1;
    at_ = static_cast<std::uint64_t>(from + offset);
    return from + offset;
}

sf_count_t BySndfile::take(void* out, sf_count_t count) {
    if (count <= 0 || at_ >= input_.size()) return 0;
    auto const bytes = std::min(static_cast<std::uint64_t>(count), input_.size() - at_);
    if (auto done = input_.read(at_, {static_cast<std::byte*>(out), bytes}); !done) {
        failed_ = std::move(done);
        return 0;
    }
    at_ += bytes;
    return static_cast<sf_count_t>(bytes);
}

Status BySndfile::open() {
    SLUICE_TRY(auto const missing, missing_of_wav(input_.size(), [this](std::uint64_t offset,
                                                                        std::span<std::byte> out) {
                   return input_.read(offset, out);
               }));
    if (missing) {
        Error e = input_.error(Code::truncated,
                               fmt::format("ends too early (its header promises {} bytes of "
                                           "samples, and {} are there) copy or download it again",
                                           missing->promised, missing->there));
        e.at = missing->at + missing->there;
        return e;
    }
    SF_VIRTUAL_IO io = access();
    SF_INFO info{};
    handle_ = sf_open_virtual(&io, SFM_READ, &info, this);
    if (!failed_) return failed_;
    if (!handle_)
        return input_.error(
            Code::corrupt, fmt::format("cannot be decoded ({}) {}", reason(nullptr), what_is_read));
    return describe(info);
}

Status BySndfile::describe(SF_INFO const& info) {
    sound_.container = container_word(info.format);
    sound_.encoding = encoding_word(info.format);
    if (sound_.container.empty() || sound_.encoding.empty())
        return input_.error(Code::unsupported,
                            fmt::format("has an encoding that is not read here (its number is "
                                        "{:#x}) convert it to WAV or FLAC",
                                        static_cast<unsigned>(info.format)));
    sound_.rate = info.samplerate;
    sound_.channels = info.channels;
    if (sound_.rate < 1 || sound_.channels < 1)
        return input_.error(
            Code::corrupt,
            fmt::format("has {} channels of {} frames per second (neither can be less "
                        "than 1) write it again",
                        info.channels, info.samplerate));
    bool const known = info.frames >= 0 && info.frames < SF_COUNT_MAX;
    if (known) sound_.about = info.frames;
    // The length of an MP3 is an estimate unless all of it is decoded.
    if (sound_.container != "MP3" && known) sound_.frames = info.frames;
    if (sound_.frames == 0)
        return input_.error(Code::truncated,
                            "holds no sound (it has a header and no frames) give another file");
    for (TagName const& name : tag_names)
        if (char const* text = sf_get_string(handle_, name.number))
            sound_.tags.*name.tag = tag_text(text);
    return {};
}

Result<index> BySndfile::read(float* out, index frames) {
    index done = 0;
    while (done < frames) {
        index const got = sf_readf_float(handle_, out + done * sound_.channels, frames - done);
        if (got <= 0) break;
        done += got;
    }
    SLUICE_CHECK(failed_);
    return done;
}

Status BySndfile::end(index position) {
    if (sf_error(handle_) != SF_ERR_NO_ERROR)
        return input_.error(Code::corrupt,
                            fmt::format("cannot be decoded behind {} ({}) copy or download it "
                                        "again",
                                        place(sound_, position), reason(handle_)));
    if (sound_.frames && position < *sound_.frames)
        return input_.error(Code::truncated,
                            fmt::format("ends at {} (its header promises {} frames) copy or "
                                        "download it again",
                                        place(sound_, position), *sound_.frames));
    return {};
}

}  // namespace

Result<std::unique_ptr<Decoder>> open_by_libsndfile(Input input) {
    auto decoder = std::make_unique<BySndfile>(std::move(input));
    SLUICE_CHECK(decoder->open());
    return std::unique_ptr<Decoder>(std::move(decoder));
}

}  // namespace sluice::audio
