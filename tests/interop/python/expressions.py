"""Filters of this package, as JSON, in PyIceberg's form."""

from pyiceberg import expressions as e

COMPARISONS = {
    "eq": e.EqualTo,
    "ne": e.NotEqualTo,
    "lt": e.LessThan,
    "le": e.LessThanOrEqual,
    "gt": e.GreaterThan,
    "ge": e.GreaterThanOrEqual,
    "starts-with": e.StartsWith,
}


def expression(json):
    match json["op"]:
        case "true":
            return e.AlwaysTrue()
        case "false":
            return e.AlwaysFalse()
        case "and" | "or" as op:
            return (e.And if op == "and" else e.Or)(*[expression(part) for part in json["of"]])
        case "not":
            return e.Not(expression(json["of"]))
        case "is-null":
            return e.IsNull(json["column"])
        case "not-null":
            return e.NotNull(json["column"])
        case "in":
            return e.In(json["column"], [literal(v) for v in json["values"]])
        case "not-in":  # of a null it is true there, and unknown here
            return e.And(e.NotNull(json["column"]), e.NotIn(json["column"], [literal(v) for v in json["values"]]))
        case op:
            return COMPARISONS[op](json["column"], literal(json["value"]))


def literal(json):
    """Bytes are `{"hex": …}`; PyIceberg itself makes a column's type of texts."""
    return bytes.fromhex(json["hex"]) if isinstance(json, dict) else json
