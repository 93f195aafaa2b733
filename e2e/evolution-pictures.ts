// What the screenshots of Evolution show: a user who repeats a release in real runs until its recommendation asks, and asks for the same
// things again and again.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { CommandName, CommandParams, CommandResult } from '@tandem/contract/command'
import { type RoutineStep, routineScript, userOf } from '../packages/runtime/test/support/test-routine.ts'
import type { Desktop } from './test-desktop.ts'

const nouns = ['alpha beacon', 'copper dune', 'ember forest', 'garnet harbor', 'indigo jungle', 'kernel lagoon', 'marble nickel']
const write = (path: string, content: string): RoutineStep => ['fs.write', { path, content }]

export const releases = routineScript((request) => {
  const n = Number(/release (\d+)/i.exec(request)?.[1] ?? 0)
  if (n === 0) return []
  return [
    ['fs.mkdir', { path: `release/v${n}` }],
    write(`release/v${n}/notes.md`, `${nouns[n % nouns.length]} ${nouns[(n + 3) % nouns.length]}`),
    write('CHANGELOG.md', `${nouns[(n + 1) % nouns.length]} and ${nouns[(n + 2) % nouns.length]}`),
    write('VERSION', `${n}.0.0`),
  ]
})

const asked = [
  ...['Sort the guests. Please reply in German.', 'Count them. Antworte bitte auf Deutsch.', 'Check it. Your answer should be in German.'],
  ...['List it. Do not touch legacy/.', 'Look again. Never touch legacy/.', 'And now. Don’t touch legacy/, please.'],
]

/** Returns the recommendation. */
export async function repeatReleases({ runtime, folder, workspace }: Desktop): Promise<string> {
  async function call<Name extends CommandName>(name: Name, params: CommandParams<Name>): Promise<CommandResult<Name>> {
    const answer = await runtime.commands.call(name, params)
    if (!answer.ok) throw new Error(`${name}: ${answer.error.message}`)
    return answer.value
  }
  mkdirSync(join(workspace, 'legacy'))
  const user = userOf({ call, runtime, folder, workspace, logged: [] })
  const { agent_id } = (await call('agent_create', { name: 'Releaser', max_turns: 8 })).agent
  for (const text of asked) await user.does(agent_id, text)
  for (let n = 1; n < 40; n += 1) {
    await user.does(agent_id, n % 2 === 0 ? `Make the release ${n}, please.` : `Please make release ${n} now.`)
    const [waiting] = (await user.list()).filter(({ asks }) => asks !== null)
    if (waiting) return waiting.id
  }
  throw new Error('it never asked')
}
