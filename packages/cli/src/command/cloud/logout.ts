import { withDesk } from '../../desk/open.ts'
import { parsed, sayUsage } from '../../terminal/args.ts'
import { plain } from '../../terminal/plain.ts'
import { sayRefusal } from '../../terminal/refusal.ts'
import { askYes } from '../../terminal/yes.ts'

const usage = `tandem logout [--wipe [--discard-unsent] [--yes]] [--everywhere] [--json]
  Signs this device out. What lies here stays, unless --wipe takes it away.
  --wipe             remove conversations, agents, files and recovery points from this device; the account keeps its copy
  --discard-unsent   wipe although changes were never sent: they are lost
  --everywhere       end the sessions of all devices of the account`

const options = {
  wipe: { type: 'boolean', default: false },
  'discard-unsent': { type: 'boolean', default: false },
  yes: { type: 'boolean', default: false },
  everywhere: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const

/** `tandem logout`: signs out, and keeps or wipes what lies here. */
export async function logout(args: readonly string[]): Promise<number> {
  const given = parsed(args, options, usage)
  if (!given.ok) return given.code
  const { wipe, yes, everywhere, json, 'discard-unsent': discard } = given.values
  if (given.words.length > 0) return sayUsage(`what is "${given.words[0]}"?`, usage)
  if (discard && !wipe) return sayUsage('--discard-unsent goes with --wipe: without it nothing is lost', usage)
  return await withDesk(process.cwd(), async (desk) => {
    const shown = await desk.call('account_show', {})
    if (!shown.ok) {
      sayRefusal(shown.error)
      return 1
    }
    const { account, data_of } = shown.value
    if (!account && !(wipe && data_of !== null)) {
      console.error('tandem: nobody is signed in on this device')
      return 1
    }
    if (wipe && !yes) {
      const sure = await askYes('Everything Tandem keeps on this device for this account goes. Wipe it?')
      if (sure !== 'yes') {
        console.error(sure === null ? 'tandem: say --yes to wipe where nobody can be asked' : 'tandem: nothing was changed')
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
  kept: 'What lies on this device stays, and goes on without the cloud.',
  wiped: 'What lay on this device is gone; the account keeps its copy.',
} as const
