// How much of a folder is looked at, and how much of a skill is taken.

export const skillLimits = {
  /** A SKILL.md; one that is longer is no instruction but a load. */
  file_bytes: 256 * 1024,
  frontmatter_bytes: 16 * 1024,
  /** Below a root. */
  depth: 4,
  /** Files and folders looked at below one root. */
  entries: 20_000,
  resources: 200,
  resource_depth: 4,
  resource_bytes: 256 * 1024,
  /** Changes of files are answered once they have been quiet for so long. */
  quiet_ms: 300,
  /** After so much of scanning others get their turn. */
  slice_ms: 8,
} as const
