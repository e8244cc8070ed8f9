use crate::build::*;
use std::collections::HashSet;
use waymark_ir::*;

#[test]
fn places_texts_and_order_do_not_matter() {
    let original = rich();
    let mut moved: Program = original.clone();
    // Through the wire form every span can be reached.
    use prost::Message;
    let mut wire = waymark_proto::v1::Program::decode(wire::encode(&original).as_slice()).unwrap();
    wire.nodes.iter_mut().for_each(|node| node.span = vec![77, 3]);
    assert_eq!(ir_hash(&wire::decode(&wire.encode_to_vec()).unwrap()), ir_hash(&original));
    moved.sources.clear();
    moved.functions.reverse();
    moved.types.reverse();
    assert_eq!(ir_hash(&moved), ir_hash(&original));
    assert_eq!(hash_hex(&ir_hash(&original)).len(), 64);
}

#[test]
fn numbers_keep_what_distinguishes_them() {
    let hash = |value: Value| ir_hash(&main_with(vec![ret(constant(value))]));
    assert_eq!(hash(Value::Float(f64::NAN)), hash(Value::Float(-f64::NAN)));
    let distinct = [
        Value::Float(0.0),
        Value::Float(-0.0),
        Value::Int(0),
        Value::Bool(false),
        Value::None,
        Value::str("0"),
        Value::Float(f64::NAN),
        Value::Tuple(vec![]),
        Value::List(vec![]),
    ];
    let hashes: HashSet<_> = distinct.iter().cloned().map(hash).collect();
    assert_eq!(hashes.len(), distinct.len());
}

/// Every single-byte change of the encoded program that still is a program is another program, so the hash must differ,
/// unless only spans or source texts changed.
#[test]
fn any_other_change_matters() {
    let original = rich();
    let bytes = wire::encode(&original);
    let hash = ir_hash(&original);
    let (mut changed, mut same) = (0, 0);
    for at in 0..bytes.len() {
        for flip in [1, 2, 4, 32] {
            let mut damaged = bytes.clone();
            damaged[at] ^= flip;
            let Ok(program) = wire::decode(&damaged) else { continue };
            if without_places(&program) == without_places(&original) {
                assert_eq!(ir_hash(&program), hash);
                same += 1;
            } else {
                assert_ne!(ir_hash(&program), hash, "byte {at} ^ {flip}");
                changed += 1;
            }
        }
    }
    assert!(changed > 500 && same > 100, "{changed} changed, {same} same");
}

/// The tree as text, spans and sources cut out.
fn without_places(program: &Program) -> String {
    let mut bare = program.clone();
    bare.sources.clear();
    bare.types.sort_by(|left, right| left.name.cmp(&right.name));
    bare.functions.sort_by(|left, right| left.name.cmp(&right.name));
    let text = format!("{bare:?}");
    let mut pieces = text.split("Span {");
    let mut out = pieces.next().unwrap_or_default().to_string();
    for piece in pieces {
        out.push_str(piece.split_once('}').map_or(piece, |(_, rest)| rest));
    }
    out
}
