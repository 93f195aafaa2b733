// A workflow run with the runs that its nodes have started: all of them can wait for the user.
import type { LocalRun } from '@tandem/contract/command'
import type { CommandAnswer, RuntimeClient } from '../runtime-client/runtime-client.ts'

export interface OpenRun {
  readonly run: LocalRun
  /** The workflow whose calls it makes; null for the run of an agent. */
  readonly workflow_run_id: string | null
  /** The run of the workflow whose node has started it. */
  readonly parent_run_id: string | null
}

type Caller = Pick<RuntimeClient, 'call'>

/** The run of the workflow itself comes first. */
export async function openRuns(
  client: Caller,
  workflow_run_id: string,
  parent_run_id: string | null = null,
): Promise<CommandAnswer<OpenRun[]>> {
  const snapshot = await client.call('workflow_snapshot', { workflow_run_id })
  if (!snapshot.ok) return snapshot
  const { run_id, nodes, definition } = snapshot.value.run
  const own = await client.call('agent_run_get', { run_id: run_id ?? workflow_run_id })
  if (!own.ok) return own
  const found: OpenRun[] = [{ run: own.value.run, workflow_run_id, parent_run_id }]
  for (const { node_id, waits_for, child_run_id } of nodes) {
    if (waits_for !== 'child' || child_run_id === null) continue
    const isWorkflow = definition?.nodes.find(({ id }) => id === node_id)?.kind === 'workflow'
    const below = isWorkflow
      ? await openRuns(client, child_run_id, own.value.run.run_id)
      : await agentRun(client, child_run_id, own.value.run.run_id)
    if (!below.ok) return below
    found.push(...below.value)
  }
  return { ok: true, value: found }
}

async function agentRun(client: Caller, run_id: string, parent_run_id: string): Promise<CommandAnswer<OpenRun[]>> {
  const run = await client.call('agent_run_get', { run_id })
  return run.ok ? { ok: true, value: [{ run: run.value.run, workflow_run_id: null, parent_run_id }] } : run
}
