// Fuzzes MIB files that are read while they are written: pieces of the input, one after the other.
// SPDX-License-Identifier: Apache-2.0
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <set>

#include "base/bytes.h"
#include "format/mib/header.h"
#include "net/files/growing.h"

namespace {

using namespace sluice;
using net::files::Growing;

constexpr std::array names{"scan.hdr", "scan1.mib", "scan2.mib"};

/// A folder of files that are written piece by piece.
class Folder {
  public:
    Folder() { ::mkdir(path_.c_str(), 0700); }
    Folder(Folder const&) = delete;
    Folder& operator=(Folder const&) = delete;
    ~Folder() {
        for (std::size_t i = 0; i < names.size(); ++i) ::unlink(path(i).c_str());
        ::rmdir(path_.c_str());
    }
    std::string path(std::size_t file) const { return path_ + "/" + names[file]; }
    void add(std::size_t file, Bytes bytes) {
        all_[file].insert(all_[file].end(), bytes.begin(), bytes.end());
        std::FILE* const f = std::fopen(path(file).c_str(), "ab");
        expects(f != nullptr);
        std::fwrite(bytes.data(), 1, bytes.size(), f);
        std::fclose(f);
    }
    void shorten(std::size_t file, std::size_t bytes) {
        if (bytes >= all_[file].size()) return;
        all_[file].resize(bytes);
        expects(::truncate(path(file).c_str(), static_cast<::off_t>(bytes)) == 0);
    }
    Bytes bytes_of(std::string const& path) const {
        for (std::size_t i = 0; i < names.size(); ++i)
            if (this->path(i) == path) return all_[i];
        expects(false);
        return {};
    }

  private:
    std::string path_ = "/tmp/sluice_growing_fuzz_" + std::to_string(::getpid());
    std::array<std::vector<std::byte>, names.size()> all_ = {};
};

/// An image is as it lies in its file, behind a header with its number.
void check(Growing::Image const& one, Folder const& folder) {
    Bytes const file = folder.bytes_of(*one.frame.file), frame = one.frame.bytes;
    expects(one.frame.at <= file.size() && frame.size() <= file.size() - one.frame.at);
    expects(std::ranges::equal(frame, file.subspan(one.frame.at, frame.size())));
    auto const header_bytes = mib::header_bytes_of(folder.bytes_of(folder.path(1)));
    expects(header_bytes && *header_bytes <= one.frame.at);
    auto const header = mib::read_frame_header(file.subspan(one.frame.at - *header_bytes));
    expects(header && header->sequence - static_cast<std::uint64_t>(one.number) <= 1);
}

}  // namespace

// A piece is its file (its lowest bits; 3: the first one becomes shorter), its length, its bytes.
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    Folder folder;
    Growing growing(folder.path(1), {}, Growing::Clock::duration::zero());
    std::set<sluice::index> taken;
    Bytes left = std::as_bytes(std::span(data, size));
    for (int pieces = 0; left.size() > 3 && pieces < 40; ++pieces) {
        auto const what = std::to_integer<std::size_t>(left[0]) % 4;
        std::size_t const length = load_le<std::uint16_t>(left.data() + 1);
        left = left.subspan(3);
        if (what == 3) {
            folder.shorten(1, length);
        } else {
            folder.add(what, left.first(std::min(length, left.size())));
            left = left.subspan(std::min(length, left.size()));
        }
        if (!growing.look()) return 0;
        for (auto images = growing.take(); !images.empty(); images = growing.take()) {
            for (Growing::Image const& one : images) {
                expects(one.number >= 0 && one.number < growing.dataset()->frames);
                expects(taken.insert(one.number).second);
                check(one, folder);
            }
            expects(growing.taken() == static_cast<sluice::index>(taken.size()));
        }
    }
    return 0;
}
