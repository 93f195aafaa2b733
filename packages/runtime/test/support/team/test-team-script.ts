// What each agent of a team does, by its first message. Calls that a crash interrupted are made again.
import type { ScriptedTurn } from '../model/test-model.ts'

interface Said {
  readonly role: string
  readonly content: unknown
}

export type TeamScript = Readonly<Record<string, (done: readonly string[], heard: readonly string[], retries: number) => ScriptedTurn>>

const interrupted = /was running when the runtime stopped/

/**
 * `done`: the results of the calls that were not interrupted. `heard`: everything after the first message that is not a result. `retries`:
 * how many calls were interrupted.
 */
export function teamScript(turns: TeamScript) {
  return (_index: number, { messages }: { readonly messages: readonly Said[] }): ScriptedTurn => {
    const texts = (role: string) => messages.filter((one) => one.role === role).map(({ content }) => String(content))
    const [first = '', ...heard] = texts('user')
    const known = Object.keys(turns).find((begin) => first.startsWith(begin))
    const results = texts('tool')
    const done = results.filter((text) => !interrupted.test(text))
    return (
      (known === undefined ? undefined : turns[known]?.(done, heard, results.length - done.length)) ?? {
        text: `There is no script for: ${first}`,
      }
    )
  }
}

export const call = (name: string, args: object): ScriptedTurn => ({ calls: [{ name, arguments: args }] })

const runIdOf = (title: string, results: readonly string[]) =>
  new RegExp(`"run_id":"([^"]+)","title":"${title}"`).exec(results.join('\n'))?.[1] ?? ''

/** Two members at once, one after them, messages between them, and the merge of what one of them did. */
export const everything: TeamScript = {
  Lead(done, heard, retries) {
    const ended = heard.filter((text) => text.includes('has ended')).length
    const steps: readonly (() => ScriptedTurn)[] = [
      () =>
        call('agent.spawn', {
          members: [
            { title: 'Copier', task: 'Change the copy' },
            { title: 'Sharer', task: 'Write below shared', workspace: 'shared', paths: ['shared'] },
          ],
        }),
      () => call('agent.delegate', { title: 'Adviser', task: 'Give advice' }),
    ]
    const step = steps[done.length]
    if (step) return step()
    if (ended < 2) return { text: 'I wait for the members.' }
    // The same call with the same result, again and again, would be refused.
    const run_ids = Array.from({ length: retries + 1 }, () => runIdOf('Copier', done))
    if (done.length === 2) return call('agent.merge_result', { run_ids })
    return { text: 'Everything is done.' }
  },
  'Change the copy'(done) {
    const steps = [
      call('fs.write', { path: 'one.txt', content: 'changed by the copier\n' }),
      call('fs.write', { path: 'new/two.txt', content: 'new\n', create_parents: true }),
      call('fs.delete', { path: 'old.txt' }),
      call('team.send', { to: 'parent', topic: 'copy', text: 'The copy is changed.' }),
    ]
    return steps[done.length] ?? { text: 'The copy is ready.' }
  },
  'Write below shared'(done) {
    return done.length === 0 ? call('fs.write', { path: 'shared/three.txt', content: 'shared\n' }) : { text: 'Shared is ready.' }
  },
  'Give advice': () => ({ text: 'Merge it.' }),
}
