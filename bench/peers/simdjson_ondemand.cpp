// Reads every member of every line with simdjson on demand: keys and string
// values unescaped, other values as they stand.
#include <simdjson.h>

#include <cstdio>
#include <string>

using namespace simdjson;

static size_t length(ondemand::value value) {
  if (value.type() == ondemand::json_type::string) return std::string_view(value.get_string()).size();
  return std::string_view(value.raw_json_token()).size();
}

int main(int, char **argv) try {
  padded_string data = padded_string::load(argv[1]);
  ondemand::parser parser;
  ondemand::document_stream documents = parser.iterate_many(data);
  size_t records = 0, bytes = 0;
  for (auto document : documents) {
    for (auto field : document.get_object()) {
      bytes += std::string_view(field.unescaped_key()).size();
      bytes += length(field.value());
    }
    records++;
  }
  std::printf("%zu %zu\n", records, bytes);
} catch (const std::exception &error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
