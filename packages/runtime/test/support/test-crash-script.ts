// The work of the crash tests, as a model does it: it reaches every crash point. The next step depends on the messages to the model
// and on the files in the folder, never on how often the model was called: a run that was killed calls it again.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Script, ScriptedTurn } from './model/test-model.ts'

/** The user's prompts, in the order of the conversations. */
export const requests = {
  work: 'Do the work',
  change: 'Change the file',
  talk: ['One', 'Two', 'Three', 'Four'],
  fill: 'Fill the folder',
  serve: 'Serve the folder',
} as const

/** More than the five that are always kept. */
const filled = ['d1', 'd2', 'd3', 'd4', 'd5', 'd6', 'd7'] as const

/** The folder before the work. */
export const before = { 'b.txt': 'old' } as const

/** The folder after it, however often the runtime was killed. */
export const after: Readonly<Record<string, string>> = {
  'a.txt': 'one',
  'b.txt': 'new',
  'log.txt': 'two\n',
  'served.txt': 'three\n',
  ...Object.fromEntries(filled.map((name) => [name, name])),
}

const write = (path: string, content: string) => ({ name: 'fs.write', arguments: { path, content } })

/** A background command that runs until the run ends. */
const serving = { name: 'shell.exec', arguments: { command: 'echo three > served.txt; sleep 600', background: true } }

/** Long enough that three of them do not fit into the context window next to the prompt and the tools. */
const long = 'word '.repeat(5_000)

/** The user's answer to the question. */
export const answer = 'Yes, continue'

export function crashScript(workspace: () => string): Script {
  function contentOf(file: string): string {
    const path = join(workspace(), file)
    return existsSync(path) ? readFileSync(path, 'utf8') : ''
  }

  function work(results: readonly string[]): ScriptedTurn {
    if (contentOf('a.txt') === '') {
      const again = { calls: [write('a.txt', 'one')] }
      return results.length > 0 ? again : { ...again, text: 'First a file, said slowly, in pieces. '.repeat(4), slow_ms: 30 }
    }
    if (contentOf('log.txt') === '') return { calls: [{ name: 'shell.exec', arguments: { command: 'echo two >> log.txt' } }] }
    const answered = results.findIndex((text) => text.includes(answer))
    if (answered === -1) return { calls: [{ name: 'ask_user', arguments: { question: 'Shall I continue?' } }] }
    if (answered === results.length - 1) return { calls: [{ name: 'fs.read', arguments: { path: 'a.txt' } }] }
    // A wait that was interrupted before it began is started again.
    if (!results.some((text) => text.includes('nap_id'))) return { calls: [{ name: 'toy.nap', arguments: { days: 0 } }] }
    return { text: 'The work is done.' }
  }

  function serve(results: readonly string[]): ScriptedTurn {
    if (contentOf('served.txt') !== '') return { text: 'It is served.' }
    if (!results.at(-1)?.includes('Started in the background')) return { calls: [serving] }
    // The next read of the folder comes after the command has written, unless it was killed before that.
    return { calls: [{ name: 'fs.read', arguments: { path: 'a.txt' } }], hold: untilServed() }
  }

  async function untilServed(): Promise<void> {
    for (let waits = 0; waits < 50 && contentOf('served.txt') === ''; waits += 1) await sleep(100)
  }

  function fill(): ScriptedTurn {
    const missing = filled.filter((name) => contentOf(name) === '')
    return missing.length === 0 ? { text: 'The folder is full.' } : { calls: missing.map((name) => write(name, name)) }
  }

  return (_index, { messages, tools = [] }) => {
    if (tools.length === 0) return { text: 'The user counted.' }
    // A response that was interrupted by a kill is followed by a note about it.
    const last = messages.findLastIndex(({ role, content }) => role === 'user' && !String(content).startsWith('[Your response above'))
    const said = String(messages[last]?.content)
    const results = messages.slice(last + 1).flatMap(({ role, content }) => (role === 'tool' ? [String(content)] : []))
    if (said.includes(requests.work)) return work(results)
    if (said.includes(requests.change))
      return contentOf('b.txt') === 'new' ? { text: 'It is changed.' } : { calls: [write('b.txt', 'new')] }
    if (said.includes(requests.fill)) return fill()
    if (said.includes(requests.serve)) return serve(results)
    return { text: `${said.slice(0, 20)}: ${long}` }
  }
}
