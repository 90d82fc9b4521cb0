// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/window/window_reader.h"

#include <algorithm>
#include <string>
#include <utility>

#include "core/decode/blocks/fill_block.h"
#include "core/decode/blocks/provenance_block.h"
#include "core/decode/column_decoder.h"
#include "core/decode/file_rows.h"
#include "core/filter/expression/row_filter.h"
#include "core/stopwatch.h"
#include "core/stream/options/piece_request.h"

namespace rowfeed {
namespace {

// Returns the catalog's indexes of the columns that the specs and the filter read.
std::vector<int> ColumnsRead(const StreamSource& source) {
  std::vector<int> columns;
  for (const ResolvedColumn& column : source.layout.columns) {
    if (column.index) columns.push_back(*column.index);
  }
  if (source.filtered) {
    const std::vector<int>& of_filter = source.filtered->filter->columns();
    columns.insert(columns.end(), of_filter.begin(), of_filter.end());
  }
  return columns;
}

// Returns the rows of several parts of a piece, which ascend, as rows of the piece.
WindowReader::PieceRows Joined(std::vector<WindowReader::PieceRows> parts) {
  WindowReader::PieceRows joined = std::move(parts.front());
  const auto number_from_begin = [&](const Interval& rows) {
    for (int64_t row = rows.begin; row < rows.end; ++row) {
      joined.selected.push_back(static_cast<uint32_t>(row - joined.rows.begin));
    }
  };
  for (size_t i = 1; i < parts.size(); ++i) {
    const auto& [rows, selected, _] = parts[i];
    const bool is_whole = joined.selected.empty();
    if (is_whole && selected.empty() && rows.begin == joined.rows.end) {
      joined.rows.end = rows.end;
      continue;
    }
    if (is_whole) number_from_begin(joined.rows);
    joined.rows.end = rows.end;
    if (selected.empty()) number_from_begin(rows);
    for (const uint32_t row : selected) {
      joined.selected.push_back(
          static_cast<uint32_t>(rows.begin - joined.rows.begin + row));
    }
  }
  return joined;
}

}  // namespace

WindowReader::WindowReader(std::shared_ptr<const StreamContext> context,
                           const WindowVisit& visit)
    : context_(std::move(context)),
      source_(visit.source),
      num_rows_(visit.window.rows()),
      read_(visit.plan->Pieces(visit.window),
            source().filtered ? &source().filtered->survivors.spans : nullptr,
            source().most_rows_merged),
      // Under a filter the wanted rows are not known when chunks are fetched.
      files_(*source().catalog, ColumnsRead(source()), read_, context_->files,
             context_->buffers, source().filtered ? nullptr : source().places.get(),
             // Before decoding, it must be known which files are lost.
             /*checks_at_once=*/context_->data.may_lose_rows) {
  for (size_t piece = 0; piece < pieces().size(); ++piece) {
    std::vector<PieceRows> parts;
    for (const Piece& part : read_.planned(piece)) {
      parts.push_back({{part.begin, part.end}, {}});
    }
    // With a filter, its tasks find the rows.
    piece_rows_.push_back(source().filtered ? PieceRows() : Joined(std::move(parts)));
    for (size_t spec = 0; spec <= num_columns(); ++spec) {
      timed_files_.emplace_back(&files_.file(piece));
    }
  }
}

Status WindowReader::RunFetchTask(size_t task, const Cancelled& cancelled) {
  const Stopwatch watch;
  const auto fetched = files_.RunTask(task, cancelled);
  Counters& counters = *context_->counters;
  counters.Add(Count::kFetch, watch.ns());
  if (fetched.ok()) {
    counters.Add(Count::kFetchedBytes, fetched->bytes);
    counters.Add(Count::kFetchRequests, fetched->num_requests);
    counters.Add(Count::kFetchRetries, fetched->num_retries);
  }
  const Status& status = fetched.status();
  return context_->data.may_lose_rows && IsLost(status) ? Status() : status;
}

Status WindowReader::RunCheck(size_t check, const Cancelled& cancelled) const {
  const Stopwatch watch;
  Status status = files_.RunCheck(check, cancelled);
  context_->counters->Add(Count::kFetch, watch.ns());
  return status;
}

int64_t WindowReader::VariableBytes() const {
  double bytes = 0;
  for (size_t piece = 0; piece < pieces().size(); ++piece) {
    for (const Piece& part : read_.planned(piece)) bytes += VariableBytesOf(part);
  }
  return static_cast<int64_t>(bytes);
}

double WindowReader::VariableBytesOf(const Piece& piece) const {
  const Catalog& catalog = *source().catalog;
  const int64_t rows = catalog.row_groups()[piece.row_group].rows;
  const double share =
      static_cast<double>(DecodedRows(piece)) / static_cast<double>(rows);
  double bytes = 0;
  for (size_t spec = 0; spec < source().layout.columns.size(); ++spec) {
    if (!source().layout.is_variable(spec)) continue;
    const ResolvedColumn& from = source().layout.columns[spec];
    bytes +=
        share * static_cast<double>(VariableBlockBytes(
                    from.column, catalog.chunk(piece.row_group, *from.index), rows));
  }
  return bytes;
}

int64_t WindowReader::DecodedRows(const Piece& piece) const {
  if (!source().filtered) return piece.rows();
  const Survivors& survivors = source().filtered->survivors;
  const double share = static_cast<double>(piece.rows()) /
                       static_cast<double>((*survivors.counts)[piece.block]);
  return static_cast<int64_t>(share *
                              static_cast<double>(survivors.spans[piece.block].size()));
}

int64_t WindowReader::CountReads(size_t piece, size_t spec) const {
  const TimedFile::Reads reads = file(piece, spec).Take();
  if (reads.num_reads == 0) return 0;
  Counters& counters = *context_->counters;
  counters.Add(spec, ColumnCount::kReadBytes, reads.bytes);
  counters.Add(spec, ColumnCount::kRequests, reads.num_reads);
  counters.Add(spec, ColumnCount::kRead, reads.ns);
  return reads.ns;
}

Status WindowReader::RunFilterTask(size_t task, const std::atomic<bool>& cancelled) {
  PieceRows& from = piece_rows_[task];
  ROWFEED_RETURN_NOT_OK(HoldFile(task));
  if (from.is_lost) {
    from.rows = {0, pieces()[task].rows()};
    return {};
  }
  const Survivors& survivors = source().filtered->survivors;
  const Interval extent = read_.extent(task);
  const std::span<const Piece> planned = read_.planned(task);
  std::vector<uint32_t> passing;
  const bool all_pass =
      std::all_of(planned.begin(), planned.end(), [&](const Piece& part) {
        return (*survivors.counts)[part.block] == survivors.spans[part.block].size();
      });
  if (!all_pass) {
    ROWFEED_ASSIGN_OR_RETURN(passing, PassingIn(task, cancelled));
  }
  std::vector<PieceRows> parts;
  for (const Piece& part : planned) {
    ROWFEED_ASSIGN_OR_RETURN(parts.emplace_back(),
                             RowsOfPart(part, extent.begin, passing));
  }
  from = Joined(std::move(parts));
  return {};
}

Result<std::vector<uint32_t>> WindowReader::PassingIn(
    size_t piece, const std::atomic<bool>& cancelled) const {
  const Stopwatch watch;
  ROWFEED_ASSIGN_OR_RETURN(std::vector<uint32_t> passing,
                           source().filtered->filter->Select(
                               *source().catalog, pieces()[piece].row_group,
                               read_.extent(piece), file(piece, num_columns()),
                               source().locator.get(), context_->buffers, &cancelled));
  Counters& counters = *context_->counters;
  const int64_t read_ns = CountReads(piece, num_columns());
  counters.Add(counters.filter(), ColumnCount::kDecode, watch.ns() - read_ns);
  return passing;
}

Result<WindowReader::PieceRows> WindowReader::RowsOfPart(
    const Piece& part, int64_t begin, const std::vector<uint32_t>& passing) const {
  const Survivors& survivors = source().filtered->survivors;
  const Interval span = survivors.spans[part.block];
  const int64_t count = (*survivors.counts)[part.block];
  if (count == span.size()) {
    return PieceRows{{span.begin + part.begin, span.begin + part.end}, {}};
  }
  const auto first = std::lower_bound(passing.begin(), passing.end(),
                                      static_cast<uint32_t>(span.begin - begin));
  const auto last =
      std::lower_bound(first, passing.end(), static_cast<uint32_t>(span.end - begin));
  context_->counters->Add(Count::kFilteredRows, span.size() - (last - first));
  if (last - first != count) {
    const std::string& cache_dir = source().filtered->cache_dir;
    return Status::Corrupt(
        source().catalog->Where(part.row_group), ": ", last - first,
        " rows pass the filter, expected ", count, " as counted before",
        cache_dir.empty() ? "" : " and kept in cache_dir '" + cache_dir + "'",
        source().filtered->used_statistics
            ? "; unless the file has changed, its statistics, page index or bloom "
              "filters are wrong: use_statistics=False reads without them"
            : "");
  }
  const int64_t begin_row = begin + first[part.begin];
  PieceRows found{{begin_row, begin + first[part.end - 1] + 1},
                  {first + part.begin, first + part.end}};
  for (uint32_t& row : found.selected) row -= static_cast<uint32_t>(begin_row - begin);
  return found;
}

Status WindowReader::HoldFiles() {
  // Filter tasks have held their files already.
  for (size_t i = 0; !source().filtered && i < pieces().size(); ++i) {
    ROWFEED_RETURN_NOT_OK(HoldFile(i));
  }
  return {};
}

Status WindowReader::HoldFile(size_t piece) {
  if (!context_->data.may_lose_rows) return {};
  const Status status = files_.Hold(piece);
  piece_rows_[piece].is_lost = IsLost(status);
  return piece_rows_[piece].is_lost ? Status() : status;
}

bool WindowReader::has_lost_rows() const {
  return std::any_of(piece_rows_.begin(), piece_rows_.end(),
                     [](const PieceRows& rows) { return rows.is_lost; });
}

Result<PartBlocks> WindowReader::FillBlocks(size_t spec, int64_t num_rows) const {
  PartBlocks blocks;
  for (size_t part = context_->layout.first_parts[spec];
       part < context_->layout.first_parts[spec + 1]; ++part) {
    ROWFEED_ASSIGN_OR_RETURN(
        blocks.emplace_back(),
        MakeFillBlock(context_->layout.parts[part], num_rows, context_->buffers));
  }
  return blocks;
}

Result<PartBlocks> WindowReader::Decode(size_t piece, size_t spec,
                                        const std::atomic<bool>& cancelled,
                                        const RowsOut& out) const {
  const Stopwatch watch;
  int64_t decompress_ns = 0;
  Result<PartBlocks> blocks = DecodeRows(piece, spec, cancelled, out, &decompress_ns);
  const int64_t elsewhere_ns = CountReads(piece, spec) + decompress_ns;
  Counters& counters = *context_->counters;
  counters.Add(spec, ColumnCount::kDecompress, decompress_ns);
  counters.Add(spec, ColumnCount::kDecode, watch.ns() - elsewhere_ns);
  return blocks;
}

Result<PartBlocks> WindowReader::DecodeRows(size_t piece_index, size_t spec,
                                            const std::atomic<bool>& cancelled,
                                            const RowsOut& out,
                                            int64_t* decompress_ns) const {
  const Catalog& catalog = *source().catalog;
  const Piece& piece = pieces()[piece_index];
  const auto& [rows, selected, is_lost] = piece_rows_[piece_index];
  const RowGroup& group = catalog.row_groups()[piece.row_group];
  const ColumnSpec& asked = source().columns[spec];
  if (asked.provenance) {
    PartBlocks blocks;
    blocks.push_back(
        MakeProvenanceBlock(*asked.provenance, group, rows.begin, rows.end));
    return blocks;
  }
  if (is_lost) return FillBlocks(spec, rows.size());
  const ResolvedColumn& from = source().layout.columns[spec];
  ChunkRequest request =
      MakeChunkRequest(catalog, asked, from, {piece.row_group, rows.begin, rows.end},
                       &file(piece_index, spec), source().verifies_checksums);
  request.pages = files_.pages(piece_index, *from.index);
  request.some_rows = selected.empty() ? nullptr : &selected;
  request.in_memory = first_part(spec).is_referred_to;
  request.cancelled = &cancelled;
  request.rows_out = out.side_by_side;
  request.places = out.places;
  request.decompress_ns = decompress_ns;
  const auto decode = [&]() -> Result<PartBlocks> {
    PageLocations few;
    if (source().filtered) {
      ROWFEED_ASSIGN_OR_RETURN(few,
                               source().locator->LocateFew(request, piece.row_group));
      request.pages = &few;
    }
    return DecodeColumn(request, context_->buffers);
  };
  Result<PartBlocks> blocks = decode();
  if (blocks.ok() || blocks.status().code() == StatusCode::kCancelled) return blocks;
  return catalog.ErrorAt(piece.row_group, *from.index, blocks.status());
}

}  // namespace rowfeed
