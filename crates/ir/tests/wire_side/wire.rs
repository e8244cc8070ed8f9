use crate::build::*;
use proptest::prelude::*;
use waymark_ir::wire::{DecodeError, decode, encode};
use waymark_ir::*;

fn round_trip(program: &Program) {
    let bytes = encode(program);
    let decoded = decode(&bytes).unwrap();
    assert_eq!(&decoded, program);
    assert_eq!(encode(&decoded), bytes);
}

#[test]
fn every_construct_survives() {
    round_trip(&rich());
}

#[test]
fn long_sums_and_elif_chains_survive() {
    let sum = (0..300).fold(int(0), |sum, number| add(sum, int(number)));
    let chain = (0..200).fold(vec![pass()], |rest, number| vec![when(int(number), vec![pass()], rest)]);
    round_trip(&main_with(vec![ret(sum)]));
    round_trip(&main_with(chain));
    let deeper = (0..400).fold(int(0), |sum, number| add(sum, int(number)));
    let refused = decode(&encode(&main_with(vec![ret(deeper)])));
    assert!(matches!(refused, Err(DecodeError::TooDeep { .. })), "{refused:?}");
}

#[test]
fn refusals_name_the_place() {
    use prost::Message;
    use waymark_proto::v1;
    let node = |kind| v1::Node { span: vec![], kind: Some(kind) };
    let statement = |kind| node(v1::node::Kind::Statement(v1::Statement { kind: Some(kind) }));
    let constant = || {
        let value = v1::Value { kind: Some(v1::value::Kind::Int(1)) };
        node(v1::node::Kind::Expression(v1::Expression { kind: Some(v1::expression::Kind::Const(value)) }))
    };
    let when =
        |test, body: &[u32]| statement(v1::statement::Kind::If(v1::If { test, body: body.to_vec(), orelse: vec![] }));
    let await_of =
        |id| node(v1::node::Kind::Expression(v1::Expression { kind: Some(v1::expression::Kind::Await(id)) }));
    let cases: Vec<(Vec<v1::Node>, Vec<u32>, &str)> = vec![
        (vec![when(0, &[])], vec![], "nodes[0].if.test: missing expression"),
        (vec![when(1, &[])], vec![], "nodes[0].if.test: node 1 does not stand before the node that uses it"),
        (vec![constant(), when(1, &[1])], vec![], "nodes[1].if.body[0]: node 1 is used a second time"),
        (
            vec![constant(), constant(), when(1, &[2])],
            vec![],
            "nodes[2].if.body[0]: expected a statement, but node 2 is an expression",
        ),
        (vec![constant()], vec![], "nodes[0]: not used by any other node"),
        (vec![constant()], vec![1], "program.functions[0]: expected a function, but node 1 is an expression"),
        (vec![v1::Node::default()], vec![], "nodes[0].kind: missing kind"),
        (vec![constant(), await_of(1), await_of(1)], vec![], "nodes[2].expression.await: node 1 is used a second time"),
    ];
    for (nodes, functions, expected) in cases {
        let program = v1::Program { dialect: 1, nodes, functions, ..Default::default() };
        assert_eq!(decode(&program.encode_to_vec()).unwrap_err().to_string(), expected);
    }
    let no_dialect = decode(&[]).unwrap_err().to_string();
    assert_eq!(no_dialect, "program.dialect: missing value");
}

#[test]
fn size_and_node_count_are_bounded() {
    assert!(matches!(decode(&vec![0; wire::MAX_BYTES + 1]), Err(DecodeError::TooLarge { .. })));
    // Field 8 (a node), length 0, over and over.
    let nodes = [0x42, 0x00].repeat(wire::MAX_NODES + 1);
    assert!(matches!(decode(&nodes), Err(DecodeError::TooManyNodes)));
    // Groups nested for ever.
    assert!(decode(&vec![0x7b; 1 << 20]).is_err());
}

proptest! {
    #[test]
    fn any_constant_survives(value in any_value()) {
        round_trip(&main_with(vec![ret(constant(value))]));
    }
}
