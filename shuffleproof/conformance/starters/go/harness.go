// A complete harness: the laws of binary and k-ary randomized response. Replace `law` by a call of your own code.
// Build and run: go build -o harness harness.go && ./harness
package main

import "bufio"
import "encoding/json"
import "math"
import "math/big"
import "os"
import "strconv"
import "strings"

type object = map[string]any

func law(in map[string]string) object {
	x, bad := strconv.Atoi(in["input"])
	k, err := 2, error(nil)
	if in["randomizer"] == "k-rr" {
		k, err = strconv.Atoi(in["k"])
	}
	if bad != nil || err != nil || x < 0 || x >= k {
		return object{"refused": "the input must be one of 0, ..., k - 1"}
	}
	own, other, text := "", "", in["epsilon0"]
	if strings.HasPrefix(text, "ln") {
		t, ok := new(big.Rat).SetString(strings.Trim(text[2:], " ()"))
		if !ok || t.Cmp(big.NewRat(1, 1)) < 0 {
			return object{"refused": "epsilon0 must be at least 0"}
		}
		sum := new(big.Rat).Add(t, big.NewRat(int64(k-1), 1))
		own, other = new(big.Rat).Quo(t, sum).String(), new(big.Rat).Inv(sum).String()
	} else if epsilon, err := strconv.ParseFloat(text, 64); err != nil || epsilon > 700 {
		return object{"unsupported": "this form of number, or e^epsilon0 beyond a float64"}
	} else if !(epsilon >= 0) {
		return object{"refused": "epsilon0 must be a number of at least 0"}
	} else {
		sum := 1 + float64(k-1)*math.Exp(-epsilon)
		own, other = strconv.FormatFloat(1/sum, 'e', 17, 64), strconv.FormatFloat(math.Exp(-epsilon)/sum, 'e', 17, 64)
	}
	value := map[string]string{}
	for y := 0; y < k; y++ {
		value[strconv.Itoa(y)] = other
	}
	value[strconv.Itoa(x)] = own
	return object{"claim": "law", "value": value}
}

func main() {
	var ask struct{ Cmd string; Seq int; Input map[string]string }
	for in := bufio.NewScanner(os.Stdin); in.Scan() && json.Unmarshal(in.Bytes(), &ask) == nil && ask.Cmd != "stop"; ask.Input = nil {
		reply := object{"configured": true}
		if ask.Cmd == "start" {
			can := object{"operations": []string{"randomizer_law"}, "methods": []string{}, "randomizers": []string{"binary-rr", "k-rr"}}
			reply = object{"version": 1, "implementation": object{"name": "starter", "version": "1", "language": "go"}, "capabilities": can}
		} else if ask.Cmd == "run" {
			reply = law(ask.Input); reply["seq"] = ask.Seq
		}
		json.NewEncoder(os.Stdout).Encode(reply)
	}
}
