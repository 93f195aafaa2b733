import { withDesk } from '../../desk/open.ts'
import { parsed, sayUsage } from '../../terminal/args.ts'
import { plain } from '../../terminal/plain.ts'
import { sayRefusal } from '../../terminal/refusal.ts'
import { askYes } from '../../terminal/yes.ts'

const usage = `tandem logout [--wipe [--discard-unsent] [--yes]] [--everywhere] [--json]
  Signs this device out. The data on this device is kept, unless you use --wipe.
  --wipe             remove what Tandem stores on this device: conversations, agents, attachments, outputs and recovery points. Settings are
                     kept. Synced data stays in the account; files in your folders are not touched
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
  const given = parsed(args, options, usage)
  if (!given.ok) return given.code
  const { wipe, yes, everywhere, json, 'discard-unsent': discard } = given.values
  if (given.words.length > 0) return sayUsage(`unexpected argument "${given.words[0]}"`, usage)
  if (discard && !wipe) return sayUsage('--discard-unsent is only valid with --wipe; without --wipe nothing is lost', usage)
  return await withDesk(process.cwd(), async (desk) => {
    const shown = await desk.call('account_show', {})
    if (!shown.ok) {
      sayRefusal(shown.error)
      return 1
    }
    const { account, data_of } = shown.value
    if (!account && !(wipe && data_of !== null)) {
      console.error('tandem: you are not signed in on this device')
      return 1
    }
    if (wipe && !yes) {
      const sure = await askYes(
        'This deletes the conversations, agents, attachments, outputs and recovery points on this device. Delete them?',
      )
      if (sure !== 'yes') {
        console.error(sure === null ? 'tandem: without a terminal, --wipe needs --yes' : 'tandem: nothing was changed')
        return 2
      }
    }
    const answer = await desk.call('account_sign_out', {
      local_data: wipe ? 'wipe' : 'keep',
      unsent: discard ? 'discard' : 'keep',
      scope: everywhere ? 'everywhere' : 'session',
    })
    if (!answer.ok) {
      sayRefusal(answer.error)
      return 1
    }
    if (json) console.log(JSON.stringify(answer.value))
    else console.log(`${account ? `Signed out of ${plain(account.cloud_url)}. ` : ''}${ends[answer.value.local_data]}`)
    return 0
  })
}

const ends = {
  kept: 'The data on this device is kept and works without the cloud.',
  wiped: 'The data was deleted from this device. Synced data stays in the account; files in your folders were not touched.',
} as const
