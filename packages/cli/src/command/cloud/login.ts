import { withDesk } from '../../desk/open.ts'
import { parsed, sayUsage } from '../../terminal/args.ts'
import { askLine } from '../../terminal/line.ts'
import { readSecret } from '../../terminal/password.ts'
import { plain } from '../../terminal/plain.ts'
import { sayRefusal } from '../../terminal/refusal.ts'

const usage = `tandem login [URL] [--email ADDRESS] [--new] [--json]
  Signs this device in to a cloud, for example https://cloud.example.org. What lies here joins the account, and stays here too.
  The password is asked for, or read as the first line of the standard input.
  --new   make the account first`

const options = {
  email: { type: 'string' },
  new: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const

/** `tandem login`: signs in, or makes an account. */
export async function login(args: readonly string[]): Promise<number> {
  const given = parsed(args, options, usage)
  if (!given.ok) return given.code
  const [url, ...more] = given.words
  if (more.length > 0) return sayUsage(`what is "${more[0]}"? The password is asked for`, usage)
  const { json } = given.values
  return await withDesk(process.cwd(), async (desk) => {
    const known = await desk.call('account_show', {})
    if (!known.ok) return refused(known)
    const before = known.value.account
    if (before && before.ended === null) {
      console.error(`tandem: ${plain(before.email)} is signed in at ${plain(before.cloud_url)} already. tandem logout signs out.`)
      return 1
    }
    const cloud_url = url ?? before?.cloud_url ?? (await askLine('Address of the cloud: '))
    const email = given.values.email ?? before?.email ?? (await askLine('E-mail address: '))
    if (!cloud_url || !email) return sayUsage(`name the ${cloud_url ? 'e-mail address with --email' : 'address of the cloud'}`, usage)
    const password = await secret(given.values.new ? 'twice' : 'once')
    if (password === null) return 2
    const account = given.values.new ? 'new' : 'known'
    const answer = await desk.call('account_sign_in', { cloud_url, email, password, account })
    if (!answer.ok) return refused(answer)
    // The first round now, so that what is said next is true.
    const synced = await desk.call('sync_now', {})
    if (json) console.log(JSON.stringify({ ...answer.value, status: synced.ok ? synced.value.status : null }))
    else {
      console.log(`Signed in as ${plain(answer.value.account.email)} at ${plain(answer.value.account.cloud_url)}.`)
      if (synced.ok) console.log(`Synchronization: ${plain(synced.value.status.text)}.`)
    }
    return 0
  })
}

/** A new one is typed twice where nobody sees what was typed. Null, said why, when there is none. */
async function secret(times: 'once' | 'twice'): Promise<string | null> {
  const first = await readSecret('Password: ')
  if (first === null || first === '') {
    console.error('tandem: no password was given: type it, or send it over the standard input')
    return null
  }
  if (times === 'once' || !process.stdin.isTTY || (await readSecret('The same again: ')) === first) return first
  console.error('tandem: the two are not the same')
  return null
}

function refused({ error }: { readonly error: Parameters<typeof sayRefusal>[0] }): number {
  sayRefusal(error)
  return error.code === 'invalid_params' ? 2 : 1
}
