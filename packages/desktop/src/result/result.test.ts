import { readOutput } from '@tandem/contract/tool/output'
import fc from 'fast-check'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { cutSample, mcpSamples, outputSamples } from '../../../contract/test/support/output-samples.ts'
import { shownTexts } from '../../test/support/result/test-shown-texts.ts'
import { Result } from './result.tsx'

const drawn = (tool: string, output: unknown) => renderToStaticMarkup(createElement(Result, { tool, output }))

function textOf(markup: string): string {
  const letters: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#x27': "'", amp: '&' }
  return markup.replace(/<[^>]*>/g, ' ').replace(/&(lt|gt|quot|#x27|amp);/g, (_, name: string) => letters[name] ?? '')
}

/** How `JsonTree` renders an object, a list or a string. */
const json = /[{[]\d+[}\]]|: *“/

const tools = Object.keys(shownTexts) as (keyof typeof shownTexts)[]

/** What a script, a workflow or another agent returned can be anything. */
const returnsJson: readonly string[] = ['browser.eval', 'agent.delegate', 'workflow.wait', 'workflow.query']

test.each(tools)('%s is rendered by its schema', (tool) => {
  const texts = outputSamples[tool].map(({ output }) => textOf(drawn(tool, output)))
  expect(texts.length).toBe(shownTexts[tool].length)
  for (const [index, text] of texts.entries()) {
    expect(shownTexts[tool][index]?.filter((part) => !text.includes(part))).toEqual([])
    if (!returnsJson.includes(tool)) expect(text).not.toMatch(json)
  }
})

test('renders the parts of an MCP result, and its structured content below them or alone', () => {
  const [whole = '', structured = '', audio = '', nothing = ''] = mcpSamples.map(({ output }) => textOf(drawn('mcp.a.b', output)))
  const parts = [
    'It is cloudy.\nTake a coat.',
    'the full output is in /tmp/mcp-0.txt',
    'image/png, 9 bytes, saved in /tmp/1.png',
    'Resource file:///a',
    'A resource',
    'Resource file:///b: application/zip, 9 bytes, saved in /tmp/b.zip',
    'Link to c: file:///c',
    'Structured content',
    'temperature:',
    'does not match the output schema',
  ]
  expect(parts.map((part) => whole.indexOf(part)).every((at, index, all) => at > (all[index - 1] ?? -1))).toBe(true)
  expect(structured).toMatch(/temperature: *33/)
  expect(structured).not.toContain('Structured content')
  expect([audio.trim(), nothing.trim()]).toEqual(['audio/wav, 9 bytes, saved in /tmp/a.wav', 'No output.'])
})

test('a result that was too long shows its beginning and its end', () => {
  expect(textOf(drawn('fs.read', cutSample.output)).replace(/\s+/g, ' ').trim()).toBe('{"path": … the middle is left out … "}')
})

test.each([
  ['plugin.do', { path: 'a', diff: '+x' }, /path: *“a”/],
  ['fs.write', { path: 'a', diff: '+x' }, /path: *“a”/],
  ['plugin.do', { media_type: 'image/svg+xml', data: 'PHN2Zz4=' }, /image\/svg/],
  ['plugin.do', 'words', /words/],
])('%s with a result of unknown shape is shown unchanged', (tool, output, shown) => {
  expect(textOf(drawn(tool, output))).toMatch(shown)
})

test('no sample is rendered with an image, a link or a form, except a stored screenshot and links to passages in the window', () => {
  const markup = tools.flatMap((tool) => outputSamples[tool].map(({ output }) => [tool, drawn(tool, output)] as const))
  const active = markup.filter(([, one]) => /<(?:img|a|form|iframe|script|object|embed|style)\b/.test(one))
  expect(active.map(([tool]) => tool)).toEqual(['browser.screenshot', 'kb.search'])
  const links = active.flatMap(([, one]) => [...one.matchAll(/<a href="([^"]*)"/g)].map(([, address]) => address))
  expect(links).toEqual(['/rpc/files/f1', '/knowledge/passages/d1%2Ec1%2E0'])
})

/** Fields with a fixed set of values: with other values the sample would not match its schema. */
const fixed = new Set(['kind', 'sha256', 'state', 'outcome', 'type'])

/** The same value with a bidirectional control character in each string. */
function turned(value: unknown): unknown {
  if (typeof value === 'string') return `${value}\u202e`
  if (Array.isArray(value)) return value.map(turned)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, fixed.has(name) ? field : turned(field)]))
}

test('characters that hide or reverse text are visible everywhere', () => {
  const samples = tools.flatMap((tool) => outputSamples[tool].map(({ output }) => [tool, output] as const))
  const all = [...samples, ...mcpSamples.map(({ output }) => ['mcp.a.b', output] as const), ['fs.read', cutSample.output] as const]
  for (const [tool, output] of all) {
    const odd = turned(output)
    expect([tool, readOutput(tool, odd).tool === null, drawn(tool, odd).includes('\u202e')]).toEqual([tool, false, false])
  }
})

test('any JSON of any tool is rendered', () => {
  const any = fc.constantFrom(...tools, 'mcp.a.b', 'plugin.do')
  fc.assert(fc.property(any, fc.jsonValue(), (tool, output) => void drawn(tool, output)))
})
