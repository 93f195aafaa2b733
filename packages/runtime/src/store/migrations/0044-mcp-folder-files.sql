-- The .mcp.json of a folder as the user last decided about it: about all its servers, also those that are not used.
CREATE TABLE mcp_folder_files (
  folder TEXT PRIMARY KEY,
  file_sha256 TEXT NOT NULL
) WITHOUT ROWID;
INSERT INTO mcp_folder_files (folder, file_sha256) SELECT folder, max(file_sha256) FROM mcp_folder_servers GROUP BY folder;
