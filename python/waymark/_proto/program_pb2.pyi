from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Dialect(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DIALECT_UNSPECIFIED: _ClassVar[Dialect]
    DIALECT_PYTHON: _ClassVar[Dialect]
    DIALECT_FLOW: _ClassVar[Dialect]

class FunctionKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FUNCTION_KIND_UNSPECIFIED: _ClassVar[FunctionKind]
    FUNCTION_KIND_DURABLE: _ClassVar[FunctionKind]
    FUNCTION_KIND_PLAIN: _ClassVar[FunctionKind]

class ParamKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PARAM_KIND_UNSPECIFIED: _ClassVar[ParamKind]
    PARAM_KIND_POSITIONAL_ONLY: _ClassVar[ParamKind]
    PARAM_KIND_POSITIONAL: _ClassVar[ParamKind]
    PARAM_KIND_REST: _ClassVar[ParamKind]
    PARAM_KIND_KEYWORD_ONLY: _ClassVar[ParamKind]
    PARAM_KIND_OPTIONS: _ClassVar[ParamKind]

class UnaryOperator(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    UNARY_OPERATOR_UNSPECIFIED: _ClassVar[UnaryOperator]
    UNARY_OPERATOR_NOT: _ClassVar[UnaryOperator]
    UNARY_OPERATOR_NEGATIVE: _ClassVar[UnaryOperator]
    UNARY_OPERATOR_POSITIVE: _ClassVar[UnaryOperator]
    UNARY_OPERATOR_INVERT: _ClassVar[UnaryOperator]

class BinaryOperator(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    BINARY_OPERATOR_UNSPECIFIED: _ClassVar[BinaryOperator]
    BINARY_OPERATOR_ADD: _ClassVar[BinaryOperator]
    BINARY_OPERATOR_SUBTRACT: _ClassVar[BinaryOperator]
    BINARY_OPERATOR_MULTIPLY: _ClassVar[BinaryOperator]
    BINARY_OPERATOR_DIVIDE: _ClassVar[BinaryOperator]
    BINARY_OPERATOR_FLOOR_DIVIDE: _ClassVar[BinaryOperator]
    BINARY_OPERATOR_MODULO: _ClassVar[BinaryOperator]
    BINARY_OPERATOR_POWER: _ClassVar[BinaryOperator]
    BINARY_OPERATOR_MATRIX_MULTIPLY: _ClassVar[BinaryOperator]
    BINARY_OPERATOR_SHIFT_LEFT: _ClassVar[BinaryOperator]
    BINARY_OPERATOR_SHIFT_RIGHT: _ClassVar[BinaryOperator]
    BINARY_OPERATOR_BIT_AND: _ClassVar[BinaryOperator]
    BINARY_OPERATOR_BIT_OR: _ClassVar[BinaryOperator]
    BINARY_OPERATOR_BIT_XOR: _ClassVar[BinaryOperator]

class BoolOperator(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    BOOL_OPERATOR_UNSPECIFIED: _ClassVar[BoolOperator]
    BOOL_OPERATOR_AND: _ClassVar[BoolOperator]
    BOOL_OPERATOR_OR: _ClassVar[BoolOperator]

class CompareOperator(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    COMPARE_OPERATOR_UNSPECIFIED: _ClassVar[CompareOperator]
    COMPARE_OPERATOR_EQUAL: _ClassVar[CompareOperator]
    COMPARE_OPERATOR_NOT_EQUAL: _ClassVar[CompareOperator]
    COMPARE_OPERATOR_LESS: _ClassVar[CompareOperator]
    COMPARE_OPERATOR_LESS_EQUAL: _ClassVar[CompareOperator]
    COMPARE_OPERATOR_GREATER: _ClassVar[CompareOperator]
    COMPARE_OPERATOR_GREATER_EQUAL: _ClassVar[CompareOperator]
    COMPARE_OPERATOR_IN: _ClassVar[CompareOperator]
    COMPARE_OPERATOR_NOT_IN: _ClassVar[CompareOperator]
    COMPARE_OPERATOR_IS: _ClassVar[CompareOperator]
    COMPARE_OPERATOR_IS_NOT: _ClassVar[CompareOperator]

class Conversion(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CONVERSION_UNSPECIFIED: _ClassVar[Conversion]
    CONVERSION_STR: _ClassVar[Conversion]
    CONVERSION_REPR: _ClassVar[Conversion]
    CONVERSION_ASCII: _ClassVar[Conversion]
DIALECT_UNSPECIFIED: Dialect
DIALECT_PYTHON: Dialect
DIALECT_FLOW: Dialect
FUNCTION_KIND_UNSPECIFIED: FunctionKind
FUNCTION_KIND_DURABLE: FunctionKind
FUNCTION_KIND_PLAIN: FunctionKind
PARAM_KIND_UNSPECIFIED: ParamKind
PARAM_KIND_POSITIONAL_ONLY: ParamKind
PARAM_KIND_POSITIONAL: ParamKind
PARAM_KIND_REST: ParamKind
PARAM_KIND_KEYWORD_ONLY: ParamKind
PARAM_KIND_OPTIONS: ParamKind
UNARY_OPERATOR_UNSPECIFIED: UnaryOperator
UNARY_OPERATOR_NOT: UnaryOperator
UNARY_OPERATOR_NEGATIVE: UnaryOperator
UNARY_OPERATOR_POSITIVE: UnaryOperator
UNARY_OPERATOR_INVERT: UnaryOperator
BINARY_OPERATOR_UNSPECIFIED: BinaryOperator
BINARY_OPERATOR_ADD: BinaryOperator
BINARY_OPERATOR_SUBTRACT: BinaryOperator
BINARY_OPERATOR_MULTIPLY: BinaryOperator
BINARY_OPERATOR_DIVIDE: BinaryOperator
BINARY_OPERATOR_FLOOR_DIVIDE: BinaryOperator
BINARY_OPERATOR_MODULO: BinaryOperator
BINARY_OPERATOR_POWER: BinaryOperator
BINARY_OPERATOR_MATRIX_MULTIPLY: BinaryOperator
BINARY_OPERATOR_SHIFT_LEFT: BinaryOperator
BINARY_OPERATOR_SHIFT_RIGHT: BinaryOperator
BINARY_OPERATOR_BIT_AND: BinaryOperator
BINARY_OPERATOR_BIT_OR: BinaryOperator
BINARY_OPERATOR_BIT_XOR: BinaryOperator
BOOL_OPERATOR_UNSPECIFIED: BoolOperator
BOOL_OPERATOR_AND: BoolOperator
BOOL_OPERATOR_OR: BoolOperator
COMPARE_OPERATOR_UNSPECIFIED: CompareOperator
COMPARE_OPERATOR_EQUAL: CompareOperator
COMPARE_OPERATOR_NOT_EQUAL: CompareOperator
COMPARE_OPERATOR_LESS: CompareOperator
COMPARE_OPERATOR_LESS_EQUAL: CompareOperator
COMPARE_OPERATOR_GREATER: CompareOperator
COMPARE_OPERATOR_GREATER_EQUAL: CompareOperator
COMPARE_OPERATOR_IN: CompareOperator
COMPARE_OPERATOR_NOT_IN: CompareOperator
COMPARE_OPERATOR_IS: CompareOperator
COMPARE_OPERATOR_IS_NOT: CompareOperator
CONVERSION_UNSPECIFIED: Conversion
CONVERSION_STR: Conversion
CONVERSION_REPR: Conversion
CONVERSION_ASCII: Conversion

class Program(_message.Message):
    __slots__ = ("name", "dialect", "semantics", "entry", "types", "sources", "functions", "nodes")
    NAME_FIELD_NUMBER: _ClassVar[int]
    DIALECT_FIELD_NUMBER: _ClassVar[int]
    SEMANTICS_FIELD_NUMBER: _ClassVar[int]
    ENTRY_FIELD_NUMBER: _ClassVar[int]
    TYPES_FIELD_NUMBER: _ClassVar[int]
    SOURCES_FIELD_NUMBER: _ClassVar[int]
    FUNCTIONS_FIELD_NUMBER: _ClassVar[int]
    NODES_FIELD_NUMBER: _ClassVar[int]
    name: str
    dialect: Dialect
    semantics: int
    entry: str
    types: _containers.RepeatedCompositeFieldContainer[TypeDescriptor]
    sources: _containers.RepeatedCompositeFieldContainer[Source]
    functions: _containers.RepeatedScalarFieldContainer[int]
    nodes: _containers.RepeatedCompositeFieldContainer[Node]
    def __init__(self, name: _Optional[str] = ..., dialect: _Optional[_Union[Dialect, str]] = ..., semantics: _Optional[int] = ..., entry: _Optional[str] = ..., types: _Optional[_Iterable[_Union[TypeDescriptor, _Mapping]]] = ..., sources: _Optional[_Iterable[_Union[Source, _Mapping]]] = ..., functions: _Optional[_Iterable[int]] = ..., nodes: _Optional[_Iterable[_Union[Node, _Mapping]]] = ...) -> None: ...

class Source(_message.Message):
    __slots__ = ("path", "text")
    PATH_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    path: str
    text: str
    def __init__(self, path: _Optional[str] = ..., text: _Optional[str] = ...) -> None: ...

class Node(_message.Message):
    __slots__ = ("span", "expression", "statement", "pattern", "function")
    SPAN_FIELD_NUMBER: _ClassVar[int]
    EXPRESSION_FIELD_NUMBER: _ClassVar[int]
    STATEMENT_FIELD_NUMBER: _ClassVar[int]
    PATTERN_FIELD_NUMBER: _ClassVar[int]
    FUNCTION_FIELD_NUMBER: _ClassVar[int]
    span: _containers.RepeatedScalarFieldContainer[int]
    expression: Expression
    statement: Statement
    pattern: Pattern
    function: Function
    def __init__(self, span: _Optional[_Iterable[int]] = ..., expression: _Optional[_Union[Expression, _Mapping]] = ..., statement: _Optional[_Union[Statement, _Mapping]] = ..., pattern: _Optional[_Union[Pattern, _Mapping]] = ..., function: _Optional[_Union[Function, _Mapping]] = ...) -> None: ...

class Empty(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Function(_message.Message):
    __slots__ = ("name", "kind", "params", "outputs", "body", "origin")
    NAME_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    PARAMS_FIELD_NUMBER: _ClassVar[int]
    OUTPUTS_FIELD_NUMBER: _ClassVar[int]
    BODY_FIELD_NUMBER: _ClassVar[int]
    ORIGIN_FIELD_NUMBER: _ClassVar[int]
    name: str
    kind: FunctionKind
    params: _containers.RepeatedCompositeFieldContainer[Param]
    outputs: _containers.RepeatedScalarFieldContainer[str]
    body: _containers.RepeatedScalarFieldContainer[int]
    origin: Origin
    def __init__(self, name: _Optional[str] = ..., kind: _Optional[_Union[FunctionKind, str]] = ..., params: _Optional[_Iterable[_Union[Param, _Mapping]]] = ..., outputs: _Optional[_Iterable[str]] = ..., body: _Optional[_Iterable[int]] = ..., origin: _Optional[_Union[Origin, _Mapping]] = ...) -> None: ...

class Origin(_message.Message):
    __slots__ = ("qualified", "is_method")
    QUALIFIED_FIELD_NUMBER: _ClassVar[int]
    IS_METHOD_FIELD_NUMBER: _ClassVar[int]
    qualified: str
    is_method: bool
    def __init__(self, qualified: _Optional[str] = ..., is_method: bool = ...) -> None: ...

class Param(_message.Message):
    __slots__ = ("name", "kind", "default", "span")
    NAME_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    DEFAULT_FIELD_NUMBER: _ClassVar[int]
    SPAN_FIELD_NUMBER: _ClassVar[int]
    name: str
    kind: ParamKind
    default: int
    span: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, name: _Optional[str] = ..., kind: _Optional[_Union[ParamKind, str]] = ..., default: _Optional[int] = ..., span: _Optional[_Iterable[int]] = ...) -> None: ...

class Statement(_message.Message):
    __slots__ = ("expression", "assign", "augmented_assign", "delete", "match")
    EXPRESSION_FIELD_NUMBER: _ClassVar[int]
    ASSIGN_FIELD_NUMBER: _ClassVar[int]
    AUGMENTED_ASSIGN_FIELD_NUMBER: _ClassVar[int]
    DELETE_FIELD_NUMBER: _ClassVar[int]
    IF_FIELD_NUMBER: _ClassVar[int]
    WHILE_FIELD_NUMBER: _ClassVar[int]
    FOR_FIELD_NUMBER: _ClassVar[int]
    TRY_FIELD_NUMBER: _ClassVar[int]
    WITH_FIELD_NUMBER: _ClassVar[int]
    MATCH_FIELD_NUMBER: _ClassVar[int]
    RETURN_FIELD_NUMBER: _ClassVar[int]
    RAISE_FIELD_NUMBER: _ClassVar[int]
    ASSERT_FIELD_NUMBER: _ClassVar[int]
    BREAK_FIELD_NUMBER: _ClassVar[int]
    CONTINUE_FIELD_NUMBER: _ClassVar[int]
    PASS_FIELD_NUMBER: _ClassVar[int]
    DEF_FIELD_NUMBER: _ClassVar[int]
    NONLOCAL_FIELD_NUMBER: _ClassVar[int]
    expression: int
    assign: Assign
    augmented_assign: AugmentedAssign
    delete: Delete
    match: Match
    def __init__(self, expression: _Optional[int] = ..., assign: _Optional[_Union[Assign, _Mapping]] = ..., augmented_assign: _Optional[_Union[AugmentedAssign, _Mapping]] = ..., delete: _Optional[_Union[Delete, _Mapping]] = ..., match: _Optional[_Union[Match, _Mapping]] = ..., **kwargs) -> None: ...

class Assign(_message.Message):
    __slots__ = ("targets", "value")
    TARGETS_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    targets: _containers.RepeatedScalarFieldContainer[int]
    value: int
    def __init__(self, targets: _Optional[_Iterable[int]] = ..., value: _Optional[int] = ...) -> None: ...

class AugmentedAssign(_message.Message):
    __slots__ = ("target", "operator", "value")
    TARGET_FIELD_NUMBER: _ClassVar[int]
    OPERATOR_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    target: int
    operator: BinaryOperator
    value: int
    def __init__(self, target: _Optional[int] = ..., operator: _Optional[_Union[BinaryOperator, str]] = ..., value: _Optional[int] = ...) -> None: ...

class Delete(_message.Message):
    __slots__ = ("targets",)
    TARGETS_FIELD_NUMBER: _ClassVar[int]
    targets: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, targets: _Optional[_Iterable[int]] = ...) -> None: ...

class If(_message.Message):
    __slots__ = ("test", "body", "orelse")
    TEST_FIELD_NUMBER: _ClassVar[int]
    BODY_FIELD_NUMBER: _ClassVar[int]
    ORELSE_FIELD_NUMBER: _ClassVar[int]
    test: int
    body: _containers.RepeatedScalarFieldContainer[int]
    orelse: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, test: _Optional[int] = ..., body: _Optional[_Iterable[int]] = ..., orelse: _Optional[_Iterable[int]] = ...) -> None: ...

class While(_message.Message):
    __slots__ = ("test", "body", "orelse")
    TEST_FIELD_NUMBER: _ClassVar[int]
    BODY_FIELD_NUMBER: _ClassVar[int]
    ORELSE_FIELD_NUMBER: _ClassVar[int]
    test: int
    body: _containers.RepeatedScalarFieldContainer[int]
    orelse: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, test: _Optional[int] = ..., body: _Optional[_Iterable[int]] = ..., orelse: _Optional[_Iterable[int]] = ...) -> None: ...

class For(_message.Message):
    __slots__ = ("target", "iter", "body", "orelse", "is_async")
    TARGET_FIELD_NUMBER: _ClassVar[int]
    ITER_FIELD_NUMBER: _ClassVar[int]
    BODY_FIELD_NUMBER: _ClassVar[int]
    ORELSE_FIELD_NUMBER: _ClassVar[int]
    IS_ASYNC_FIELD_NUMBER: _ClassVar[int]
    target: int
    iter: int
    body: _containers.RepeatedScalarFieldContainer[int]
    orelse: _containers.RepeatedScalarFieldContainer[int]
    is_async: bool
    def __init__(self, target: _Optional[int] = ..., iter: _Optional[int] = ..., body: _Optional[_Iterable[int]] = ..., orelse: _Optional[_Iterable[int]] = ..., is_async: bool = ...) -> None: ...

class Try(_message.Message):
    __slots__ = ("body", "handlers", "orelse")
    BODY_FIELD_NUMBER: _ClassVar[int]
    HANDLERS_FIELD_NUMBER: _ClassVar[int]
    ORELSE_FIELD_NUMBER: _ClassVar[int]
    FINALLY_FIELD_NUMBER: _ClassVar[int]
    body: _containers.RepeatedScalarFieldContainer[int]
    handlers: _containers.RepeatedCompositeFieldContainer[Handler]
    orelse: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, body: _Optional[_Iterable[int]] = ..., handlers: _Optional[_Iterable[_Union[Handler, _Mapping]]] = ..., orelse: _Optional[_Iterable[int]] = ..., **kwargs) -> None: ...

class Handler(_message.Message):
    __slots__ = ("exception", "name", "body", "span")
    EXCEPTION_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    BODY_FIELD_NUMBER: _ClassVar[int]
    SPAN_FIELD_NUMBER: _ClassVar[int]
    exception: int
    name: str
    body: _containers.RepeatedScalarFieldContainer[int]
    span: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, exception: _Optional[int] = ..., name: _Optional[str] = ..., body: _Optional[_Iterable[int]] = ..., span: _Optional[_Iterable[int]] = ...) -> None: ...

class With(_message.Message):
    __slots__ = ("items", "body", "is_async")
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    BODY_FIELD_NUMBER: _ClassVar[int]
    IS_ASYNC_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedCompositeFieldContainer[WithItem]
    body: _containers.RepeatedScalarFieldContainer[int]
    is_async: bool
    def __init__(self, items: _Optional[_Iterable[_Union[WithItem, _Mapping]]] = ..., body: _Optional[_Iterable[int]] = ..., is_async: bool = ...) -> None: ...

class WithItem(_message.Message):
    __slots__ = ("context", "target")
    CONTEXT_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    context: int
    target: int
    def __init__(self, context: _Optional[int] = ..., target: _Optional[int] = ...) -> None: ...

class Match(_message.Message):
    __slots__ = ("subject", "cases")
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    CASES_FIELD_NUMBER: _ClassVar[int]
    subject: int
    cases: _containers.RepeatedCompositeFieldContainer[Case]
    def __init__(self, subject: _Optional[int] = ..., cases: _Optional[_Iterable[_Union[Case, _Mapping]]] = ...) -> None: ...

class Case(_message.Message):
    __slots__ = ("pattern", "guard", "body", "span")
    PATTERN_FIELD_NUMBER: _ClassVar[int]
    GUARD_FIELD_NUMBER: _ClassVar[int]
    BODY_FIELD_NUMBER: _ClassVar[int]
    SPAN_FIELD_NUMBER: _ClassVar[int]
    pattern: int
    guard: int
    body: _containers.RepeatedScalarFieldContainer[int]
    span: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, pattern: _Optional[int] = ..., guard: _Optional[int] = ..., body: _Optional[_Iterable[int]] = ..., span: _Optional[_Iterable[int]] = ...) -> None: ...

class Return(_message.Message):
    __slots__ = ("value",)
    VALUE_FIELD_NUMBER: _ClassVar[int]
    value: int
    def __init__(self, value: _Optional[int] = ...) -> None: ...

class Raise(_message.Message):
    __slots__ = ("exception", "cause")
    EXCEPTION_FIELD_NUMBER: _ClassVar[int]
    CAUSE_FIELD_NUMBER: _ClassVar[int]
    exception: int
    cause: int
    def __init__(self, exception: _Optional[int] = ..., cause: _Optional[int] = ...) -> None: ...

class Assert(_message.Message):
    __slots__ = ("test", "message")
    TEST_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    test: int
    message: int
    def __init__(self, test: _Optional[int] = ..., message: _Optional[int] = ...) -> None: ...

class Nonlocal(_message.Message):
    __slots__ = ("names",)
    NAMES_FIELD_NUMBER: _ClassVar[int]
    names: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, names: _Optional[_Iterable[str]] = ...) -> None: ...

class Pattern(_message.Message):
    __slots__ = ("wildcard", "capture", "value", "singleton", "sequence", "star", "mapping")
    WILDCARD_FIELD_NUMBER: _ClassVar[int]
    CAPTURE_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    SINGLETON_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    STAR_FIELD_NUMBER: _ClassVar[int]
    MAPPING_FIELD_NUMBER: _ClassVar[int]
    CLASS_FIELD_NUMBER: _ClassVar[int]
    OR_FIELD_NUMBER: _ClassVar[int]
    AS_FIELD_NUMBER: _ClassVar[int]
    wildcard: Empty
    capture: str
    value: int
    singleton: Value
    sequence: SequencePattern
    star: StarPattern
    mapping: MappingPattern
    def __init__(self, wildcard: _Optional[_Union[Empty, _Mapping]] = ..., capture: _Optional[str] = ..., value: _Optional[int] = ..., singleton: _Optional[_Union[Value, _Mapping]] = ..., sequence: _Optional[_Union[SequencePattern, _Mapping]] = ..., star: _Optional[_Union[StarPattern, _Mapping]] = ..., mapping: _Optional[_Union[MappingPattern, _Mapping]] = ..., **kwargs) -> None: ...

class SequencePattern(_message.Message):
    __slots__ = ("items",)
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, items: _Optional[_Iterable[int]] = ...) -> None: ...

class StarPattern(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class MappingPattern(_message.Message):
    __slots__ = ("entries", "rest")
    ENTRIES_FIELD_NUMBER: _ClassVar[int]
    REST_FIELD_NUMBER: _ClassVar[int]
    entries: _containers.RepeatedCompositeFieldContainer[MappingPatternEntry]
    rest: str
    def __init__(self, entries: _Optional[_Iterable[_Union[MappingPatternEntry, _Mapping]]] = ..., rest: _Optional[str] = ...) -> None: ...

class MappingPatternEntry(_message.Message):
    __slots__ = ("key", "pattern")
    KEY_FIELD_NUMBER: _ClassVar[int]
    PATTERN_FIELD_NUMBER: _ClassVar[int]
    key: int
    pattern: int
    def __init__(self, key: _Optional[int] = ..., pattern: _Optional[int] = ...) -> None: ...

class ClassPattern(_message.Message):
    __slots__ = ("positional", "keyword")
    CLASS_FIELD_NUMBER: _ClassVar[int]
    POSITIONAL_FIELD_NUMBER: _ClassVar[int]
    KEYWORD_FIELD_NUMBER: _ClassVar[int]
    positional: _containers.RepeatedScalarFieldContainer[int]
    keyword: _containers.RepeatedCompositeFieldContainer[KeywordPattern]
    def __init__(self, positional: _Optional[_Iterable[int]] = ..., keyword: _Optional[_Iterable[_Union[KeywordPattern, _Mapping]]] = ..., **kwargs) -> None: ...

class KeywordPattern(_message.Message):
    __slots__ = ("name", "pattern")
    NAME_FIELD_NUMBER: _ClassVar[int]
    PATTERN_FIELD_NUMBER: _ClassVar[int]
    name: str
    pattern: int
    def __init__(self, name: _Optional[str] = ..., pattern: _Optional[int] = ...) -> None: ...

class OrPattern(_message.Message):
    __slots__ = ("alternatives",)
    ALTERNATIVES_FIELD_NUMBER: _ClassVar[int]
    alternatives: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, alternatives: _Optional[_Iterable[int]] = ...) -> None: ...

class AsPattern(_message.Message):
    __slots__ = ("pattern", "name")
    PATTERN_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    pattern: int
    name: str
    def __init__(self, pattern: _Optional[int] = ..., name: _Optional[str] = ...) -> None: ...

class Expression(_message.Message):
    __slots__ = ("const", "name", "attribute", "call", "binary", "compare", "index", "list", "tuple", "set", "dict", "action", "format", "unary", "bool", "conditional", "walrus", "slice", "starred", "comprehension", "spread", "fragment")
    CONST_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    ATTRIBUTE_FIELD_NUMBER: _ClassVar[int]
    CALL_FIELD_NUMBER: _ClassVar[int]
    BINARY_FIELD_NUMBER: _ClassVar[int]
    COMPARE_FIELD_NUMBER: _ClassVar[int]
    INDEX_FIELD_NUMBER: _ClassVar[int]
    AWAIT_FIELD_NUMBER: _ClassVar[int]
    LIST_FIELD_NUMBER: _ClassVar[int]
    TUPLE_FIELD_NUMBER: _ClassVar[int]
    SET_FIELD_NUMBER: _ClassVar[int]
    DICT_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    UNARY_FIELD_NUMBER: _ClassVar[int]
    BOOL_FIELD_NUMBER: _ClassVar[int]
    CONDITIONAL_FIELD_NUMBER: _ClassVar[int]
    WALRUS_FIELD_NUMBER: _ClassVar[int]
    SLICE_FIELD_NUMBER: _ClassVar[int]
    STARRED_FIELD_NUMBER: _ClassVar[int]
    LAMBDA_FIELD_NUMBER: _ClassVar[int]
    COMPREHENSION_FIELD_NUMBER: _ClassVar[int]
    YIELD_FIELD_NUMBER: _ClassVar[int]
    SPREAD_FIELD_NUMBER: _ClassVar[int]
    FRAGMENT_FIELD_NUMBER: _ClassVar[int]
    const: Value
    name: str
    attribute: Attribute
    call: Call
    binary: Binary
    compare: Compare
    index: Index
    list: Items
    tuple: Items
    set: Items
    dict: Dict
    action: ActionCall
    format: Format
    unary: Unary
    bool: Bool
    conditional: Conditional
    walrus: Walrus
    slice: Slice
    starred: int
    comprehension: Comprehension
    spread: Spread
    fragment: Fragment
    def __init__(self, const: _Optional[_Union[Value, _Mapping]] = ..., name: _Optional[str] = ..., attribute: _Optional[_Union[Attribute, _Mapping]] = ..., call: _Optional[_Union[Call, _Mapping]] = ..., binary: _Optional[_Union[Binary, _Mapping]] = ..., compare: _Optional[_Union[Compare, _Mapping]] = ..., index: _Optional[_Union[Index, _Mapping]] = ..., list: _Optional[_Union[Items, _Mapping]] = ..., tuple: _Optional[_Union[Items, _Mapping]] = ..., set: _Optional[_Union[Items, _Mapping]] = ..., dict: _Optional[_Union[Dict, _Mapping]] = ..., action: _Optional[_Union[ActionCall, _Mapping]] = ..., format: _Optional[_Union[Format, _Mapping]] = ..., unary: _Optional[_Union[Unary, _Mapping]] = ..., bool: _Optional[_Union[Bool, _Mapping]] = ..., conditional: _Optional[_Union[Conditional, _Mapping]] = ..., walrus: _Optional[_Union[Walrus, _Mapping]] = ..., slice: _Optional[_Union[Slice, _Mapping]] = ..., starred: _Optional[int] = ..., comprehension: _Optional[_Union[Comprehension, _Mapping]] = ..., spread: _Optional[_Union[Spread, _Mapping]] = ..., fragment: _Optional[_Union[Fragment, _Mapping]] = ..., **kwargs) -> None: ...

class Items(_message.Message):
    __slots__ = ("items",)
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, items: _Optional[_Iterable[int]] = ...) -> None: ...

class Dict(_message.Message):
    __slots__ = ("items",)
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedCompositeFieldContainer[DictItem]
    def __init__(self, items: _Optional[_Iterable[_Union[DictItem, _Mapping]]] = ...) -> None: ...

class DictItem(_message.Message):
    __slots__ = ("key", "value")
    KEY_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    key: int
    value: int
    def __init__(self, key: _Optional[int] = ..., value: _Optional[int] = ...) -> None: ...

class Unary(_message.Message):
    __slots__ = ("operator", "operand")
    OPERATOR_FIELD_NUMBER: _ClassVar[int]
    OPERAND_FIELD_NUMBER: _ClassVar[int]
    operator: UnaryOperator
    operand: int
    def __init__(self, operator: _Optional[_Union[UnaryOperator, str]] = ..., operand: _Optional[int] = ...) -> None: ...

class Binary(_message.Message):
    __slots__ = ("operator", "left", "right")
    OPERATOR_FIELD_NUMBER: _ClassVar[int]
    LEFT_FIELD_NUMBER: _ClassVar[int]
    RIGHT_FIELD_NUMBER: _ClassVar[int]
    operator: BinaryOperator
    left: int
    right: int
    def __init__(self, operator: _Optional[_Union[BinaryOperator, str]] = ..., left: _Optional[int] = ..., right: _Optional[int] = ...) -> None: ...

class Bool(_message.Message):
    __slots__ = ("operator", "operands")
    OPERATOR_FIELD_NUMBER: _ClassVar[int]
    OPERANDS_FIELD_NUMBER: _ClassVar[int]
    operator: BoolOperator
    operands: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, operator: _Optional[_Union[BoolOperator, str]] = ..., operands: _Optional[_Iterable[int]] = ...) -> None: ...

class Compare(_message.Message):
    __slots__ = ("left", "operators", "operands")
    LEFT_FIELD_NUMBER: _ClassVar[int]
    OPERATORS_FIELD_NUMBER: _ClassVar[int]
    OPERANDS_FIELD_NUMBER: _ClassVar[int]
    left: int
    operators: _containers.RepeatedScalarFieldContainer[CompareOperator]
    operands: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, left: _Optional[int] = ..., operators: _Optional[_Iterable[_Union[CompareOperator, str]]] = ..., operands: _Optional[_Iterable[int]] = ...) -> None: ...

class Conditional(_message.Message):
    __slots__ = ("test", "then", "orelse")
    TEST_FIELD_NUMBER: _ClassVar[int]
    THEN_FIELD_NUMBER: _ClassVar[int]
    ORELSE_FIELD_NUMBER: _ClassVar[int]
    test: int
    then: int
    orelse: int
    def __init__(self, test: _Optional[int] = ..., then: _Optional[int] = ..., orelse: _Optional[int] = ...) -> None: ...

class Walrus(_message.Message):
    __slots__ = ("name", "value")
    NAME_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    name: str
    value: int
    def __init__(self, name: _Optional[str] = ..., value: _Optional[int] = ...) -> None: ...

class Attribute(_message.Message):
    __slots__ = ("base", "name")
    BASE_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    base: int
    name: str
    def __init__(self, base: _Optional[int] = ..., name: _Optional[str] = ...) -> None: ...

class Index(_message.Message):
    __slots__ = ("base", "index")
    BASE_FIELD_NUMBER: _ClassVar[int]
    INDEX_FIELD_NUMBER: _ClassVar[int]
    base: int
    index: int
    def __init__(self, base: _Optional[int] = ..., index: _Optional[int] = ...) -> None: ...

class Slice(_message.Message):
    __slots__ = ("lower", "upper", "step")
    LOWER_FIELD_NUMBER: _ClassVar[int]
    UPPER_FIELD_NUMBER: _ClassVar[int]
    STEP_FIELD_NUMBER: _ClassVar[int]
    lower: int
    upper: int
    step: int
    def __init__(self, lower: _Optional[int] = ..., upper: _Optional[int] = ..., step: _Optional[int] = ...) -> None: ...

class Call(_message.Message):
    __slots__ = ("callee", "args")
    CALLEE_FIELD_NUMBER: _ClassVar[int]
    ARGS_FIELD_NUMBER: _ClassVar[int]
    callee: int
    args: _containers.RepeatedCompositeFieldContainer[Arg]
    def __init__(self, callee: _Optional[int] = ..., args: _Optional[_Iterable[_Union[Arg, _Mapping]]] = ...) -> None: ...

class Arg(_message.Message):
    __slots__ = ("positional", "keyword", "rest", "options")
    POSITIONAL_FIELD_NUMBER: _ClassVar[int]
    KEYWORD_FIELD_NUMBER: _ClassVar[int]
    REST_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    positional: int
    keyword: KeywordArg
    rest: int
    options: int
    def __init__(self, positional: _Optional[int] = ..., keyword: _Optional[_Union[KeywordArg, _Mapping]] = ..., rest: _Optional[int] = ..., options: _Optional[int] = ...) -> None: ...

class KeywordArg(_message.Message):
    __slots__ = ("name", "value")
    NAME_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    name: str
    value: int
    def __init__(self, name: _Optional[str] = ..., value: _Optional[int] = ...) -> None: ...

class Comprehension(_message.Message):
    __slots__ = ("list", "set", "dict", "generator", "clauses")
    LIST_FIELD_NUMBER: _ClassVar[int]
    SET_FIELD_NUMBER: _ClassVar[int]
    DICT_FIELD_NUMBER: _ClassVar[int]
    GENERATOR_FIELD_NUMBER: _ClassVar[int]
    CLAUSES_FIELD_NUMBER: _ClassVar[int]
    list: int
    set: int
    dict: DictItem
    generator: int
    clauses: _containers.RepeatedCompositeFieldContainer[Clause]
    def __init__(self, list: _Optional[int] = ..., set: _Optional[int] = ..., dict: _Optional[_Union[DictItem, _Mapping]] = ..., generator: _Optional[int] = ..., clauses: _Optional[_Iterable[_Union[Clause, _Mapping]]] = ...) -> None: ...

class Clause(_message.Message):
    __slots__ = ("target", "iter", "conditions", "is_async")
    TARGET_FIELD_NUMBER: _ClassVar[int]
    ITER_FIELD_NUMBER: _ClassVar[int]
    CONDITIONS_FIELD_NUMBER: _ClassVar[int]
    IS_ASYNC_FIELD_NUMBER: _ClassVar[int]
    target: int
    iter: int
    conditions: _containers.RepeatedScalarFieldContainer[int]
    is_async: bool
    def __init__(self, target: _Optional[int] = ..., iter: _Optional[int] = ..., conditions: _Optional[_Iterable[int]] = ..., is_async: bool = ...) -> None: ...

class Format(_message.Message):
    __slots__ = ("parts",)
    PARTS_FIELD_NUMBER: _ClassVar[int]
    parts: _containers.RepeatedCompositeFieldContainer[FormatPart]
    def __init__(self, parts: _Optional[_Iterable[_Union[FormatPart, _Mapping]]] = ...) -> None: ...

class FormatPart(_message.Message):
    __slots__ = ("text", "field")
    TEXT_FIELD_NUMBER: _ClassVar[int]
    FIELD_FIELD_NUMBER: _ClassVar[int]
    text: str
    field: FormatField
    def __init__(self, text: _Optional[str] = ..., field: _Optional[_Union[FormatField, _Mapping]] = ...) -> None: ...

class FormatField(_message.Message):
    __slots__ = ("value", "conversion", "spec")
    VALUE_FIELD_NUMBER: _ClassVar[int]
    CONVERSION_FIELD_NUMBER: _ClassVar[int]
    SPEC_FIELD_NUMBER: _ClassVar[int]
    value: int
    conversion: Conversion
    spec: int
    def __init__(self, value: _Optional[int] = ..., conversion: _Optional[_Union[Conversion, str]] = ..., spec: _Optional[int] = ...) -> None: ...

class Yield(_message.Message):
    __slots__ = ("value", "delegates")
    VALUE_FIELD_NUMBER: _ClassVar[int]
    DELEGATES_FIELD_NUMBER: _ClassVar[int]
    value: int
    delegates: bool
    def __init__(self, value: _Optional[int] = ..., delegates: bool = ...) -> None: ...

class ActionCall(_message.Message):
    __slots__ = ("action", "workflow", "args", "policy")
    ACTION_FIELD_NUMBER: _ClassVar[int]
    WORKFLOW_FIELD_NUMBER: _ClassVar[int]
    ARGS_FIELD_NUMBER: _ClassVar[int]
    POLICY_FIELD_NUMBER: _ClassVar[int]
    action: str
    workflow: str
    args: _containers.RepeatedCompositeFieldContainer[Arg]
    policy: Policy
    def __init__(self, action: _Optional[str] = ..., workflow: _Optional[str] = ..., args: _Optional[_Iterable[_Union[Arg, _Mapping]]] = ..., policy: _Optional[_Union[Policy, _Mapping]] = ...) -> None: ...

class Policy(_message.Message):
    __slots__ = ("attempts", "retry_on", "retry_timeouts", "backoff", "factor", "max_delay", "jitter", "timeout", "grace", "queue", "transaction")
    ATTEMPTS_FIELD_NUMBER: _ClassVar[int]
    RETRY_ON_FIELD_NUMBER: _ClassVar[int]
    RETRY_TIMEOUTS_FIELD_NUMBER: _ClassVar[int]
    BACKOFF_FIELD_NUMBER: _ClassVar[int]
    FACTOR_FIELD_NUMBER: _ClassVar[int]
    MAX_DELAY_FIELD_NUMBER: _ClassVar[int]
    JITTER_FIELD_NUMBER: _ClassVar[int]
    TIMEOUT_FIELD_NUMBER: _ClassVar[int]
    GRACE_FIELD_NUMBER: _ClassVar[int]
    QUEUE_FIELD_NUMBER: _ClassVar[int]
    TRANSACTION_FIELD_NUMBER: _ClassVar[int]
    attempts: int
    retry_on: int
    retry_timeouts: int
    backoff: int
    factor: int
    max_delay: int
    jitter: int
    timeout: int
    grace: int
    queue: int
    transaction: int
    def __init__(self, attempts: _Optional[int] = ..., retry_on: _Optional[int] = ..., retry_timeouts: _Optional[int] = ..., backoff: _Optional[int] = ..., factor: _Optional[int] = ..., max_delay: _Optional[int] = ..., jitter: _Optional[int] = ..., timeout: _Optional[int] = ..., grace: _Optional[int] = ..., queue: _Optional[int] = ..., transaction: _Optional[int] = ...) -> None: ...

class Spread(_message.Message):
    __slots__ = ("items", "variable", "body", "return_exceptions")
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    VARIABLE_FIELD_NUMBER: _ClassVar[int]
    BODY_FIELD_NUMBER: _ClassVar[int]
    RETURN_EXCEPTIONS_FIELD_NUMBER: _ClassVar[int]
    items: int
    variable: int
    body: int
    return_exceptions: bool
    def __init__(self, items: _Optional[int] = ..., variable: _Optional[int] = ..., body: _Optional[int] = ..., return_exceptions: bool = ...) -> None: ...

class Fragment(_message.Message):
    __slots__ = ("source", "captures", "writes")
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    CAPTURES_FIELD_NUMBER: _ClassVar[int]
    WRITES_FIELD_NUMBER: _ClassVar[int]
    source: str
    captures: _containers.RepeatedCompositeFieldContainer[Capture]
    writes: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, source: _Optional[str] = ..., captures: _Optional[_Iterable[_Union[Capture, _Mapping]]] = ..., writes: _Optional[_Iterable[str]] = ...) -> None: ...

class Capture(_message.Message):
    __slots__ = ("name", "value")
    NAME_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    name: str
    value: int
    def __init__(self, name: _Optional[str] = ..., value: _Optional[int] = ...) -> None: ...

class TypeDescriptor(_message.Message):
    __slots__ = ("name", "bases", "opaque", "record", "exception", "enum", "fields", "overrides", "span", "methods")
    NAME_FIELD_NUMBER: _ClassVar[int]
    BASES_FIELD_NUMBER: _ClassVar[int]
    OPAQUE_FIELD_NUMBER: _ClassVar[int]
    RECORD_FIELD_NUMBER: _ClassVar[int]
    EXCEPTION_FIELD_NUMBER: _ClassVar[int]
    ENUM_FIELD_NUMBER: _ClassVar[int]
    FIELDS_FIELD_NUMBER: _ClassVar[int]
    OVERRIDES_FIELD_NUMBER: _ClassVar[int]
    SPAN_FIELD_NUMBER: _ClassVar[int]
    METHODS_FIELD_NUMBER: _ClassVar[int]
    name: str
    bases: _containers.RepeatedScalarFieldContainer[str]
    opaque: Empty
    record: Record
    exception: Empty
    enum: Enum
    fields: _containers.RepeatedCompositeFieldContainer[Field]
    overrides: _containers.RepeatedScalarFieldContainer[str]
    span: _containers.RepeatedScalarFieldContainer[int]
    methods: _containers.RepeatedCompositeFieldContainer[Method]
    def __init__(self, name: _Optional[str] = ..., bases: _Optional[_Iterable[str]] = ..., opaque: _Optional[_Union[Empty, _Mapping]] = ..., record: _Optional[_Union[Record, _Mapping]] = ..., exception: _Optional[_Union[Empty, _Mapping]] = ..., enum: _Optional[_Union[Enum, _Mapping]] = ..., fields: _Optional[_Iterable[_Union[Field, _Mapping]]] = ..., overrides: _Optional[_Iterable[str]] = ..., span: _Optional[_Iterable[int]] = ..., methods: _Optional[_Iterable[_Union[Method, _Mapping]]] = ...) -> None: ...

class Method(_message.Message):
    __slots__ = ("name", "function")
    NAME_FIELD_NUMBER: _ClassVar[int]
    FUNCTION_FIELD_NUMBER: _ClassVar[int]
    name: str
    function: str
    def __init__(self, name: _Optional[str] = ..., function: _Optional[str] = ...) -> None: ...

class Record(_message.Message):
    __slots__ = ("frozen", "eq", "order")
    FROZEN_FIELD_NUMBER: _ClassVar[int]
    EQ_FIELD_NUMBER: _ClassVar[int]
    ORDER_FIELD_NUMBER: _ClassVar[int]
    frozen: bool
    eq: bool
    order: bool
    def __init__(self, frozen: bool = ..., eq: bool = ..., order: bool = ...) -> None: ...

class Enum(_message.Message):
    __slots__ = ("members",)
    MEMBERS_FIELD_NUMBER: _ClassVar[int]
    members: _containers.RepeatedCompositeFieldContainer[EnumMember]
    def __init__(self, members: _Optional[_Iterable[_Union[EnumMember, _Mapping]]] = ...) -> None: ...

class EnumMember(_message.Message):
    __slots__ = ("name", "value")
    NAME_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    name: str
    value: Value
    def __init__(self, name: _Optional[str] = ..., value: _Optional[_Union[Value, _Mapping]] = ...) -> None: ...

class Field(_message.Message):
    __slots__ = ("name", "default")
    NAME_FIELD_NUMBER: _ClassVar[int]
    DEFAULT_FIELD_NUMBER: _ClassVar[int]
    name: str
    default: Value
    def __init__(self, name: _Optional[str] = ..., default: _Optional[_Union[Value, _Mapping]] = ...) -> None: ...

class Value(_message.Message):
    __slots__ = ("none", "bool", "int", "float", "str", "bytes", "payload")
    NONE_FIELD_NUMBER: _ClassVar[int]
    BOOL_FIELD_NUMBER: _ClassVar[int]
    INT_FIELD_NUMBER: _ClassVar[int]
    FLOAT_FIELD_NUMBER: _ClassVar[int]
    STR_FIELD_NUMBER: _ClassVar[int]
    BYTES_FIELD_NUMBER: _ClassVar[int]
    PAYLOAD_FIELD_NUMBER: _ClassVar[int]
    none: Empty
    bool: bool
    int: int
    float: float
    str: str
    bytes: bytes
    payload: bytes
    def __init__(self, none: _Optional[_Union[Empty, _Mapping]] = ..., bool: bool = ..., int: _Optional[int] = ..., float: _Optional[float] = ..., str: _Optional[str] = ..., bytes: _Optional[bytes] = ..., payload: _Optional[bytes] = ...) -> None: ...
