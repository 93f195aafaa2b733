/** Everything that was opened, in order. Closed in reverse order, also if a later step fails. */
export type Closers = (() => Promise<void>)[]

export async function closeAll(closers: Closers): Promise<void> {
  const failures: unknown[] = []
  for (const close of closers.splice(0).reverse()) {
    // A failure must not keep the others open: PostgreSQL is a separate process and would keep running.
    await close().catch((error: unknown) => failures.push(error))
  }
  if (failures.length > 0) throw failures[0]
}
