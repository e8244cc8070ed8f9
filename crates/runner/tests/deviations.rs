//! `docs/deviations.md` tells the truth: its examples give what its last column says.

use waymark_runner::simulate;

#[test]
fn documented_deviations_are_as_documented() {
    let page = include_str!("../../../docs/deviations.md");
    let mut run = 0;
    for row in page.lines().filter(|line| line.starts_with('|')) {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(str::trim).collect();
        let (example, expected) = match cells[..] {
            [_, example, _, expected] | [_, example, expected] => (example, expected),
            _ => continue,
        };
        let code = |cell: &str| cell.strip_prefix('`').and_then(|cell| cell.strip_suffix('`')).map(str::to_string);
        let (Some(example), Some(expected)) = (code(example), code(expected)) else { continue };
        let body = match cells.len() {
            4 => format!("    return repr({example})"),
            _ => format!("    try:\n        {example}\n    except waymark.Unsupported as e:\n        return str(e)"),
        };
        let report = simulate::check(&format!("fn main():\n{body}\n"));
        assert_eq!(report.value(), Some(&waymark_ir::Value::Str(expected)), "{example}");
        run += 1;
    }
    assert!(run >= 10, "the tables of the page were not found: {run} examples");
}
