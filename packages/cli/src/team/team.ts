import { joinUsages, printUsage } from '../terminal/args.ts'
import { isId } from '../terminal/options.ts'
import { cancel, cancelUsage, pause, pauseUsage, raise, raiseUsage, resume, resumeUsage } from './control.ts'
import { copies, copiesUsage, discard, discardUsage } from './copies.ts'
import { graph, graphUsage, messages, messagesUsage } from './messages.ts'
import { oneRun, show, showUsage } from './show.ts'

const verbs: Readonly<Record<string, (args: readonly string[]) => Promise<number>>> = {
  pause,
  resume,
  cancel,
  raise,
  messages,
  copies,
  discard,
  graph,
}

const usage = joinUsages(
  showUsage,
  pauseUsage,
  resumeUsage,
  cancelUsage,
  raiseUsage,
  messagesUsage,
  copiesUsage,
  discardUsage,
  graphUsage,
  'RUN is the id of any run of the team.',
)

/** `tandem team`: a run and everything it started. */
export async function team(args: readonly string[]): Promise<number> {
  const [verb, ...rest] = args
  if (verb === '--help' || verb === '-h') {
    console.log(`usage: ${usage}`)
    return 0
  }
  const run = verb !== undefined && Object.hasOwn(verbs, verb) ? verbs[verb] : undefined
  if (run) return await run(rest)
  if (args.some(isId)) return await show(args)
  return printUsage(verb === undefined ? oneRun : `unknown subcommand "${verb}", and it is not the id of a run`, usage)
}
