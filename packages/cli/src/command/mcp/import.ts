import { readFileSync } from 'node:fs'
import type { ListedMcpServer, McpServerPreview } from '@tandem/contract/command'
import { systemErrorText } from '@tandem/contract/system-error'
import { exitCodes } from '../../run/exit-code.ts'
import { withRuntimeClient } from '../../runtime-client/connect.ts'
import { explainedUsage, parseArguments, printUsage } from '../../terminal/args.ts'
import { codeText } from '../../terminal/refusal.ts'
import { styled } from '../../terminal/style.ts'
import { stripControls } from '../../terminal/terminal-text.ts'
import { consentOptions, missingConsentText, requestConsent } from './consent.ts'
import { printServerRefusal } from './server.ts'

export const importUsage = explainedUsage(
  'tandem mcp import FILE|- [--only SERVER]… [--host HOST]… [--consent SHA256]… [--json]',
  'Reads the configuration of another client (JSON, or the TOML of Codex), shows each server with what is not taken over, and asks for your approval of each.',
)

const options = { ...consentOptions, only: { type: 'string', multiple: true } } as const

/** The configuration of another client: each server is shown and needs consent; those without consent are not stored. */
export async function importServers(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, options, importUsage)
  if (!given.ok) return given.code
  const [file, ...more] = given.words
  if (file === undefined || more.length > 0) return printUsage('specify one file, or - for standard input', importUsage)
  const { only, host = [], consent: hashes = [], json } = given.values
  let text: string
  try {
    text = readFileSync(file === '-' ? 0 : file, 'utf8')
  } catch (error) {
    console.error(`tandem: ${file} cannot be read: ${systemErrorText(error)}`)
    console.error('        Use the file in which the other client stores its MCP servers.')
    return exitCodes.failed
  }

  return await withRuntimeClient(process.cwd(), async (client) => {
    const shown = await client.call('mcp_import_preview', { text })
    if (!shown.ok) return printServerRefusal(shown.error)
    const { servers, problems, notes } = shown.value
    for (const { name, message } of problems)
      console.error(styled('yellow', `${stripControls(name)} cannot be imported: ${stripControls(message)}`))
    const strange = only?.find((wanted) => !servers.some(({ server }) => server.server_id === wanted))
    if (strange !== undefined) return printUsage(`${file} has no server ${strange}; it has ${idsOf(servers) || 'none'}`, importUsage)
    const wanted = servers.filter(({ server }) => !only || only.includes(server.server_id))
    const kept: ListedMcpServer[] = []
    let code: number = problems.length > 0 ? exitCodes.failed : 0
    for (const preview of wanted) {
      const { server, definition_sha256 } = preview
      for (const { name, message } of notes) if (name === server.server_id) console.error(`${name}: ${stripControls(message)}`)
      const answer = await requestConsent(preview, host, hashes)
      if (answer !== 'yes') {
        // Hashes select servers: the others are left out silently.
        if (answer !== 'other') code = missingConsentText(answer, `tandem mcp import ${file} --only ${server.server_id}`, preview)
        continue
      }
      const consents = [{ server_id: server.server_id, definition_sha256, network_hosts: host }]
      const added = await client.call('mcp_import', { text, consents })
      if (added.ok) kept.push(...added.value.servers)
      else code = printServerRefusal(added.error, server.server_id)
    }
    if (hashes.length > 0 && kept.length === 0 && code === 0) {
      console.error(`tandem: none of these servers matches what you approved${codeText('version_conflict')}`)
      console.error('        Review them above, then pass the sha256 of each one you want with --consent.')
      code = exitCodes.failed
    }
    if (json) console.log(JSON.stringify({ previews: wanted, problems, notes, imported: kept }))
    else console.log(kept.length === 0 ? 'Nothing was imported.' : `Imported ${idsOf(kept.map(({ preview }) => preview))}.`)
    return code
  })
}

function idsOf(previews: readonly McpServerPreview[]): string {
  return previews.map(({ server }) => server.server_id).join(', ')
}
