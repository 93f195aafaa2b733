-- The servers of folders (.mcp.json) that the user approved, as they were then. Each is used only while its file is the same.
CREATE TABLE mcp_folder_servers (
  server_id TEXT PRIMARY KEY,
  folder TEXT NOT NULL,
  file_sha256 TEXT NOT NULL,
  definition TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX mcp_folder_servers_of_folder ON mcp_folder_servers (folder);

-- How many requests to the model a server may make in one run. None without the user's permission.
ALTER TABLE mcp_consents ADD COLUMN sampling_limit INTEGER NOT NULL DEFAULT 0;
