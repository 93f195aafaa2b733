import { explainedUsage, joinUsages, printUsage } from '../terminal/args.ts'
import { automatic, automaticUsage } from './automatic.ts'
import { dismiss, dismissUsage, gaps, gapsUsage, traces, tracesUsage } from './found.ts'
import { advance, advanceUsage, list, listUsage, show, showUsage } from './recommendations.ts'
import { type StepVerb, step, steps, stepsUsage } from './steps.ts'
import { diff, diffUsage, versions, versionsUsage } from './versions.ts'

type Action = (args: readonly string[]) => Promise<number>
const stepVerbs = Object.keys(steps) as StepVerb[]

const verbs: Readonly<Record<string, Action>> = {
  list,
  show,
  traces,
  gaps,
  dismiss,
  advance,
  ...Object.fromEntries(stepVerbs.map((verb): [string, Action] => [verb, (args) => step(verb, args)])),
  versions,
  diff,
  automatic,
}

const usage = joinUsages(
  listUsage,
  showUsage,
  tracesUsage,
  gapsUsage,
  dismissUsage,
  advanceUsage,
  stepsUsage,
  versionsUsage,
  diffUsage,
  automaticUsage,
  explainedUsage(
    'examples:',
    'tandem evolution --state canary_applied',
    'tandem evolution diff 01a1e4b0-6b9f-7021-8646-1a860de57084 1 2',
    'tandem evolution automatic on --agent Builder',
  ),
)

/** `tandem evolution`: what users repeat, what is proposed because of it, and what a person decides about it. */
export async function evolution([verb = 'list', ...args]: readonly string[]): Promise<number> {
  if (verb === '--help' || verb === '-h') {
    console.log(`usage: ${usage}`)
    return 0
  }
  if (verb.startsWith('-')) return await list([verb, ...args])
  const run = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined
  return run ? await run(args) : printUsage(`unknown action "${verb}": choose one of ${Object.keys(verbs).join(', ')}`, usage)
}
