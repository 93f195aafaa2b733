import { explainedUsage, joinUsages, printUsage } from '../terminal/args.ts'
import { candidates, candidatesUsage } from './candidates.ts'
import { enabled, enabledUsage } from './enabled.ts'
import { memories, memoriesUsage } from './memories.ts'
import { outcomes, outcomesUsage, reflections, reflectionsUsage } from './outcomes.ts'
import { patterns, patternsUsage } from './patterns.ts'
import { ofRun, runUsage } from './run.ts'

const verbs: Readonly<Record<string, (args: readonly string[]) => Promise<number>>> = {
  outcomes,
  run: ofRun,
  patterns,
  reflections,
  memories,
  candidates,
  on: (args) => enabled('on', args),
  off: (args) => enabled('off', args),
  status: (args) => enabled('status', args),
}

const usage = joinUsages(
  outcomesUsage,
  runUsage,
  patternsUsage,
  reflectionsUsage,
  memoriesUsage,
  candidatesUsage,
  enabledUsage,
  explainedUsage(
    'examples:',
    'tandem learning --agent Builder --verdict failure',
    'tandem learning candidates --state canary_ready',
    'tandem learning off --agent Builder',
  ),
)

/** `tandem learning`: what runs taught, and what a person decides about it. */
export async function learning([verb = 'outcomes', ...args]: readonly string[]): Promise<number> {
  if (verb === '--help' || verb === '-h') {
    console.log(`usage: ${usage}`)
    return 0
  }
  if (verb.startsWith('-')) return await outcomes([verb, ...args])
  const run = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined
  return run ? await run(args) : printUsage(`unknown action "${verb}": choose one of ${Object.keys(verbs).join(', ')}`, usage)
}
