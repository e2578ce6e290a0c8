// Parses with simdjson's DOM and looks at nothing: no schema, no state, no
// places. A folder holds one JSON text a file; a .jsonl file one a line.
#include <simdjson.h>

#include <cstdio>
#include <filesystem>
#include <string>

namespace fs = std::filesystem;
using namespace simdjson;

static size_t lines(dom::parser &parser, const std::string &path) {
  dom::document_stream documents;
  if (auto error = parser.load_many(path).get(documents)) throw simdjson_error(error);
  size_t n = 0;
  for (auto document : documents) {
    if (document.error()) throw simdjson_error(document.error());
    n++;
  }
  return n;
}

static size_t text(dom::parser &parser, const std::string &path) {
  dom::element root;
  if (auto error = parser.load(path).get(root)) throw simdjson_error(error);
  return root.get_array().size();
}

int main(int, char **argv) try {
  dom::parser parser;
  const std::string path = argv[1];
  size_t n = 0;
  if (fs::is_directory(path)) {
    for (const auto &file : fs::directory_iterator(path)) n += text(parser, file.path().string());
  } else {
    n = fs::path(path).extension() == ".jsonl" ? lines(parser, path) : text(parser, path);
  }
  std::printf("%zu\n", n);
} catch (const std::exception &error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
