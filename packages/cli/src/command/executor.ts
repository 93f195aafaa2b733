import { join } from 'node:path'
import { startReferenceExecutor } from '@tandem/runtime'
import { homeFolder } from '../runtime-client/home.ts'
import { explainedUsage, parseArguments, printUsage } from '../terminal/args.ts'
import { flag } from '../terminal/options.ts'
import { waitForStopSignal } from './signals.ts'

const usage = explainedUsage(
  'tandem executor [--listen ADDRESS] [--port PORT] [--host NAME]… [--capability NAME]… [--plain] [--allow-host PATTERN]… [--no-sandbox] [--new-token] [--allow-root]',
  'Makes this machine available to your other devices: they see what it offers, and run commands on it. It prints its token once, and the fingerprint of its certificate.',
  '--listen: the IP address to listen on; 127.0.0.1 by default. --port: 7447 by default. --host: a name or address that clients use.',
  '--capability: something this machine offers besides its programs, such as gpu.cuda. --plain: without TLS, on loopback only.',
  '--allow-host: a host that commands may access, such as *.npmjs.org; none by default. --no-sandbox: runs commands although nothing restricts them.',
  '--new-token: creates another token; the previous one stops working. --allow-root: runs even as root.',
)

const options = {
  listen: { type: 'string', default: '127.0.0.1' },
  port: { type: 'string', default: '7447' },
  host: { type: 'string', multiple: true },
  capability: { type: 'string', multiple: true },
  plain: flag,
  'allow-host': { type: 'string', multiple: true },
  'no-sandbox': flag,
  'new-token': flag,
  'allow-root': flag,
} as const

/** `tandem executor`: the reference executor, until it is stopped. */
export async function executor(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, options, usage)
  if (!given.ok) return given.code
  const { listen, port, host = [], capability = [], plain, 'new-token': renew_token, 'allow-root': allow_root } = given.values
  const { 'allow-host': job_hosts = [], 'no-sandbox': unrestricted } = given.values
  if (given.words.length > 0) return printUsage('executor takes no arguments', usage)
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) return printUsage('--port must be a number up to 65535', usage)
  const stopped = waitForStopSignal()
  const start = await startReferenceExecutor({
    ...{ listen, port: Number(port), hosts: host, plain, capabilities: capability, renew_token, allow_root },
    ...{ job_hosts, unrestricted, home: homeFolder() },
    folder: join(homeFolder(), 'executor'),
    environment: process.env,
    uid: process.getuid?.() ?? null,
  })
  if (!start.ok) {
    console.error(`tandem: ${start.problem}`)
    console.error(`        ${start.remedy}`)
    return 1
  }
  const { url, certificate_sha256, new_token, stop } = start.executor
  console.log(`The executor is at  ${url}`)
  if (certificate_sha256 !== null) console.log(`Fingerprint         ${certificate_sha256}`)
  if (new_token !== null) console.log(`Token               ${new_token}   (shown only now; store it on the other device)`)
  console.log('Add it on the other device with tandem executors add NAME URL, or in its settings. Press Ctrl-C to stop it.')
  await stopped
  await stop()
  return 0
}
