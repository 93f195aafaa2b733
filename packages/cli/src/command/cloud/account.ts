import type { CommandError, SignedInAccount } from '@tandem/contract/command'
import { limits } from '@tandem/contract/limits'
import { withRuntimeClient } from '../../runtime-client/connect.ts'
import type { RuntimeClient } from '../../runtime-client/runtime-client.ts'
import { parseArguments, printUsage } from '../../terminal/args.ts'
import { readSecret, readSecrets } from '../../terminal/password.ts'
import { promptLine } from '../../terminal/prompt-line.ts'
import { printRefusal } from '../../terminal/refusal.ts'
import { stripControls } from '../../terminal/terminal-text.ts'

const usage = `tandem account [show] [--json] | tandem account password [--json] | tandem account delete [--confirm EMAIL] [--json]
  show       show which account is signed in on this device
  password   change the password. All other devices are signed out and all API keys are revoked; this device stays signed in
  delete     delete the account and everything the cloud stores for it. Its devices are signed out and keep their local data
  --confirm  the email address of the account to delete, if it cannot be typed at a terminal
  Tandem asks for passwords, or reads them from standard input: first the current one, then the new one on the next line.`

const options = {
  confirm: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const

interface Given {
  readonly json: boolean
  readonly confirm?: string | undefined
}

const verbs = { show, password, delete: deleteAccount } as const

/** `tandem account`: shows who is signed in; changes the password or deletes the account. */
export async function account(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, options, usage)
  if (!given.ok) return given.code
  const [verb = 'show', ...more] = given.words
  if (!Object.hasOwn(verbs, verb)) return printUsage(`unknown action "${verb}"`, usage)
  if (more.length > 0)
    return printUsage(`unexpected argument "${more[0]}". Do not pass passwords as arguments; Tandem asks for them`, usage)
  if (given.values.confirm !== undefined && verb !== 'delete') return printUsage('--confirm is only valid with delete', usage)
  return await withRuntimeClient(process.cwd(), async (client) => {
    const shown = await client.call('account_show', {})
    if (!shown.ok) return refused(shown.error)
    const signedIn = shown.value.account
    if (!signedIn) {
      console.error('tandem: you are not signed in on this device. Sign in with tandem login.')
      return 1
    }
    if (signedIn.ended !== null && verb !== 'show') {
      console.error(`tandem: the cloud ended this session (${stripControls(signedIn.ended)}). Sign in again with tandem login.`)
      return 1
    }
    return await verbs[verb as keyof typeof verbs](client, signedIn, given.values)
  })
}

async function show(_desk: RuntimeClient, signedIn: SignedInAccount, { json }: Given): Promise<number> {
  const ended =
    signedIn.ended === null ? '' : `\nThe cloud ended the session (${stripControls(signedIn.ended)}). Sign in again with tandem login.`
  console.log(json ? JSON.stringify(signedIn) : `${stripControls(signedIn.email)} at ${stripControls(signedIn.cloud_url)}${ended}`)
  return 0
}

async function password(client: RuntimeClient, _signedIn: SignedInAccount, { json }: Given): Promise<number> {
  const passwords = await readSecrets(['Current password: ', 'New password: '])
  const [current_password, new_password] = passwords ?? []
  if (!current_password || !new_password) {
    console.error('tandem: a password is missing. Type both, or send them as two lines on standard input. Nothing was changed.')
    return 2
  }
  if (new_password.length < limits.password_characters_min) {
    console.error(`tandem: the new password must have at least ${limits.password_characters_min} characters. Nothing was changed.`)
    return 2
  }
  if (process.stdin.isTTY && (await readSecret('Confirm new password: ')) !== new_password) {
    console.error('tandem: the passwords do not match. Nothing was changed.')
    return 2
  }
  const answer = await client.call('account_change_password', { current_password, new_password })
  if (!answer.ok) return refused(answer.error)
  if (json) console.log(JSON.stringify(answer.value))
  else console.log('The password was changed. All other devices are signed out, and all API keys are revoked.')
  return 0
}

async function deleteAccount(client: RuntimeClient, { email, cloud_url }: SignedInAccount, { json, confirm }: Given): Promise<number> {
  if (confirm === undefined && process.stdin.isTTY) {
    console.error(
      `This deletes ${stripControls(email)} at ${stripControls(cloud_url)} and everything stored there: records, files, logs and API keys.`,
    )
    console.error('It cannot be undone. All devices are signed out; what is stored on them is kept.')
  }
  const typed = confirm ?? (await promptLine('Type the email address of the account to confirm: '))
  if (typed === null) {
    console.error('tandem: without a terminal, deleting an account needs --confirm EMAIL. Nothing was deleted.')
    return 2
  }
  if (typed.trim().toLowerCase() !== email.toLowerCase()) {
    console.error(`tandem: the address is not ${stripControls(email)}. Nothing was deleted.`)
    return 2
  }
  const secret = await readSecret('Password: ')
  if (secret === null || secret === '') {
    console.error('tandem: no password was given. Type it, or send it on standard input. Nothing was deleted.')
    return 2
  }
  const answer = await client.call('account_delete', { password: secret })
  if (!answer.ok) return refused(answer.error)
  if (json) console.log(JSON.stringify(answer.value))
  else console.log(`The account ${stripControls(email)} was deleted. This device is signed out and keeps its data.`)
  return 0
}

function refused(error: CommandError): number {
  printRefusal(error)
  return error.code === 'invalid_params' ? 2 : 1
}
