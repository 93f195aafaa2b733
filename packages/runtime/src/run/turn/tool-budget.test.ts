import fc from 'fast-check'
import Type from 'typebox'
import { expect, test } from 'vitest'
import { defineTool, type Tool } from '../../call/tool.ts'
import { tokensOfTool, tokensOfTools } from '../../pipeline/tool-tokens.ts'
import { withinToolBudget } from './tool-budget.ts'

const origin = { is_program: true, fingerprint: () => '', warnings: () => [], approved: () => undefined }

function tool(name: string, isOfServer = false): Tool {
  const literal = { name, summary: `Does ${name}.`, input: Type.Object({}), output: Type.Null(), effects: () => [], limits: { seconds: 1 } }
  return defineTool({ ...literal, ...(isOfServer ? { origin } : {}), run: async () => null })
}

const builtIn = [tool('fs.read'), tool('tool.search')]
const ofServer = ['a', 'b', 'c', 'd'].map((name) => tool(`mcp.s.${name}`, true))
const all = [...builtIn, ...ofServer]
const each = tokensOfTool(ofServer[0] as Tool)
const names = (tokens: number, loaded: readonly string[]) => withinToolBudget(all, { tokens, loaded }).map(({ name }) => name)

test.each<[string, number, string[], string[]]>([
  ['all fit: no search', 4 * each, [], ['fs.read', 'mcp.s.a', 'mcp.s.b', 'mcp.s.c', 'mcp.s.d']],
  ['none is loaded', 3 * each, [], ['fs.read', 'tool.search']],
  ['in the order of loading', 3 * each, ['mcp.s.c', 'mcp.s.a'], ['fs.read', 'tool.search', 'mcp.s.c', 'mcp.s.a']],
  ['one again does not move', 3 * each, ['mcp.s.c', 'mcp.s.a', 'mcp.s.c'], ['fs.read', 'tool.search', 'mcp.s.c', 'mcp.s.a']],
  ['the one unused longest is left out', 2 * each, ['mcp.s.a', 'mcp.s.b', 'mcp.s.c'], ['fs.read', 'tool.search', 'mcp.s.b', 'mcp.s.c']],
  ['a call brings it back', 2 * each, ['mcp.s.a', 'mcp.s.b', 'mcp.s.c', 'mcp.s.a'], ['fs.read', 'tool.search', 'mcp.s.a', 'mcp.s.c']],
  ['the last one is listed in any case', 0, ['mcp.s.a', 'mcp.s.b'], ['fs.read', 'tool.search', 'mcp.s.b']],
  ['one that is gone, or not allowed, is not listed', 3 * each, ['mcp.s.gone', 'fs.write'], ['fs.read', 'tool.search']],
])('%s', (_what, tokens, loaded, expected) => {
  expect(names(tokens, loaded)).toEqual(expected)
})

test('the loaded ones stay within the budget, built-in ones are always listed, and nothing is listed twice', () => {
  const name = fc.constantFrom(...ofServer.map((one) => one.name), 'mcp.gone.x')
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 5 * each }), fc.array(name), (tokens, loaded) => {
      const listed = withinToolBudget(all, { tokens, loaded })
      const extra = listed.filter((one) => one.origin)
      expect(new Set(listed).size).toBe(listed.length)
      expect(listed.some((one) => one.name === 'fs.read')).toBe(true)
      expect(extra.length <= 1 || tokensOfTools(extra) <= tokens).toBe(true)
    }),
  )
})
