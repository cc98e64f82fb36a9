// Problem: a C compiler takes 2 microseconds for each element of an initialised array, and in the code of a large model
// that is nearly all it does. An assembler copies bytes from a file in no time.
//
//   static const unsigned table_1[75000] = {50005, 1, ...};         in C, as people and other compilers read it
//
//   extern const unsigned table_1[75000] __asm__("fmr_numbers_1")     what the compiler sees instead
//       __attribute__((visibility("hidden")));
//   .balign 8
//   fmr_numbers_1: .incbin "tables.bin", 0, 300000                    and what the assembler gets
//
// Only tables of plain numbers in the form that c_table() writes are taken; whatever else there is stays as it is. The
// names of the tables are those of one C file, so that the assembler gets names of its own.
#include "fmugen/fmu/lift_tables.h"

#include <charconv>
#include <cstdint>
#include <cstring>
#include <optional>

namespace fmugen::fmu {
namespace {

constexpr std::string_view kStart = "static const ";
constexpr std::string_view kTypes[] = {"unsigned char", "unsigned short", "unsigned", "double"};

// Appends the bytes of the numbers between the braces; false if something there is no number of the type.
template <typename Number>
bool append(std::string_view numbers, std::size_t count, std::string& bytes) {
  const char* at = numbers.data();
  const char* const end = at + numbers.size();
  for (std::size_t n = 0; n < count; ++n) {
    while (at < end && (*at == ' ' || *at == '\n' || *at == ',')) ++at;
    Number value{};
    const auto [behind, failure] = std::from_chars(at, end, value);
    if (failure != std::errc{} || (behind < end && *behind != ',')) return false;
    at = behind;
    char raw[sizeof value];
    std::memcpy(raw, &value, sizeof value);
    bytes.append(raw, sizeof value);
  }
  return at == end;
}

bool append(std::string_view type, std::string_view numbers, std::size_t count, std::string& bytes) {
  if (type == "unsigned char") return append<std::uint8_t>(numbers, count, bytes);
  if (type == "unsigned short") return append<std::uint16_t>(numbers, count, bytes);
  if (type == "unsigned") return append<std::uint32_t>(numbers, count, bytes);
  return append<double>(numbers, count, bytes);
}

struct Table {
  std::string_view type, name, numbers;
  std::size_t count = 0;
  std::size_t end = 0;  // in the text, behind the semicolon
};

// The table whose definition starts at `at`, if it is one of numbers.
std::optional<Table> table_at(std::string_view text, std::size_t at) {
  const std::size_t bracket = text.find_first_of("[=;\n", at);
  if (bracket == std::string_view::npos || text[bracket] != '[') return std::nullopt;
  const std::string_view head = text.substr(at + kStart.size(), bracket - at - kStart.size());
  Table table;
  for (const std::string_view type : kTypes)
    if (head.starts_with(type) && head.size() > type.size() && head[type.size()] == ' ' &&
        head.find(' ', type.size() + 1) == std::string_view::npos) {
      table.type = type;
      table.name = head.substr(type.size() + 1);
    }
  if (table.name.empty()) return std::nullopt;
  const auto [behind, failure] = std::from_chars(text.data() + bracket + 1, text.data() + text.size(), table.count);
  const std::size_t open = static_cast<std::size_t>(behind - text.data());
  if (failure != std::errc{} || text.substr(open, 5) != "] = {") return std::nullopt;
  const std::size_t close = text.find("};\n", open);
  if (close == std::string_view::npos) return std::nullopt;
  table.numbers = text.substr(open + 5, close - open - 5);
  table.end = close + 2;
  return table;
}

}  // namespace

std::string lift_tables(std::string_view text, const std::string& bytes_file, std::size_t least, LiftedTables& lifted) {
  std::string out;
  std::size_t copied = 0;
  for (std::size_t at = text.find(kStart); at != std::string_view::npos; at = text.find(kStart, at + 1)) {
    if (at > 0 && text[at - 1] != '\n') continue;
    const std::optional<Table> table = table_at(text, at);
    if (!table || table->count < least) continue;
    lifted.bytes.resize((lifted.bytes.size() + 7) / 8 * 8);
    const std::size_t begin = lifted.bytes.size();
    if (!append(table->type, table->numbers, table->count, lifted.bytes)) {
      lifted.bytes.resize(begin);
      continue;
    }
    const std::string name = "fmr_numbers_" + std::to_string(++lifted.count);
    lifted.assembler += ".balign 8\n.globl " + name + "\n" + name + ": .incbin \"" + bytes_file + "\", " +
                        std::to_string(begin) + ", " + std::to_string(lifted.bytes.size() - begin) + "\n";
    out += text.substr(copied, at - copied);
    out += "extern const " + std::string(table->type) + " " + std::string(table->name) + "[" +
           std::to_string(table->count) + "] __asm__(\"" + name + "\") __attribute__((visibility(\"hidden\")));";
    copied = table->end;
    at = table->end;
  }
  return out += text.substr(copied);
}

}  // namespace fmugen::fmu
