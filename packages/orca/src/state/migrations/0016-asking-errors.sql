-- Why the program of a sensor couldn't say what its datasets hold, or its keys, when it was asked last.
alter table orca.pipelines
  add column sense_error text check (octet_length(sense_error) <= 4096),
  add column keys_error text check (octet_length(keys_error) <= 4096);
