// The events of a workflow run, each once and in order, as they are written.
import type { CommandResult } from '@tandem/contract/command'
import type { WorkflowRunEvent } from '@tandem/contract/workflow-run'
import type { CommandAnswer, RuntimeClient } from '../runtime-client/runtime-client.ts'

/** Returns a function that returns what was written since it was last called. */
export function openEventReader(
  client: Pick<RuntimeClient, 'call'>,
  workflow_run_id: string,
  { after_seq = -1, node_id }: { readonly after_seq?: number | undefined; readonly node_id?: string | undefined } = {},
): () => Promise<CommandAnswer<WorkflowRunEvent[]>> {
  let last = after_seq
  // Of the page that is read next; the last page may have grown.
  let cursor: string | null = null
  return async () => {
    const fresh: WorkflowRunEvent[] = []
    for (;;) {
      const page: CommandAnswer<CommandResult<'workflow_run_list_events'>> = await client.call('workflow_run_list_events', {
        workflow_run_id,
        limit: 200,
        ...(node_id === undefined ? {} : { node_id }),
        ...(cursor === null ? {} : { cursor }),
      })
      if (!page.ok) return page
      fresh.push(...page.value.items.filter(({ seq }) => seq > last))
      last = Math.max(last, page.value.items.at(-1)?.seq ?? last)
      if (page.value.next_cursor === null) return { ok: true, value: fresh }
      cursor = page.value.next_cursor
    }
  }
}
