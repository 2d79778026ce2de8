// A complete harness: the laws of binary and k-ary randomized response. Replace `law` by a call of your own code.
// Build and run: rustc -O -o harness harness.rs && ./harness
use std::io::{self, BufRead};
enum Not { Refused(&'static str), Unsupported(&'static str) }
use Not::{Refused, Unsupported};
/// The value of a key, "" if there is none: requests are flat enough to look for it. A real harness would use its own JSON library.
fn field(line: &str, key: &str) -> String {
    let mark = format!("\"{key}\": ");
    for (at, _) in line.match_indices(&mark) {
        let rest = &line[at + mark.len()..];
        match rest.strip_prefix('"') {
            Some(text) => return text.split('"').next().unwrap_or("").to_string(),
            None if rest.starts_with('{') => continue,
            None => return rest.chars().take_while(char::is_ascii_digit).collect(),
        }
    }
    String::new()
}

fn whole(text: &str, why: &'static str) -> Result<i64, Not> {
    text.parse::<i64>().ok().filter(|x| x.abs() < 1_000_000_000).ok_or(Refused(why))
}

fn law(ask: &str) -> Result<String, Not> {
    let text = field(ask, "epsilon0");
    let k = if field(ask, "randomizer") == "binary-rr" { 2 } else { whole(&field(ask, "k"), "k must be a whole number")? };
    let x = whole(&field(ask, "input"), "the input must be a whole number")?;
    if !(0..k).contains(&x) { return Err(Refused("the input must be one of 0, ..., k - 1")); }
    if let Some(inside) = text.strip_prefix("ln") {
        let inside = inside.trim().trim_start_matches('(').trim_end_matches(')');
        let (a, b) = inside.split_once('/').unwrap_or((inside, "1"));
        let (Ok(a), Ok(b)) = (a.parse::<i64>(), b.parse::<i64>()) else { return Err(Unsupported("this form of number")) };
        if !(1..1_000_000_000).contains(&b) || a >= 1_000_000_000 { return Err(Unsupported("this form of number")); }
        if a < b { return Err(Refused("epsilon0 must be at least 0")); }
        return Ok(told(k, |y| format!("{}/{}", if y == x { a } else { b }, a + (k - 1) * b)));
    }
    let epsilon: f64 = text.parse().map_err(|_| Unsupported("this form of number"))?;
    if !(epsilon >= 0.0) { return Err(Refused("epsilon0 must be a number of at least 0")); }
    if epsilon > 700.0 { return Err(Unsupported("e^epsilon0 is beyond a double")); }
    let (small, sum) = ((-epsilon).exp(), 1.0 + (k - 1) as f64 * (-epsilon).exp());
    Ok(told(k, |y| format!("{:e}", if y == x { 1.0 } else { small } / sum)))
}

fn told(k: i64, probability: impl Fn(i64) -> String) -> String {
    let each: Vec<String> = (0..k).map(|y| format!("\"{y}\": \"{}\"", probability(y))).collect();
    format!("\"claim\": \"law\", \"value\": {{{}}}", each.join(", "))
}

fn main() {
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        let reply = match field(&line, "cmd").as_str() {
            "start" => r#"{"version": 1, "implementation": {"name": "starter", "version": "1", "language": "rust"}, "capabilities": {"operations": ["randomizer_law"], "methods": [], "randomizers": ["binary-rr", "k-rr"]}}"#.to_string(),
            "configure" => r#"{"configured": true}"#.to_string(),
            "run" => format!("{{\"seq\": {}, {}}}", field(&line, "seq"), law(&line).unwrap_or_else(|not| match not {
                Refused(why) => format!("\"refused\": \"{why}\""), Unsupported(why) => format!("\"unsupported\": \"{why}\"") })),
            _ => return,
        };
        println!("{reply}"); // which ends the line, and so flushes it
    }
}
