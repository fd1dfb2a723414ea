// Puts a CZI file together: into memory, or tile by tile into a file.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <future>
#include <memory>
#include <stdexcept>

#include "czi_writer/encode.h"
#include "czi_writer/layout.h"

namespace sluice::test {
namespace {

/// Where the bytes go.
class Sink {
  public:
    virtual ~Sink() = default;
    virtual void append(Bytes bytes) = 0;
    virtual void patch(std::uint64_t at, Bytes bytes) = 0;
    std::uint64_t size = 0;
};

class MemorySink : public Sink {
  public:
    void append(Bytes more) override {
        bytes.insert(bytes.end(), more.begin(), more.end());
        size = bytes.size();
    }
    void patch(std::uint64_t at, Bytes part) override {
        std::copy(part.begin(), part.end(), bytes.begin() + static_cast<std::ptrdiff_t>(at));
    }
    std::vector<std::byte> bytes;
};

class FileSink : public Sink {
  public:
    explicit FileSink(std::string const& path) : file_(std::fopen(path.c_str(), "wb")) {
        if (!file_) fail();
    }
    void append(Bytes bytes) override {
        if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size()) fail();
        size += bytes.size();
    }
    void patch(std::uint64_t at, Bytes bytes) override {
        seek(at);
        if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size()) fail();
        seek(size);
    }
    void finish() {
        if (std::fclose(file_.release()) != 0) fail();
    }

  private:
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    [[noreturn]] static void fail() { throw std::runtime_error("the CZI file cannot be written"); }
    void seek(std::uint64_t at) {
        if (std::fseek(file_.get(), static_cast<long>(at), SEEK_SET) != 0) fail();
    }
    std::unique_ptr<std::FILE, Close> file_;
};

class Writing {
  public:
    Writing(CziFile const& file, Sink& sink, int threads)
        : file_(file), habits_(file.habits), sink_(sink), threads_(threads) {}

    void run() {
        sink_.append(header());
        if (habits_.directory_first) {
            if (habits_.xml) metadata_at_ = write_xml();
            directory_at_ = add("ZISRAWDIRECTORY", directory());
        }
        write_tiles();
        if (!habits_.directory_first && habits_.xml) metadata_at_ = write_xml();
        if (habits_.attachment_directory) write_attachments();
        if (habits_.directory_first)
            sink_.patch(directory_at_, segment("ZISRAWDIRECTORY", directory(), habits_));
        else
            directory_at_ = add("ZISRAWDIRECTORY", directory());
        sink_.patch(0, header());
    }

  private:
    std::uint64_t add(std::string_view id, Bytes content) {
        std::uint64_t const at = sink_.size;
        sink_.append(segment(id, content, habits_));
        return at;
    }

    std::vector<std::byte> header() const {
        Block b(512);
        b.put(0, std::int32_t{1});
        b.put(16, habits_.primary_guid);
        b.put(32, habits_.guid);
        b.put(48, habits_.file_part);
        b.put(52, directory_at_);
        b.put(60, metadata_at_);
        b.put(68, std::int32_t{habits_.update_pending ? -1 : 0});
        b.put(72, attachments_at_);
        return segment("ZISRAWFILE", b.bytes(), habits_);
    }

    std::vector<std::byte> directory() const {
        Block b(128);
        b.put(0, static_cast<std::int32_t>(file_.tiles.size()));
        for (std::size_t i = 0; i < file_.tiles.size(); ++i)
            b.append(
                entry_of(file_.tiles[i], i < tiles_at_.size() ? tiles_at_[i] : 0, habits_).bytes());
        return b.bytes();
    }

    std::uint64_t write_xml() {
        std::string const xml = file_.xml ? *file_.xml : make_xml(file_.metadata, file_.tiles);
        Block b(256);
        b.put(0, static_cast<std::int32_t>(xml.size()));
        b.put(256, std::string_view(xml));
        return add("ZISRAWMETADATA", b.bytes());
    }

    void write_tiles() {
        constexpr index most_tiles = 256, most_bytes = 64 << 20;
        auto const count = static_cast<index>(file_.tiles.size());
        for (index begin = 0, end = 0; begin < count; begin = end) {
            index bytes = 0;
            while (end < count && end - begin < most_tiles && bytes < most_bytes)
                bytes += raw_bytes(file_.tiles[static_cast<std::size_t>(end++)]);
            write_batch(static_cast<std::size_t>(begin), static_cast<std::size_t>(end));
        }
    }

    void write_batch(std::size_t begin, std::size_t end) {
        std::vector<std::vector<std::byte>> data(end - begin);
        auto const work = [&](std::size_t first) {
            for (std::size_t i = first; i < data.size(); i += static_cast<std::size_t>(threads_))
                data[i] = encode_tile(file_.tiles[begin + i]);
        };
        std::vector<std::future<void>> others;
        for (int t = 1; t < threads_; ++t)
            others.push_back(std::async(std::launch::async, work, static_cast<std::size_t>(t)));
        work(0);
        for (auto& other : others) other.get();
        for (std::size_t i = 0; i < data.size(); ++i) write_tile(begin + i, data[i]);
    }

    void write_tile(std::size_t i, Bytes data) {
        if (habits_.deleted_every > 0 && i % static_cast<std::size_t>(habits_.deleted_every) == 0)
            add("DELETED", std::vector<std::byte>(100, std::byte{0xdd}));
        std::uint64_t const at = sink_.size;
        tiles_at_.push_back(at);
        add("ZISRAWSUBBLOCK", sub_block(file_.tiles[i], data, at, habits_).bytes());
    }

    void write_attachments() {
        Block directory(256);
        directory.put(0, static_cast<std::int32_t>(file_.attachments.size()));
        std::int32_t number = 0;
        for (Attached const& a : file_.attachments) {
            Block const entry = attachment_entry(a, sink_.size, number++);
            Block b(256);
            b.put(0, std::uint64_t{a.data.size()});
            b.put(16, Bytes(entry.bytes()));
            b.put(256, Bytes(a.data));
            add("ZISRAWATTACH", b.bytes());
            directory.append(entry.bytes());
        }
        attachments_at_ = add("ZISRAWATTDIR", directory.bytes());
    }

    CziFile const& file_;
    Habits const& habits_;
    Sink& sink_;
    int threads_;
    std::uint64_t directory_at_ = 0, metadata_at_ = 0, attachments_at_ = 0;
    std::vector<std::uint64_t> tiles_at_;
};

}  // namespace

std::vector<std::byte> CziFile::bytes() const {
    MemorySink sink;
    Writing(*this, sink, 1).run();
    return std::move(sink.bytes);
}

void CziFile::save(std::string const& path, int threads) const {
    FileSink sink(path);
    Writing(*this, sink, threads).run();
    sink.finish();
}

}  // namespace sluice::test
