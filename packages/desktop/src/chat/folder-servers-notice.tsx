// One line about the servers in the .mcp.json of the folder, until the user has decided about them.
import { folderServersAddress, followLink } from '../address.ts'
import { useCommand, useNewestEventNumber } from '../client/use-request.ts'
import { mcpWords } from '../strings/mcp.ts'

const told = mcpWords.folders

export function FolderServersNotice({ workspace }: { workspace: string }) {
  // Runs may change the file.
  const version = useNewestEventNumber(/^(?:mcp|run)_/)
  const { state: read } = useCommand('mcp_folder_get', { workspace }, { version })
  // A folder that cannot be read has no servers; everything else reports why.
  if (read.state !== 'ready') return null
  const { state, servers, folder } = read.value.folder
  if (servers.length === 0 || (state !== 'new' && state !== 'changed')) return null
  return (
    <p role="status" className="mb-2 break-words rounded-md bg-warn-soft px-3 py-1.5 text-sm text-warn" data-folder-servers={state}>
      {state === 'new' ? told.undecided(servers.length) : told.changedNotice}{' '}
      <a href={folderServersAddress(folder)} onClick={followLink} className="underline underline-offset-4">
        {told.review}
      </a>
    </p>
  )
}
