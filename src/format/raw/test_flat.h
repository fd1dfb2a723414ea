// For tests of formats: a folder, files byte by byte, and all values of a dataset.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "format/decode_frame.h"
#include "format/frame_source.h"

namespace sluice {

/// Bytes one after another.
class Made {
  public:
    template <class T>
    Made& le(T v) {
        text_.append(reinterpret_cast<char const*>(&v), sizeof v);
        return *this;
    }
    template <class T>
    Made& be(T v) {
        for (std::size_t i = sizeof v; i-- > 0;) text_ += reinterpret_cast<char const*>(&v)[i];
        return *this;
    }
    Made& raw(std::string const& s) {
        text_ += s;
        return *this;
    }
    Made& pad_to(std::size_t size) {
        text_.resize(size, '\0');
        return *this;
    }
    std::string const& text() const { return text_; }

  private:
    std::string text_;
};

class FormatFolder : public testing::Test {
  protected:
    FormatFolder()
        : folder_(std::filesystem::path(testing::TempDir()) /
                  ("sluice_format_" + std::to_string(::getpid()))) {
        std::filesystem::create_directories(folder_);
    }
    ~FormatFolder() override { std::filesystem::remove_all(folder_); }
    std::string write(std::string const& name, std::string const& data) {
        std::string const path = (folder_ / name).string();
        std::ofstream(path, std::ios::binary) << data;
        return path;
    }

    std::filesystem::path folder_;
};

/// The values of frames first .. last as T, fetched `at_once` at a time.
template <class T>
std::vector<T> values_of(Dataset const& d, index at_once = 3) {
    std::vector<T> all;
    for (index first = 0; first < d.frames; first += at_once) {
        std::vector<EncodedFrame> frames(
            static_cast<std::size_t>(std::min(at_once, d.frames - first)));
        FetchScratch scratch;
        auto const s = d.source->fetch(first, frames, scratch);
        EXPECT_TRUE(s) << s.error().text();
        for (EncodedFrame const& f : frames) {
            std::vector<T> v(static_cast<std::size_t>(d.pixels()));
            FrameSize const size{.rows = d.rows, .cols = d.cols, .pixel_bytes = int{sizeof(T)}};
            EXPECT_TRUE(decode_frame(f, size, std::as_writable_bytes(std::span(v))));
            all.insert(all.end(), v.begin(), v.end());
        }
    }
    return all;
}

inline bool has_text(std::vector<std::string> const& notes, std::string_view word) {
    for (std::string const& n : notes)
        if (n.find(word) != std::string::npos) return true;
    return false;
}

/// Every shorter file is an error or, of headers' ends, nothing that crashes.
inline void refuses_every_truncation(std::string const& path, std::string const& whole,
                                     std::size_t step = 1) {
    for (std::size_t n = 0; n < whole.size(); n += step) {
        std::ofstream(path, std::ios::binary) << whole.substr(0, n);
        auto const d = open(path);
        ASSERT_FALSE(d) << n << " of " << whole.size();
        EXPECT_FALSE(d.error().message.empty());
    }
}

}  // namespace sluice
