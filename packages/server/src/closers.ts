/** Everything that is opened, in order; closed in the opposite one, also when a later step fails. */
export type Closers = (() => Promise<void>)[]

export async function closeAll(closers: Closers): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close()
}
