import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Workflow, WorkflowContent } from '@tandem/contract/workflow'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { testClock } from '../../test/support/clock/test-clock.ts'
import type { Account } from '../account/account.ts'
import { openStore, type Store } from '../store/store.ts'
import { type CloudDefinitions, openCloudDefinitions } from './cloud-definitions.ts'
import { openWorkflowRecords, type WorkflowRecords } from './record/workflow-records.ts'

const unreachable = { kind: 'unreachable', detail: 'no response' } as const
const stamps = { created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-01T00:00:00.000Z' }
const named = (name: string): WorkflowContent => ({
  name,
  definition: { inputs: [], nodes: [{ id: 'rest', kind: 'wait', seconds: 1 }], edges: [] },
})

let home: string
let store: Store
let records: WorkflowRecords
let definitions: CloudDefinitions
let logged: string[]
/** What the cloud has. */
let stored: Map<string, Workflow>
/** Called before a request is answered; what it returns is the answer, if anything. */
let before: (method: string) => typeof unreachable | undefined

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tandem-definitions-'))
  store = openStore({ home, clock: testClock() })
  records = openWorkflowRecords(store)
  logged = []
  definitions = openCloudDefinitions({ records, log: (line) => logged.push(line) })
  stored = new Map()
  before = () => undefined
})
afterEach(() => {
  store.close()
  rmSync(home, { recursive: true })
})

const account = {
  async call({ method, path, json }: { method: string; path: string; json?: object }) {
    const id = /workflows\/(.+)$/.exec(path)?.[1] ?? (json as { id?: string } | undefined)?.id
    if (id !== undefined && method === 'GET') return before(method) ?? { kind: 'ok', body: stored.get(id) }
    if (id === undefined) {
      const items = [...stored.values()].map(({ definition: _definition, ...head }) => ({ ...head, node_count: 1 }))
      return { kind: 'ok', body: { items, next_cursor: null } }
    }
    const body = { ...stamps, ...json, id, version: (stored.get(id)?.version ?? 0) + 1 } as Workflow
    stored.set(id, body)
    return before(method) ?? { kind: 'ok', body }
  },
} as unknown as Pick<Account, 'call'>

const states = () => records.list().map(({ name, cloud_state }) => `${name} ${cloud_state}`)

test('what a person changes while a version arrives is not lost, but a conflict', async () => {
  const { workflow_id } = records.save(named('First'))
  await definitions.refresh(account)
  stored.set(workflow_id, { ...stamps, ...named('Theirs'), id: workflow_id, version: 2 })
  let isFirst = true
  before = (method) => {
    if (method === 'GET' && isFirst) records.save(named('Mine'), workflow_id)
    isFirst = false
    return undefined
  }
  await definitions.refresh(account)
  expect([states(), records.theirs(workflow_id)?.name]).toEqual([['Mine conflict'], 'Theirs'])
})

test('a version that was stored although the response was lost is no conflict', async () => {
  const { workflow_id } = records.save(named('First'))
  const lost = (lossy: string) => (method: string) => (method === lossy ? unreachable : undefined)
  before = lost('POST')
  await definitions.refresh(account)
  await definitions.refresh(account)
  expect([states(), stored.get(workflow_id)?.version]).toEqual([['First same'], 1])
  before = lost('PUT')
  records.save(named('Second'), workflow_id)
  await definitions.refresh(account)
  await definitions.refresh(account)
  expect([states(), stored.get(workflow_id)?.version]).toEqual([['Second same'], 2])
})

test('a definition that only a newer Tandem can read does not arrive, and the version here stays', async () => {
  const { workflow_id } = records.save(named('First'))
  await definitions.refresh(account)
  const newer = { inputs: [], nodes: [{ id: 'dance', kind: 'dance' }], edges: [] } as unknown as Workflow['definition']
  const id = '01890a5d-ac96-774b-bcce-b302099a8057'
  stored.set(workflow_id, { ...stamps, name: 'Newer', definition: newer, id: workflow_id, version: 2 })
  stored.set(id, { ...stamps, name: 'New', definition: newer, id, version: 1 })
  await definitions.refresh(account)
  expect([states(), logged]).toEqual([
    ['First same'],
    [workflow_id, id].map((one) => `workflow ${one} was written by a newer version of Tandem`),
  ])
})
