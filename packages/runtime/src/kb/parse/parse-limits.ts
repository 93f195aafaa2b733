// What reading documents may cost.

const MiB = 1024 * 1024

export const parseLimits = {
  /** Of one file. */
  text_bytes: 16 * MiB,
  document_bytes: 64 * MiB,
  /** Files per process. A process takes about a sixth of a second to start; files that need a library are read a few at a time. */
  batch_texts: 512,
  batch_text_bytes: 8 * MiB,
  batch_documents: 5,
  batch_document_bytes: 64 * MiB,
  /** Of one process. Node reserves 1.5 GiB of address space when it starts; the rest is for the file. */
  address_space_bytes: 3_072 * MiB,
  heap_bytes: 768 * MiB,
  cpu_seconds: 60,
  /** A busy machine needs much longer than the processor time. */
  wall_ms: 5 * 60_000,
  output_bytes: 128 * MiB,
  /** Of one text, where there is no sandbox. */
  text_ms: 60_000,
} as const

/** Shell text that sets the limits and executes "$@". The hard limit of processor time kills a process that ignores the soft one. */
export const parseLimitScript = [
  `ulimit -v ${parseLimits.address_space_bytes / 1024} 2>/dev/null`,
  `ulimit -Ht ${parseLimits.cpu_seconds + 5} 2>/dev/null`,
  `ulimit -St ${parseLimits.cpu_seconds} 2>/dev/null`,
  'exec "$@"',
].join('\n')
