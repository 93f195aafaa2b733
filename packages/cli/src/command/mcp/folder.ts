// The servers in the .mcp.json of a folder: shown, and approved until the file changes.
import { resolve } from 'node:path'
import type { McpFolder } from '@tandem/contract/command'
import { exitCodes } from '../../run/exit-code.ts'
import { withRuntimeClient } from '../../runtime-client/connect.ts'
import { explainedUsage, parseArguments, printUsage } from '../../terminal/args.ts'
import { codeText } from '../../terminal/refusal.ts'
import { styled } from '../../terminal/style.ts'
import { escapeControls, stripControls } from '../../terminal/terminal-text.ts'
import { consentOptions, requestConsent } from './consent.ts'
import { printServerRefusal } from './server.ts'

export const folderUsage = explainedUsage(
  'tandem mcp folder [DIR] [--only SERVER]… [--host HOST]… [--consent SHA256] [--revoke] [--json]',
  'Shows the servers in the .mcp.json of a folder (the current one by default) and asks for your approval of each. They are used only by runs in this folder, until the file changes. --consent: the hash of the file, to approve it without a terminal. --revoke: stops its servers.',
)

const options = { ...consentOptions, only: { type: 'string', multiple: true }, revoke: { type: 'boolean', default: false } } as const

export async function folder(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, options, folderUsage)
  if (!given.ok) return given.code
  const [named = '.', ...more] = given.words
  if (more.length > 0) return printUsage('specify one folder', folderUsage)
  const { only, host = [], consent: hashes = [], revoke, json } = given.values
  const workspace = resolve(named)
  return await withRuntimeClient(process.cwd(), async (client) => {
    const read = await client.call(revoke ? 'mcp_folder_revoke' : 'mcp_folder_get', { workspace })
    if (!read.ok) return printServerRefusal(read.error)
    const found = read.value.folder
    if (revoke || found.state === 'no_file' || found.state === 'approved') return printFolder(found, json)
    for (const { name, message } of found.problems) console.error(styled('yellow', `${stripControls(name)}: ${stripControls(message)}`))
    const unknown = only?.find((id) => !found.servers.some(({ preview }) => preview.server.server_id === id))
    if (unknown !== undefined) return printUsage(`${found.file} has no server ${unknown}`, folderUsage)
    const file_sha256 = found.file_sha256 ?? ''
    if (hashes.length > 0 && !hashes.includes(file_sha256)) return staleConsent(found)
    const consents: { server_id: string; definition_sha256: string; network_hosts: string[] }[] = []
    for (const { preview } of found.servers.filter(({ preview: { server } }) => !only || only.includes(server.server_id))) {
      const { server, definition_sha256 } = preview
      for (const { name, message } of found.notes) if (name === server.server_id) console.error(`${name}: ${stripControls(message)}`)
      const answer = await requestConsent(preview, host, hashes.includes(file_sha256) ? [definition_sha256] : [])
      if (answer === 'nobody') return missingConsent(found)
      if (answer === 'yes') consents.push({ server_id: server.server_id, definition_sha256, network_hosts: host })
    }
    // With --only, the others were not shown.
    if (consents.length === 0 && only) {
      console.error('tandem: no server of this folder was approved')
      return exitCodes.failed
    }
    const approved = await client.call('mcp_folder_consent', { workspace, file_sha256, consents })
    return approved.ok ? printFolder(approved.value.folder, json) : printServerRefusal(approved.error)
  })
}

function printFolder(folder: McpFolder, json: boolean): number {
  if (json) console.log(JSON.stringify(folder))
  else if (folder.state === 'declined')
    console.log(`No server of ${escapeControls(folder.file)} is used. You are asked again when the file changes.`)
  else if (folder.state === 'no_file') console.log(`There is no ${escapeControls(folder.file)}.`)
  else if (folder.state === 'approved') {
    const ids = folder.servers.filter(({ approved }) => approved).map(({ preview }) => preview.server.server_id)
    console.log(`Approved for runs in ${escapeControls(folder.folder)}, until ${escapeControls(folder.file)} changes: ${ids.join(', ')}.`)
  } else console.log(`The servers of ${escapeControls(folder.file)} are not approved, so they are not used.`)
  return 0
}

function staleConsent({ file }: McpFolder): number {
  console.error(`tandem: ${escapeControls(file)} does not match the sha256 given with --consent${codeText('version_conflict')}`)
  console.error('        Review it with tandem mcp folder, then pass the sha256 of the file with --consent.')
  return exitCodes.failed
}

function missingConsent({ folder, file, file_sha256 }: McpFolder): number {
  console.error(`tandem: the servers of ${escapeControls(file)} need your approval${codeText('consent_needed')}`)
  console.error(`        Approve them with tandem mcp folder ${escapeControls(folder)} --consent ${file_sha256}`)
  return exitCodes.paused
}
