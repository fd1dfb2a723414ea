// Reading the indexes of shards, and keeping some of them.
// SPDX-License-Identifier: Apache-2.0
#include "zarr/shard_index.h"

#include <fmt/format.h>

#include "base/bytes.h"
#include "codec/crc32c/crc32c.h"
#include "zarr/place.h"

namespace sluice::zarr {
namespace {

// When they are more, all are dropped: those in use are soon there again.
constexpr std::size_t most_bytes = std::size_t{64} << 20;

using Index = std::shared_ptr<ShardIndex const>;

Result<Index> read_index(Source const& file, std::string stamp, Layout const& layout) {
    std::uint64_t count = 1;
    for (std::size_t d = 0; d < layout.shard.size(); ++d)
        count *= static_cast<std::uint64_t>(layout.shard[d] / layout.chunk[d]);
    std::uint64_t const length = count * 16 + (layout.index_checksum ? 4 : 0);
    if (file.size() < length)
        return Error{
            Code::truncated,
            fmt::format("a shard of {} bytes without an index; write it again", file.size()),
            file.name()};
    auto index = std::make_shared<ShardIndex>();
    index->file_size = file.size();
    index->stamp = std::move(stamp);
    index->begin = layout.index_first ? 0 : file.size() - length;
    index->first = layout.index_first ? length : 0;
    index->end = layout.index_first ? file.size() : index->begin;
    index->table.resize(length);
    SLUICE_CHECK(file.read(index->begin, index->table));
    Bytes const entries = Bytes(index->table).first(count * 16);
    if (layout.index_checksum &&
        load_le<std::uint32_t>(entries.data() + entries.size()) != codec::crc32c(entries))
        return Error{Code::corrupt, "wrong checksum of a shard's index; write it again",
                     file.name(), index->begin};
    return Index(std::move(index));
}

}  // namespace

Result<Index> ShardIndexes::read(std::string const& path, Layout const& layout) {
    SLUICE_TRY(auto const file, open_file(path));
    std::string const stamp = stamp_of(path);
    {
        std::lock_guard const lock(mutex_);
        auto const found = kept_.find(path);
        if (!stamp.empty() && found != kept_.end() && found->second->file_size == file->size() &&
            found->second->stamp == stamp)
            return found->second;
    }
    SLUICE_TRY(Index const index, read_index(*file, stamp, layout));
    std::lock_guard const lock(mutex_);
    if (bytes_ > most_bytes) {
        kept_.clear();
        bytes_ = 0;
    }
    bytes_ += index->table.size();
    kept_[path] = index;
    return index;
}

}  // namespace sluice::zarr
