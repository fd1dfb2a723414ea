// A folder for tests of sound files, and sounds to put there.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "audio/sink.h"
#include "audio/source.h"
#include "base/file.h"

namespace sluice::audio {

/// A fresh folder named after the running test; removed at the end.
class SoundFolder {
  public:
    SoundFolder() {
        auto const* test = testing::UnitTest::GetInstance()->current_test_info();
        path_ = std::filesystem::path(testing::TempDir()) /
                (std::string("sluice_audio_") + test->name() + "_" + std::to_string(::getpid()));
        std::filesystem::remove_all(path_);
        std::filesystem::create_directories(path_);
    }
    SoundFolder(SoundFolder const&) = delete;
    SoundFolder& operator=(SoundFolder const&) = delete;
    ~SoundFolder() { std::filesystem::remove_all(path_); }

    std::string file(std::string const& name) const { return path_ / name; }
    bool empty() const { return std::filesystem::is_empty(path_); }

  private:
    std::filesystem::path path_;
};

/// Samples that are whole multiples of 2^-15, so that 16 bits hold them: [frames][channels].
inline std::vector<float> noise(index frames, index channels, unsigned seed = 1) {
    std::vector<float> out;
    for (index k = 0; k < frames * channels; ++k) {
        seed = seed * 1'664'525u + 1'013'904'223u;
        out.push_back(static_cast<float>(static_cast<int>(seed >> 17) - 16'384) / 32'768.0f);
    }
    return out;
}

inline Written save(std::string const& path, Target const& target, std::span<float const> samples) {
    Sink sink = Sink::create(path, target).value();
    sink.write(samples).value();
    return sink.finish().value();
}

inline std::vector<std::byte> bytes_of(std::string const& path) {
    return read_file(path, 1 << 24).value();
}

}  // namespace sluice::audio
