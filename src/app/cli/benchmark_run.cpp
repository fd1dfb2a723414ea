// Benchmarks are programs that run for us: a second build can then take turns with this one.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/benchmark_run.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <thread>

#include "base/file.h"
#include "base/plural.h"
#include "base/run.h"
#include "base/spawn.h"
#include "bench/machine.h"
#include "bench/stopwatch.h"
#include "planning/folder.h"

namespace sluice::cli {
namespace {

namespace fs = std::filesystem;
using bench::HistoryRow;
using bench::HistoryRun;

constexpr std::uint64_t most_output = std::uint64_t{64} << 20;

/// A program, and what it has told so far.
struct Program {
    std::string path;
    HistoryRun run;
};

/// What a command printed, and how long it took.
struct Done {
    double s = 0;
    std::string out;
};

class Runner {
  public:
    explicit Runner(BenchmarkRuns const& what) : what_(what) {}

    Result<std::vector<HistoryRun>> run() {
        SLUICE_TRY(folder_, planning::Folder::make(what_.folder));
        SLUICE_CHECK(name_programs());
        bool const turns = programs_.size() > 1;
        for (BenchmarkEntry const& e : what_.entries) {
            if (auto ready = make_input(e); !ready) {
                if (ready.error().code == Code::cancelled) return ready.error();
                for (Program& p : programs_) miss(p, e, ready.error());
            } else if (e.kind == BenchmarkEntry::Kind::verb && !turns) {
                SLUICE_CHECK(tell());
                SLUICE_CHECK(verb(programs_.front(), e, what_.rounds));
            } else {
                SLUICE_CHECK(in_turns(e));
            }
        }
        std::vector<HistoryRun> runs;
        for (Program& p : programs_) runs.push_back(std::move(p.run));
        return runs;
    }

  private:
    BenchmarkRuns const& what_;
    std::shared_ptr<planning::Folder> folder_ = {};
    std::vector<Program> programs_ = {};
    std::uint64_t done_ = 0;

    Status tell() {
        auto const all = static_cast<std::uint64_t>(what_.rounds) * what_.entries.size();
        return tell_progress(what_.progress, std::min(done_++, all), all);
    }

    Status name_programs() {
        auto const machine = bench::machine();
        std::vector<std::string> paths{"/proc/self/exe"};
        std::error_code error;
        paths.front() = fs::read_symlink(paths.front(), error).string();
        if (!what_.beside.empty()) paths.push_back(what_.beside);
        for (std::string const& path : paths) {
            Program p{path, {}};
            SLUICE_TRY(Done const told, execute({path, "--version"}));
            p.run.version = told.out.substr(0, told.out.find('\n'));
            p.run.time = machine["time"].get<std::string>();
            p.run.processor = machine["processor"].get<std::string>();
            p.run.load_before = machine["load_before"].get<double>();
            if (paths.size() > 1) p.run.session = fmt::format("{} {}", p.run.time, ::getpid());
            programs_.push_back(std::move(p));
        }
        return {};
    }

    // Runs it to its end, or until the user stops it.
    Result<Done> execute(std::vector<std::string> const& words) {
        std::string const out = folder_->path() + "/output", err = folder_->path() + "/errors";
        int const to = ::open(out.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
        int const errors = ::open(err.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
        double const begin = bench::system_clock().wall();
        pid_t pid = 0;
        int const failed = to < 0 || errors < 0 ? errno : spawn(words, {to, errors}, {}, pid);
        if (to >= 0) ::close(to);
        if (errors >= 0) ::close(errors);
        if (failed != 0)
            return Error{Code::io,
                         fmt::format("{} cannot be started (error {})", words[0], failed)};
        std::optional<int> status;
        while (!(status = ended_child(pid))) {
            if (auto go_on = tell_progress(what_.progress, done_, done_ + 1); !go_on) {
                ::kill(-pid, SIGTERM);
                while (!ended_child(pid)) std::this_thread::sleep_for(std::chrono::milliseconds(5));
                return go_on.error();
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        Done done{bench::system_clock().wall() - begin, {}};
        SLUICE_TRY(done.out, text_in(*status == 0 ? out : err));
        if (*status == 0) return done;
        std::string const why = done.out.substr(0, done.out.find('\n'));
        return Error{Code::io, why.empty() ? fmt::format("it ended with {}", *status) : why};
    }

    static Result<std::string> text_in(std::string const& path) {
        SLUICE_TRY(auto const bytes, read_file(path, most_output));
        return std::string(reinterpret_cast<char const*>(bytes.data()), bytes.size());
    }

    std::string prefix(char const* name) const { return folder_->path() + "/" + name; }

    // Simulated scans are made where the first benchmark needs them.
    Status make_input(BenchmarkEntry const& e) {
        for (std::string const& word : e.words) {
            if (word == "{scan}") SLUICE_CHECK(make_scan("scan", "128x128", "192x192"));
            if (word == "{small}") SLUICE_CHECK(make_scan("small", "48x48", "128x128"));
            if (word == "{slide}" && what_.slide.empty())
                return Error{Code::not_found, "no slide was named (--slide)"};
        }
        return {};
    }
    Status make_scan(char const* name, char const* scan, char const* detector) {
        std::error_code error;
        if (fs::exists(prefix(name) + "_master.h5", error)) return {};
        SLUICE_TRY([[maybe_unused]] Done const made,
                   execute({programs_.front().path, "synth", "arina", prefix(name), "--scan", scan,
                            "--detector", detector, "--dose", "4000"}));
        return {};
    }

    std::vector<std::string> words_of(Program const& p, BenchmarkEntry const& e) const {
        std::vector<std::string> words{p.path};
        for (std::string word : e.words) {
            for (auto const& [mark, text] :
                 {std::pair<std::string, std::string>{"{scan}", prefix("scan_master.h5")},
                  {"{small}", prefix("small_master.h5")},
                  {"{slide}", what_.slide},
                  {"{out}", prefix("out")}})
                if (std::size_t const at = word.find(mark); at != word.npos)
                    word.replace(at, mark.size(), text);
            words.push_back(std::move(word));
        }
        return words;
    }

    static void miss(Program& p, BenchmarkEntry const& e, Error const& why) {
        p.run.rows.push_back({e.name, e.name, false, {}, why.text()});
    }

    static HistoryRow& row_of(Program& p, BenchmarkEntry const& e, std::string const& name) {
        for (HistoryRow& row : p.run.rows)
            if (row.benchmark == e.name && row.name == name) return row;
        return p.run.rows.emplace_back(HistoryRow{e.name, name, false, {}, {}});
    }

    // So many rounds in a process of its own.
    Status verb(Program& p, BenchmarkEntry const& e, int rounds) {
        auto words = words_of(p, e);
        for (std::string const& word :
             {std::string("--rounds"), std::to_string(rounds), std::string("--json")})
            words.push_back(word);
        auto const done = execute(words);
        if (!done) return failed(p, e, done.error());
        bench::Json const report = bench::Json::parse(done->out, nullptr, false);
        if (!report.is_object() || !report.contains("results") || !report["results"].is_array())
            return failed(
                p, e,
                {Code::corrupt,
                 "its report cannot be read (another version?); run it by itself with --json"});
        for (auto const& result : report["results"]) {
            std::string const name =
                fmt::format("{}: {}", result.value("contest", ""), result.value("name", ""));
            HistoryRow& row = row_of(p, e, name);
            row.rival = result.value("rival", false);
            for (auto const& s : result.value("rounds_wall_s", bench::Json::array()))
                if (s.is_number()) row.rounds_s.push_back(s.get<double>());
        }
        return {};
    }

    Status command(Program& p, BenchmarkEntry const& e, bool counts) {
        std::error_code error;
        fs::remove_all(prefix("out"), error);
        fs::create_directory(prefix("out"), error);
        auto words = words_of(p, e);
        auto const done = execute(words);
        if (!done) return failed(p, e, done.error());
        if (counts) row_of(p, e, e.name).rounds_s.push_back(done->s);
        return {};
    }

    // Ours is an error where the user stopped it, else a missing row, as any rival's.
    static Status failed(Program& p, BenchmarkEntry const& e, Error const& why) {
        if (why.code == Code::cancelled) return why;
        std::erase_if(p.run.rows, [&](HistoryRow const& row) { return row.benchmark == e.name; });
        miss(p, e, why);
        return {};
    }

    static bool missing(Program const& p, BenchmarkEntry const& e) {
        return std::ranges::any_of(p.run.rows, [&](HistoryRow const& row) {
            return row.benchmark == e.name && !row.missing.empty();
        });
    }

    // A B A B ...: what the machine is busy with meets both. A round of each warms up.
    Status in_turns(BenchmarkEntry const& e) {
        bool const whole = e.kind == BenchmarkEntry::Kind::command;
        for (int round = whole ? -1 : 0; round < what_.rounds; ++round) {
            if (round >= 0) SLUICE_CHECK(tell());
            for (Program& p : programs_)
                if (!missing(p, e)) SLUICE_CHECK(whole ? command(p, e, round >= 0) : verb(p, e, 1));
        }
        return {};
    }
};

}  // namespace

Result<std::vector<HistoryRun>> run_benchmarks(BenchmarkRuns const& what) {
    return Runner(what).run();
}

}  // namespace sluice::cli
