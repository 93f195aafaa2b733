// Every command, event and store record: what its schema allows survives the wire, and what it does not name is refused.
import fc from 'fast-check'
import type { TSchema } from 'typebox'
import { Check, Errors } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { Agent, AgentToolPolicy } from './agent/schema.ts'
import { commandNames } from './command/index.ts'
import { CommandError, commands } from './command/schema.ts'
import { eventNames } from './event/index.ts'
import { RuntimeEvent, runtimeEvents } from './event/schema.ts'
import { ExecutorCapabilities, ExecutorHealth, HandshakeRequest, HandshakeResponse, NegotiationResult } from './executor/schema.ts'
import { McpServer, McpServerStatus, McpTool } from './mcp/schema.ts'
import { ProceduralMemoryPolicy } from './memory/schema.ts'
import { sampleOf } from './sample.ts'
import { Skill, SkillBinding } from './skill/schema.ts'
import { storeNames } from './store/index.ts'
import { stores } from './store/schema.ts'

const records = {
  Agent,
  AgentToolPolicy,
  CommandError,
  ExecutorCapabilities,
  ExecutorHealth,
  HandshakeRequest,
  HandshakeResponse,
  McpServer,
  McpServerStatus,
  McpTool,
  NegotiationResult,
  ProceduralMemoryPolicy,
  Skill,
  SkillBinding,
}

const numRuns = 10

describe('commands', () => {
  test.each(commandNames)('%s', (name) => {
    expect(commands[name].summary).toMatch(/^[A-Z].*\.$/)
    survivesTheWire(commands[name].params)
    survivesTheWire(commands[name].result)
  })
})

describe('events', () => {
  test.each(eventNames)('%s', (name) => survivesTheWire(runtimeEvents[name]))

  test('an event is of the union, and only under its own name', () => {
    const [own, foreign] = ['run_paused', 'run_completed'] as const
    fc.assert(
      fc.property(sampleOf(runtimeEvents[own]), (event) => {
        expect(Check(RuntimeEvent, event)).toBe(true)
        expect(Check(RuntimeEvent, { ...event, event: foreign })).toBe(false)
      }),
      { numRuns },
    )
  })
})

describe('store records', () => {
  test.each(storeNames)('%s', (name) => survivesTheWire(stores[name]))
})

describe('other records', () => {
  test.each(Object.entries(records))('%s', (_name, schema) => survivesTheWire(schema))
})

function survivesTheWire(schema: TSchema): void {
  fc.assert(
    fc.property(sampleOf(schema), (sample) => {
      const received: unknown = JSON.parse(JSON.stringify(sample))
      expect(received).toEqual(sample)
      expect(Errors(schema, received)).toEqual([])
      expect(Check(schema, { ...Object(received), not_in_the_contract: 1 })).toBe(false)
    }),
    { numRuns },
  )
}
