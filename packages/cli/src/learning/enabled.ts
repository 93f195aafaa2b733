import { resolveAgent } from '../command/policy.ts'
import { withRuntimeClient } from '../runtime-client/connect.ts'
import { explainedUsage, parseArguments, printUsage } from '../terminal/args.ts'
import { idProblem, json, text } from '../terminal/options.ts'
import { refused } from '../terminal/refusal.ts'

export const enabledUsage = explainedUsage(
  'tandem learning on|off|status --agent NAME | --conversation ID [--json]',
  'Turns learning from the runs of an agent or of a conversation on or off, or shows whether it is on.',
)

/** `on`, `off` and `status`. */
export async function enabled(verb: 'on' | 'off' | 'status', args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { agent: text, conversation: text, json }, enabledUsage)
  if (!given.ok) return given.code
  const { agent, conversation } = given.values
  if (given.words.length > 0) return printUsage(`unexpected argument "${given.words[0]}"`, enabledUsage)
  if ((agent === undefined) === (conversation === undefined)) return printUsage('specify --agent or --conversation', enabledUsage)
  const problem = idProblem('--conversation', conversation)
  if (problem) return printUsage(problem, enabledUsage)
  return await withRuntimeClient(process.cwd(), async (client) => {
    const found = agent === undefined ? null : await resolveAgent(client, agent)
    if (found && !found.ok) return refused(found.error)
    const subject = found ? ({ kind: 'agent', id: found.value } as const) : ({ kind: 'conversation', id: conversation ?? '' } as const)
    const answer =
      verb === 'status'
        ? await client.call('learning_get_enabled', subject)
        : await client.call('learning_set_enabled', { ...subject, enabled: verb === 'on' })
    if (!answer.ok) return refused(answer.error)
    const state = answer.value.enabled ? 'learned from' : 'not learned from'
    const whose = agent === undefined ? 'this conversation' : agent
    console.log(given.values.json ? JSON.stringify(answer.value) : `Runs of ${whose} are ${state}.`)
    return 0
  })
}
