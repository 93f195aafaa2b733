// Every built-in tool once, called by a run of a whole runtime: what works in isolation must also work for users.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { startTestAgent } from './support/test-agent.ts'

const page = `<!doctype html><title>Shop</title><article><h1>A shop of many things</h1><p>${'Here is a long story about all that is sold. '.repeat(20)}</p></article>
  <form action="/bought"><input aria-label="Name"><select aria-label="Colour"><option>red</option><option>blue</option></select><button>Buy</button></form>
  <script>console.log('the shop is open')</script>`

test('each tool works', async () => {
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/search')) {
      const results = [{ title: 'Shop', url: 'http://shop.example/', content: 'Many things' }]
      return response.setHeader('content-type', 'application/json').end(JSON.stringify({ results }))
    }
    return response.setHeader('content-type', 'text/html').end(page)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const url = `http://${host}/`
  /** What an earlier result named. */
  type Told = (pattern: RegExp) => string
  const turns: readonly ((told: Told) => readonly [string, unknown])[] = [
    () => ['time.now', {}],
    () => ['fs.mkdir', { path: 'notes' }],
    () => ['fs.write', { path: 'notes/a.txt', content: 'one\ntwo\n' }],
    () => ['fs.edit', { path: 'notes/a.txt', edits: [{ old_text: 'two', new_text: 'three' }] }],
    () => ['fs.read', { path: 'notes/a.txt' }],
    () => ['fs.list', { path: '.' }],
    () => ['fs.search', { pattern: 'three' }],
    () => ['fs.move', { from: 'notes/a.txt', to: 'notes/b.txt' }],
    () => ['fs.delete', { path: 'notes/b.txt' }],
    () => ['todo.create', { todos: [{ title: 'Buy milk' }] }],
    (told) => ['todo.update', { id: told(/^\[.\] (\S+) /m), state: 'in_progress' }],
    (told) => ['todo.complete', { ids: [told(/^\[.\] (\S+) /m)] }],
    () => ['todo.list', {}],
    () => ['memory.add', { content: 'The shop has a search page.', memory_kind: 'semantic', about: 'shop' }],
    (told) => ['memory.update', { id: told(/^(\S+) \[semantic/m), content: 'The shop has two search pages.' }],
    () => ['memory.search', { query: 'search pages of the shop' }],
    (told) => ['memory.delete', { id: told(/^(\S+) \[semantic/m) }],
    () => ['kb.ingest', { text: 'The shop opens at nine and closes at six.', name: 'Opening hours' }],
    () => ['kb.reindex', { source: 'Opening hours' }],
    () => ['kb.search', { query: 'when does the shop open' }],
    () => ['workflow.start', { workflow: 'Ask' }],
    (told) => ['workflow.snapshot', { workflow_run_id: told(/^id: (\S+)/m) }],
    (told) => ['workflow.query', { workflow_run_id: told(/^id: (\S+)/m), node: 'ask' }],
    (told) => ['workflow.history', { workflow_run_id: told(/^id: (\S+)/m) }],
    (told) => ['workflow.control', { workflow_run_id: told(/^id: (\S+)/m), action: 'cancel' }],
    (told) => ['workflow.wait', { workflow_run_id: told(/^id: (\S+)/m) }],
    () => ['agent.spawn', { members: [{ title: 'Side', task: 'A part' }] }],
    () => ['agent.delegate', { title: 'Main', task: 'Another part' }],
    () => ['team.send', { text: 'Almost done' }],
    (told) => ['agent.merge_result', { run_ids: [told(/"Main" \(run (\S+)\)/)] }],
    () => ['shell.exec', { command: 'echo hello' }],
    () => ['script.run', { language: 'bash', source: 'echo from a script' }],
    () => ['shell.exec', { command: 'sleep 60', background: true }],
    () => ['process.list', {}],
    (told) => ['process.kill', { process_id: told(/in the background as (\S+)/) }],
    () => ['http.request', { url }],
    () => ['web.fetch', { url }],
    () => ['web.extract', { url }],
    () => ['web.search', { query: 'shop' }],
    () => ['browser.open', { url }],
    () => ['browser.type', { role: 'textbox', name: 'Name', value: 'Ada' }],
    () => ['browser.select', { role: 'combobox', name: 'Colour', values: ['blue'] }],
    () => ['browser.screenshot', {}],
    () => ['browser.eval', { expression: '1 + 1' }],
    () => ['browser.console_logs', {}],
    () => ['browser.network_logs', {}],
    () => ['browser.click', { role: 'button', name: 'Buy' }],
    () => ['browser.wait', { url: '/bought' }],
  ]
  const here = await startTestAgent(
    (_index, { messages }) => {
      // The members of its team have nothing to do.
      if (!messages.some(({ content }) => content === 'Try everything')) return { text: 'Done.' }
      const answers = messages.filter(({ role }) => role === 'tool').map(({ content }) => String(content))
      const told: Told = (pattern) =>
        answers.map((answer) => pattern.exec(answer)?.[1]).findLast((found) => found !== undefined) ?? 'nothing'
      const next = turns[answers.length]?.(told)
      return next ? { calls: [{ name: next[0], arguments: next[1] }] } : { text: 'All of it.' }
    },
    { environment: { TANDEM_SEARCH_PROVIDER: 'searxng', TANDEM_SEARCH_URL: `http://${host}` } },
  )
  onTestFinished(async () => {
    await here.stop()
    server.close()
  })
  const agent_id = await here.agent()
  const offered = (await here.call('tool_list', {})).items.map(({ tool }) => tool)
  for (const tool of offered.filter((name) => name !== 'ask_user')) {
    await here.policy(agent_id, tool, { approval_mode: 'auto', network_scope: { hosts: [host] } })
  }
  const nodes = [{ id: 'ask', kind: 'question' as const, question: 'Is the shop open?' }]
  await here.call('workflow_save', { name: 'Ask', definition: { inputs: [], nodes, edges: [] } })
  const { run_id } = await here.ask(agent_id, 'Try everything')
  const stateOf = () => here.runtime.journal.run(run_id)?.state
  // It is paused while it waits for a member.
  await expect.poll(stateOf).toBe('completed')
  const results = here.runtime.journal.steps(run_id).flatMap(({ step }) => (step.kind === 'tool.result' ? [step] : []))
  const asked = here.runtime.journal.steps(run_id).flatMap(({ step }) => (step.kind === 'tool.call' ? [step.tool] : []))
  const ends = results.map(({ outcome, failure_contract }, index) => [asked[index], outcome, failure_contract?.details.message ?? ''])
  expect(ends).toEqual(asked.map((tool) => [tool, 'succeeded', '']))
  expect([stateOf(), ends.length]).toEqual(['completed', turns.length])
  // The remaining ones need something special: a user, a skill, or many tools of MCP servers.
  expect(offered.filter((tool) => !asked.includes(tool)).toSorted()).toEqual(['ask_user', 'skill.load', 'tool.search'])
})
