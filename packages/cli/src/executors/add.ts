import { exitCodes } from '../run/exit-code.ts'
import { withRuntimeClient } from '../runtime-client/connect.ts'
import type { RuntimeClient } from '../runtime-client/runtime-client.ts'
import { explainedUsage, parseArguments, printUsage } from '../terminal/args.ts'
import { confirm } from '../terminal/confirm.ts'
import { json, text } from '../terminal/options.ts'
import { readSecret } from '../terminal/password.ts'
import { codeText, refused } from '../terminal/refusal.ts'
import { executorText } from './executor.ts'

export const addUsage = explainedUsage(
  'tandem executors add NAME URL [--fingerprint SHA256] [--json]',
  'Adds an executor and tests it. The token, which tandem executor printed at its first start, is read from standard input.',
  '--fingerprint: that of its certificate, as tandem executor prints it. Without it, the one at the address is shown for you to compare.',
)

export async function add(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { fingerprint: text, json }, addUsage)
  if (!given.ok) return given.code
  const [name, executor_url, ...more] = given.words
  if (name === undefined || executor_url === undefined || more.length > 0) return printUsage('specify a name and a URL', addUsage)
  const { fingerprint } = given.values
  const entered = fingerprint === undefined ? null : plainFingerprint(fingerprint)
  if (fingerprint !== undefined && entered === null)
    return printUsage('--fingerprint must be a SHA-256 hash of 64 hexadecimal digits', addUsage)
  return await withRuntimeClient(process.cwd(), async (client) => {
    const certificate = entered ?? (await confirmedCertificate(client, executor_url))
    if (typeof certificate === 'number') return certificate
    const token = await readSecret('Token of the executor: ')
    if (token === null || token.trim() === '') {
      console.error('tandem: no token was given')
      console.error('        Pass it on standard input, or start tandem executor with --new-token to create another one.')
      return exitCodes.usage
    }
    const certificate_sha256 = certificate === 'none' ? null : certificate
    const added = await client.call('executor_add', { name, executor_url, token: token.trim(), certificate_sha256 })
    if (!added.ok) return refused(added.error)
    const { executor } = added.value
    console.log(given.values.json ? JSON.stringify(executor) : executorText(executor))
    return executor.state === 'ready' ? 0 : exitCodes.failed
  })
}

/** `AB:CD:…` or `abcd…`; null if it is neither. */
function plainFingerprint(said: string): string | null {
  const digits = said.trim().replaceAll(':', '').toLowerCase()
  return /^[0-9a-f]{64}$/.test(digits) ? digits : null
}

/** `none` for plain http; an exit code if it was not confirmed. */
async function confirmedCertificate(client: RuntimeClient, executor_url: string): Promise<string | number> {
  const shown = await client.call('executor_preview', { executor_url })
  if (!shown.ok) return refused(shown.error)
  const { certificate_sha256 } = shown.value
  if (certificate_sha256 === null) return 'none'
  console.error(`The certificate at ${executor_url} has the fingerprint\n  ${certificate_sha256}`)
  const answer = await confirm('Is it the one that the executor printed?')
  if (answer === 'yes') return certificate_sha256
  if (answer === 'no') console.error('tandem: the executor was not added')
  else {
    console.error(`tandem: the certificate needs your confirmation${codeText('consent_needed')}`)
    console.error(`        Compare it with the one that the executor printed, then add --fingerprint ${certificate_sha256}`)
  }
  return answer === 'no' ? exitCodes.failed : exitCodes.paused
}
