// A workflow of this device by its name or its id.
import type { ListedWorkflow } from '@tandem/contract/command'
import { withRuntimeClient } from '../runtime-client/connect.ts'
import type { CommandAnswer, RuntimeClient } from '../runtime-client/runtime-client.ts'
import { refused } from '../terminal/refusal.ts'

const listWorkflows = 'List the workflows and their ids with tandem workflows.'
export const oneWorkflow = `specify one workflow by its name or id. ${listWorkflows}`

export async function findWorkflow(client: Pick<RuntimeClient, 'call'>, wanted: string): Promise<CommandAnswer<ListedWorkflow>> {
  const all = await everyWorkflow(client)
  if (!all.ok) return all
  const byId = all.value.find(({ workflow_id }) => workflow_id === wanted)
  if (byId) return { ok: true, value: byId }
  const named = all.value.filter(({ name }) => name === wanted)
  const [one] = named
  if (one && named.length === 1) return { ok: true, value: one }
  const ids = named.map(({ workflow_id }) => workflow_id).join(', ')
  const message = one ? `${named.length} workflows are named ${wanted}: ${ids}` : `no workflow is named ${wanted}`
  return { ok: false, error: { code: 'not_found', message, remedy: one ? 'Specify the id of one of them.' : listWorkflows } }
}

export async function everyWorkflow(client: Pick<RuntimeClient, 'call'>): Promise<CommandAnswer<ListedWorkflow[]>> {
  const all: ListedWorkflow[] = []
  let cursor: string | null = null
  do {
    const page: CommandAnswer<{ items: ListedWorkflow[]; next_cursor: string | null }> = await client.call('workflow_list', {
      limit: 200,
      ...(cursor === null ? {} : { cursor }),
    })
    if (!page.ok) return page
    all.push(...page.value.items)
    cursor = page.value.next_cursor
  } while (cursor !== null)
  return { ok: true, value: all }
}

export async function withWorkflow(
  wanted: string,
  work: (client: RuntimeClient, workflow: ListedWorkflow) => Promise<number>,
): Promise<number> {
  return await withRuntimeClient(process.cwd(), async (client) => {
    const workflow = await findWorkflow(client, wanted)
    return workflow.ok ? await work(client, workflow.value) : refused(workflow.error)
  })
}
