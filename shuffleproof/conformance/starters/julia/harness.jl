# A complete harness: the laws of binary and k-ary randomized response. Replace `law` by a call of your own code.
# Run: julia harness.jl  (read by people and by a test, not run: no Julia was at hand)

# The value of a key: requests are flat enough that a pattern finds it. A real harness would use its own JSON library.
function field(line, key)
    found = match(Regex("\"$key\": *(?:\"([^\"]*)\"|([0-9]+))"), line)
    found === nothing ? "" : something(found[1], found[2])
end

refused(why) = "\"refused\": \"$why\""
unsupported(why) = "\"unsupported\": \"$why\""
told(values) = "\"claim\": \"law\", \"value\": {" * join(["\"$(y - 1)\": \"$p\"" for (y, p) in enumerate(values)], ", ") * "}"

function law(ask)
    text = field(ask, "epsilon0")
    k = field(ask, "randomizer") == "binary-rr" ? 2 : tryparse(Int, field(ask, "k"))
    x = tryparse(Int, field(ask, "input"))
    (k === nothing || x === nothing || k < 1 || !(0 <= x < k)) && return refused("the input must be one of 0, ..., k - 1")
    rational = match(r"^ln ?\(?([0-9]{1,9})(?:/([0-9]{1,9}))?\)?$", text)
    if rational !== nothing
        a, b = parse(BigInt, rational[1]), parse(BigInt, something(rational[2], "1"))
        (b == 0 || a < b) && return refused("epsilon0 must be at least 0")
        return told(["$(y == x ? a : b)/$(a + (k - 1) * b)" for y in 0:k-1])
    end
    epsilon = tryparse(Float64, text)
    epsilon === nothing && return unsupported("this form of number")
    epsilon >= 0 || return refused("epsilon0 must be a number of at least 0")
    epsilon <= 700 || return unsupported("e^epsilon0 is beyond a Float64")
    small = exp(-epsilon)
    total = 1 + (k - 1) * small
    told([(y == x ? 1.0 : small) / total for y in 0:k-1])
end

const GREETING = """{"version": 1, "implementation": {"name": "starter", "version": "1", "language": "julia"}, \
"capabilities": {"operations": ["randomizer_law"], "methods": [], "randomizers": ["binary-rr", "k-rr"]}}"""

for ask in eachline(stdin)
    cmd = field(ask, "cmd")
    cmd == "stop" && break
    println(cmd == "start" ? GREETING : cmd == "configure" ? "{\"configured\": true}" : "{\"seq\": $(field(ask, "seq")), $(law(ask))}")
    flush(stdout)
end
