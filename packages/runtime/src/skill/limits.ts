// How much of a folder is scanned, and how much of a skill is used.

export const skillLimits = {
  /** A SKILL.md; a longer one is not used. */
  file_bytes: 256 * 1024,
  frontmatter_bytes: 16 * 1024,
  /** Below a root. */
  depth: 4,
  /** Files and folders scanned below one root. */
  entries: 100_000,
  /** The files of one skill. The folder of a skill with more is not available to agents. */
  files: 2_000,
  folder_bytes: 64 * 1024 * 1024,
  folder_depth: 16,
  /** Files that the instructions list for the model; the others can still be read. */
  listed_files: 200,
  /** One file that is read as text. */
  resource_bytes: 256 * 1024,
  /** Changes of files are reported when there were none for this long. */
  quiet_ms: 300,
  /** Scanning yields to other work after this long. */
  slice_ms: 8,
} as const
