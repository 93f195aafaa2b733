-- Runs beside servers of schema 0003 or later; those count nothing, so that a count may be a little too low after an upgrade node by node.
-- How many bytes the records of a user have, so that a limit can be enforced without adding them up.

alter table tandem.sync_heads add column if not exists bytes bigint not null default 0;

update tandem.sync_heads head set bytes = coalesce(
  (select sum(octet_length(record)) from tandem.sync_entities entity where entity.user_id = head.user_id), 0);
