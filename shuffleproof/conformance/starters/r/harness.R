# A complete harness: the laws of binary and k-ary randomized response. Replace `law` by a call of your own code.
# Run: Rscript harness.R

# The value of a key: requests are flat enough that a pattern finds it. A real harness would use its own JSON library.
field <- function(line, key) {
  found <- regmatches(line, regexec(paste0('"', key, '": *("([^"]*)"|([0-9]+))'), line))[[1]]
  if (length(found) == 0) "" else paste0(found[3], found[4])
}

refused <- function(why) paste0('"refused": "', why, '"')
unsupported <- function(why) paste0('"unsupported": "', why, '"')
told <- function(values) {
  paste0('"claim": "law", "value": {', paste0('"', seq_along(values) - 1, '": "', values, '"', collapse = ", "), "}")
}
whole <- function(text) if (grepl("^-?[0-9]{1,9}$", text)) as.integer(text) else NA

law <- function(ask) {
  text <- field(ask, "epsilon0")
  k <- if (field(ask, "randomizer") == "binary-rr") 2L else whole(field(ask, "k"))
  x <- whole(field(ask, "input"))
  if (is.na(k) || is.na(x) || k < 1 || x < 0 || x >= k) return(refused("the input must be one of 0, ..., k - 1"))
  own <- seq_len(k) - 1 == x
  rational <- regmatches(text, regexec("^ln ?[(]?([0-9]{1,9})(/([0-9]{1,9}))?[)]?$", text))[[1]]
  if (length(rational) > 0) {
    a <- as.numeric(rational[2])
    b <- if (nzchar(rational[4])) as.numeric(rational[4]) else 1
    if (b == 0 || a < b) return(refused("epsilon0 must be at least 0"))
    return(told(sprintf("%.0f/%.0f", ifelse(own, a, b), a + (k - 1) * b)))
  }
  epsilon <- suppressWarnings(as.numeric(text))
  if (is.na(epsilon)) return(if (text == "nan") refused("epsilon0 must be a number") else unsupported("this form of number"))
  if (epsilon < 0) return(refused("epsilon0 must be at least 0"))
  if (epsilon > 700) return(unsupported("e^epsilon0 is beyond a double"))
  small <- exp(-epsilon)
  told(sprintf("%.17g", ifelse(own, 1, small) / (1 + (k - 1) * small)))
}

greeting <- paste0('{"version": 1, "implementation": {"name": "starter", "version": "1", "language": "r"}, ',
                   '"capabilities": {"operations": ["randomizer_law"], "methods": [], "randomizers": ["binary-rr", "k-rr"]}}')

input <- file("stdin", "r")
while (length(ask <- readLines(input, n = 1)) > 0 && field(ask, "cmd") != "stop") {
  cmd <- field(ask, "cmd")
  cat(if (cmd == "start") greeting else if (cmd == "configure") '{"configured": true}'
      else paste0('{"seq": ', field(ask, "seq"), ", ", law(ask), "}"), "\n", sep = "")
  flush(stdout())
}
