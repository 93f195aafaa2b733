export const evaluateLimits = {
  /** Of the expression alone: starting the process and reading the input do not count. */
  processor_ms: 100,
  /** By which the process may grow, and what the heap of the thread may have. */
  memory_mb: 64,
  /** Of the thread that only passes texts on. */
  main_memory_mb: 128,
  input_bytes: 8 * 1024 * 1024,
  result_bytes: 1024 * 1024,
  /** Of lists and objects within each other. `JSON.stringify` needs the square of the depth. */
  depth: 500,
  /** An expression cannot wait for anything, so only a process that hangs or a machine that sleeps takes this long. */
  wall_ms: 30_000,
  start_ms: 60_000,
  idle_ms: 60_000,
  message_length: 500,
} as const
