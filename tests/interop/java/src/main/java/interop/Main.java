package interop;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.apache.iceberg.Table;

/**
 * What the reference implementation reads and writes of tables. For each JSON list, a line of its input, it prints one:
 *
 * <ul>
 *   <li>{@code read}: of {@code {"metadata": PATH, "where"?, "ref"?, "snapshot"?, "columns"?}} the rows; with {@code "files"} the files that may have some;
 *   <li>{@code write}: of {@code {"folder": PATH, "version", "schema", "partitionBy"?, "steps"}}, or of {@code {"folder", "steps"}} or
 *       {@code {"rest": URI, "table": NAME, "steps"}} for a table that is there, {@code {"metadata", "rows"}} after the steps.
 *   <li>{@code serve}: either, whichever a request is.
 * </ul>
 */
public final class Main {
  private static final ObjectMapper JSON = new ObjectMapper();

  private Main() {}

  public static void main(String[] words) throws IOException {
    var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      ArrayNode results = JSON.createArrayNode();
      for (JsonNode request : JSON.readTree(line))
        results.add(request.has("steps") ? write(request) : read(request));
      System.out.println(JSON.writeValueAsString(results));
    }
    System.exit(0); // threads of pools that wait for nothing hold the process
  }

  private static JsonNode read(JsonNode request) throws IOException {
    Table table = Tables.atMetadata(request.get("metadata").asText());
    return request.has("files") ? Tables.files(table, request) : Tables.rows(table, request);
  }

  private static JsonNode write(JsonNode request) throws IOException {
    String folder = request.path("folder").asText();
    Table table = request.has("schema")
        ? Tables.create(folder, request)
        : request.has("rest")
            ? Tables.inRest(request.get("rest").asText(), request.get("table").asText())
            : Tables.inFolder(folder);
    for (JsonNode step : request.get("steps")) Steps.apply(table, step);
    var described = JSON.createObjectNode().put("metadata", Tables.metadataOf(table));
    return described.set("rows", Tables.rows(table, JSON.createObjectNode()));
  }
}
