"""The patterns of `match`."""

from __future__ import annotations

import ast

from waymark._proto import program_pb2 as pb
from waymark.compiler.builder import wire_value
from waymark.compiler.expressions import Expressions


class Patterns(Expressions):
    def pattern(self, node: ast.pattern) -> int:
        return getattr(self, "pattern_" + type(node).__name__)(node)

    def patterns(self, nodes: list[ast.pattern]) -> list[int]:
        return [self.pattern(node) for node in nodes]

    def pattern_MatchValue(self, node: ast.MatchValue) -> int:
        return self.builder.pattern(self.span(node), value=self.expr(node.value))

    def pattern_MatchSingleton(self, node: ast.MatchSingleton) -> int:
        return self.builder.pattern(self.span(node), singleton=wire_value(node.value))

    def pattern_MatchSequence(self, node: ast.MatchSequence) -> int:
        return self.builder.pattern(self.span(node), sequence=pb.SequencePattern(items=self.patterns(node.patterns)))

    def pattern_MatchStar(self, node: ast.MatchStar) -> int:
        return self.builder.pattern(self.span(node), star=pb.StarPattern(name=node.name))

    def pattern_MatchMapping(self, node: ast.MatchMapping) -> int:
        entries = [
            pb.MappingPatternEntry(key=self.expr(key), pattern=self.pattern(pattern))
            for key, pattern in zip(node.keys, node.patterns, strict=True)
        ]
        return self.builder.pattern(self.span(node), mapping=pb.MappingPattern(entries=entries, rest=node.rest))

    def pattern_MatchClass(self, node: ast.MatchClass) -> int:
        cls = self.expr(node.cls)
        positional = self.patterns(node.patterns)
        keyword = [
            pb.KeywordPattern(name=name, pattern=self.pattern(pattern))
            for name, pattern in zip(node.kwd_attrs, node.kwd_patterns, strict=True)
        ]
        made = pb.ClassPattern(positional=positional, keyword=keyword, **{"class": cls})
        return self.builder.pattern(self.span(node), **{"class": made})

    def pattern_MatchOr(self, node: ast.MatchOr) -> int:
        return self.builder.pattern(self.span(node), **{"or": pb.OrPattern(alternatives=self.patterns(node.patterns))})

    def pattern_MatchAs(self, node: ast.MatchAs) -> int:
        span = self.span(node)
        if node.pattern is None:
            if node.name is None:
                return self.builder.pattern(span, wildcard=pb.Empty())
            return self.builder.pattern(span, capture=node.name)
        inner = self.pattern(node.pattern)
        return self.builder.pattern(span, **{"as": pb.AsPattern(pattern=inner, name=node.name)})
