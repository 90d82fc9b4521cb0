// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/options/settled.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "core/catalog/file_types.h"
#include "core/catalog/schema/dtypes.h"
#include "core/decode/values/make_conversion.h"
#include "core/printable.h"

namespace rowfeed {
namespace {

// The options that settle how the files differ.
struct Needed {
  bool fill = false;
  bool dtype = false;
  bool unit = false;
  bool shape = false;
  bool nothing_does = false;
};

bool IsFixedBinary(const Column& column) {
  return column.dtype == DType::kUInt8 &&
         column.storage.physical == ColumnStorage::kFixedLenByteArray;
}

bool IsNumber(const Column& column) {
  return !column.is_bytes() && column.unit.empty() && !IsFixedBinary(column);
}

bool IsTime(const Column& column) { return AreTimesAlike(column, column); }

bool HaveSameLists(const Column& a, const Column& b) {
  return a.ragged_rank + a.list_sizes.size() == b.ragged_rank + b.list_sizes.size();
}

// Returns what settles that some files have the type `is`, and others the type `was`.
Needed NeededFor(const Column& is, const Column& was) {
  Needed needed;
  if (!is.unsupported.empty() || !HaveSameLists(is, was)) {
    needed.nothing_does = true;
    return needed;
  }
  needed.shape = is.ragged_rank != was.ragged_rank;
  if (!needed.shape && is.dense_shape != was.dense_shape) {
    needed.nothing_does = true;
  } else if (AreTimesAlike(is, was)) {
    needed.unit = is.unit != was.unit || is.dtype != was.dtype;
  } else if ((IsNumber(is) && IsNumber(was)) || (is.is_bytes() && was.is_bytes())) {
    needed.dtype =
        is.dtype != was.dtype || is.storage.is_decimal() != was.storage.is_decimal();
  } else {
    needed.nothing_does = IsTime(is) || is.unit != was.unit || is.dtype != was.dtype ||
                          IsFixedBinary(is) != IsFixedBinary(was);
  }
  return needed;
}

bool CanBecome(const Column& is, const ColumnSpec& spec, const Column& wanted) {
  const bool is_made =
      is.ragged_rank == wanted.ragged_rank && is.list_sizes == wanted.list_sizes;
  return (is_made || spec.padding) &&
         MakeConversion(is, is.storage, wanted, spec.encoding).ok();
}

// Whether the column turns strings and binaries into the same type.
bool AreBytesMade(const ColumnSpec& spec, const Column& was) {
  return was.is_bytes() &&
         (spec.encoding.is_set() || (spec.padding && was.ragged_rank == 0));
}

// Decides whether a spec settles the differences of its column.
class Judge {
 public:
  Judge(const ColumnSpec& spec, const ResolvedColumn& source, const Catalog& catalog)
      : spec_(spec), source_(source), catalog_(catalog) {}

  // Returns what to tell the user; empty if all differences are settled.
  std::string Verdict() {
    for (size_t i = 0; i < catalog_.layouts().size(); ++i) {
      const Difference* difference = catalog_.layouts()[i].Find(*source_.index);
      if (difference != nullptr) Look(*difference, static_cast<int32_t>(i));
    }
    if (is_settled_) return {};
    return TypesInFiles(catalog_, *source_.index) + ": " + Advice();
  }

 private:
  const Column& was() const { return catalog_.columns()[*source_.index]; }

  void Look(const Difference& difference, int32_t layout) {
    if (difference.is_null()) {
      needed_.fill = true;
      if (!spec_.fill && spec_.mask == Mask::kNone) is_settled_ = false;
      return;
    }
    others_.push_back(&difference.as_stored);
    const Needed needed = NeededFor(difference.as_stored, was());
    needed_.dtype |= needed.dtype;
    needed_.unit |= needed.unit;
    needed_.shape |= needed.shape;
    needed_.nothing_does |= needed.nothing_does;
    const auto own = source_.others.find(layout);
    const bool is_asked =
        (!needed.dtype || spec_.dtype || AreBytesMade(spec_, was())) &&
        (!needed.unit || !spec_.unit.empty()) &&
        (!needed.shape || !spec_.shape.empty());
    if (needed.nothing_does || !is_asked || own == source_.others.end() ||
        !CanBecome(own->second, spec_, source_.column)) {
      is_settled_ = false;
    }
  }

  std::string Advice() const {
    if (needed_.nothing_does) {
      return "no option makes these one; leave the column out of columns=, or give the "
             "files of one type";
    }
    std::string options;
    if (needed_.dtype) options += ", dtype=\"" + CommonDType() + "\"";
    if (needed_.unit) options += ", unit=\"" + FinestUnit() + "\"";
    if (needed_.shape) options += ", shape=" + Shape();
    if (needed_.fill) options += ", fill=" + ExampleFill();
    return "give Column(\"" + was().name + "\"" + options + ")";
  }

  std::vector<const Column*> all() const {
    std::vector<const Column*> columns = others_;
    columns.push_back(&was());
    return columns;
  }

  // Returns the type that holds the values of all files: a binary need not be UTF-8.
  std::string CommonDType() const {
    if (was().is_bytes()) return "binary";
    int64_t bits = 8;  // the bits that an integer needs
    bool is_signed = false;
    bool is_float = false;
    bool is_wide = false;
    for (const Column* column : all()) {
      const DType dtype = column->dtype;
      const int64_t own = 8 * ElementSize(dtype);
      is_float |= KindOf(dtype) == DTypeKind::kFloat;
      is_wide |= own == 64 || dtype == DType::kInt32 || dtype == DType::kUInt32;
      is_signed |= KindOf(dtype) == DTypeKind::kInt;
    }
    if (is_float) return is_wide ? "float64" : "float32";
    for (const Column* column : all()) {
      const DType dtype = column->dtype;
      const bool widens = is_signed && KindOf(dtype) == DTypeKind::kUInt;
      bits = std::max(bits, 8 * ElementSize(dtype) * (widens ? 2 : 1));
    }
    return (is_signed ? "int" : "uint") + std::to_string(std::min<int64_t>(bits, 64));
  }

  std::string FinestUnit() const {
    constexpr std::array kUnits = {"s", "ms", "us", "ns"};
    size_t finest = 0;
    for (const Column* column : all()) {
      const auto* found = std::find(kUnits.begin(), kUnits.end(), column->unit);
      finest = std::max<size_t>(finest, found - kUnits.begin());
    }
    return kUnits[std::min(finest, kUnits.size() - 1)];
  }

  // Returns the shape in a file that remembers it.
  std::string Shape() const {
    for (const Column* column : all()) {
      if (column->dense_shape.empty()) continue;
      std::string shape;
      for (const int64_t size : column->dense_shape) {
        shape += (shape.empty() ? "(" : ", ") + std::to_string(size);
      }
      return shape + (column->dense_shape.size() == 1 ? ",)" : ")");
    }
    return "(…)";
  }

  std::string ExampleFill() const {
    const bool is_number_asked = spec_.dtype || spec_.encoding.is_set();
    const DType dtype = source_.column.dtype;
    if (!is_number_asked && needed_.dtype && !was().is_bytes()) {
      return CommonDType().starts_with("float") ? "0.0" : "0";
    }
    const bool is_text = dtype == DType::kString && !needed_.dtype;
    switch (KindOf(dtype)) {
      case DTypeKind::kBytes:
        return is_text ? "\"\"" : "b\"\"";
      case DTypeKind::kBool:
        return "False";
      case DTypeKind::kFloat:
        return "0.0";
      case DTypeKind::kInt:
      case DTypeKind::kUInt:
        break;
    }
    return "0";
  }

  const ColumnSpec& spec_;
  const ResolvedColumn& source_;
  const Catalog& catalog_;
  Needed needed_;
  bool is_settled_ = true;
  std::vector<const Column*> others_;
};

constexpr size_t kMostColumns = 10;

}  // namespace

Status CheckSettled(const std::vector<ColumnSpec>& columns, const Catalog& catalog) {
  const bool has_differences =
      std::any_of(catalog.layouts().begin(), catalog.layouts().end(),
                  [](const FileLayout& layout) { return !layout.differences.empty(); });
  if (!has_differences) return {};
  std::vector<std::string> lines = {"the files differ in their columns:"};
  size_t count = 0;
  for (const ColumnSpec& spec : columns) {
    ROWFEED_ASSIGN_OR_RETURN(const ResolvedColumn source, ResolveColumn(spec, catalog));
    if (!source.index || !HasDifference(catalog, *source.index)) continue;
    const std::string verdict = Judge(spec, source, catalog).Verdict();
    if (verdict.empty()) continue;
    if (++count <= kMostColumns) lines.push_back(Printable(verdict));
  }
  if (count == 0) return {};
  if (count > kMostColumns) {
    lines.push_back("and " + std::to_string(count - kMostColumns) + " more");
  }
  return Status::OfLines(StatusCode::kInvalid, lines);
}

Status CheckFilterSettled(const std::vector<int>& filter_columns,
                          const std::vector<const char*>& filter_options,
                          const std::vector<ColumnSpec>& columns,
                          const Catalog& catalog) {
  for (size_t i = 0; i < filter_columns.size(); ++i) {
    const int index = filter_columns[i];
    const char* option = filter_options[i];
    if (!HasDifference(catalog, index)) continue;
    const std::string& name = catalog.columns()[index].name;
    const bool is_settled =
        std::any_of(columns.begin(), columns.end(),
                    [&](const ColumnSpec& spec) { return spec.column == name; });
    if (is_settled) continue;
    return Status::Invalid(option, ": ", TypesInFiles(catalog, index), ": a ", option,
                           " sees null in such files; to allow that, ask for "
                           "the column with a fill or a mask as well");
  }
  return {};
}

}  // namespace rowfeed
