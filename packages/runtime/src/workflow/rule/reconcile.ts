// What has to happen so that the workflows of this device and of the cloud are the same again. Nothing that a person wrote is lost.
import type { WorkflowCloudState } from '@tandem/contract/workflow-run'

export interface LocalWorkflow {
  readonly workflow_id: string
  readonly cloud_state: WorkflowCloudState
  /** The version in the cloud that it is based on; null if it was never there. */
  readonly cloud_version: number | null
  readonly is_deleted: boolean
}

export interface RemoteWorkflow {
  readonly id: string
  readonly version: number
}

export type Reconciliation = { readonly workflow_id: string } & (
  | { readonly do: 'create' | 'fetch' | 'keep_both' | 'mark_removed' | 'forget' }
  | { readonly do: 'replace' | 'delete'; readonly version: number }
)

export function reconcile(local: readonly LocalWorkflow[], remote: readonly RemoteWorkflow[]): readonly Reconciliation[] {
  const here = new Map(local.map((workflow) => [workflow.workflow_id, workflow]))
  const there = new Map(remote.map((workflow) => [workflow.id, workflow]))
  const ids = new Set([...here.keys(), ...there.keys()])
  return [...ids].flatMap((workflow_id) => {
    const next = stepFor(here.get(workflow_id), there.get(workflow_id))
    return next === null ? [] : [{ workflow_id, ...next } as Reconciliation]
  })
}

type Step = Reconciliation extends infer One ? (One extends Reconciliation ? Omit<One, 'workflow_id'> : never) : never

function stepFor(here: LocalWorkflow | undefined, there: RemoteWorkflow | undefined): Step | null {
  if (!here) return { do: 'fetch' }
  if (!there) return withoutRemote(here)
  const isNewer = here.cloud_version === null || there.version > here.cloud_version
  // Deleted here, changed there: the change stays.
  if (here.is_deleted) return isNewer ? { do: 'fetch' } : { do: 'delete', version: there.version }
  if (here.cloud_state === 'same' || here.cloud_state === 'removed')
    return isNewer || here.cloud_state === 'removed' ? { do: 'fetch' } : null
  if (here.cloud_state === 'conflict') return isNewer ? { do: 'keep_both' } : null
  return isNewer ? { do: 'keep_both' } : { do: 'replace', version: there.version }
}

/** What was removed there stays here, marked. */
function withoutRemote({ cloud_state, is_deleted, cloud_version }: LocalWorkflow): Step | null {
  if (is_deleted) return { do: 'forget' }
  if (cloud_version === null) return { do: 'create' }
  return cloud_state === 'removed' ? null : { do: 'mark_removed' }
}
