// Every command, event and store record: what its schema allows survives serialization, and unknown fields are refused.
import { globSync } from 'node:fs'
import fc from 'fast-check'
import type { TSchema } from 'typebox'
import { Check, Errors } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { commandNames } from '../src/command/index.ts'
import { commands } from '../src/command/schema.ts'
import { eventNames } from '../src/event/index.ts'
import { RuntimeEvent, runtimeEvents } from '../src/event/schema.ts'
import { sampleOf } from '../src/sample.ts'
import { storeNames } from '../src/store/index.ts'
import { stores } from '../src/store/schema.ts'

const files = globSync('packages/contract/src/*/schema.ts').sort()

/** Open schemas, or a looser form of what is checked fully elsewhere. */
const looseOnPurpose = ['ChangePayload', 'ToolOutput', 'MergeableTodos']

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

  test('an event matches the union, and only under its own name', () => {
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

describe('every other schema', () => {
  test.each(files)('%s', async (file) => {
    const exported = Object.entries((await import(`${process.cwd()}/${file}`)) as Record<string, unknown>)
    for (const [name, schema] of exported) if (isSchema(schema) && !looseOnPurpose.includes(name)) survivesTheWire(schema)
  })
})

function isSchema(value: unknown): value is TSchema {
  return typeof value === 'object' && value !== null && ('~kind' in value || '~unsafe' in value)
}

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
