// Signs in to a server with OAuth, in the browser, and signs out.
import { readFileSync } from 'node:fs'
import type { McpSignIn } from '@tandem/contract/command'
import { exitCodes } from '../../run/exit-code.ts'
import { withRuntimeClient } from '../../runtime-client/connect.ts'
import type { RuntimeClient } from '../../runtime-client/runtime-client.ts'
import { explainedUsage, parseArguments, printUsage } from '../../terminal/args.ts'
import { confirm } from '../../terminal/confirm.ts'
import { openBrowser } from '../../terminal/open-browser.ts'
import { styled } from '../../terminal/style.ts'
import { escapeControls } from '../../terminal/terminal-text.ts'
import { waitForStopSignal } from '../signals.ts'
import { testConnection } from './consent.ts'
import { printServerRefusal } from './server.ts'

export const loginUsage = explainedUsage(
  'tandem mcp login SERVER [--client-id ID [--client-secret]] [--port PORT] [--json]',
  'Signs in to a server at a URL, in your browser, and waits until you are done.',
  '--client-id: a client that you registered there. --client-secret: reads its secret from standard input. --port: the port of its redirect address.',
)

const options = {
  'client-id': { type: 'string' },
  'client-secret': { type: 'boolean', default: false },
  port: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const

export async function login(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, options, loginUsage)
  if (!given.ok) return given.code
  const [server_id, ...more] = given.words
  if (server_id === undefined || more.length > 0) return printUsage('specify one server', loginUsage)
  const { 'client-id': client_id, 'client-secret': hasSecret, port, json } = given.values
  if (hasSecret && client_id === undefined) return printUsage('--client-secret is only valid with --client-id', loginUsage)
  const redirect_port = port === undefined ? undefined : Number(port)
  if (redirect_port !== undefined && !(Number.isInteger(redirect_port) && redirect_port >= 1_024 && redirect_port <= 65_535))
    return printUsage('--port must be a number from 1024 to 65535', loginUsage)
  const client_secret = hasSecret ? readFileSync(0, 'utf8').trim() : undefined
  if (client_secret === '') return printUsage('no client secret was sent on standard input', loginUsage)
  const params = {
    server_id,
    ...(client_id === undefined ? {} : { client_id }),
    ...(client_secret === undefined ? {} : { client_secret }),
    ...(redirect_port === undefined ? {} : { redirect_port }),
  }
  return await withRuntimeClient(process.cwd(), async (client) => {
    const begun = await client.call('mcp_server_sign_in', params)
    if (!begun.ok) return printServerRefusal(begun.error, server_id)
    const { sign_in } = begun.value
    console.error(signInText(sign_in))
    if (json) console.log(JSON.stringify(sign_in))
    const answer = await confirm('Open the browser?')
    if (answer === 'yes' && !(await openBrowser(sign_in.authorization_url)))
      console.error('No browser was found: open the address yourself.')
    const stopped = waitForStopSignal()
    console.error('Waiting for the sign-in…')
    return await waitForEnd(client, sign_in, stopped, json)
  })
}

async function waitForEnd(
  client: RuntimeClient,
  { sign_in_id, server_id }: McpSignIn,
  stopped: Promise<void>,
  json: boolean,
): Promise<number> {
  for (;;) {
    const waited = await Promise.race([client.call('mcp_server_wait_sign_in', { sign_in_id }), stopped])
    if (!waited) {
      await client.call('mcp_server_cancel_sign_in', { sign_in_id })
      console.error(`tandem: the sign-in to ${server_id} was canceled`)
      return exitCodes.canceled
    }
    if (!waited.ok) return printServerRefusal(waited.error, server_id)
    if (waited.value.state === 'signed_in') return await testConnection(client, server_id, json)
  }
}

/** The hosts are shown before anything is opened: the server chose them. */
function signInText({ server_id, issuer, hosts, scope, authorization_url, redirect_uri }: McpSignIn): string {
  const { host } = new URL(issuer)
  const others = hosts.filter((each) => each !== host)
  return [
    styled('bold', `${server_id} asks you to sign in at ${escapeControls(host)}.`),
    ...(others.length > 0 ? [`  other hosts that take part: ${others.map(escapeControls).join(', ')}`] : []),
    `  requested rights: ${scope === null ? 'those that the server gives by default' : escapeControls(scope)}`,
    `  returns to ${redirect_uri}`,
    'Continue only if you know this host. Open this address in a browser on this device:',
    `  ${escapeControls(authorization_url)}`,
  ].join('\n')
}

export const logoutUsage = explainedUsage(
  'tandem mcp logout SERVER [--json]',
  'Signs out of a server: its tokens are revoked and deleted from this device.',
)

export async function logout(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { json: { type: 'boolean', default: false } }, logoutUsage)
  if (!given.ok) return given.code
  const [server_id, ...more] = given.words
  if (server_id === undefined || more.length > 0) return printUsage('specify one server', logoutUsage)
  return await withRuntimeClient(process.cwd(), async (client) => {
    const ended = await client.call('mcp_server_sign_out', { server_id })
    if (!ended.ok) return printServerRefusal(ended.error, server_id)
    console.log(given.values.json ? JSON.stringify(ended.value.server) : `Signed out of ${server_id}.`)
    return 0
  })
}
