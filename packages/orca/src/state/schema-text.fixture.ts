import type { TestDatabase } from "../../../../tests/postgres.ts";

/** All that the schema `orca` has, as text: what a migration changes shows in a diff of it. */
export async function schemaText(database: Pick<TestDatabase, "sql">): Promise<string> {
  const rows = await database.sql<{ line: string }>(`
    with tables as (select oid, relname, reloptions from pg_class where relnamespace = 'orca'::regnamespace and relkind = 'r')
    select line from (
      select relname as tab, 0 as kind, '' as name, 'table ' || relname || coalesce(' with ' || reloptions::text, '') as line from tables
      union all
      select relname, 1, lpad(attnum::text, 4), '  ' || attname || ' ' || format_type(atttypid, atttypmod)
        || case when attnotnull then ' not null' else '' end
        || case when c.collname is not null and c.collname <> 'default' then ' collate ' || quote_ident(c.collname) else '' end
        || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '')
        || case attidentity when 'a' then ' generated always as identity' else '' end
      from tables t join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
        left join pg_attrdef d on d.adrelid = t.oid and d.adnum = a.attnum left join pg_collation c on c.oid = a.attcollation
      union all
      select relname, 2, conname, '  constraint ' || conname || ' ' || pg_get_constraintdef(c.oid)
      from tables t join pg_constraint c on c.conrelid = t.oid where contype <> 'n'
      union all
      select relname, 3, i.indexrelid::regclass::text, '  ' || pg_get_indexdef(i.indexrelid)
      from tables t join pg_index i on i.indrelid = t.oid
      where not exists (select from pg_constraint c where c.conindid = i.indexrelid)
    ) lines order by tab collate "C", kind, name collate "C"`);
  return `${rows.map((r) => r.line).join("\n")}\n`;
}
