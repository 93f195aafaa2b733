-- What this device alone knows of MCP servers. None of it synchronizes.
CREATE TABLE mcp_consents (
  server_id TEXT PRIMARY KEY,
  definition_sha256 TEXT NOT NULL,
  network_hosts TEXT NOT NULL,
  approved_at TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE mcp_tool_consents (
  tool TEXT PRIMARY KEY,
  server_id TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  approved_at TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX mcp_tool_consents_of_server ON mcp_tool_consents (server_id);

CREATE TABLE mcp_secrets (
  server_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (server_id, kind, name)
) WITHOUT ROWID;
