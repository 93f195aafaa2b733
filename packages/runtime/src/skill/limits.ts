// How much of a folder is scanned, and how much of a skill is used.

export const skillLimits = {
  /** A SKILL.md; a longer one is not used. */
  file_bytes: 256 * 1024,
  frontmatter_bytes: 16 * 1024,
  /** Below a root. */
  depth: 4,
  /** Files and folders scanned below one root. */
  entries: 20_000,
  resources: 200,
  resource_depth: 4,
  resource_bytes: 256 * 1024,
  /** Changes of files are reported when there were none for this long. */
  quiet_ms: 300,
  /** Scanning yields to other work after this long. */
  slice_ms: 8,
} as const
