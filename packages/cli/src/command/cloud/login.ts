import { withRuntimeClient } from '../../runtime-client/connect.ts'
import { parseArguments, printUsage } from '../../terminal/args.ts'
import { readSecret } from '../../terminal/password.ts'
import { promptLine } from '../../terminal/prompt-line.ts'
import { printRefusal } from '../../terminal/refusal.ts'
import { stripControls } from '../../terminal/terminal-text.ts'

const usage = `tandem login [URL] [--email ADDRESS] [--new] [--json]
  Signs this device in to a server, for example https://cloud.example.org. The data on this device is added to the account and stays on the device.
  Tandem asks for the password, or reads it from the first line of standard input.
  --new   create the account first`

const options = {
  email: { type: 'string' },
  new: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const

/** `tandem login`: signs in, or creates an account. */
export async function login(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, options, usage)
  if (!given.ok) return given.code
  const [url, ...more] = given.words
  if (more.length > 0)
    return printUsage(`unexpected argument "${more[0]}". Do not pass the password as an argument; Tandem asks for it`, usage)
  const { json } = given.values
  return await withRuntimeClient(process.cwd(), async (client) => {
    const known = await client.call('account_show', {})
    if (!known.ok) return refused(known)
    const before = known.value.account
    if (before && before.ended === null) {
      console.error(
        `tandem: ${stripControls(before.email)} is already signed in at ${stripControls(before.cloud_url)}. Sign out first with tandem logout.`,
      )
      return 1
    }
    const cloud_url = url ?? before?.cloud_url ?? (await promptLine('Server URL: '))
    const email = given.values.email ?? before?.email ?? (await promptLine('Email address: '))
    if (!cloud_url || !email) return printUsage(`specify the ${cloud_url ? 'email address with --email' : 'URL of the server'}`, usage)
    const password = await secret(given.values.new ? 'twice' : 'once')
    if (password === null) return 2
    const account = given.values.new ? 'new' : 'known'
    const answer = await client.call('account_sign_in', { cloud_url, email, password, account })
    if (!answer.ok) return refused(answer)
    // Synchronize once now, so that the output below is correct.
    const synced = await client.call('sync_now', {})
    if (json) console.log(JSON.stringify({ ...answer.value, status: synced.ok ? synced.value.status : null }))
    else {
      console.log(`Signed in as ${stripControls(answer.value.account.email)} at ${stripControls(answer.value.account.cloud_url)}.`)
      if (synced.ok) console.log(`Synchronization: ${stripControls(synced.value.status.text)}.`)
    }
    return 0
  })
}

/** A new password is typed twice, because the input is hidden. Null, with the reason printed, if there is none. */
async function secret(times: 'once' | 'twice'): Promise<string | null> {
  const first = await readSecret('Password: ')
  if (first === null || first === '') {
    console.error('tandem: no password was given. Type it, or send it on standard input.')
    return null
  }
  if (times === 'once' || !process.stdin.isTTY || (await readSecret('Confirm password: ')) === first) return first
  console.error('tandem: the passwords do not match')
  return null
}

function refused({ error }: { readonly error: Parameters<typeof printRefusal>[0] }): number {
  printRefusal(error)
  return error.code === 'invalid_params' ? 2 : 1
}
