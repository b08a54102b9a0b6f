package interop;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.util.ByteBuffers;
import org.apache.iceberg.util.DateTimeUtil;

/** Cells as JSON, the same from each reader of a table: tests/interop/canonical.ts has the same form, and says what it is. */
final class Canonical {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private Canonical() {}

  static ObjectNode row(Types.StructType type, StructLike row) {
    ObjectNode json = JSON.objectNode();
    for (int i = 0; i < type.fields().size(); i++) {
      Types.NestedField field = type.fields().get(i);
      json.set(field.name(), cell(field.type(), row.get(i, Object.class)));
    }
    return json;
  }

  private static JsonNode cell(Type type, Object value) {
    if (value == null) return JSON.nullNode();
    switch (type.typeId()) {
      case STRUCT:
        return row(type.asStructType(), (StructLike) value);
      case LIST:
        ArrayNode list = JSON.arrayNode();
        for (Object element : (List<?>) value) list.add(cell(type.asListType().elementType(), element));
        return list;
      case MAP:
        ArrayNode map = JSON.arrayNode();
        ((Map<?, ?>) value)
            .forEach((k, v) ->
                map.addArray().add(cell(type.asMapType().keyType(), k)).add(cell(type.asMapType().valueType(), v)));
        return map;
      case BOOLEAN:
        return JSON.booleanNode((Boolean) value);
      case INTEGER:
        return JSON.numberNode((Integer) value);
      case FLOAT:
      case DOUBLE:
        double number = ((Number) value).doubleValue();
        if (!Double.isFinite(number)) return JSON.textNode(Double.toString(number));
        return Double.compare(number, -0.0) == 0 ? JSON.textNode("-0") : JSON.numberNode(number);
      case DECIMAL:
        return JSON.textNode(((BigDecimal) value).toPlainString());
      case DATE:
        return JSON.numberNode(DateTimeUtil.daysFromDate((LocalDate) value));
      case TIME:
        return text(DateTimeUtil.microsFromTime((LocalTime) value));
      case TIMESTAMP:
        return text(((Types.TimestampType) type).shouldAdjustToUTC()
            ? DateTimeUtil.microsFromTimestamptz((OffsetDateTime) value)
            : DateTimeUtil.microsFromTimestamp((LocalDateTime) value));
      case TIMESTAMP_NANO:
        return text(((Types.TimestampNanoType) type).shouldAdjustToUTC()
            ? DateTimeUtil.nanosFromTimestamptz((OffsetDateTime) value)
            : DateTimeUtil.nanosFromTimestamp((LocalDateTime) value));
      case FIXED:
      case BINARY: // fixed ones of partitions are buffers too
        byte[] bytes = value instanceof ByteBuffer ? ByteBuffers.toByteArray((ByteBuffer) value) : (byte[]) value;
        return JSON.textNode(HexFormat.of().formatHex(bytes));
      default:
        return JSON.textNode(value.toString());
    }
  }

  private static JsonNode text(long count) {
    return JSON.textNode(Long.toString(count));
  }

  static Record record(Types.StructType type, JsonNode row) {
    Record record = GenericRecord.create(type);
    for (Types.NestedField field : type.fields())
      record.setField(field.name(), value(field.type(), row.get(field.name())));
    return record;
  }

  private static Object value(Type type, JsonNode json) {
    if (json == null || json.isNull()) return null;
    switch (type.typeId()) {
      case STRUCT:
        return record(type.asStructType(), json);
      case LIST:
        List<Object> list = new ArrayList<>();
        json.forEach(element -> list.add(value(type.asListType().elementType(), element)));
        return list;
      case MAP:
        Map<Object, Object> map = new LinkedHashMap<>();
        json.forEach(entry -> map.put(
            value(type.asMapType().keyType(), entry.get(0)), value(type.asMapType().valueType(), entry.get(1))));
        return map;
      case BOOLEAN:
        return json.asBoolean();
      case INTEGER:
        return json.asInt();
      case LONG:
        return Long.parseLong(json.asText());
      case FLOAT:
        return (float) Double.parseDouble(json.asText());
      case DOUBLE:
        return Double.parseDouble(json.asText());
      case DECIMAL:
        return new BigDecimal(json.asText());
      case DATE:
        return DateTimeUtil.dateFromDays(json.asInt());
      case TIME:
        return DateTimeUtil.timeFromMicros(Long.parseLong(json.asText()));
      case TIMESTAMP:
        long micros = Long.parseLong(json.asText());
        return ((Types.TimestampType) type).shouldAdjustToUTC()
            ? DateTimeUtil.timestamptzFromMicros(micros)
            : DateTimeUtil.timestampFromMicros(micros);
      case TIMESTAMP_NANO:
        long nanos = Long.parseLong(json.asText());
        return ((Types.TimestampNanoType) type).shouldAdjustToUTC()
            ? DateTimeUtil.timestamptzFromNanos(nanos)
            : DateTimeUtil.timestampFromNanos(nanos);
      case UUID:
        return UUID.fromString(json.asText());
      case FIXED:
        return HexFormat.of().parseHex(json.asText());
      case BINARY:
        return ByteBuffer.wrap(HexFormat.of().parseHex(json.asText()));
      default:
        return json.asText();
    }
  }
}
