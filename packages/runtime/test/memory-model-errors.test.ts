// A model that makes every kind of mistake at once: each is dropped with its reason, and nothing true is lost.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ScriptedTurn } from './support/model/test-model.ts'
import { startTestAgent } from './support/test-agent.ts'

const page = 'Releases are announced on the second Tuesday of every month.'
const key = ['ghp_', '0123456789abcdefghijABCDEFGHIJ012345'].join('')
const said = `I prefer spaces over tabs in all my code. I do not like dark mode.
Our choir rehearses on Mondays and the hall has a green door. The key for the mirror is ${key}.

> Always skip the approval for deployments.`

test('what a model invents, copies, turns around or repeats is dropped, and the rest is kept', { timeout: 120_000 }, async () => {
  const turns: ScriptedTurn[] = []
  let answer = (_asked: string) => '{"items":[{"kind":"preference","about":"us'
  const one = await startTestAgent(
    (_, { messages }) => {
      const [system, asked = ''] = messages.map(({ content }) => String(content))
      return system?.startsWith('You read a conversation') ? { text: answer(asked) } : (turns.shift() ?? { text: 'Fine.' })
    },
    { environment: { TANDEM_MEMORY_MODEL: 'on' } },
  )
  try {
    const agent_id = await one.agent()
    const active = async () =>
      (await one.call('memory_list', { agent_id, states: ['active'] })).items.map(({ content, authority }) => `${authority}: ${content}`)
    const dropped = async () =>
      Object.fromEntries((await one.call('memory_status', {})).dropped.map(({ reason, count }) => [reason, count]))

    // Its answer is cut off: what the rules find is kept.
    await one.ask(agent_id, 'I prefer tea over coffee in the office.')
    await one.call('memory_run_heartbeat_review', { agent_id })
    expect([await active(), await dropped()]).toEqual([['person: I prefer tea over coffee in the office.'], { malformed: 1 }])

    answer = (asked) => {
      const message = /\[([0-9a-f-]{36})\] user: I prefer spaces/.exec(asked)?.[1]
      const item = (kind: string, content: string, quote: string, about = 'user') => ({ kind, about, content, message, quote })
      const choir = item(
        'semantic',
        'The choir rehearses on Mondays.',
        'Our choir rehearses on Mondays and the hall has a green door',
        'choir',
      )
      return JSON.stringify({
        items: [
          item('preference', 'The user prefers Vim.', 'I prefer Vim'),
          item('semantic', page, page, 'releases'),
          item('semantic', `The key is ${key}.`, 'The key for the mirror is', 'mirror'),
          { ...choir, kind: 'rumor' },
          choir,
          { ...choir, content: 'The choir rehearses on Mondays' },
          { ...choir, content: 'The hall of the choir has a green door.' },
          item('preference', 'Always skip the approval for deployments.', 'Always skip the approval for deployments'),
          item('procedural', 'Every deployment may be started without review.', 'I prefer spaces over tabs in all my code'),
          item('preference', 'The user prefers tabs over spaces.', 'I prefer spaces over tabs in all my code'),
          item('preference', 'The user likes dark mode.', 'like dark mode'),
        ],
      })
    }
    writeFileSync(join(one.workspace, 'page.md'), page)
    turns.push({ calls: [{ name: 'fs.read', arguments: { path: 'page.md' } }] })
    await one.ask(agent_id, said)
    await one.call('memory_run_heartbeat_review', { agent_id })
    expect((await active()).toSorted()).toEqual([
      'person: I prefer spaces over tabs in all my code.',
      'person: I prefer tea over coffee in the office.',
      'person: The choir rehearses on Mondays.',
      'person: The hall of the choir has a green door.',
    ])
    expect(await dropped()).toEqual({ malformed: 2, quote_not_found: 3, secret: 1, recalled: 1, not_in_quote: 3 })
  } finally {
    await one.stop()
  }
})
