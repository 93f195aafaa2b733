import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Agent, defaultMaxTurns } from '@tandem/contract/agent'
import { Agent as AgentSchema } from '@tandem/contract/agent/schema'
import { Check } from 'typebox/value'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type TestClock, testClock } from '../../test/support/clock/test-clock.ts'
import type { NewLifecycleEvent } from '../event/lifecycle/lifecycle-event.ts'
import { openRecords, type Records } from '../store/records.ts'
import { openStore, type Store } from '../store/store.ts'
import { type Agents, openAgents } from './agents.ts'

let home: string
let clock: TestClock
let store: Store
let records: Records
let agents: Agents
let told: NewLifecycleEvent[]

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tandem-agents-'))
  clock = testClock()
  open()
})

afterEach(() => {
  store.close()
  rmSync(home, { recursive: true })
})

function open() {
  store = openStore({ home, clock })
  records = openRecords(store)
  told = []
  agents = openAgents(store, records, { record: (event) => told.push(event) })
}

function made(name: string) {
  const outcome = agents.create({ name })
  if (!outcome.ok) throw new Error(outcome.message)
  return outcome.value
}

test('a new agent has the default fields, survives a restart, and is reported once', () => {
  const { agent_id, ...kept } = made('  Scribe ')
  const agent: Agent = {
    name: 'Scribe',
    description: '',
    identity: { role: 'Assistant', tone: null },
    instructions: '',
    model: null,
    temperature: null,
    max_turns: defaultMaxTurns,
    sandbox_mode: 'workspace',
    avatar: null,
    archived: false,
    created_at: '2026-03-01T09:00:00.000Z',
  }
  expect(kept).toEqual({ version: 1, updated_at: expect.any(String), agent })
  expect(Check(AgentSchema, agent)).toBe(true)
  expect(told).toEqual([{ event: 'agent_created', event_id: agent_id, data: { agent_id, cause: 'created' } }])
  store.close()
  open()
  expect(agents.get(agent_id)).toEqual({ agent_id, ...kept })
  expect(store.sql.all`SELECT entity_type, entity_id, op, version FROM outbox`).toMatchObject([
    { entity_type: 'agents', entity_id: agent_id, op: 'upsert', version: 1 },
  ])
})

test('the default agent is created once, when first needed, and is the oldest that is not archived', () => {
  const first = agents.default()
  expect({ name: first.agent.name, told: told.length, again: agents.default().agent_id }).toEqual({
    name: 'Tandem',
    told: 1,
    again: first.agent_id,
  })
  clock.advance(1_000)
  const second = made('Aaron')
  expect(agents.default().agent_id).toBe(first.agent_id)
  agents.archive(first.agent_id, true)
  expect(agents.default().agent_id).toBe(second.agent_id)
  expect(agents.list().map(({ agent }) => [agent.name, agent.archived])).toEqual([
    ['Aaron', false],
    ['Tandem', true],
  ])
  agents.archive(first.agent_id, false)
  expect(agents.default().agent_id).toBe(first.agent_id)
})

test('an update changes only the given fields; null is a value', () => {
  const { agent_id, agent } = made('Scribe')
  expect(agents.update(agent_id, { model: 'a/b', temperature: 0.5 })).toMatchObject({
    ok: true,
    value: { version: 2, agent: { ...agent, model: 'a/b', temperature: 0.5 } },
  })
  expect(agents.update(agent_id, { model: null }, 2)).toMatchObject({
    ok: true,
    value: { version: 3, agent: { ...agent, temperature: 0.5 } },
  })
})

test('refusals have a code and name the agent', () => {
  const { agent_id } = made('Scribe')
  const fields = [{ field: 'name', message: 'must not be empty' }]
  const noName = { ok: false, code: 'invalid_params', message: '`name` must not be empty', fields }
  expect([
    agents.create({ name: '   ' }),
    agents.update('nobody', { model: 'x' }),
    agents.update(agent_id, { model: 'x' }, 7),
    agents.update(agent_id, { name: ' ' }),
    agents.archive('nobody', true),
  ]).toEqual([
    noName,
    { ok: false, code: 'not_found', message: 'there is no agent nobody' },
    { ok: false, code: 'version_conflict', message: `agent ${agent_id} is at version 1, not 7` },
    noName,
    { ok: false, code: 'not_found', message: 'there is no agent nobody' },
  ])
  expect(agents.get(agent_id)?.version).toBe(1)
})
