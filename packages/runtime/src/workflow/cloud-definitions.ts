// Keeps the workflows of this device and those of the account the same.
import { etagOf } from '@tandem/contract/http'
import { canonicalJson } from '@tandem/contract/sync'
import type { Workflow, WorkflowContent, WorkflowCreate, WorkflowSummary } from '@tandem/contract/workflow'
import { WorkflowDefinition } from '@tandem/contract/workflow/schema'
import { Check } from 'typebox/value'
import type { Account } from '../account/account.ts'
import type { CloudFailure, CloudResult } from '../account/cloud-result.ts'
import type { WorkflowRecord, WorkflowRecords } from './record/workflow-records.ts'
import { type Reconciliation, reconcile } from './rule/reconcile.ts'

export interface CloudDefinitions {
  /** One at a time; a request meanwhile is followed by another round. */
  refresh(account: Pick<Account, 'call'>): Promise<void>
}

const path = '/api/v1/workflows'
const most = 200

export function openCloudDefinitions({ records, log }: { readonly records: WorkflowRecords; log(line: string): void }): CloudDefinitions {
  let running: Promise<void> | null = null
  let again = false

  async function round(account: Pick<Account, 'call'>): Promise<void> {
    const remote = await listed(account)
    if (remote.kind !== 'ok') return
    for (const step of reconcile(records.cloudRows(), remote.body)) await take(account, step)
  }

  async function take(account: Pick<Account, 'call'>, step: Reconciliation): Promise<void> {
    const { workflow_id } = step
    const own = records.get(workflow_id)
    switch (step.do) {
      case 'fetch':
      case 'keep_both': {
        const found: CloudResult<Workflow> = await account.call({ method: 'GET', path: `${path}/${workflow_id}` })
        if (found.kind === 'ok') received(step.do, own, found.body)
        else report(workflow_id, found)
        return
      }
      case 'create': {
        if (!own) return
        const json: WorkflowCreate = { id: workflow_id, ...contentOf(own) }
        stored(workflow_id, own.version, await account.call({ method: 'POST', path, json }))
        return
      }
      case 'replace': {
        if (!own) return
        const headers = { 'if-match': etagOf(step.version) }
        stored(
          workflow_id,
          own.version,
          await account.call({ method: 'PUT', path: `${path}/${workflow_id}`, json: contentOf(own), headers }),
        )
        return
      }
      case 'delete': {
        const headers = { 'if-match': etagOf(step.version) }
        const gone: CloudResult<unknown> = await account.call({ method: 'DELETE', path: `${path}/${workflow_id}`, headers })
        if (gone.kind === 'ok' || (gone.kind === 'refused' && gone.status === 404)) records.forget(workflow_id)
        else report(workflow_id, gone)
        return
      }
      case 'mark_removed':
        records.markRemoved(workflow_id)
        return
      case 'forget':
        records.forget(workflow_id)
    }
  }

  /** `own`: what was here when it was asked for. */
  function received(step: 'fetch' | 'keep_both', own: WorkflowRecord | undefined, there: Workflow): void {
    const { id: workflow_id, version } = there
    const here = records.get(workflow_id)
    // Changed or deleted here meanwhile: the next round decides.
    if (here?.version !== own?.version) again = true
    else if (!Check(WorkflowDefinition, there.definition)) log(`workflow ${workflow_id} was written by a newer version of Tandem`)
    else if (step === 'fetch') records.arrived(there)
    // It was stored there, and only the response was lost.
    else if (here && canonicalJson(contentOf(here)) === canonicalJson(contentOf(there))) records.stored(workflow_id, here.version, version)
    else records.conflict(there)
  }

  /** A version that was changed there in between is a conflict, which the next round finds. */
  function stored(workflow_id: string, version: number, answer: CloudResult<Workflow>): void {
    if (answer.kind === 'ok') records.stored(workflow_id, version, answer.body.version)
    else report(workflow_id, answer)
  }

  function report(workflow_id: string, failure: CloudFailure): void {
    if (failure.kind === 'refused') log(`workflow ${workflow_id} could not be synchronized: ${failure.detail}`)
  }

  return {
    async refresh(account) {
      again = true
      running ??= (async () => {
        while (again) {
          again = false
          await round(account)
        }
      })().finally(() => {
        running = null
      })
      await running
    },
  }
}

async function listed(account: Pick<Account, 'call'>): Promise<CloudResult<readonly WorkflowSummary[]>> {
  const all: WorkflowSummary[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query: string = new URLSearchParams({ limit: String(most), ...(cursor === '' ? {} : { cursor }) }).toString()
    const page: CloudResult<{ items: WorkflowSummary[]; next_cursor: string | null }> = await account.call({
      method: 'GET',
      path: `${path}?${query}`,
    })
    if (page.kind !== 'ok') return page
    all.push(...page.body.items)
    cursor = page.body.next_cursor
  }
  return { kind: 'ok', body: all }
}

function contentOf({ name, description, definition }: WorkflowContent): WorkflowContent {
  return { name, definition, ...(description === undefined ? {} : { description }) }
}
