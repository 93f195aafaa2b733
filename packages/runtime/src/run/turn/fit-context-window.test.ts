import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ModelTool } from '../../model/message.ts'
import { fittingInstructions, fittingResult, fittingTools, tokensForSection, truncateTo } from './fit-context-window.ts'

const window = (tokens: number) => ({ tokens, reserved: Math.floor(tokens / 8) })
const asIs = (name: string) => name

function tool(name: string, description = 'Does one thing. It also does more than can be said in one sentence.'): ModelTool {
  const path = { type: 'string', description: 'A path. Relative ones begin in the workspace.' }
  // A field named description is not a description.
  const properties = { path, description: { type: 'string', description: 'What it is for. In words.' } }
  return { type: 'function', function: { name, description, parameters: { type: 'object', properties, required: ['path'] } } }
}

test('a context window that fits everything gets everything', () => {
  const tools = ['fs.read', 'browser.open'].map((name) => tool(name))
  expect(fittingTools(tools, window(128_000), asIs)).toEqual({ tools, left_out: [] })
})

test('shortens descriptions first: to their first sentence, then removes those of fields', () => {
  const tools = Array.from({ length: 20 }, (_, index) => tool(`fs.tool_${index}`))
  const told = (tokens: number) => fittingTools(tools, window(tokens), asIs)
  const short = told(5_500)
  expect([short.tools[0], short.tools.length]).toEqual([
    {
      type: 'function',
      function: {
        name: 'fs.tool_0',
        description: 'Does one thing.',
        parameters: {
          type: 'object',
          properties: { path: { type: 'string', description: 'A path.' }, description: { type: 'string', description: 'What it is for.' } },
          required: ['path'],
        },
      },
    },
    20,
  ])
  const shortest = told(4_000)
  expect([shortest.tools[0]?.function.parameters, shortest.tools.length]).toEqual([
    { type: 'object', properties: { path: { type: 'string' }, description: { type: 'string' } }, required: ['path'] },
    20,
  ])
})

test('then leaves out the least needed tools; an agent keeps its files, its shell and its questions the longest', () => {
  const names = [
    'browser.click',
    'todo.list',
    'mcp.mail.send',
    'fs.mkdir',
    'ask_user',
    'shell.exec',
    'fs.edit',
    'fs.list',
    'fs.read',
    'fs.write',
  ]
  const tools = names.map((name) => tool(name))
  const kept = [1_500, 1_100].map((tokens) => fittingTools(tools, window(tokens), asIs))
  expect(kept.map(({ tools: told, left_out }) => [told.map(({ function: { name } }) => name), left_out])).toEqual([
    [
      ['mcp.mail.send', 'fs.mkdir', 'ask_user', 'shell.exec', 'fs.edit', 'fs.list', 'fs.read', 'fs.write'],
      ['browser.click', 'todo.list'],
    ],
    [
      ['ask_user', 'shell.exec', 'fs.edit', 'fs.list', 'fs.read', 'fs.write'],
      ['browser.click', 'todo.list', 'mcp.mail.send', 'fs.mkdir'],
    ],
  ])
})

test('tools never exceed their share, and none is included twice or dropped silently', () => {
  const names = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 30 }), { maxLength: 60 })
  fc.assert(
    fc.property(names, fc.string({ maxLength: 3_000 }), fc.integer({ min: 1_024, max: 200_000 }), (made, description, tokens) => {
      const tools = made.map((name) => tool(name, description))
      const { tools: told, left_out } = fittingTools(tools, window(tokens), asIs)
      const { reserved } = window(tokens)
      expect(JSON.stringify(told).length).toBeLessThanOrEqual(Math.max(200, (tokens - reserved) * 0.35 * 4))
      expect([...told.map(({ function: { name } }) => name), ...left_out].toSorted()).toEqual(made.toSorted())
    }),
  )
})

test('long instructions keep their beginning, long results both ends', () => {
  const small = window(8_192)
  const instructions = fittingInstructions(`First. ${'x'.repeat(50_000)}`, small)
  expect([instructions.startsWith('First. '), instructions.length < 3_000, instructions.includes('left out')]).toEqual([true, true, true])
  const result = fittingResult(`begin ${'x'.repeat(50_000)} end`, small)
  expect([result.startsWith('begin '), result.endsWith(' end'), result.length < 5_000]).toEqual([true, true, true])
})

test('a prompt section has a share of the context window, and is truncated beyond its maximum', () => {
  expect([tokensForSection(window(8_192), { stable: true }), tokensForSection(window(8_192), { stable: false })]).toEqual([716, 358])
  expect(tokensForSection(window(1_024), { stable: false })).toBe(50)
  expect([truncateTo('four', 1), truncateTo('fourfour', 1)]).toEqual(['four', 'four\n[The rest is left out.]'])
  // Never splits a character.
  expect(truncateTo('aaa\u{1f600}', 1)).toBe('aaa\n[The rest is left out.]')
})

test('what fits stays as it is', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 190 }), fc.integer({ min: 1_024, max: 200_000 }), (text, tokens) => {
      expect([fittingInstructions(text, window(tokens)), fittingResult(text, window(tokens))]).toEqual([text, text])
    }),
  )
})
