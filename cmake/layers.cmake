# The layers, lowest first: the one place that says which there are and what each may include.
# SPDX-License-Identifier: Apache-2.0
#
# sluice_layer(NAME [FOLDER x] [JSON] [PUBLIC ...] DEPENDS ...) is a library made of src/NAME or src/x.
# sluice_room(x [DEPENDS ...]) is a folder src/x in a library. With DEPENDS its files keep to what it
# names; without, they belong to the layer around it.
#
# A file includes its own layer and what stands behind DEPENDS, directly or not. PUBLIC names the
# headers include/sluice/x.h that a layer defines. The comment above an entry is its row in
# ARCHITECTURE.md: after a change run `python3 tools/layers.py --update`.

# `Result`; `Run`: whether work goes on, its count, its first error; files that are written whole or
# not at all, their locks and names; hashes; integers read from bytes; `pause_at`: moments that
# tests meet; other programs that run for us (`spawn.h`); what only Linux has (`system.h`)
sluice_layer(base
    PUBLIC result view dtype version source volume progress provenance trace measured slide_model scan_map
    DEPENDS fmt::fmt nlohmann_json::nlohmann_json)
# where memory is and where work runs: cpu and its instruction sets, cuda, fake; the worker threads,
# what each keeps during a run (`per_worker.h`), and work that can be stopped (`share_out`); the
# copying speed
sluice_layer(device PUBLIC device DEPENDS base Threads::Threads)
# options by name: a table of fields for each struct of options (`field.h`), the words of
# enumerations (`words.h`); TOML files table by table, numbers with units, errors that name the line
sluice_layer(config DEPENDS base toml11::toml11)
# bytes to bytes, pure functions: bitshuffle, LZ4, zstd, deflate, LZF, Blosc and more; `zip`: members of
# zip files
sluice_layer(codec DEPENDS device LZ4::LZ4 ZSTD::ZSTD JPEG::JPEG ZLIB::ZLIB)
# the shape of parallel work (`map`), and the list of a folder's kernels for devices (`launch.cu`)
sluice_layer(launch DEPENDS device)
# several processes or threads on one job: sums in a fixed order, errors that end all; MPI by a
# plug-in that is loaded where mpirun started the program (`mpi`)
sluice_layer(ranks PUBLIC communicator DEPENDS base Threads::Threads ${CMAKE_DL_LIBS})
# the loop of all benchmarks: it compares answers, runs rounds in turns, takes medians, and says when
# times mean nothing
sluice_layer(bench JSON DEPENDS device nlohmann_json::nlohmann_json)
# Fourier transforms of any size, one or many, float or double: by FFTW or our own
# (`-DSLUICE_FFT=own`); devices use our own. `squares`: passes over rows and columns of small squares,
# per instruction set, which a domain's own kernels fill
sluice_layer(fft DEPENDS launch ${SLUICE_FFT_LIBRARY})
# what this machine can do, measured, and what is wrong with it: `system`, limits that the kernel tells;
# `rate`, rounds and who disturbed them; `compute`, `pages`, `disk`, `work`, `gpu`, the measurements;
# `diagnose`, rules over facts; `report`, all of it as JSON
sluice_layer(doctor PUBLIC doctor DEPENDS bench fft codec)
# layers of networks on maps in channels-last: normalised, activated, mapped and counted in one pass
# over strips; 3x3 by Winograd's algorithm, the rest by oneDNN (`onednn.cpp`); a plain twin of each;
# `remote`: the same on devices, by functors or cuDNN
sluice_layer(nn DEPENDS launch Dnnl::dnnl)
# the functors (`planes`: on bit planes, `dense`: on values, `halve`: pyramids), and their variants
# per instruction set; `lines`: bit planes that are turned, so that frames are the bits
sluice_layer(kernel DEPENDS codec launch)
# arrays and groups of Zarr 2 and 3: writes and reads ours, reads those of other programs, in folders or
# in one zip file
sluice_layer(zarr DEPENDS codec Blosc::Blosc nlohmann_json::nlohmann_json)
# a folder per file format, behind `FrameSource`; `table.cpp` is the only list; `kinds`: what a file
# is (a scan, a slide, a song, ...), the one table of that; `memory` takes the caller's arrays;
# `weights`: tensors of checkpoints; `dicom`: CT series, RT doses and structures, by DCMTK in a process
# of its own; `mat`: MATLAB's files
sluice_layer(format
    PUBLIC czi load_volume dataset feed_state open_options tpx3_options memory_dataset dicom structures
    DEPENDS zarr config HDF5::HDF5 pugixml::pugixml ZLIB::ZLIB Dcmtk::dcmtk nlohmann_json::nlohmann_json)
# `fold()`: an analysis, or several together, over items of any source (units of a scan, tiles,
# beams), whole or in parts that are sent to other processes
sluice_layer(fold DEPENDS codec)
# a scan in memory: the plan (which part of a dataset is read), units of 16 frames, the arena
sluice_layer(store PUBLIC load DEPENDS format kernel)
# sound files: a `Source` (libsndfile, or the program ffmpeg) and a `Sink` of blocks of samples, tags;
# other rates (libsoxr); STFT as torch has it, also on devices (`remote`); `Spool`: samples that wait
# on the disk
sluice_layer(audio DEPENDS fft format SndFile::sndfile Soxr::soxr)
# optics of electrons: wavelengths, aberrations, the probe of an aperture, the propagator over a distance,
# the square that patterns are cut to
sluice_layer(optics PUBLIC optics DEPENDS fft)
# `Scan`: a plan and its units, in memory or made on the fly, as items to fold
sluice_layer(scan PUBLIC scan growing_scan scan_values DEPENDS store fold optics)
# arrays, and maps of a scan (`scan_map.h`) with unit, error and what is missing, to NPY, TIFF,
# HDF5, MAT, NRRD, MetaImage and PNG, each with its provenance
sluice_layer(save PUBLIC save DEPENDS base PNG::PNG TIFF::TIFF HDF5::HDF5)
# figures for people: colour maps, axes, scale bars, plots; as PNG, SVG and PDF, by Cairo
sluice_layer(figure DEPENDS save config Cairo::Cairo)
sluice_font(figure)
# what comes while it is measured: the only user of ZeroMQ (`socket`) and of the system's sockets
# (`tcp`); `cbor` and `json`, bounded readers; `ring`, the frames that came and wait; `recorder`, which
# writes them; `dectris`, `merlin` and `timepix3`, the detectors' streams; `files`, those that are being written;
# `simulator`, and a `Wire` for each protocol that it speaks; `http`, plain requests (Boost.Beast), and `control`: settings, arming and
# triggers
sluice_layer(net PUBLIC stream detector_control
    DEPENDS format config Zmq::zmq nlohmann_json::nlohmann_json Boost::headers)
# a page and its WebSocket, for clients that know the token (Boost.Beast)
sluice_layer(server DEPENDS base Boost::headers Threads::Threads)

# Domains: what the data of an instrument become.

# detectors, masks, virtual images, moments, phase contrast, patterns, the disk
sluice_layer(stem4d FOLDER domain/stem4d
    PUBLIC stem4d stem4d_references stem4d_series stem4d_parts stem4d_drift stem4d_ricom stem4d_tables
    DEPENDS bench scan figure fft)
# any scan as a file of another format: `Target`, a format that is written in blocks; `Work`, which
# reads, writes, looks and names; `Journal`, for those that are gone on with. Internals are in
# `sluice::conversion`, public names in `sluice::stem4d`
sluice_layer(conversion FOLDER domain/conversion JSON PUBLIC stem4d_convert
    DEPENDS scan save zarr config nlohmann_json::nlohmann_json)
# crystals: `probe`, templates of disks; `fit`, their likelihood; `detect`, `find_disks`; `vectors`,
# disks of scans in columns and files; `lattice`, `strain`, `grains`; `cif`, known crystals; `gemmi`,
# tables of space groups and form factors; `calibrate`; `refine`, known lattices; `analyze`, disks and
# all that `domain/stem4d` finds in one pass. Internals are in `sluice::crystal`, public names in
# `sluice::stem4d`
sluice_layer(crystal FOLDER domain/crystal
    PUBLIC probe_template disks disk_parts bragg_vectors lattice strain grains unit_cell crystal_calibration calibration_text
           stem4d_analyze
    DEPENDS stem4d save config Gemmi::headers)
# how crystals lie: `structure`, factors and symmetry of known crystals; `rotation`, orientations,
# disorientations, sectors and colours; `library`, zones of several phases; `match`, patterns against
# them; `refine`, orientations with their covariances; `believe`, whether they are right; `map`, grains,
# boundaries and misorientations; `files`: HDF5, ANG and CTF; `figures`: maps in colours, pole figures.
# Internals are in `sluice::orient`, public names in `sluice::stem4d`
sluice_layer(orientation FOLDER domain/orientation
    PUBLIC orientation structure_factors orientation_map orientation_grains orientation_file
           orientation_figures orientation_library match_orientations
    DEPENDS crystal figure save)
# scans from the detector while they are measured: `LiveStream`, which scan a series' images make;
# `Arming`: the detector is set and armed for each
sluice_layer(live FOLDER domain/live PUBLIC stem4d_live DEPENDS net crystal)
# objects and probes out of overlapping patterns: `step`, the physics of one pattern and its
# gradients, plain and fast; `solvers` that stand on it; `remote`: the same on devices; `input`:
# scans as patterns; `run`: a reconstruction from its first guess over its stages to its result;
# `judge`: artefacts, `compare`: ramps, truths and rings, `search`: halves, orientations, sweeps.
# Internals are in `sluice::ptycho`, public names in `sluice::stem4d`
sluice_layer(ptychography FOLDER domain/ptychography
    PUBLIC ptychography ptychography_settings ptychography_file ptychography_check
           ptychography_compare ptychography_judge ptychography_search
    DEPENDS bench scan optics save config ranks)
# slides: tiles of any format (`tile_source.h`) to regions, levels and zooms
sluice_layer(slide FOLDER domain/slide
    PUBLIC slide slide_stack slide_profile convert
    DEPENDS bench fold kernel format figure zarr)
# the tiles of CZI files, their levels and codecs
sluice_room(domain/slide/czi)
# OME-Zarr: its images as tiles, and the conversion of slides to it
sluice_room(domain/slide/ngff)
# where the time of a read goes, and how to shorten it
sluice_room(domain/slide/profile)
# protons: `physics`, the march in depth (`marching`), phase space on a grid (`dense`), `guards`,
# `config`; `plan`: beams, layers and spots of ion plans; `machine`: what a beam line makes of a spot;
# `cube`: doses of plans on a CT; `volume`: sampling in mm; `structures`: histograms of contours;
# `rbe`: doses weighted by RBE; `target`: spots that cover a structure
sluice_layer(proton FOLDER domain/proton
    PUBLIC proton proton_batch proton_config proton_dense proton_dose proton_base_data proton_gamma
           proton_guards proton_converge proton_machine proton_metrics proton_plan proton_rbe proton_sobp
           proton_run proton_structure_dvh proton_target proton_volume
    DEPENDS bench fold launch format figure config)
# networks that separate songs: their tensors' places (`places`), what shapes and YAML say (`network`,
# `facts`, `config`), costs; how near stems are to the true ones (`score`); `Engine`: a model with its
# weights that separates chunks, on processors (`forward`) or devices (`remote`); `twin`: the same by
# plain loops; `separate`: the plan of chunks, overlap-add, stems, songs
sluice_layer(music FOLDER domain/music
    PUBLIC music music_score music_selftest music_separate music_song
    DEPENDS audio nn format bench config YamlCpp::YamlCpp)
# whether work fits into this machine, and how long it takes: `subject`, a scan or a sample of one that is
# not there; `store_memory`, `patterns`, `crystals` and `conversion`, what it takes; `measure`, rates on
# bands of it; `dose` and `separation`, of plans of spots and of songs; `gpus`, `gpu_work` and `gpu_plan`,
# data sheets, what is done there, and estimates of it; `results`, how long maps take to be written; `flows`, which of disk, decoding, work and copying takes
# longest; `detectors` and `acquisition`, whether a detector's data get through
sluice_layer(planning PUBLIC acquisition plan plan_devices
    DEPENDS doctor stem4d crystal orientation ptychography conversion proton music config figure)
# whether every kernel says on this machine what its plain twin says: `check`, how numbers are compared; a
# file of checks for each kind of data
sluice_layer(validation PUBLIC validate
    DEPENDS planning stem4d crystal orientation ptychography slide proton kernel fft)

# The viewer and the program.

# the viewer's shell, which knows no domain: the newest requests, their answers, errors
# (`docs/protocol.md`); with a server or, in notebooks, without
sluice_layer(view FOLDER app/view JSON DEPENDS server nlohmann_json::nlohmann_json)
# scans in the viewer: the datasets, their loading, answers about them; `crystal`: their disks, strain and
# orientations; `live`: scans that are measured, series after series
sluice_room(app/view/stem4d DEPENDS view crystal orientation live)
# slides in the viewer: their description, tiles and attachments
sluice_room(app/view/slide DEPENDS view slide)
# volumes in the viewer: doses and CT, their planes, profiles and differences, contours of structures and histograms in them
sluice_room(app/view/proton DEPENDS view proton store)
# reconstructions in the viewer: at work (`Monitor`: its snapshots, and how often they are made), and
# finished (`Results`)
sluice_room(app/view/ptychography DEPENDS view ptychography)
# the doctor in the viewer: what it found, and one run of it at a time
sluice_room(app/view/doctor DEPENDS view doctor)

# what verbs share: `--threads`, `--device`, `--json`, `--memory-limit` and `--trace`
# (`common_options.h`), options out of tables (`verb.h`), the terminal, reports as JSON, suggestions
# for misspelt words
sluice_room(app/cli/shell DEPENDS bench save ranks config)
# `sluice stem4d VERB`: a file each, and `group.cpp` that lists them, as in the folders of other domains
sluice_room(app/cli/stem4d DEPENDS app/cli/shell app/view/stem4d conversion crystal orientation)
# `sluice stem4d ptychography`: `options`, `input`, `reconstruct`, `report`, and what `sluice info` says of
# results
sluice_room(app/cli/ptychography DEPENDS app/cli/stem4d app/view/ptychography)
# `sluice slide VERB`
sluice_room(app/cli/slide DEPENDS app/cli/shell app/view/slide)
# `sluice proton VERB`
sluice_room(app/cli/proton DEPENDS app/cli/shell app/view/proton)
# `sluice music VERB`
sluice_room(app/cli/music DEPENDS app/cli/shell music figure)
# `sluice live`: a scan that is measured, from its stream to its results; `sluice detector`: its control port
sluice_room(app/cli/live DEPENDS app/cli/stem4d app/cli/ptychography live)
# the program, and the verbs without a domain: `info`, `view`, `synth`
sluice_program(sluice FOLDER app/cli
    DEPENDS app/cli/stem4d app/cli/ptychography app/cli/slide app/cli/proton app/cli/music
            app/cli/live app/view/doctor doctor planning validation live net view stem4d conversion crystal orientation ptychography slide proton
            music CLI11::CLI11
            nlohmann_json::nlohmann_json)
