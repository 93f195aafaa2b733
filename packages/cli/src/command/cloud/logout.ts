import { withRuntimeClient } from '../../runtime-client/connect.ts'
import { parseArguments, printUsage } from '../../terminal/args.ts'
import { confirm } from '../../terminal/confirm.ts'
import { printRefusal } from '../../terminal/refusal.ts'
import { stripControls } from '../../terminal/terminal-text.ts'

const usage = `tandem logout [--wipe [--discard-unsent] [--yes]] [--everywhere] [--json]
  Signs this device out. The data on this device is kept, unless you use --wipe.
  --wipe             remove what Tandem stores on this device: conversations, agents, memories, attachments, outputs and recovery points.
                     Settings are kept. Synced data stays in the account; what is stored only here, such as memories, is lost. Files in your folders are not touched
  --discard-unsent   wipe even if some changes were not synchronized; they are lost
  --everywhere       end the sessions of all devices of the account`

const options = {
  wipe: { type: 'boolean', default: false },
  'discard-unsent': { type: 'boolean', default: false },
  yes: { type: 'boolean', default: false },
  everywhere: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const

/** `tandem logout`: signs out, and keeps or deletes the local data. */
export async function logout(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, options, usage)
  if (!given.ok) return given.code
  const { wipe, yes, everywhere, json, 'discard-unsent': discard } = given.values
  if (given.words.length > 0) return printUsage(`unexpected argument "${given.words[0]}"`, usage)
  if (discard && !wipe) return printUsage('--discard-unsent is only valid with --wipe; without --wipe nothing is lost', usage)
  return await withRuntimeClient(process.cwd(), async (client) => {
    const shown = await client.call('account_show', {})
    if (!shown.ok) {
      printRefusal(shown.error)
      return 1
    }
    const { account, data_of } = shown.value
    if (!account && !(wipe && data_of !== null)) {
      console.error('tandem: you are not signed in on this device')
      return 1
    }
    if (wipe && !yes) {
      const sure = await confirm(
        'This deletes the conversations, agents, memories, attachments, outputs and recovery points on this device. Memories and recovery points are stored only here and cannot be recovered. Delete everything?',
      )
      if (sure !== 'yes') {
        console.error(sure === null ? 'tandem: without a terminal, --wipe needs --yes' : 'tandem: nothing was changed')
        return 2
      }
    }
    const answer = await client.call('account_sign_out', {
      local_data: wipe ? 'wipe' : 'keep',
      unsent: discard ? 'discard' : 'keep',
      scope: everywhere ? 'everywhere' : 'session',
    })
    if (!answer.ok) {
      printRefusal(answer.error)
      return 1
    }
    if (json) console.log(JSON.stringify(answer.value))
    else console.log(`${account ? `Signed out of ${stripControls(account.cloud_url)}. ` : ''}${ends[answer.value.local_data]}`)
    return 0
  })
}

const ends = {
  kept: 'The data on this device is kept and works without the cloud.',
  wiped: 'The data was deleted from this device. Synced data stays in the account. Files in your folders were not touched.',
} as const
