import { renewServerEpoch } from '@tandem/server'

/** `tandem renew-epoch`: the last step of restoring a backup, with all nodes stopped. */
export async function renewEpoch(args: readonly string[]): Promise<number> {
  if (args.length > 0) {
    console.error('tandem: renew-epoch takes no arguments; it reads the same environment as the server')
    return 2
  }
  const renewed = await renewServerEpoch({ ...process.env, LOG_LEVEL: 'error' })
  if (!renewed.ok) {
    for (const problem of renewed.problems) console.error(`tandem: ${problem}`)
    return 1
  }
  console.log(`The epoch is now ${renewed.epoch}. Start the servers again: every device will send its data again.`)
  return 0
}
