// Breaks CZI files in ways that have ended other readers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "sluice/view.h"

namespace sluice::test {

enum class Damage : std::uint8_t {
    no_magic,
    truncated,      ///< the last 40 % are missing
    cut_in_header,  ///< 100 bytes are left
    update_pending,
    file_part,          ///< the file says that it is part 3
    directory_absent,   ///< position 0
    directory_outside,  ///< position after the end
    directory_negative,
    directory_is_header,  ///< position of another kind of segment
    directory_size_huge,  ///< UsedSize and AllocatedSize 2^62
    entry_count_huge,
    entry_count_negative,
    dimension_count_negative,
    dimension_count_huge,  ///< 3000
    dimension_count_zero,
    schema_de,
    schema_unknown,
    pixel_type_unknown,
    codec_unknown,  ///< 77
    codec_camera,   ///< 504
    entry_outside,  ///< its sub-block after the end
    entry_negative,
    entry_is_directory,  ///< its sub-block is the directory
    entries_all_one,     ///< all entries name the first sub-block
    size_negative,       ///< of X
    size_huge,           ///< 2^31 - 1 by 2^31 - 1
    stored_size_negative,
    no_x,                 ///< the dimension X is called Q
    x_twice,              ///< the dimension Y is called X
    sub_block_data_huge,  ///< DataSize 2^62
    sub_block_data_negative,
    sub_block_metadata_huge,
    sub_block_attachment_negative,
    endless_chain,  ///< AllocatedSize -32: the next segment is itself
    xml_size_huge,
    xml_size_negative,
    attachment_count_huge,
    attachment_outside,
    attachment_size_huge,
    data_broken,  ///< the middle of the first tile's data is overwritten
    count,
};

std::string_view name_of(Damage kind);

/// A CziFile's bytes with the damage done; the file has tiles, XML and an attachment.
std::vector<std::byte> damaged(std::vector<std::byte> bytes, Damage kind);

/// A CziFile's bytes with bits of a start flipped, in one entry of the directory and not in its
/// tile.
std::vector<std::byte> moved(std::vector<std::byte> bytes, int entry, char dimension,
                             std::int32_t bits);

}  // namespace sluice::test
