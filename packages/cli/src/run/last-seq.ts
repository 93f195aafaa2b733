// The number of the newest step of a run; -1 if it has none. A run that continues is shown from there.
import type { RuntimeClient } from '../runtime-client/runtime-client.ts'

export async function lastSeq(client: RuntimeClient, run_id: string): Promise<number> {
  let seq = -1
  for (let cursor: string | null = null; ; ) {
    const params: { run_id: string; limit: number; cursor?: string } = { run_id, limit: 200, ...(cursor ? { cursor } : {}) }
    const page = await client.call('agent_run_list_steps', params)
    if (!page.ok) return seq
    seq = page.value.items.at(-1)?.seq ?? seq
    cursor = page.value.next_cursor
    if (cursor === null) return seq
  }
}
