// The checksum that zip files keep of each member.
// SPDX-License-Identifier: Apache-2.0
#include "codec/zip/checksum.h"

#include <fmt/format.h>
#include <zlib.h>

#include "codec/zip/quoted.h"

namespace sluice::zip {

Status check_crc(Bytes bytes, std::uint32_t crc, std::string_view what, std::string const& file,
                 std::uint64_t at) {
    if (crc == 0) return {};
    auto const found =
        crc32_z(0, reinterpret_cast<unsigned char const*>(bytes.data()), bytes.size());
    if (found == crc) return {};
    return Error{Code::corrupt,
                 fmt::format("{} is not what was written (its checksum is {:08x} and not {:08x}) "
                             "copy or download the file again",
                             in_quotes(what), found, crc),
                 file, at};
}

}  // namespace sluice::zip
