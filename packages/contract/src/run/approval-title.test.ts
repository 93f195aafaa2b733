import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { builtinToolNames } from '../tool/names.ts'
import { toolOutputs } from '../tool/output/tools.ts'
import { approvalTitle, callTitle } from './approval-title.ts'
import type { CallPreview } from './schema.ts'
import { offeredAnswers } from './step.ts'

const change = {
  kind: 'change' as const,
  path: 'src/greeting.js',
  creates: false,
  diff: '',
  diff_truncated: false,
  lines_added: 1,
  lines_removed: 1,
  notes: [],
}
const removal = { kind: 'delete' as const, path: 'dist', folders: 1, files: 14, bytes: 3, paths: [], more: 0, at_least: false }
const command = { kind: 'command' as const, command_truncated: false, language: null, source: true, cwd: '.', background: false, parts: [] }
const request = {
  kind: 'request' as const,
  method: 'POST',
  url: 'https://api.example.org/v1?q=1',
  headers: [],
  body: null,
  body_truncated: false,
}
const page = { kind: 'page' as const, target: null, value: null, value_truncated: false, address: 'https://example.org/a?b=c' }

test.each<[string, string, CallPreview, object?]>([
  ['Edit src/greeting.js?', 'fs.edit', change],
  ['Create notes.md?', 'fs.write', { ...change, path: 'notes.md', creates: true }],
  ['Overwrite notes.md?', 'fs.write', { ...change, path: 'notes.md' }],
  ['Delete the folder dist/ and 14 files in it?', 'fs.delete', removal],
  ['Delete the folder dist/ and 1 file in it?', 'fs.delete', { ...removal, files: 1 }],
  ['Delete the folder dist/ and at least 100,000 files in it?', 'fs.delete', { ...removal, files: 100_000, at_least: true }],
  ['Delete the folder dist/?', 'fs.delete', { ...removal, files: 0 }],
  ['Delete a.txt?', 'fs.delete', { ...removal, path: 'a.txt', folders: 0, files: 1 }],
  ['Rename a.txt to b.txt?', 'fs.move', { kind: 'move', from: 'a.txt', to: 'b.txt', replaces: false }],
  ['Rename x/a.txt to b.txt?', 'fs.move', { kind: 'move', from: 'x/a.txt', to: 'x/b.txt', replaces: false }],
  ['Move a.txt to docs/a.txt and replace what is there?', 'fs.move', { kind: 'move', from: 'a.txt', to: 'docs/a.txt', replaces: true }],
  ['Create the folder docs/?', 'fs.mkdir', { kind: 'folder', path: 'docs' }],
  ['Run node --test?', 'shell.exec', { ...command, command: 'node --test' }],
  ['Run cd a && ls …?', 'shell.exec', { ...command, command: 'cd a && ls\nrm -r b\n' }],
  ['Run npm start in the background?', 'shell.exec', { ...command, command: 'npm start', background: true }],
  ['Run make on build?', 'shell.exec', { ...command, command: 'make', remote: { name: 'build', sends: [], fetches: [] } }],
  ['Run a python3 script?', 'script.run', { ...command, command: 'print(1)', language: 'python3' }],
  ['Run python3 a.py --x?', 'script.run', { ...command, command: 'python3 a.py --x', language: 'python3', source: false }],
  ['Send a POST request to api.example.org?', 'http.request', request],
  ['Send an OPTIONS request to api.example.org?', 'http.request', { ...request, method: 'OPTIONS' }],
  ['Fetch api.example.org/v1?', 'web.fetch', { ...request, method: 'GET' }],
  ['Search the web for “oat milk”?', 'web.search', { ...request, method: 'GET' }, { query: 'oat milk' }],
  ['Open example.org/a in the browser?', 'browser.open', { ...page, action: 'open' }],
  ['Click button “Send” on example.org?', 'browser.click', { ...page, action: 'click', target: 'button “Send”' }],
  ['Type into e12 in the browser and press Enter?', 'browser.type', { ...page, action: 'type_and_submit', target: 'e12', address: null }],
  ['Type into a field on example.org?', 'browser.type', { ...page, action: 'type' }],
  ['Choose an option in e12 on example.org?', 'browser.select', { ...page, action: 'select', target: 'e12' }],
  ['Use e12 on example.org?', 'browser.hover', { ...page, action: 'hover' as 'click', target: 'e12' }],
  ['Run JavaScript on example.org?', 'browser.eval', { ...page, action: 'run', value: 'document.title' }],
  ['End process 4711?', 'process.kill', { kind: 'process', pid: 4711, command: 'npm start' }],
  ['Use “search” of the MCP server files?', 'mcp.files.search', { kind: 'mcp', server: 'files', tool: 'search' }],
  ['Edit a.js?', 'fs.edit', { kind: 'fails', message: 'It is not there.' }, { path: 'a.js' }],
])('%s', (title, tool, preview, given = {}) => {
  expect(approvalTitle({ tool, arguments: JSON.stringify(given), preview })).toBe(title)
})

test.each<[string, string, unknown]>([
  ['Write notes.md?', 'fs.write', { path: 'notes.md', content: '' }],
  ['Run npm test in the background?', 'shell.exec', { command: 'npm test', background: true }],
  ['Run a.py with python3?', 'script.run', { language: 'python3', path: 'a.py' }],
  ['Send a GET request to localhost:8080?', 'http.request', { url: 'http://localhost:8080/x' }],
  ['Send an OPTIONS request to localhost:8080?', 'http.request', { url: 'http://localhost:8080/x', method: 'OPTIONS' }],
  ['Use “read” of the MCP server files?', 'mcp.files.read', {}],
  ['Use mcp.files?', 'mcp.files', {}],
  ['Use fs.write?', 'fs.write', { path: 7 }],
  ['Use fs.write?', 'fs.write', { path: '  ' }],
  ['Use fs.write?', 'fs.write', null],
  ['Use toString?', 'toString', {}],
  ['Use memory.add?', 'memory.add', { path: 'a' }],
  ['List the files of the workspace?', 'fs.list', { path: '.' }],
  ['List the files in src?', 'fs.list', { path: 'src' }],
  ['Add a todo?', 'todo.create', { todos: [{ title: 'Tidy up' }] }],
  ['Add 3 todos?', 'todo.create', { todos: [{}, {}, {}] }],
  ['Use todo.create?', 'todo.create', { todos: [] }],
  ['Change the todo “Tidy up”?', 'todo.update', { id: '1', title: 'Tidy up' }],
  ['Change a todo?', 'todo.update', { id: '1', state: 'canceled' }],
  ['List the todos?', 'todo.list', {}],
  ['Complete a todo?', 'todo.complete', { ids: ['1'] }],
  ['Complete 2 todos?', 'todo.complete', { ids: ['1', '2'] }],
  ['Remember “I like tea”?', 'memory.add', { content: 'I like tea' }],
  ['Search memory for “tea”?', 'memory.search', { query: 'tea' }],
  ['Change a memory to “I like coffee”?', 'memory.update', { id: '1', content: 'I like coffee' }],
  ['Archive a memory?', 'memory.delete', { id: '1' }],
  ['Delegate “Fix the parser” to an agent?', 'agent.delegate', { title: 'Fix the parser', task: 'a' }],
  ['Start an agent for “Fix”?', 'agent.spawn', { members: [{ title: 'Fix' }] }],
  ['Start 2 agents for “Fix” and other work?', 'agent.spawn', { members: [{ title: 'Fix' }, { title: 'Test' }] }],
  ['Start agents for parts of the work?', 'agent.spawn', { members: [null, 1] }],
  ['Merge the work of another agent?', 'agent.merge_result', { run_ids: ['a'] }],
  ['Merge the work of 2 agents?', 'agent.merge_result', { run_ids: ['a', 'b'] }],
  ['Start the workflow “Nightly report”?', 'workflow.start', { workflow: 'Nightly report' }],
  ['Cancel a workflow?', 'workflow.control', { action: 'cancel' }],
  ['Skip “fetch” in a workflow?', 'workflow.control', { action: 'skip', node: 'fetch' }],
  ['Show “fetch” of a workflow?', 'workflow.query', { node: 'fetch' }],
  ['Search the knowledge base for “tea”?', 'kb.search', { query: 'tea' }],
  ['Add docs to the knowledge base?', 'kb.ingest', { path: 'docs' }],
  ['Add the workspace to the knowledge base?', 'kb.ingest', { path: '.' }],
  ['Load “https://example.org/tea” and add it to the knowledge base?', 'kb.ingest', { url: 'https://example.org/tea' }],
  ['Add the text “Tea at five.” to the knowledge base?', 'kb.ingest', { text: 'Tea at five.' }],
  ['Check “docs” in the knowledge base for changes?', 'kb.reindex', { source: 'docs' }],
  ['Check the knowledge base for changes?', 'kb.reindex', {}],
  ['Search the tools of MCP servers for “create an issue”?', 'tool.search', { query: 'create an issue' }],
  ['Use the skill pdf?', 'skill.load', { name: 'pdf' }],
  ['Read forms.md of the skill pdf?', 'skill.load', { name: 'pdf', file: 'forms.md' }],
  ['Ask “Which one?”?', 'ask_user', { question: 'Which one?' }],
])('without a preview: %s', (title, tool, given) => {
  expect(approvalTitle({ tool, arguments: JSON.stringify(given) })).toBe(title)
})

test('every tool that is built has a title of its own, from its arguments or a preview', () => {
  const given = {
    path: 'a',
    from: 'a',
    to: 'b',
    pattern: 'a',
    command: 'ls',
    language: 'node',
    process_id: '1',
    query: 'a',
    url: 'http://a/',
  }
  const more = { workflow: 'a', action: 'pause', node: 'a', content: 'a', name: 'a', question: 'a', todos: [{}], ids: ['1'] }
  const untitled = Object.keys(toolOutputs).filter((tool) => callTitle(tool, JSON.stringify({ ...given, ...more })) === null)
  expect(untitled).toEqual([])
})

test.each([
  ['https://good.example@evil.example/a', 'evil.example'],
  ['https://a:b@good.example@evil.example/a', 'evil.example'],
  ['https://good.example\\@evil.example', 'good.example'],
  ['https://good.example?@evil.example', 'good.example'],
  ['https:///evil.example', 'https:///evil.example'],
  ['javascript:alert(1)', 'javascript:alert(1)'],
])('the host of %s is the one that is asked', (url, host) => {
  expect(approvalTitle({ tool: 'http.request', arguments: '{}', preview: { ...request, url } })).toBe(`Send a POST request to ${host}?`)
})

test('with truncated or broken arguments the title has only the name of the tool', () => {
  expect(approvalTitle({ tool: 'fs.write', arguments: '{"path":"a' })).toBe('Use fs.write?')
})

describe('hostile names', () => {
  const titled = (path: string) => approvalTitle({ tool: 'fs.write', arguments: '{}', preview: { ...change, path } })

  test('are one line, in their own order, with everything visible', () => {
    expect(titled('a\nAllow once?\r\u2028b')).toBe('Overwrite a⟨U+000A⟩Allow once?⟨U+000D⟩⟨U+2028⟩b?')
    expect(titled('a\u202egnp.exe')).toBe('Overwrite a⟨U+202E⟩gnp.exe?')
  })

  test('of 5,000 characters keep the end of a path and the beginning of a command', () => {
    expect(titled(`${'a/'.repeat(2_500)}end.js`)).toBe(`Overwrite …${'/a'.repeat(26)}/end.js?`)
    const long = approvalTitle({ tool: 'shell.exec', arguments: JSON.stringify({ command: `rm ${'x'.repeat(5_000)}` }) })
    expect(long).toBe(`Run rm ${'x'.repeat(76)}…?`)
  })

  test('a character is never cut in half', () => {
    expect(titled(`${'😀'.repeat(100)}`).isWellFormed()).toBe(true)
    expect(titled(`a${'😀'.repeat(100)}`).isWellFormed()).toBe(true)
  })
})

const anyText = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.constantFrom('\u202e', 'a\nb', '\u0000', '/'.repeat(500)),
)
const anyTool = fc.oneof(
  fc.constantFrom(...builtinToolNames),
  anyText.map((text) => `mcp.${text}`),
  anyText,
)
const fieldNames = ['path', 'from', 'to', 'command', 'url', 'method', 'language', 'query', 'pattern', 'pid', 'process_id', 'background']
const anyArguments = fc.oneof(
  anyText,
  fc
    .dictionary(fc.constantFrom(...fieldNames), fc.oneof(anyText, fc.integer(), fc.boolean(), fc.constant(null)))
    .map((given) => JSON.stringify(given)),
)
const anyPreview: fc.Arbitrary<CallPreview | undefined> = fc.oneof(
  fc.constant(undefined),
  fc.record({ path: anyText, creates: fc.boolean() }).map((some) => ({ ...change, ...some })),
  fc.record({ path: anyText, folders: fc.nat(3), files: fc.nat() }).map((some) => ({ ...removal, ...some })),
  fc.record({ from: anyText, to: anyText, replaces: fc.boolean() }).map((some) => ({ kind: 'move' as const, ...some })),
  fc.record({ command: anyText, language: fc.option(anyText), source: fc.boolean() }).map((some) => ({ ...command, ...some })),
  fc.record({ method: anyText, url: anyText }).map((some) => ({ ...request, ...some })),
  fc.record({ target: fc.option(anyText), address: fc.option(anyText) }).map((some) => ({ ...page, action: 'click' as const, ...some })),
  fc.record({ server: anyText, tool: anyText }).map((some) => ({ kind: 'mcp' as const, ...some })),
)

test('any tool with any arguments has a short, single-line title without hidden or reordered text', () => {
  fc.assert(
    fc.property(anyTool, anyArguments, anyPreview, (tool, given, preview) => {
      const title = approvalTitle({ tool, arguments: given, ...(preview ? { preview } : {}) })
      expect(title).toMatch(/^[A-Z].*\?$/)
      expect(title.length).toBeLessThan(200)
      expect(title).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}]/u)
    }),
    { numRuns: 3_000 },
  )
})

test('for a preview of a newer version the arguments are used', () => {
  const preview = { kind: 'teleport' } as never
  expect(approvalTitle({ tool: 'fs.write', arguments: '{"path":"a"}', preview })).toBe('Write a?')
})

test('with a warning only "once" and "no" are offered', () => {
  const choices = ['once', 'this_run', 'always', 'no'] as const
  expect(offeredAnswers({ choices, warnings: [] })).toEqual(choices)
  expect(offeredAnswers({ choices, warnings: ['Look.'] })).toEqual(['once', 'no'])
})
