// Every number that both sides must agree on.

const KiB = 1024
const MiB = 1024 * KiB
const day = 24 * 60 * 60 * 1000

export const limits = {
  // Sync
  push_changes: 500,
  push_bytes: 5 * MiB,
  payload_bytes: 256 * KiB,
  pull_rows_default: 500,
  pull_rows: 1_000,
  pull_page_bytes: 8 * MiB,
  clock_skew_ms: 5 * 60 * 1000,
  tombstone_ms: 90 * day,
  /** How much of a tool's output is synchronized with its call; the rest is stored in a file. */
  tool_output_bytes: 128 * KiB,

  // HTTP
  access_token_seconds: 15 * 60,
  refresh_token_seconds: 30 * 24 * 60 * 60,
  refresh_grace_seconds: 10,
  idempotency_key_ms: day,
  list_default: 50,
  list: 200,
  upload_bytes: 100 * MiB,
  log_batch: 1_000,
  log_retention_ms: 30 * day,
  heartbeat_seconds: 30,
  presence_seconds: 90,

  // Conversations
  /** How many conversations one command names. */
  conversations_at_once: 500,

  // Messages
  /** One file attached to a message. */
  attachment_bytes: 10 * MiB,
  /** A larger picture is attached, but not shown to the model. */
  image_bytes: 5 * MiB,

  // HTTP bodies
  body_bytes: 1 * MiB,
  document_bytes: 4 * MiB,
  log_bytes: 5 * MiB,
  model_request_bytes: 32 * MiB,
  password_characters_min: 10,
  password_characters: 200,
  api_keys: 50,
  devices: 200,

  // Real-time channel
  ws_auth_seconds: 10,
  ws_ping_seconds: 30,
  ws_message_bytes: 16 * KiB,
  ws_buffer_bytes: 1 * MiB,
  ws_sockets_per_user: 50,

  // Model gateway
  usage_days: 92,

  // Workflow definitions
  workflow_nodes: 500,
  workflow_edges: 2_000,
  /** Items at once, rounds of one loop, and loops within each other. */
  workflow_concurrency: 32,
  workflow_rounds: 10_000,
  /** Of nodes in all rounds of one workflow run: loops within loops could otherwise fill the disk. */
  workflow_run_nodes: 200_000,
  workflow_depth: 4,
  /** What is longer is stored as a file. */
  workflow_event_bytes: 48 * KiB,

  // Checkpoints
  checkpoints_kept: 5,
  checkpoint_window_ms: 14 * day,
  checkpoint_protected_window_ms: 45 * day,
  /** With more than this many points on a device, every scan of the store is slow. */
  checkpoints_per_device: 2_000,
  small_scope_files: 2_000,
  small_scope_bytes: 64 * MiB,
  large_scope_files: 100_000,
  content_snapshot_file_bytes: 1 * MiB,
  content_snapshot_bytes: 64 * MiB,
  restore_diff_characters: 16_000,
  /** Of the changes of a conversation: rows per request, and characters per row. */
  diff_slice_lines: 1_000,
  diff_line_characters: 2_000,

  // Cards
  card_collapse_ms: 800,
} as const
