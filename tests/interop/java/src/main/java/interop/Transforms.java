package interop;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.expressions.Term;

/** Partition transforms by the texts that the specification has for them. */
final class Transforms {
  private static final Pattern WITH_NUMBER = Pattern.compile("(bucket|truncate)\\[(\\d+)\\]");

  private Transforms() {}

  static Term term(String column, String transform) {
    Matcher match = WITH_NUMBER.matcher(transform);
    if (match.matches()) {
      int number = Integer.parseInt(match.group(2));
      return match.group(1).equals("bucket") ? Expressions.bucket(column, number) : Expressions.truncate(column, number);
    }
    switch (transform) {
      case "year":
        return Expressions.year(column);
      case "month":
        return Expressions.month(column);
      case "day":
        return Expressions.day(column);
      case "hour":
        return Expressions.hour(column);
      case "identity":
        return Expressions.ref(column);
      default:
        throw new IllegalArgumentException("a transform " + transform);
    }
  }
}
