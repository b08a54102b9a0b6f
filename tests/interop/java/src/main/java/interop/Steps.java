package interop;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.OverwriteFiles;
import org.apache.iceberg.PartitionKey;
import org.apache.iceberg.RewriteFiles;
import org.apache.iceberg.RowDelta;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableUtil;
import org.apache.iceberg.UpdateSchema;
import org.apache.iceberg.data.BaseDeleteLoader;
import org.apache.iceberg.data.GenericFileWriterFactory;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.InternalRecordWrapper;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.deletes.BaseDVFileWriter;
import org.apache.iceberg.deletes.PositionDelete;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.expressions.Literal;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.OutputFileFactory;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/** What is done to a table, one commit a step. */
final class Steps {
  private Steps() {}

  static void apply(Table table, JsonNode step) throws IOException {
    if (step.has("append")) append(table, step.get("append"));
    else if (step.has("rewrite")) rewrite(table);
    else if (step.has("overwriteWhere")) overwrite(table, step);
    else if (step.has("deleteByPosition")) deleteByPosition(table, step.get("deleteByPosition"));
    else if (step.has("deleteByEquality")) deleteByEquality(table, step.get("deleteByEquality"));
    else if (step.has("addColumn")) addColumn(table, step.get("addColumn"));
    else if (step.has("renameColumn"))
      table.updateSchema().renameColumn(step.get("renameColumn").asText(), step.get("to").asText()).commit();
    else if (step.has("partitionBy"))
      table.updateSpec()
          .addField(Transforms.term(step.get("partitionBy").get(0).asText(), step.get("partitionBy").get(1).asText()))
          .commit();
    else if (step.has("deleteFilesWhere"))
      table.newDelete().deleteFromRowFilter(Filters.expression(step.get("deleteFilesWhere"))).commit();
    else throw new IllegalArgumentException("a step " + step);
  }

  private static void append(Table table, JsonNode rows) throws IOException {
    AppendFiles append = table.newAppend();
    for (DataFile file : written(table, rows)) append.appendFile(file);
    append.commit();
  }

  /** {@code {"overwriteWhere": FILTER, "rows"}}: the filter must select whole files. */
  private static void overwrite(Table table, JsonNode step) throws IOException {
    OverwriteFiles overwrite = table.newOverwrite().overwriteByRowFilter(Filters.expression(step.get("overwriteWhere")));
    for (DataFile file : written(table, step.get("rows"))) overwrite.addFile(file);
    overwrite.commit();
  }

  private static List<DataFile> written(Table table, JsonNode rows) throws IOException {
    List<DataFile> written = new ArrayList<>();
    var writers = new GenericFileWriterFactory.Builder(table).dataFileFormat(FileFormat.PARQUET).build();
    for (var part : byPartition(table, rows).entrySet()) {
      var writer = writers.newDataWriter(files(table).newOutputFile(table.spec(), part.getKey()), table.spec(), part.getKey());
      try (writer) {
        writer.write(part.getValue());
      }
      written.add(writer.toDataFile());
    }
    return written;
  }

  private static Map<StructLike, List<Record>> byPartition(Table table, JsonNode rows) {
    Map<StructLike, List<Record>> parts = new LinkedHashMap<>();
    var wrapper = new InternalRecordWrapper(table.schema().asStruct());
    for (JsonNode row : rows) {
      Record record = Canonical.record(table.schema().asStruct(), row);
      PartitionKey key = new PartitionKey(table.spec(), table.schema());
      key.partition(wrapper.wrap(record));
      parts.computeIfAbsent(key, k -> new ArrayList<>()).add(record);
    }
    return parts;
  }

  /** Position delete files in version 2, deletion vectors in version 3, for the rows that a filter selects. */
  private static void deleteByPosition(Table table, JsonNode where) throws IOException {
    Map<String, List<Long>> positions = positions(table, where);
    List<FileScanTask> tasks = new ArrayList<>();
    try (CloseableIterable<FileScanTask> planned = table.newScan().planFiles()) {
      for (FileScanTask task : planned) if (positions.containsKey(task.file().location())) tasks.add(task);
    }
    RowDelta change = table.newRowDelta().validateFromSnapshot(table.currentSnapshot().snapshotId());
    if (TableUtil.formatVersion(table) >= 3) writeVectors(table, tasks, positions, change);
    else for (FileScanTask task : tasks) change.addDeletes(positionDeletes(table, task, positions));
    change.commit();
  }

  private static DeleteFile positionDeletes(Table table, FileScanTask task, Map<String, List<Long>> positions)
      throws IOException {
    var writers = new GenericFileWriterFactory.Builder(table).deleteFileFormat(FileFormat.PARQUET).build();
    StructLike partition = task.file().partition();
    var writer = writers.newPositionDeleteWriter(files(table).newOutputFile(task.spec(), partition), task.spec(), partition);
    try (writer) {
      for (long position : positions.get(task.file().location()))
        writer.write(PositionDelete.<Record>create().set(task.file().location(), position));
    }
    return writer.toDeleteFile();
  }

  /** A file's vector takes the place of the one that it has. */
  private static void writeVectors(
      Table table, List<FileScanTask> tasks, Map<String, List<Long>> positions, RowDelta change) throws IOException {
    Map<String, List<DeleteFile>> before = new LinkedHashMap<>();
    for (FileScanTask task : tasks)
      before.put(
          task.file().location(),
          task.deletes().stream().filter(file -> file.content() == FileContent.POSITION_DELETES).toList());
    var loader = new BaseDeleteLoader(file -> table.io().newInputFile(file.location()));
    var writer = new BaseDVFileWriter(
        OutputFileFactory.builderFor(table, 1, 1).operationId(UUID.randomUUID().toString()).format(FileFormat.PUFFIN).build(),
        path -> before.get(path).isEmpty() ? null : loader.loadPositionDeletes(before.get(path), path));
    try (writer) {
      for (FileScanTask task : tasks)
        for (long position : positions.get(task.file().location()))
          writer.delete(task.file().location(), position, task.spec(), task.file().partition());
    }
    writer.result().deleteFiles().forEach(change::addDeletes);
    writer.result().rewrittenDeleteFiles().forEach(change::removeDeletes);
  }

  private static Map<String, List<Long>> positions(Table table, JsonNode where) throws IOException {
    List<Types.NestedField> fields = new ArrayList<>(table.schema().columns());
    fields.add(MetadataColumns.FILE_PATH);
    fields.add(MetadataColumns.ROW_POSITION);
    Map<String, List<Long>> positions = new LinkedHashMap<>();
    var scan = IcebergGenerics.read(table).where(Filters.expression(where)).project(new Schema(fields));
    try (CloseableIterable<Record> records = scan.build()) {
      for (Record record : records)
        positions
            .computeIfAbsent(record.getField(MetadataColumns.FILE_PATH.name()).toString(), path -> new ArrayList<>())
            .add((Long) record.getField(MetadataColumns.ROW_POSITION.name()));
    }
    return positions;
  }

  /** `{"columns": […], "rows": [OBJECT], "partitionOf"?: ROW}`; without a row whose partition it is, the unpartitioned spec is the table's. */
  private static void deleteByEquality(Table table, JsonNode deletes) throws IOException {
    List<String> names = new ArrayList<>();
    deletes.get("columns").forEach(name -> names.add(name.asText()));
    Schema schema = table.schema().select(names);
    int[] ids = names.stream().mapToInt(name -> table.schema().findField(name).fieldId()).toArray();
    PartitionKey key = new PartitionKey(table.spec(), table.schema());
    if (deletes.has("partitionOf")) {
      var wrapper = new InternalRecordWrapper(table.schema().asStruct());
      key.partition(wrapper.wrap(Canonical.record(table.schema().asStruct(), deletes.get("partitionOf"))));
    }
    var writers = new GenericFileWriterFactory.Builder(table)
        .deleteFileFormat(FileFormat.PARQUET)
        .equalityFieldIds(ids)
        .equalityDeleteRowSchema(schema)
        .build();
    var writer = writers.newEqualityDeleteWriter(files(table).newOutputFile(table.spec(), key), table.spec(), key);
    try (writer) {
      for (JsonNode row : deletes.get("rows")) writer.write(Canonical.record(schema.asStruct(), row));
    }
    table.newRowDelta().addDeletes(writer.toDeleteFile()).commit();
  }

  /** `{"name", "type", "parent"?, "default"?, "required"?}`: what older rows hold, which version 3 has. */
  private static void addColumn(Table table, JsonNode column) {
    Type type = Types.fromPrimitiveString(column.get("type").asText());
    String parent = column.has("parent") ? column.get("parent").asText() : null;
    String name = column.get("name").asText();
    Literal<?> value = column.has("default") ? Expressions.lit(Filters.literal(column.get("default"))).to(type) : null;
    UpdateSchema change = table.updateSchema();
    if (column.path("required").asBoolean()) change.addRequiredColumn(parent, name, type, null, value);
    else change.addColumn(parent, name, type, null, value);
    change.commit();
  }

  /** Writes all rows anew with their ids and the sequence numbers of when they were last changed, as engines of version 3 do. */
  private static void rewrite(Table table) throws IOException {
    List<Types.NestedField> fields = new ArrayList<>(table.schema().columns());
    fields.add(MetadataColumns.ROW_ID);
    fields.add(MetadataColumns.LAST_UPDATED_SEQUENCE_NUMBER);
    Schema schema = new Schema(fields);
    RewriteFiles rewrite = table.newRewrite().validateFromSnapshot(table.currentSnapshot().snapshotId());
    try (CloseableIterable<FileScanTask> tasks = table.newScan().planFiles()) {
      for (FileScanTask task : tasks) {
        rewrite.deleteFile(task.file());
        task.deletes().forEach(rewrite::deleteFile);
      }
    }
    var writers = new GenericFileWriterFactory.Builder(table).dataFileFormat(FileFormat.PARQUET).dataSchema(schema).build();
    var writer = writers.newDataWriter(files(table).newOutputFile(table.spec(), null), table.spec(), null);
    try (writer; CloseableIterable<Record> records = IcebergGenerics.read(table).project(schema).build()) {
      for (Record record : records) writer.write(record);
    }
    rewrite.addFile(writer.toDataFile()).commit();
  }

  private static OutputFileFactory files(Table table) {
    return OutputFileFactory.builderFor(table, 1, 1).operationId(UUID.randomUUID().toString()).build();
  }
}
