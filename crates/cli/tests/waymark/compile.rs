use super::Place;

const ORDERS: &str = "\
workflow orders
fn main(input: [items, limit=0x10]):
    results = []
    for item in items:      # a comment
        try:
            results.append(@app:work(item) [timeout: 60s, retry: 2])
        except ValueError:
            continue
    if len( results ) > limit: return None
    return await total(results)

fn total(input: [numbers]):
    await asyncio.sleep(1)
    return sum(numbers)
";

#[test]
fn text_graphs_and_json() {
    let place = Place::new([("orders.ir", ORDERS)]);
    let text = place.run(&["compile", "orders.ir"]);
    insta::assert_snapshot!("compile_text", text);
    insta::assert_snapshot!("compile_dot", place.run(&["compile", "orders.ir", "--graph", "dot"]));
    insta::assert_snapshot!("compile_mermaid", place.run(&["compile", "orders.ir", "--graph", "mermaid"]));
    place.write("tiny.ir", b"fn main(input: [name]):\n    return @greet(name)\n");
    insta::assert_snapshot!("compile_json", place.run(&["compile", "tiny.ir", "--json"]));

    place.write("canonical.ir", text.stdout.as_bytes());
    let again = place.run(&["compile", "canonical.ir"]);
    assert_eq!((again.stdout, again.stderr), (text.stdout, text.stderr), "the canonical form is stable");
}

#[test]
fn the_wire_form_is_the_same_program() {
    let place = Place::new([("orders.ir", ORDERS)]);
    place.run(&["compile", "orders.ir", "--wire", "orders.pb"]).succeeded();
    let bytes = std::fs::read(place.path("orders.pb")).expect("it was written");
    let program = waymark_ir::wire::decode(&bytes).expect("it can be read");
    let hash = place.run(&["compile", "orders.ir", "--json"]).succeeded().json()["ir_hash"].clone();
    assert_eq!(hash, waymark_ir::hash_hex(&waymark_ir::ir_hash(&program)));
    insta::assert_snapshot!("compile_wire_nowhere", place.run(&["compile", "orders.ir", "--wire", "no/such/place"]));
}

#[test]
fn what_does_not_compile() {
    let place = Place::new([("wrong.ir", "fn main():\n    return x + y\n"), ("orders.ir", ORDERS)]);
    insta::assert_snapshot!("compile_wrong", place.run(&["compile", "wrong.ir"]));
    insta::assert_snapshot!("compile_two_formats", place.run(&["compile", "orders.ir", "--graph", "dot", "--json"]));
    insta::assert_snapshot!("compile_unknown_format", place.run(&["compile", "orders.ir", "--graph", "png"]));
    assert_eq!(place.run(&["compile", "missing.ir"]).code, 2);
}
