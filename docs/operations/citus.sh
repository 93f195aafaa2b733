#!/bin/sh
# Sets up a Citus cluster for Tandem: a coordinator, its workers, and the distribution of the tables.
#
#   COORDINATOR=db.internal WORKERS="worker-1 worker-2" OWNER=tandem DATABASE=tandem sh citus.sh prepare
#   … start the backend once, so that it creates its tables …
#   COORDINATOR=db.internal WORKERS="worker-1 worker-2" OWNER=tandem DATABASE=tandem sh citus.sh distribute
#
# Needs psql and a superuser (PGUSER, PGPASSWORD or ~/.pgpass) on every machine, with Citus 12 or later in shared_preload_libraries.
set -eu

: "${COORDINATOR:?set it to the host of the coordinator}"
: "${WORKERS:?set it to the hosts of the workers, separated by spaces}"
: "${OWNER:=tandem}"
: "${DATABASE:=tandem}"
here=$(dirname "$0")

on() { # HOST DATABASE, with the statements on standard input
  psql -h "$1" -d "$2" -v ON_ERROR_STOP=1 -q -v owner="$OWNER" -v database="$DATABASE"
}

prepare() {
  for host in $COORDINATOR $WORKERS; do
    # Set a password with \password afterwards; workers must accept the owner and both roles from the coordinator (pg_hba.conf).
    on "$host" postgres <<'SQL'
select format('create role %I login createrole', :'owner') where not exists (select from pg_roles where rolname = :'owner') \gexec
select format('create database %I owner %I encoding ''UTF8'' template template0', :'database', :'owner')
  where not exists (select from pg_database where datname = :'database') \gexec
SQL
    echo 'create extension if not exists citus;' | on "$host" "$DATABASE"
  done
  echo "select citus_set_coordinator_host('$COORDINATOR');" | on "$COORDINATOR" "$DATABASE"
  for host in $WORKERS; do
    echo "select citus_add_node('$host', 5432);" | on "$COORDINATOR" "$DATABASE"
  done
}

distribute() {
  psql -h "$COORDINATOR" -d "$DATABASE" -v ON_ERROR_STOP=1 -f "$here/citus.sql"
}

case "${1:-}" in
  prepare) prepare ;;
  distribute) distribute ;;
  *)
    echo 'use: sh citus.sh prepare|distribute' >&2
    exit 2
    ;;
esac
