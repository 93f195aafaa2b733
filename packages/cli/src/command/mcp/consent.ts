// Shows completely what a server would run, and asks for consent to exactly that.
import type { McpServerPreview } from '@tandem/contract/command'
import { exitCodes } from '../../run/exit-code.ts'
import { withRuntimeClient } from '../../runtime-client/connect.ts'
import type { RuntimeClient } from '../../runtime-client/runtime-client.ts'
import { explainedUsage, parseArguments, printUsage } from '../../terminal/args.ts'
import { confirm } from '../../terminal/confirm.ts'
import { codeText } from '../../terminal/refusal.ts'
import { styled } from '../../terminal/style.ts'
import { escapeControls } from '../../terminal/terminal-text.ts'
import { findServer, printServerRefusal, statusText } from './server.ts'

export const consentUsage = explainedUsage(
  'tandem mcp consent SERVER [--host HOST]… [--consent SHA256] [--json]',
  'Approves what a server runs now. --host: a host it may reach.',
)

export const consentOptions = {
  host: { type: 'string', multiple: true },
  consent: { type: 'string', multiple: true },
  json: { type: 'boolean', default: false },
} as const

export async function consent(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, consentOptions, consentUsage)
  if (!given.ok) return given.code
  const [server_id, ...more] = given.words
  if (server_id === undefined || more.length > 0) return printUsage('specify one server', consentUsage)
  const { host = [], consent: hashes = [], json } = given.values
  return await withRuntimeClient(process.cwd(), async (client) => {
    const found = await findServer(client, server_id)
    if (!found.ok) return printServerRefusal(found.error)
    const { preview } = found.value
    const answer = await requestConsent(preview, host, hashes)
    if (answer !== 'yes') return missingConsentText(answer, `tandem mcp consent ${server_id}`, preview)
    const { definition_sha256 } = preview
    const said = await client.call('mcp_server_consent', { server_id, definition_sha256, network_hosts: host })
    if (!said.ok) return printServerRefusal(said.error, server_id)
    return await testConnection(client, server_id, json)
  })
}

export type ConsentResult = 'yes' | 'no' | 'nobody' | 'other'

/** A given hash refers to what was shown before; otherwise it is shown now, in the terminal. */
export async function requestConsent(
  preview: McpServerPreview,
  hosts: readonly string[],
  hashes: readonly string[],
): Promise<ConsentResult> {
  console.error(previewText(preview, hosts))
  if (hashes.includes(preview.definition_sha256)) return 'yes'
  if (hashes.length > 0) return 'other'
  return (
    (await confirm(preview.server.transport === 'stdio' ? 'Allow it to run on this device?' : 'Allow calling it from this device?')) ??
    'nobody'
  )
}

/** Why nothing was started, and how to start it. */
export function missingConsentText(
  answer: Exclude<ConsentResult, 'yes'>,
  command: string,
  { server, definition_sha256 }: McpServerPreview,
): number {
  if (answer === 'no') console.error(`tandem: ${server.server_id} was not approved`)
  if (answer === 'other') {
    console.error(`tandem: ${server.server_id} does not match the sha256 given with --consent${codeText('version_conflict')}`)
    console.error('        Review it above, then pass its sha256 with --consent.')
  }
  if (answer === 'nobody') {
    console.error(`tandem: ${server.server_id} needs your approval${codeText('consent_needed')}`)
    console.error(`        Approve it with ${command} --consent ${definition_sha256}`)
  }
  return answer === 'nobody' ? exitCodes.paused : exitCodes.failed
}

/** Whether it responds; a runtime of our own ends it with this command. */
export async function testConnection(client: RuntimeClient, server_id: string, json: boolean): Promise<number> {
  const tested = await client.call('mcp_server_test', { server_id })
  if (!tested.ok) return printServerRefusal(tested.error, server_id)
  console.log(json ? JSON.stringify(tested.value.status) : statusText(tested.value.status))
  return 0
}

function previewText({ server, runs, secret_names, warnings, definition_sha256 }: McpServerPreview, hosts: readonly string[]): string {
  const isProgram = server.transport === 'stdio'
  const own = isProgram ? [] : ['its own address']
  const reach = [...own, ...hosts.map(escapeControls)]
  return [
    styled('bold', `${server.server_id} ${isProgram ? 'would run on this device:' : 'would be called at:'}`),
    `  ${escapeControls(runs)}`,
    `  name ${escapeControls(server.name)}; approval mode of its tools: ${server.default_approval_mode}`,
    ...(secret_names.length > 0
      ? [`  receives the values of ${secret_names.map(escapeControls).join(', ')}, which stay on this device`]
      : []),
    `  can reach ${reach.length === 0 ? 'no host' : reach.join(', ')}${isProgram ? '; works in the folder of each run' : ''}`,
    ...warnings.map((one) => styled('yellow', `  ! ${escapeControls(one)}`)),
    styled('dim', `  sha256 ${definition_sha256}`),
  ].join('\n')
}
