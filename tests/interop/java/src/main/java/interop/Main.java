package interop;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.io.IOException;
import org.apache.iceberg.Table;

/**
 * What the reference implementation reads and writes of tables. Each takes a JSON list on its input and prints one:
 *
 * <ul>
 *   <li>{@code read}: of {@code {"metadata": PATH, "where"?, "ref"?, "snapshot"?, "columns"?}} the rows; with {@code "files"} the files that may have some;
 *   <li>{@code write}: of {@code {"folder": PATH, "version", "schema", "partitionBy"?, "steps"}}, or of {@code {"folder", "steps"}} for a table that is
 *       there, {@code {"metadata", "rows"}} after the steps.
 * </ul>
 */
public final class Main {
  private static final ObjectMapper JSON = new ObjectMapper();

  private Main() {}

  public static void main(String[] words) throws IOException {
    ArrayNode results = JSON.createArrayNode();
    for (JsonNode request : JSON.readTree(System.in))
      results.add(words[0].equals("read") ? read(request) : write(request));
    System.out.println(JSON.writeValueAsString(results));
    System.exit(0); // threads of pools that wait for nothing hold the process
  }

  private static JsonNode read(JsonNode request) throws IOException {
    Table table = Tables.atMetadata(request.get("metadata").asText());
    return request.has("files") ? Tables.files(table, request) : Tables.rows(table, request);
  }

  private static JsonNode write(JsonNode request) throws IOException {
    String folder = request.get("folder").asText();
    Table table = request.has("schema") ? Tables.create(folder, request) : Tables.inFolder(folder);
    for (JsonNode step : request.get("steps")) Steps.apply(table, step);
    var described = JSON.createObjectNode().put("metadata", Tables.metadataOf(table));
    return described.set("rows", Tables.rows(table, JSON.createObjectNode()));
  }
}
