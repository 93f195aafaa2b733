/** Everything that is opened, in order. It is closed in the opposite order, also when a later step fails. */
export type Closers = (() => Promise<void>)[]

export async function closeAll(closers: Closers): Promise<void> {
  const failures: unknown[] = []
  for (const close of closers.splice(0).reverse()) {
    // One that fails must not keep the others open: PostgreSQL is a process of its own and would stay behind.
    await close().catch((error: unknown) => failures.push(error))
  }
  if (failures.length > 0) throw failures[0]
}
