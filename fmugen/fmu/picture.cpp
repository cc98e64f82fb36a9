// A box with the name of the model, a curve, and a mark for each connection.
//
// PNG (ISO 15948) without a compressor: the pixels are palette indices of four bits, and a zlib stream may consist of
// stored blocks. Letters are three by five dots, enlarged.
#include "fmugen/fmu/picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <vector>

namespace fmugen::fmu {

namespace {

constexpr int kWidth = 192, kHeight = 144;
enum Colour : std::uint8_t { kWhite, kInk, kFill, kCurve, kMark };
constexpr std::array<std::array<std::uint8_t, 3>, 5> kPalette{
    {{255, 255, 255}, {33, 43, 54}, {235, 241, 247}, {202, 84, 30}, {40, 106, 168}}};

class Canvas {
 public:
  Canvas() : pixels_(static_cast<std::size_t>(kWidth * kHeight), kWhite) {}
  void fill(int x, int y, int width, int height, Colour colour) {
    for (int row = std::max(y, 0); row < std::min(y + height, kHeight); ++row)
      for (int column = std::max(x, 0); column < std::min(x + width, kWidth); ++column)
        pixels_[static_cast<std::size_t>(row * kWidth + column)] = colour;
  }
  std::uint8_t at(int x, int y) const { return pixels_[static_cast<std::size_t>(y * kWidth + x)]; }

 private:
  std::vector<std::uint8_t> pixels_;
};

// Rows of three dots, top to bottom, as octal digits.
constexpr std::array<std::string_view, 26> kLetters{"25755", "65656", "34443", "65556", "74647", "74644", "34553",
                                                    "55755", "72227", "11152", "55655", "44447", "57755", "67755",
                                                    "25552", "65644", "25563", "65655", "34216", "72222", "55557",
                                                    "55552", "55775", "55255", "55222", "71247"};
constexpr std::array<std::string_view, 10> kDigits{"25552", "26227", "61247", "61216", "55711",
                                                   "74616", "34652", "71222", "25252", "25316"};

std::string_view glyph(char c) {
  if (c >= 'a' && c <= 'z') return kLetters[static_cast<std::size_t>(c - 'a')];
  if (c >= 'A' && c <= 'Z') return kLetters[static_cast<std::size_t>(c - 'A')];
  if (c >= '0' && c <= '9') return kDigits[static_cast<std::size_t>(c - '0')];
  return c == '_' ? "00007" : "00000";
}

void write_name(Canvas& canvas, std::string_view name, int top, int width) {
  constexpr std::size_t kMost = 20;
  name = name.substr(0, kMost);
  const int scale = std::clamp(width / (4 * std::max<int>(1, static_cast<int>(name.size()))), 2, 5);
  int x = (kWidth - (4 * static_cast<int>(name.size()) - 1) * scale) / 2;
  for (const char c : name) {
    const std::string_view rows = glyph(c);
    for (int r = 0; r < 5; ++r)
      for (int b = 0; b < 3; ++b)
        if ((rows[static_cast<std::size_t>(r)] - '0') >> (2 - b) & 1)
          canvas.fill(x + b * scale, top + r * scale, scale, scale, kInk);
    x += 4 * scale;
  }
}

// The answer of a damped oscillator to a step.
void draw_curve(Canvas& canvas, int left, int bottom, int width, int height) {
  canvas.fill(left, bottom, width, 2, kInk);
  canvas.fill(left, bottom - height, 2, height, kInk);
  const auto y = [&](int x) {
    const double t = 12.0 * x / width;
    return bottom - static_cast<int>(std::lround(0.62 * height * (1 - std::exp(-0.4 * t) * std::cos(1.6 * t))));
  };
  for (int x = 0; x < width; ++x) {
    const int from = y(x), to = y(x + 1);
    canvas.fill(left + x, std::min(from, to) - 1, 2, std::abs(to - from) + 3, kCurve);
  }
}

void draw_marks(Canvas& canvas, int x, std::size_t count, int top, int height) {
  constexpr int kSize = 12, kMost = 6;
  const int shown = static_cast<int>(std::min<std::size_t>(count, kMost));
  for (int k = 0; k < shown; ++k) {
    const int y = top + (2 * k + 1) * height / (2 * shown) - kSize / 2;
    canvas.fill(x, y, kSize, kSize, kInk);
    canvas.fill(x + 2, y + 2, kSize - 4, kSize - 4, kMark);
  }
}

// ---- PNG ------------------------------------------------------------------------------------------------------------

void put_number(std::string& out, std::uint32_t n) {
  for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<char>(n >> shift & 255));
}

std::uint32_t crc32(std::string_view bytes) {
  std::uint32_t crc = 0xffffffff;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int k = 0; k < 8; ++k) crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
  }
  return ~crc;
}

void put_chunk(std::string& out, std::string_view kind, std::string_view data) {
  put_number(out, static_cast<std::uint32_t>(data.size()));
  const std::string checked = std::string(kind) + std::string(data);
  out += checked;
  put_number(out, crc32(checked));
}

std::string stored(std::string_view data) {
  constexpr std::size_t kBlock = 65535;
  std::string out("\x78\x01", 2);
  std::uint32_t a = 1, b = 0;  // Adler-32
  for (const char c : data) {
    a = (a + static_cast<unsigned char>(c)) % 65521;
    b = (b + a) % 65521;
  }
  for (std::size_t at = 0; at < data.size(); at += kBlock) {
    const std::size_t size = std::min(kBlock, data.size() - at);
    out.push_back(at + size == data.size() ? 1 : 0);
    for (const std::size_t n : {size, ~size}) {
      out.push_back(static_cast<char>(n & 255));
      out.push_back(static_cast<char>(n >> 8 & 255));
    }
    out += data.substr(at, size);
  }
  put_number(out, b << 16 | a);
  return out;
}

std::string png(const Canvas& canvas) {
  std::string out("\x89PNG\r\n\x1a\n", 8), header, palette, rows;
  put_number(header, kWidth);
  put_number(header, kHeight);
  header += std::string("\x04\x03\x00\x00\x00", 5);  // four bits a pixel, palette, no interlacing
  for (const auto& colour : kPalette) palette.append(reinterpret_cast<const char*>(colour.data()), colour.size());
  for (int y = 0; y < kHeight; ++y) {
    rows.push_back(0);
    for (int x = 0; x < kWidth; x += 2) rows.push_back(static_cast<char>(canvas.at(x, y) << 4 | canvas.at(x + 1, y)));
  }
  put_chunk(out, "IHDR", header);
  put_chunk(out, "PLTE", palette);
  put_chunk(out, "IDAT", stored(rows));
  put_chunk(out, "IEND", "");
  return out;
}

}  // namespace

std::string draw_icon(const Icon& icon) {
  Canvas canvas;
  constexpr int kLeft = 16, kTop = 8, kBoxWidth = kWidth - 2 * kLeft, kBoxHeight = kHeight - 2 * kTop;
  canvas.fill(kLeft, kTop, kBoxWidth, kBoxHeight, kInk);
  canvas.fill(kLeft + 3, kTop + 3, kBoxWidth - 6, kBoxHeight - 6, kFill);
  write_name(canvas, icon.name, kTop + 12, kBoxWidth - 16);
  draw_curve(canvas, kLeft + 24, kHeight - kTop - 18, kBoxWidth - 48, 62);
  draw_marks(canvas, kLeft - 6, icon.left, kTop, kBoxHeight);
  draw_marks(canvas, kWidth - kLeft - 6, icon.right, kTop, kBoxHeight);
  return png(canvas);
}

}  // namespace fmugen::fmu
