package interop;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;

/** Filters of this package, as JSON, in the reference implementation's form. */
final class Filters {
  private Filters() {}

  static Expression expression(JsonNode json) {
    String op = json.get("op").asText();
    String column = json.path("column").asText();
    switch (op) {
      case "true":
        return Expressions.alwaysTrue();
      case "false":
        return Expressions.alwaysFalse();
      case "not":
        return Expressions.not(expression(json.get("of")));
      case "and":
      case "or":
        Expression all = op.equals("and") ? Expressions.alwaysTrue() : Expressions.alwaysFalse();
        for (JsonNode part : json.get("of"))
          all = op.equals("and") ? Expressions.and(all, expression(part)) : Expressions.or(all, expression(part));
        return all;
      case "is-null":
        return Expressions.isNull(column);
      case "not-null":
        return Expressions.notNull(column);
      case "eq":
        return Expressions.equal(column, literal(json.get("value")));
      case "ne":
        return ofKnown(column, Expressions.notEqual(column, literal(json.get("value"))));
      case "lt":
        return ofKnown(column, Expressions.lessThan(column, literal(json.get("value"))));
      case "le":
        return ofKnown(column, Expressions.lessThanOrEqual(column, literal(json.get("value"))));
      case "gt":
        return Expressions.greaterThan(column, literal(json.get("value")));
      case "ge":
        return Expressions.greaterThanOrEqual(column, literal(json.get("value")));
      case "in":
        return Expressions.in(column, literals(json.get("values")));
      case "not-in":
        return ofKnown(column, Expressions.notIn(column, literals(json.get("values"))));
      case "starts-with":
        return Expressions.startsWith(column, json.get("value").asText());
      default:
        throw new IllegalArgumentException("a filter " + op);
    }
  }

  /** Of a null these are true there, and unknown here. */
  private static Expression ofKnown(String column, Expression expression) {
    return Expressions.and(Expressions.notNull(column), expression);
  }

  private static Object[] literals(JsonNode values) {
    List<Object> literals = new ArrayList<>();
    values.forEach(value -> literals.add(literal(value)));
    return literals.toArray();
  }

  /** Bytes are {"hex": …}; texts become values of the column's type when the filter is bound, and numbers too. */
  static Object literal(JsonNode json) {
    if (json.isObject()) return ByteBuffer.wrap(HexFormat.of().parseHex(json.get("hex").asText()));
    if (json.isBoolean()) return json.asBoolean();
    if (json.isIntegralNumber()) return json.asLong();
    return json.isNumber() ? (Object) json.asDouble() : json.asText();
  }
}
