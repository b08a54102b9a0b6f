package interop;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SchemaParser;
import org.apache.iceberg.SnapshotRef;
import org.apache.iceberg.StaticTableOperations;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.hadoop.HadoopFileIO;
import org.apache.iceberg.hadoop.HadoopTables;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.rest.RESTCatalog;
import org.apache.iceberg.util.SnapshotUtil;

/** Tables in folders, and what is read of them. */
final class Tables {
  private static final Configuration CONFIGURATION = new Configuration();

  private static final Map<String, Table> AT_METADATA = new HashMap<>();

  private static final Map<String, RESTCatalog> REST = new HashMap<>();

  private Tables() {}

  static Table atMetadata(String location) {
    return AT_METADATA.computeIfAbsent(
        location, at -> new BaseTable(new StaticTableOperations(at, new HadoopFileIO(CONFIGURATION)), at));
  }

  static Table inFolder(String folder) {
    return new HadoopTables(CONFIGURATION).load(folder);
  }

  static Table inRest(String uri, String name) {
    RESTCatalog catalog = REST.computeIfAbsent(uri, at -> {
      RESTCatalog made = new RESTCatalog();
      made.setConf(CONFIGURATION);
      made.initialize("rest", Map.of("uri", at, "io-impl", HadoopFileIO.class.getName()));
      return made;
    });
    return catalog.loadTable(TableIdentifier.parse(name));
  }

  static Table create(String folder, JsonNode request) {
    Schema schema = SchemaParser.fromJson(request.get("schema"));
    Table table = new HadoopTables(CONFIGURATION)
        .create(
            schema,
            PartitionSpec.unpartitioned(),
            Map.of("format-version", request.get("version").asText()),
            folder);
    if (request.has("partitionBy")) {
      var change = table.updateSpec();
      for (JsonNode by : request.get("partitionBy"))
        change.addField(Transforms.term(by.get(0).asText(), by.get(1).asText()));
      change.commit();
    }
    return table;
  }

  static String metadataOf(Table table) {
    return ((HasTableOperations) table).operations().current().metadataFileLocation();
  }

  /** The rows in the canonical form; of a request "where", "ref", "snapshot" and "columns" are optional. */
  static ArrayNode rows(Table table, JsonNode request) throws IOException {
    var scan = IcebergGenerics.read(table);
    Schema schema = table.schema();
    if (request.has("where")) scan = scan.where(Filters.expression(request.get("where")));
    if (request.has("ref")) {
      SnapshotRef ref = table.refs().get(request.get("ref").asText());
      scan = scan.useSnapshot(ref.snapshotId());
      schema = SnapshotUtil.schemaFor(table, request.get("ref").asText());
    }
    if (request.has("snapshot")) {
      long id = request.get("snapshot").asLong();
      scan = scan.useSnapshot(id);
      schema = table.schemas().get(table.snapshot(id).schemaId());
    }
    List<String> names = new ArrayList<>();
    if (request.has("columns")) request.get("columns").forEach(name -> names.add(name.asText()));
    else schema.columns().forEach(field -> names.add(field.name()));
    ArrayNode rows = JsonNodeFactory.instance.arrayNode();
    try (CloseableIterable<Record> records = scan.project(schema).build()) {
      // columns that only the filter has must be read too
      for (Record record : records) rows.add(Canonical.row(schema.asStruct(), record).retain(names));
    }
    return rows;
  }

  /** The files that may have rows of a request. */
  static ArrayNode files(Table table, JsonNode request) throws IOException {
    ArrayNode files = JsonNodeFactory.instance.arrayNode();
    try (CloseableIterable<FileScanTask> tasks =
        table.newScan().filter(Filters.expression(request.get("where"))).planFiles()) {
      for (FileScanTask task : tasks) files.add(task.file().location());
    }
    return files;
  }
}
