import { renewServerEpoch } from '@tandem/server'
import { explainedUsage, parseArguments, printUsage } from '../terminal/args.ts'

const usage = explainedUsage(
  'tandem renew-epoch',
  'After a backup was restored: makes every device send its data again. Stop all servers first. It reads the same environment as the server.',
)

/** `tandem renew-epoch`: the last step of restoring a backup, with all nodes stopped. */
export async function renewEpoch(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, {}, usage)
  if (!given.ok) return given.code
  if (given.words.length > 0) return printUsage('renew-epoch takes no arguments', usage)
  const renewed = await renewServerEpoch({ ...process.env, LOG_LEVEL: 'error' })
  if (!renewed.ok) {
    for (const problem of renewed.problems) console.error(`tandem: ${problem}`)
    return 1
  }
  console.log(`The epoch is now ${renewed.epoch}. Start the servers again: every device will send its data again.`)
  return 0
}
