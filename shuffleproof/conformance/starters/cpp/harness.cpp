// A complete harness: the laws of binary and k-ary randomized response. Replace `law` by a call of your own code.
// Build and run: c++ -std=c++17 -O2 -o harness harness.cpp && ./harness
#include <cmath>
#include <iomanip>
#include <iostream>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <string>

struct Refused : std::runtime_error { using runtime_error::runtime_error; };
struct Unsupported : std::runtime_error { using runtime_error::runtime_error; };

// The value of a key: requests are flat enough that a pattern finds it. A real harness would use its own JSON library.
std::string field(const std::string& line, const std::string& key) {
  std::smatch found;
  return std::regex_search(line, found, std::regex("\"" + key + "\": *(?:\"([^\"]*)\"|([0-9]+))")) ? found[1].str() + found[2].str() : "";
}

long whole(const std::string& text, const char* name) {
  if (!std::regex_match(text, std::regex("-?[0-9]{1,9}"))) throw Refused(std::string(name) + " must be a whole number");
  return std::stol(text);
}

std::string law(const std::string& ask) {
  const std::string epsilon0 = field(ask, "epsilon0");
  const long k = field(ask, "randomizer") == "binary-rr" ? 2 : whole(field(ask, "k"), "k"), x = whole(field(ask, "input"), "input");
  if (k < 1 || x < 0 || x >= k) throw Refused("the input must be one of 0, ..., k - 1");
  std::smatch parts;
  std::ostringstream text;
  text << std::setprecision(17);
  if (std::regex_match(epsilon0, parts, std::regex("ln ?\\(?([0-9]{1,9})(?:/([0-9]{1,9}))?\\)?"))) {
    const long long a = std::stoll(parts[1]), b = parts[2].matched ? std::stoll(parts[2]) : 1;
    if (a < b || b == 0) throw Refused("epsilon0 must be at least 0");
    for (long y = 0; y < k; y++) text << (y ? ", \"" : "\"") << y << "\": \"" << (y == x ? a : b) << "/" << a + (k - 1) * b << "\"";
  } else if (std::regex_match(epsilon0, std::regex("[-+0-9.e]+")) && epsilon0.find_first_of("0123456789") != std::string::npos) {
    const double epsilon = std::stod(epsilon0);
    if (!(epsilon >= 0)) throw Refused("epsilon0 must be at least 0");
    if (epsilon > 700) throw Unsupported("e^epsilon0 is beyond a double");
    const double small = std::exp(-epsilon), sum = 1 + (k - 1) * small;
    for (long y = 0; y < k; y++) text << (y ? ", \"" : "\"") << y << "\": \"" << (y == x ? 1 : small) / sum << "\"";
  } else if (epsilon0 == "nan") throw Refused("epsilon0 must be a number of at least 0");
  else throw Unsupported("this form of number");
  return "\"claim\": \"law\", \"value\": {" + text.str() + "}";
}

std::string answer(const std::string& ask) try { return law(ask); }
catch (const Refused& why) { return std::string("\"refused\": \"") + why.what() + "\""; }
catch (const Unsupported& why) { return std::string("\"unsupported\": \"") + why.what() + "\""; }

int main() {
  for (std::string ask; std::getline(std::cin, ask) && field(ask, "cmd") != "stop";)
    if (field(ask, "cmd") == "start")
      std::cout << R"({"version": 1, "implementation": {"name": "starter", "version": "1", "language": "c++"}, )"
                << R"("capabilities": {"operations": ["randomizer_law"], "methods": [], "randomizers": ["binary-rr", "k-rr"]}})" << std::endl;
    else if (field(ask, "cmd") == "configure") std::cout << R"({"configured": true})" << std::endl;
    else std::cout << "{\"seq\": " << field(ask, "seq") << ", " << answer(ask) << "}" << std::endl;
}
