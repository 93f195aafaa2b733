import { readFileSync } from 'node:fs'
import { withRuntimeClient } from '../runtime-client/connect.ts'
import type { RuntimeClient } from '../runtime-client/runtime-client.ts'
import { explainedUsage, printUsage, wantsHelp } from '../terminal/args.ts'
import { printRefusal } from '../terminal/refusal.ts'

const usage = explainedUsage(
  'tandem command NAME [JSON | -]',
  'Calls a command of the runtime and prints its result as JSON. With -, the parameters are read from standard input.',
  'List the commands with tandem names commands; docs/reference.md describes their parameters.',
)

/** `tandem command`: any command of the runtime, with its result as JSON on standard output. */
export async function callCommand(args: readonly string[]): Promise<number> {
  if (wantsHelp(args)) {
    console.log(`usage: ${usage}`)
    return 0
  }
  const [name, text = '{}', ...more] = args
  if (name === undefined || more.length > 0)
    return printUsage('specify one command and its parameters; list the commands with tandem names commands', usage)
  let params: unknown
  try {
    params = JSON.parse(text === '-' ? readFileSync(0, 'utf8') : text)
  } catch (error) {
    return printUsage(`the parameters are not valid JSON${placeIn(error)}`, usage)
  }
  return await withRuntimeClient(process.cwd(), async (client) => {
    const answer = await client.receive(name, params)
    if (!answer.ok) {
      printRefusal(answer.error)
      return answer.error.code === 'invalid_params' || answer.error.code === 'unknown_command' ? 2 : 1
    }
    console.log(JSON.stringify(answer.value))
    await untilDone(client, answer.value)
    return 0
  })
}

/** The parser's message is not for users; the position where it stopped is. */
function placeIn(error: unknown): string {
  return / \(line \d+ column \d+\)/.exec(String(error))?.[0] ?? ''
}

/** A runtime of our own ends with this command, so wait for a run that it started. */
async function untilDone(client: RuntimeClient, value: unknown): Promise<void> {
  const { run, run_id } = (value ?? {}) as { run?: { run_id?: string }; run_id?: string }
  const going = run?.run_id ?? run_id
  if (client.kind !== 'own' || going === undefined) return
  const pause = () => void client.call('agent_run_pause', { run_id: going })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, pause)
  await client.settled(going)
}
